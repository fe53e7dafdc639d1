"""What is known now about the pairs that wait for a decision, in numbers and in words."""

from dataclasses import dataclass

from cranfield.missing.next.deciding.steps import DecisionStep, StopReason
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.words import counted


@dataclass(frozen=True)
class PairNow:
    """One pair of runs.

    Attributes:
        a: the first run.
        b: the second run.
        last: the range of the difference, and P(A > B) on these topics.
        decided: why the pair is decided; None if it is not.
        alpha: the probability that was asked for; 0: it has to be certain.
        smaller: whether the run that scores lower is better.
    """

    a: str
    b: str
    last: DecisionStep
    decided: StopReason | None
    alpha: float = 0.0
    smaller: bool = False

    @property
    def better(self) -> str | None:
        """The run that is better, or probably is; None if neither."""
        likely = self.last.probability
        return None if self.decided == "equal" or likely == 0.5 else self.a if (likely > 0.5) ^ self.smaller else self.b

    def sentence(self, topics: int) -> str:
        """What is known, and whether one may stop.

        >>> known = DecisionStep(None, None, None, low=0.01, high=0.25, probability=1.0)
        >>> PairNow("new", "old", known, "certain").sentence(20)
        'new is better than old on these 20 topics, whatever the documents without a judgment are: you may stop.'
        """
        here = "on this topic" if topics == 1 else f"on these {topics:,} topics"
        worse = self.b if self.better == self.a else self.a
        likely = likely_words(max(self.last.probability, 1 - self.last.probability))
        if self.decided == "certain":
            whatever = "whatever the documents without a judgment are"
            return f"{self.better} is better than {worse} {here}, {whatever}: you may stop."
        if self.decided == "equal":
            return f"{self.a} and {self.b} are equal {here}, whatever is judged: you may stop."
        if self.decided == "probable":
            enough = f"you asked for {1 - self.alpha:g}, so you may stop"
            return f"{self.better} is better than {worse} {here} with probability {likely}; {enough}."
        low, high = in_print(self.last.low, "+.4f"), in_print(self.last.high, "+.4f")
        between = f"The difference {self.a} – {self.b} lies between {low} and {high}"
        if self.better is None:
            return f"{between}; neither is more probable to be better."
        return f"{between}; {self.better} is better with probability {likely}."


@dataclass(frozen=True)
class DecisionState:
    """All pairs that were asked about.

    Attributes:
        measure: its name.
        topics: their number.
        pairs: what is known of each.
        reason: why one may stop: `certain`, `equal`, `probable`, `nothing left`; None if judging goes on.
        judged: documents that were judged since the beginning.
        cannot: documents that could not be judged.
        holes: documents without a judgment at the beginning.
        waiting: those without an answer.
        left: how many judgments are left until all is certain: an estimate.
    """

    measure: str
    topics: int
    pairs: tuple[PairNow, ...]
    reason: StopReason | None
    judged: int
    cannot: int
    holes: int
    waiting: int
    left: int

    @property
    def decided(self) -> int:
        """The number of pairs that are decided."""
        return sum(pair.decided is not None for pair in self.pairs)

    @property
    def sentence(self) -> str:
        """What is known, whether one may stop, and why."""
        if len(self.pairs) == 1 and self.reason != "nothing left":
            first = self.pairs[0].sentence(self.topics)
            return first if self.reason else f"{first} {self._rest}"
        said = f"{self.decided:,} of {counted(len(self.pairs), 'pair')} decided in {self.measure}"
        match self.reason:
            case None:
                return f"{said}. {self._rest}"
            case "nothing left":
                return f"{said}. No document is left that could decide the others: you may stop, and they stay open."
            case "probable":
                return f"{said}, as probable as you asked for: you may stop."
        return f"{said}, whatever the documents without a judgment are: you may stop."

    @property
    def _rest(self) -> str:
        return f"About {counted(self.left, 'judgment')} left of {self.waiting:,} that wait."


def likely_words(chance: float, *, settled: bool = False) -> str:
    """A probability in print; one that is 1 or 0 in all completions drawn is certain only if it is settled.

    >>> likely_words(0.874), likely_words(1.0), likely_words(1e-5), likely_words(1.0, settled=True)
    ('0.874', 'above 0.999', 'below 0.001', '1')
    """
    if settled:
        return f"{chance:g}"
    return "above 0.999" if chance > 0.9995 else "below 0.001" if chance < 0.0005 else f"{chance:.3f}"
