"""Verdicts on conditions, which a build, a test or a person asks of a result.

Results may not import the modules that check conditions. Those register their functions here, and are found by their
folder when the first condition is checked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from cranfield.errors.arguments import checked_methods
from cranfield.registry import Registry


@dataclass(frozen=True)
class GateVerdict:
    """Whether one condition held.

    >>> print(GateVerdict("Judged@10 < 0.8", True, "smallest is 0.913 (candidate)", 0.913, "candidate"))
    passed  Judged@10 < 0.8: smallest is 0.913 (candidate)
    """

    condition: str
    passed: bool
    message: str
    observed: float | None = None  # None: undefined
    run: str | None = None
    requirement: str = ""  # what must hold, which is the opposite of a condition of `--fail-if`
    group: str | None = None  # of topics, where they are grouped

    @property
    def word(self) -> str:
        """`passed` or `FAILED`, so that the meaning does not depend on colour."""
        return "passed" if self.passed else "FAILED"

    def __str__(self) -> str:
        return f"{self.word}  {self.condition}: {self.message}"

    def as_dict(self) -> dict[str, str | bool | float | None]:
        """Plain data for the JSON envelope."""
        return {
            "condition": self.condition,
            "requirement": self.requirement,
            "passed": self.passed,
            "observed": self.observed,
            "run": self.run,
            "message": self.message,
            **({} if self.group is None else {"group": self.group}),
        }


@checked_methods
@dataclass(frozen=True, repr=False)
class GateResult:
    """The verdicts on all conditions of a check; true if every one passed.

    In a test, `require()` raises an `AssertionError` with all verdicts and notes; `assert` works, too. It prints with
    the notes, and its `repr` is `text`, which holds none.

    Attributes:
        verdicts: one for each condition, in order.
        notes: the cautions of the table that the conditions were checked on.

    >>> import cranfield as cf
    >>> scores = cf.evaluate({"q1": {"d1": 1, "d2": 0}}, {"bm25": {"q1": ["d2", "d1"]}}, ["RR", "P@1"])
    >>> checked = scores.check("RR >= 0.5", "P@1 > 0")
    >>> checked
    passed  RR >= 0.5: smallest is 0.5 (bm25)
    FAILED  P@1 > 0: smallest is 0 (bm25)
    >>> checked.passed, [verdict.run for verdict in checked.failed]
    (False, ['bm25'])
    >>> scores.check("RR >= 0.5").require()  # says nothing
    >>> assert scores.check("RR >= 0.5")
    """

    verdicts: tuple[GateVerdict, ...]
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every condition passed."""
        return not self.failed

    @property
    def failed(self) -> tuple[GateVerdict, ...]:
        """The verdicts on the conditions that did not pass."""
        return tuple(verdict for verdict in self.verdicts if not verdict.passed)

    @property
    def text(self) -> str:
        """A line for each condition."""
        return "\n".join(map(str, self.verdicts))

    def __bool__(self) -> bool:
        return self.passed

    def require(self) -> None:
        """Raise an `AssertionError` with all verdicts and notes, unless every condition passed."""
        if not self.passed:
            raise AssertionError(str(self))

    def __str__(self) -> str:
        return "\n".join([self.text, *(["", *self.notes] if self.notes else [])])

    def __repr__(self) -> str:
        return self.text


ResultChecker: TypeAlias = Callable[[Any, Sequence[str], str], GateResult]  # result, conditions, universe
CHECKERS: Final = Registry[ResultChecker]("kind of result", "cranfield.reporting.gates")


def checker_of(result: str) -> Callable[[ResultChecker], ResultChecker]:
    """Register the function below as what checks conditions on results of that kind."""

    def add(checker: ResultChecker) -> ResultChecker:
        CHECKERS.add(result, checker, home=checker.__module__)
        return checker

    return add
