"""How many draws a test or an interval may make."""

from cranfield.arrays.memory import afford_each
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting

MOST = 1_000_000_000  # which take hours


def check_draws(samples: int, size: float = 0, *, least: int = 1, name: str = "samples") -> None:
    """Refuse too few draws, too many, and more than there is memory for where each is held in `size` bytes.

    >>> check_draws(100_000, size=8)
    >>> check_draws(10**10)
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E240: samples=10000000000 is too many
      hint: 1,000,000,000 at most
    """
    if samples < least:
        raise PolicyError("E240", f"{setting(name, samples)} must be at least {least}", hint="write 100000")
    if samples > MOST:
        raise PolicyError("E240", f"{setting(name, samples)} is too many", hint=f"{MOST:,} at most")
    if size:
        afford_each(samples, size, "draws")
