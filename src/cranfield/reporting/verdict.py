"""A condition of a gate and its outcome."""

from dataclasses import dataclass


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
        }
