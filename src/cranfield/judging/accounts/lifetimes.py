"""How long a session lives: 12 hours without a request, 7 days at most."""

IDLE_MS = 12 * 60 * 60 * 1000
MOST_MS = 7 * 24 * 60 * 60 * 1000
NOTED_MS = 5 * 60 * 1000  # a request is noted if the last one noted is older


def alive(made_ms: int, seen_ms: int, ended_ms: int | None, now: int) -> bool:
    """Whether a session still stands.

    >>> hour = 3_600_000
    >>> alive(0, 0, None, 11 * hour), alive(0, 0, None, 12 * hour), alive(0, 0, 5, 6)
    (True, False, False)
    >>> alive(0, 7 * 24 * hour - 1, None, 7 * 24 * hour)
    False
    """
    return ended_ms is None and now < seen_ms + IDLE_MS and now < made_ms + MOST_MS
