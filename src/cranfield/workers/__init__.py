"""Many independent pieces of work: on threads of this process, on processes, or on the workers of a Dask cluster.

Results, and the first error, come in the order of the pieces, whichever finishes first. `shared` data, which all pieces
need, are sent once.
"""

import os
from collections.abc import Callable, Generator, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")
Progress: TypeAlias = Callable[[str, int, int], None]  # what is done, how much of it, of how much

SMALL = 4 << 20  # bytes of work that are done before a second thread would pay
LARGE = 64 << 20  # the same for a second process, which takes longer to begin
TOGETHER = 1 << 30  # bytes of work at once, if the number of jobs is not given; a larger piece is done alone


class Workers(Protocol):
    """Something that maps a function over pieces of work."""

    @property
    def away(self) -> bool:
        """Whether other processes do the work, which cannot read our standard input or our pipes."""
        ...

    def map(
        self, function: Callable[[S, T], R], shared: S, pieces: Sequence[T], sizes: Sequence[int]
    ) -> Generator[R, None, None]:
        """`function(shared, piece)` for each piece, in order; `sizes` are their bytes, as far as known."""
        ...


class Alone:
    """One piece after the other, in this thread."""

    away = False

    def map(
        self, function: Callable[[S, T], R], shared: S, pieces: Sequence[T], sizes: Sequence[int]
    ) -> Generator[R, None, None]:
        """`function(shared, piece)` for each piece, in order."""
        for piece in pieces:
            yield function(shared, piece)


def workers(
    jobs: int | None,
    cluster: Any,  # an address, or a Client of Dask
    sizes: Sequence[int],
    *,
    processes: bool = False,
) -> Workers:
    """Choose the workers for pieces of work of the given sizes.

    Args:
        jobs: number of threads (or processes); by default as many as there are cores, one for small work, and fewer
            where that many pieces at once would take much memory.
        cluster: the address of a Dask scheduler, or a `distributed.Client`.
        sizes: the bytes of each piece, as far as known.
        processes: whether the work holds the interpreter, so that jobs must be processes instead of threads.

    >>> list(workers(2, None, [1, 1]).map(pow, 2, [3, 4], [1, 1]))
    [8, 16]
    """
    if jobs is not None and not (type(jobs) is int and jobs >= 1):
        from cranfield.errors.ranges import out_of_range

        raise out_of_range("jobs", jobs, "a whole number from 1, or none for all cores")
    if cluster is not None:
        if jobs is not None:
            raise PolicyError(
                "E243",
                f"{setting('jobs')} and {setting('cluster')} exclude each other",
                hint="the cluster has workers of its own",
            )
        from cranfield.workers.cluster import Cluster

        return Cluster(cluster)
    if jobs == 1 or (jobs is None and sum(sizes) < (LARGE if processes else SMALL)):
        return Alone()
    if processes:
        from cranfield.workers.processes import Processes

        return Processes(jobs or _cores())
    from cranfield.workers.threads import Threads

    return Threads(_cores(), max(TOGETHER, *sizes)) if jobs is None else Threads(jobs)


def _cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
