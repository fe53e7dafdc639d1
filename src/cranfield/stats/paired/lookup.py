"""The tests of two systems, by name."""

from cranfield.errors import PolicyError
from cranfield.stats.paired.definition import TESTS, TestDefinition

__all__ = ["TESTS", "find_test"]


def find_test(name: str) -> TestDefinition:
    """The test of that name or alias.

    >>> find_test("randomisation").name
    'permutation'
    >>> find_test("wilcoxen")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E213: test='wilcoxen' is unknown
      hint: did you mean wilcoxon? one of ...
    """
    if (found := TESTS.find(name)) is not None:
        return found
    nearest = TESTS.nearest(name)
    guess = f"did you mean {nearest}? " if nearest else ""
    raise PolicyError("E213", f"test={name!r} is unknown", hint=f"{guess}one of {', '.join(TESTS)}")
