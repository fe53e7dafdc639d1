"""Numbers that have to lie in a range."""

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting


def check_least(least: float, **numbers: float) -> None:
    """Refuse a number that is smaller, or none at all.

    >>> check_least(1, draws=0)
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E240: draws=0 must be at least 1
    """
    for name, number in numbers.items():
        if not number >= least:
            raise PolicyError("E240", f"{setting(name, number)} must be at least {least:g}")


def check_confidence(**numbers: float) -> None:
    """Refuse a number that does not lie between 0 and 1.

    >>> check_confidence(level=95)
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E240: level=95 is no confidence
      hint: a number between 0 and 1, such as 0.95
    """
    for name, number in numbers.items():
        if not 0 < number < 1:
            hint = "a number between 0 and 1, such as 0.95"
            raise PolicyError("E240", f"{setting(name, number)} is no confidence", hint=hint)
