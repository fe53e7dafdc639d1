"""A Dask cluster: the pieces are done by worker processes, on this machine or on many that see the same files."""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, TypeVar

from cranfield.errors import Error
from cranfield.errors.extras import need
from cranfield.errors.wording import setting

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

PATIENCE = 30.0  # seconds to wait for the scheduler, and for the first worker
ATTEMPTS = 4  # how often what all pieces need is handed over again because every worker that had it is gone


class Cluster:
    """The workers of a Dask scheduler, by its address or through a client that is connected already.

    A piece whose worker is lost is done again by another one.
    """

    away = True

    def __init__(self, cluster: Any) -> None:  # an address, or a `distributed.Client`
        need("distributed", setting("cluster"), instead=f"use {setting('jobs')}")
        self._cluster = cluster

    def map(
        self, function: Callable[[S, T], R], shared: S, pieces: Sequence[T], sizes: Sequence[int]
    ) -> Generator[R, None, None]:
        """`function(shared, piece)` for each piece, in order; the first error in that order is raised."""
        done = 0
        for _ in range(ATTEMPTS):
            with self._client() as client, _submitted(client, function, shared, pieces[done:]) as futures:
                try:
                    for future in futures:
                        result: R = future.result()
                        yield result
                        done += 1
                    return
                except CancelledError:  # with its last copy of what all pieces need a worker took their results along
                    continue
                except _killed() as reason:
                    raise self._failed(f"lost its workers again and again: {reason}") from None
        raise self._failed("lost all of its workers again and again")

    @contextmanager
    def _client(self) -> Iterator[Any]:  # a `distributed.Client`
        import distributed

        if isinstance(self._cluster, distributed.Client):
            yield self._cluster
            return
        try:
            client: Any = distributed.Client(  # type: ignore[no-untyped-call]  # the package is typed in parts
                self._cluster, timeout=PATIENCE, set_as_default=False
            )
        except (OSError, ValueError, TypeError) as reason:
            raise self._failed(f"cannot be reached: {reason}") from None
        with client:
            self._check(client)
            yield client

    def _check(self, client: Any) -> None:
        """There are workers, and they have the same version of this package."""
        import cranfield

        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise self._failed("has no workers") from None
        for worker, version in client.run(_version, on_error="return").items():
            if version != cranfield.__version__:
                problem = f"has cranfield {cranfield.__version__} here and {version} on worker {worker}"
                raise self._failed(problem) from None

    def _failed(self, problem: str) -> Error:
        return Error(
            "E218", f"the cluster at {self._cluster} {problem}", hint=f"{setting('jobs')} works without a cluster"
        )


@contextmanager
def _submitted(client: Any, function: Callable[..., R], shared: Any, pieces: Sequence[Any]) -> Iterator[list[Any]]:
    """The futures of the pieces; what is not done when they are no longer needed is cancelled."""
    everywhere = client.scatter(shared, broadcast=True, hash=False)
    futures = [client.submit(function, everywhere, piece, pure=False) for piece in pieces]
    try:
        yield futures
    finally:
        client.cancel(futures)


def _killed() -> type[BaseException]:
    from distributed.scheduler import KilledWorker

    return KilledWorker


def _version() -> str:
    import cranfield

    return cranfield.__version__
