"""What is known about a pair of runs after a judgment, and when it is enough."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from cranfield.missing.situation import ZERO

Answer: TypeAlias = float | int | None  # None: cannot be judged
StopReason = Literal["certain", "equal", "probable", "budget", "nothing left"]


@dataclass(frozen=True)
class DecisionStep:
    """What is known after a judgment; the first step is what was known before any.

    Attributes:
        topic: of the document that was judged; None at the beginning.
        document: its id.
        grade: the answer; None if there was none.
        low: the lowest possible difference.
        high: the highest one.
        probability: P(A > B) on these topics, under the prior and all answers so far.
    """

    topic: str | None
    document: str | None
    grade: float | None
    low: float
    high: float
    probability: float

    @property
    def settled(self) -> bool:
        """Whether the order is certain, or both are equal."""
        return self.low > ZERO or self.high < -ZERO or max(abs(self.low), abs(self.high)) <= ZERO


@dataclass(frozen=True)
class StopRule:
    """When two runs are decided: when the order is certain, or earlier.

    Attributes:
        alpha: P(A > B) outside [alpha, 1 - alpha] is enough; 0: it has to be certain.
    """

    alpha: float = 0.0

    def reason(self, step: DecisionStep) -> StopReason | None:
        """Why a pair is decided after a step; None if it is not.

        >>> step = DecisionStep(None, None, None, low=-0.1, high=0.4, probability=0.97)
        >>> StopRule(0.05).reason(step), StopRule(0.01).reason(step)
        ('probable', None)
        """
        if step.low > ZERO or step.high < -ZERO:
            return "certain"
        if step.settled:
            return "equal"
        return "probable" if self.alpha and not self.alpha < step.probability < 1 - self.alpha else None
