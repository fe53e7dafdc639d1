"""A Dask cluster: the pieces are done by worker processes, on this machine or on many that see the same files."""

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from cranfield.errors import Error, PolicyError
from cranfield.errors.extras import need
from cranfield.errors.wording import setting

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

PATIENCE = 30.0  # seconds to wait for the scheduler, and for the first worker
AGAIN = 5.0  # the same, where the scheduler was there before
ATTEMPTS = 4  # how often what all pieces need is handed over again because every worker that had it is gone


class Cluster:
    """The workers of a Dask scheduler, by its address or through a client that is connected already.

    A piece whose worker is lost is done again by another one.
    """

    away = True

    def __init__(self, cluster: Any) -> None:  # an address, or a `distributed.Client`
        need("distributed", setting("cluster"))
        if isinstance(cluster, str) and not _is_address(cluster):
            problem = f"{setting('cluster', cluster)} is not the address of a scheduler"
            raise PolicyError("E242", problem, hint="write tcp://HOST:8786")
        self._cluster = cluster

    def map(
        self, function: Callable[[S, T], R], shared: S, pieces: Sequence[T], sizes: Sequence[int]
    ) -> Generator[R, None, None]:
        """`function(shared, piece)` for each piece, in order; the first error in that order is raised."""
        done = 0
        for attempt in range(ATTEMPTS):
            with (
                self._client(AGAIN if attempt else PATIENCE) as client,
                self._submitted(client, function, shared, pieces[done:]) as futures,
            ):
                try:
                    for future in futures:
                        result: R = future.result()
                        yield result
                        done += 1
                    return
                except CancelledError:  # with its last copy of what all pieces need a worker took their results along
                    continue
                except _closed():
                    raise self._failed("was lost") from None
                except _killed() as reason:
                    raise self._failed(f"lost its workers repeatedly: {reason}") from None
        raise self._failed("lost all of its workers repeatedly")

    @contextmanager
    def _client(self, patience: float) -> Iterator[Any]:  # a `distributed.Client`
        import distributed

        if isinstance(self._cluster, distributed.Client):
            yield self._cluster
            return
        try:
            client: Any = distributed.Client(  # type: ignore[no-untyped-call]  # the package is typed in parts
                self._cluster, timeout=patience, set_as_default=False
            )
        except (OSError, ValueError, TypeError) as reason:
            raise self._failed(f"cannot be reached: {reason}") from None
        try:
            self._check(client)
            yield client
        finally:
            with suppress(Exception):  # of a scheduler that is gone: nothing is left to be ended there
                client.close(timeout=AGAIN)

    def _check(self, client: Any) -> None:
        """There are workers, and they have the same version of this package."""
        import cranfield

        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise self._failed("has no workers") from None
        except (OSError, CancelledError):
            raise self._failed("was lost") from None
        for worker, version in client.run(_version, on_error="return").items():
            if version != cranfield.__version__:
                problem = f"has cranfield {cranfield.__version__} here and {version} on worker {worker}"
                raise self._failed(problem) from None

    @contextmanager
    def _submitted(
        self, client: Any, function: Callable[..., R], shared: Any, pieces: Sequence[Any]
    ) -> Iterator[list[Any]]:
        """The futures of the pieces; unfinished ones are cancelled when they are no longer needed."""
        try:
            everywhere = client.scatter(shared, broadcast=True, hash=False)
            futures = [client.submit(function, everywhere, piece, pure=False) for piece in pieces]
        except (OSError, CancelledError):  # timeouts are among the first
            raise self._failed("was lost") from None
        try:
            yield futures
        finally:
            with suppress(Exception):  # a scheduler that is gone has cancelled them itself
                client.cancel(futures)

    def _failed(self, problem: str) -> Error:
        return Error(
            "E218", f"the cluster at {self._cluster} {problem}", hint=f"{setting('jobs')} works without a cluster"
        )


_ADDRESS = re.compile(r"(?:(?:tcp|tls|wss?|ucx)://)?(?:\[[0-9a-fA-F:.%]+\]|[^\s:/\[\]]+):(\d{1,5})/?|inproc://\S+")


def _is_address(text: str) -> bool:
    """Whether the text is a valid address; any other text would be looked up as a host, which takes long.

    >>> [
    ...     _is_address(text)
    ...     for text in ("tcp://10.0.0.1:8786", "node7:8786", "[::1]:8786", "node7", "tcp://node7:99999")
    ... ]
    [True, True, True, False, False]
    """
    found = _ADDRESS.fullmatch(text)
    return found is not None and (found[1] is None or 0 < int(found[1]) < 1 << 16)


def _closed() -> type[BaseException]:
    from distributed.comm.core import CommClosedError

    return CommClosedError


def _killed() -> type[BaseException]:
    from distributed.scheduler import KilledWorker

    return KilledWorker


def _version() -> str:
    import cranfield

    return cranfield.__version__
