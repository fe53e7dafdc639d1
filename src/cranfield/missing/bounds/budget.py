"""The time that searches may take: a search that is not finished by then gives wider bounds, which still hold."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Final, Literal

from cranfield.errors.ranges import check_least
from cranfield.tables.words import counted

Search = Literal["ranges", "differences", "completions", "flipping sets"]


class SearchBudget:
    """Seconds for all searches of a result, from the first one on; they look at it between topics.

    Args:
        seconds: how many; None: no limit.
        clock: tells the time.

    >>> times = iter([0.0, 3.0, 6.0])
    >>> budget = SearchBudget(5, clock=lambda: next(times))
    >>> [budget.spent("ranges") for _ in range(3)]
    [False, False, True]
    >>> print(*budget.words())
    budget=5 seconds: ranges were cut short 1 time, and hold; how many are depends on the machine
    """

    def __init__(self, seconds: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        check_least(0, budget=0 if seconds is None else seconds)
        self.seconds: Final = seconds
        self.cut: Counter[Search] = Counter()
        self._clock = clock
        self._begin: float | None = None

    def spent(self, what: Search) -> bool:
        """Whether the time is over; then a search is counted as cut."""
        if self.seconds is None:
            return False
        now = self._clock()
        self._begin = now if self._begin is None else self._begin
        over = now - self._begin >= self.seconds
        self.cut[what] += over
        return over

    def words(self) -> list[str]:
        """What was cut, for the footer; the same call may cut other searches next time."""
        cut = [f"{what} were cut short {counted(number, 'time')}" for what, number in self.cut.items() if number]
        if not cut:
            return []
        return [f"budget={self.seconds:g} seconds: {', '.join(cut)}, and hold; how many are depends on the machine"]

    def as_dict(self) -> dict[str, int]:
        """The number of searches that were cut, by what was searched for."""
        return {what: number for what, number in self.cut.items() if number}


UNLIMITED: Final = SearchBudget()
