"""How often a password may be tried: five failures in fifteen minutes, by account and by address."""

from collections.abc import Sequence

FAILURES = 5
WINDOW_MS = 15 * 60 * 1000


def keys(name: str, address: str) -> tuple[str, str]:
    """Under which names a failed attempt is counted: the account, whether it exists or not, and the address.

    >>> keys("Ann", "10.0.0.7")
    ('account:ann', 'address:10.0.0.7')
    """
    return f"account:{name.casefold()[:200]}", f"address:{address}"


def seconds_to_wait(failures: Sequence[int], now: int) -> int:
    """How long until the next attempt is allowed; 0 if it is now.

    >>> seconds_to_wait([0, 1000, 2000, 3000, 4000], now=60_000)
    840
    >>> seconds_to_wait([0, 1000, 2000, 3000], now=60_000), seconds_to_wait([0] * 5, now=WINDOW_MS)
    (0, 0)
    """
    recent = sorted(at for at in failures if at > now - WINDOW_MS)
    if len(recent) < FAILURES:
        return 0
    return max(1, -(-(recent[-FAILURES] + WINDOW_MS - now) // 1000))
