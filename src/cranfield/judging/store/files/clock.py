"""The time of a lab: UTC in milliseconds, which never goes back."""

import threading
import time
from collections.abc import Callable


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


def _elapsed_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Clock:
    """Follows the clock of the machine forwards; if that is set back, goes on from the last time it gave.

    >>> wall = iter([1000, 400, 500])
    >>> elapsed = iter([0, 1, 3])
    >>> clock = Clock(lambda: next(wall), lambda: next(elapsed))
    >>> clock.now(), clock.now(), clock.now()
    (1000, 1001, 1003)
    """

    def __init__(self, wall: Callable[[], int] = _wall_ms, elapsed: Callable[[], int] = _elapsed_ms) -> None:
        self._wall, self._elapsed = wall, elapsed
        self._last: tuple[int, int] | None = None
        self._floor = 0
        self._lock = threading.Lock()

    def not_before(self, at_ms: int) -> None:
        """Give no time before this one: that of the last event of a lab."""
        with self._lock:
            self._floor = max(self._floor, at_ms)

    def now(self) -> int:
        """The time, at least the one given before plus what has elapsed since."""
        with self._lock:
            elapsed = self._elapsed()
            at_least = self._floor
            if self._last is not None:
                at_least = max(at_least, self._last[0] + elapsed - self._last[1])
            now = max(self._wall(), at_least)
            self._last = (now, elapsed)
            return now
