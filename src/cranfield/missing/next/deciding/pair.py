"""The range of the difference of two runs, updated judgment by judgment: one judgment changes one topic."""

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.missing.bounds.separate import SeparateRuns
from cranfield.missing.next.weights import TopicWeights, weights
from cranfield.missing.ranges import Bounder, TopicRanges, of_means
from cranfield.missing.situation import Situation, TopicHoles

FIRST, SECOND = np.array([0]), np.array([1])


class PairState:
    """Two runs, their holes, and the range of their difference; `judge` changes it.

    Holes are numbered as in the situation at the beginning, `[hole]`.
    """

    def __init__(self, situation: Situation) -> None:
        self.bounder: Bounder = Bounder(situation)
        self.situation = situation
        self.topics: list[TopicHoles] = list(self.bounder.topics)
        self.pairs: Ints = np.flatnonzero(np.isnan(situation.grade))  # of each hole
        self.topic: Ints = situation.topic[self.pairs]
        self.left: list[Ints] = [np.flatnonzero(self.topic == topic) for topic in range(len(self.topics))]
        self._ends = self.bounder.of(FIRST, SECOND)
        for number in range(len(self.topics)):
            self._refine(number)
        self.gap: Floats = np.zeros(len(self.pairs))  # what a hole of gain 1 adds to the difference
        self.gain: list[Floats] = []
        for number in range(len(self.topics)):
            self.gain.append(self._weigh(number))

    @property
    def share(self) -> float:
        """The share of one topic in the score of a run."""
        return 1.0 if self._average == "sum" else 1 / max(len(self.topics), 1)

    @property
    def _average(self) -> str:
        return self.situation.measure.definition.average

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest difference of the two scores that is possible now."""
        found = of_means(self._ends, self._average)
        return float(found.low[0]), float(found.high[0])

    @property
    def open(self) -> Ints:
        """The holes that can still change the difference, or the ideal."""
        return np.sort(np.concatenate(self.left)) if self.left else np.empty(0, dtype=np.int64)

    def judge(self, hole: int, grade: float) -> int:
        """Enter a judgment; the topic that it changed."""
        number = int(self.topic[hole])
        place = int(np.searchsorted(self.left[number], hole))
        self.topics[number] = self.topics[number].judged(place, grade)
        self.left[number] = np.delete(self.left[number], place)
        self.gap[hole] = 0.0
        found = self.bounder.method.ends(self.topics[number], FIRST, SECOND)
        ends = self._ends
        ends.low[0, number], ends.high[0, number] = found.low[0], found.high[0]
        ends.exact[0, number] = found.exact[0]
        self._settle(ends, number)
        self._refine(number)
        self.gain[number] = self._weigh(number)
        return number

    def _settle(self, ends: TopicRanges, number: int) -> None:
        """A topic with a relevant document, or without holes, surely has a value, or surely none."""
        topic, measure = self.topics[number], self.situation.measure
        if topic.holes + topic.unseen == 0 or (not measure.definition.partial and (topic.base >= measure.rel).any()):
            ends.optional[0, number] = False
        ends.counts[0, number] &= not (np.isnan(ends.low[0, number]) or np.isnan(ends.high[0, number]))

    def _refine(self, number: int) -> None:
        """Make the ends of a topic exact, where few completions are left."""
        method, ends = self.bounder.method, self._ends
        if not isinstance(method, SeparateRuns) or ends.exact[0, number]:
            return
        better = method.refined(self.topics[number], 0, 1, most=MOST)
        if better is not None:
            ends.low[0, number], ends.high[0, number] = better.low[0], better.high[0]
            ends.exact[0, number] = True

    def _weigh(self, number: int) -> Floats:
        found: TopicWeights = weights(self.bounder, self.topics[number])
        self.gap[self.left[number]] = (found.weight[0] - found.weight[1]) * self.share
        return found.gain


MOST = 1 << 10  # completions of a topic that are gone through after each judgment
