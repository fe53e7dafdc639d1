"""Numbers that have to lie in a range."""

from numbers import Real

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting


def out_of_range(name: str, value: object, rule: str) -> PolicyError:
    """The error for a number, or for several, that the rule does not allow; what is no number is of the wrong kind.

    >>> print(out_of_range("draws", 0, "a whole number from 1"))
    E240: draws=0 is out of range
      hint: a whole number from 1
    >>> print(out_of_range("draws", "many", "a whole number from 1"))
    E241: draws="many" is of the wrong kind
      hint: a whole number from 1
    """
    values = value if isinstance(value, list | tuple) else [value]
    if all(isinstance(each, Real) and not isinstance(each, bool) for each in values):
        return PolicyError("E240", f"{setting(name, value)} is out of range", hint=rule)
    return wrong_kind(name, value, rule)


def wrong_kind(name: str, value: object, rule: str) -> PolicyError:
    """The error for a value that has not the type which the rule asks for.

    >>> print(wrong_kind("draws", 2.5, "a whole number"))
    E241: draws=2.5 is of the wrong kind
      hint: a whole number
    """
    return PolicyError("E241", f"{setting(name, value)} is of the wrong kind", hint=rule)


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
