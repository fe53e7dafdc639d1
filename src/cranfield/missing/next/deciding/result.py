"""The decision: which run is better, how many judgments it took, and the path."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield.errors.arguments import checked_methods
from cranfield.missing.next.deciding.steps import DecisionStep, StopReason
from cranfield.missing.prior.result import Prior
from cranfield.tables.audit import Audit
from cranfield.tables.result import Result
from cranfield.tables.sheets.sheet import MISSING, Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    import polars


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class PairDecision(Result):
    """Which of two runs is better on these topics, as far as judgments were asked for.

    Attributes:
        a: the first run.
        b: the second run.
        measure: its name.
        steps: what was known at the beginning, and after each judgment.
        reason: why asking ended: `certain`, `equal`, `probable`, `budget` or `nothing left` (no answers to the rest).
        holes: how many there were at the beginning.
        alpha: the probability at which asking ended too; 0: it had to be certain.
        strategy: the order in which grades were requested.
        prior: from which the probabilities come.
        universe: which unjudged documents may be relevant, in words.
        smaller: whether the run that scores lower is better.

    Examples are in `decide`.
    """

    command: ClassVar[str] = "study"

    a: str
    b: str
    measure: str
    steps: tuple[DecisionStep, ...]
    reason: StopReason
    holes: int
    alpha: float
    strategy: str
    prior: Prior
    universe: str
    audit: Audit
    smaller: bool = False

    @property
    def asked(self) -> int:
        """The number of documents whose grades were requested."""
        return len(self.steps) - 1

    @property
    def low(self) -> float:
        """The lowest difference that is still possible."""
        return self.steps[-1].low

    @property
    def high(self) -> float:
        """The highest difference that is still possible."""
        return self.steps[-1].high

    @property
    def probability(self) -> float:
        """P(A > B) on these topics at the end: that A scores higher."""
        return self.steps[-1].probability

    @property
    def certain(self) -> bool:
        """Whether no completion reverses the order."""
        return self.reason == "certain"

    @property
    def winner(self) -> str | None:
        """The better run, or the one that is probably better; None if neither is."""
        if self.reason == "equal" or self.probability == 0.5:
            return None
        return self.a if (self.probability > 0.5) ^ self.smaller else self.b

    @property
    def verdict(self) -> str:
        """The decision in words."""
        match self.reason:
            case "certain":
                return f"certain: {self.winner}"
            case "equal":
                return "equal, whatever is judged"
        better = 1 - self.probability if self.smaller else self.probability
        return f"open: {self.a} is better with probability {better:.3f}"

    # --- forms -------------------------------------------------------------------------------------------------

    def table(self) -> "polars.DataFrame":
        """One row for each step: topic, document, grade, low, high, probability."""
        return self._full_sheet().polars()

    def sheet(self) -> Sheet:
        """The printed path."""
        shown = [step.grade for step in self.steps]
        columns = (
            Column("judged", range(len(self.steps))),
            Column("topic", [step.topic or MISSING for step in self.steps]),
            Column("document", [step.document or MISSING for step in self.steps]),
            Column("grade", [MISSING if grade is None else f"{grade:g}" for grade in shown]),
            Column("lowest Δ", [step.low for step in self.steps], "+.4f"),
            Column("highest Δ", [step.high for step in self.steps], "+.4f"),
            Column(f"P({self.a} > {self.b})", [step.probability for step in self.steps], ".3f"),
        )
        return Sheet(columns, tuple(self._notes()), label="tab:decide")

    def _notes(self) -> list[str]:
        ended = {
            "certain": "no completion reverses it",
            "equal": "no completion makes a difference",
            "probable": f"P left [{self.alpha:g}, {1 - self.alpha:g}]",
            "budget": "the budget is spent",
            "nothing left": "no further answers",
        }[self.reason]
        asked = f"{self.asked:,} of {counted(self.holes, 'hole')} asked by {self.strategy}"
        return [
            f"{self.measure}, {self.a} – {self.b}: {self.verdict} · {asked} · ended because {ended}",
            f"universe={self.audit.policies['universe']}: {self.universe}",
            "P on these topics, as good as the prior",
        ]

    def _full_sheet(self) -> Sheet:
        names = ("topic", "document", "grade", "low", "high", "probability")
        columns = (Column(name, [getattr(step, name) for step in self.steps]) for name in names)
        return Sheet((Column("asked", range(len(self.steps))), *columns))

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        return {
            "a": self.a,
            "b": self.b,
            "measure": self.measure,
            "winner": self.winner,
            "reason": self.reason,
            "asked": self.asked,
            "holes": self.holes,
            "alpha": self.alpha,
            "strategy": self.strategy,
            "universe": self.audit.policies["universe"],
            "steps": [asdict(step) for step in self.steps],
        }
