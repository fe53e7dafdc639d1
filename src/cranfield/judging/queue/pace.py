"""How quickly an assessor works."""

from collections.abc import Sequence
from itertools import pairwise

PAUSE_MS = 5 * 60_000  # a longer gap between two judgments is a pause, not work


def per_minute(times: Sequence[int]) -> float | None:
    """Judgments per minute from the times of the last ones, newest first; pauses are left out.

    >>> per_minute([90_000, 60_000, 30_000, 0]), per_minute([5])
    (2.0, None)
    """
    gaps = [later - earlier for later, earlier in pairwise(times)]
    worked = [gap for gap in gaps if gap <= PAUSE_MS]
    return len(worked) * 60_000 / sum(worked) if sum(worked) else None
