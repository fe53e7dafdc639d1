"""The ranges of the differences of pairs of runs, updated judgment by judgment: one judgment changes one topic."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.missing.bounds.method import Ends
from cranfield.missing.bounds.separate import SeparateRuns
from cranfield.missing.next.weights import TopicWeights, weights
from cranfield.missing.ranges import Bounder, Ranges, TopicRanges, of_means
from cranfield.missing.situation import Situation, TopicHoles

FIRST, SECOND = np.array([0]), np.array([1])
MOST = 1 << 10  # completions of a topic that are gone through after each judgment


@dataclass(frozen=True, eq=False)
class Consequence:
    """What an answer to a hole would leave open.

    Attributes:
        low: the lowest difference of each pair.
        high: the highest one.
        left: the holes of the topic that are left.
        gap: `[pair, hole left]`: what each of them adds to the difference at gain 1.
    """

    low: Floats
    high: Floats
    left: Ints
    gap: Floats


class AskedPairs:
    """Pairs of runs, their holes, and the ranges of their differences; `judge` and `take_back` change them.

    Holes are numbered as in the situation at the beginning, `[hole]`; pairs as they are given, `[pair]`.
    """

    def __init__(self, situation: Situation, a: Ints = FIRST, b: Ints = SECOND) -> None:
        self.bounder: Bounder = Bounder(situation)
        self.situation = situation
        self.a: Ints = a
        self.b: Ints = b
        self.topics: list[TopicHoles] = list(self.bounder.topics)
        self.pairs: Ints = np.flatnonzero(np.isnan(situation.grade))  # of each hole
        self.topic: Ints = situation.topic[self.pairs]
        self.left: list[Ints] = [np.flatnonzero(self.topic == topic) for topic in range(len(self.topics))]
        self._answers: list[dict[int, float]] = [{} for _ in self.topics]
        self._others: list[list[float]] = [[] for _ in self.topics]  # grades of documents that were no holes
        self._ends = self.bounder.of(a, b)
        for number in range(len(self.topics)):
            self._refine(number)
        self._first = _copied(self._ends)
        self.gap: Floats = np.zeros((len(a), len(self.pairs)))  # what a hole of gain 1 adds to each difference
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
    def ranges(self) -> Ranges:
        """The lowest and the highest difference of each pair that is possible now."""
        return of_means(self._ends, self._average)

    @property
    def open(self) -> Ints:
        """The holes that are not judged."""
        return np.sort(np.concatenate(self.left)) if self.left else np.empty(0, dtype=np.int64)

    def judge(self, hole: int, grade: float) -> int:
        """Enter a judgment; the topic that it changed."""
        number = int(self.topic[hole])
        self._answers[number][hole] = grade
        self.topics[number] = self.topics[number].judged(self._place(hole), grade)
        self.left[number] = np.delete(self.left[number], self._place(hole))
        self.gap[:, hole] = 0.0
        self._update(number)
        return number

    def judge_other(self, number: int, grade: float) -> None:
        """Enter the judgment of a document that is no hole: it only changes how many relevant ones a topic has."""
        self._others[number].append(grade)
        topic = self.topics[number]
        self.topics[number] = topic.with_judged(np.array([grade]))
        self._update(number)

    def take_back(self, hole: int) -> int:
        """Forget the judgment of a hole; the topic that it changed."""
        number = int(self.topic[hole])
        del self._answers[number][hole]
        self._repeat(number)
        return number

    def take_back_other(self, number: int, grade: float) -> None:
        """Forget the judgment of a document that is no hole."""
        self._others[number].remove(grade)
        self._repeat(number)

    def after(self, hole: int, grade: float) -> Consequence:
        """What would be known if a hole had a grade; nothing changes."""
        number = int(self.topic[hole])
        topic = self.topics[number].judged(self._place(hole), grade)
        ends = _copied(self._ends)
        self._enter(ends, number, topic, self.bounder.method.ends(topic, self.a, self.b))
        found = of_means(ends, self._average)
        return Consequence(
            low=found.low,
            high=found.high,
            left=np.delete(self.left[number], self._place(hole)),
            gap=self._gaps(weights(self.bounder, topic)),
        )

    def _place(self, hole: int) -> int:
        """The number of a hole among those that its topic has left."""
        return int(np.searchsorted(self.left[int(self.topic[hole])], hole))

    def _repeat(self, number: int) -> None:
        """Enter all judgments of a topic again, from the beginning."""
        topic, left = self.bounder.topics[number], np.flatnonzero(self.topic == number)
        for hole, grade in self._answers[number].items():
            place = int(np.searchsorted(left, hole))
            topic, left = topic.judged(place, grade), np.delete(left, place)
        self.topics[number] = topic.with_judged(np.array(self._others[number], dtype=np.float64))
        self.left[number] = left
        for name in ("low", "high", "exact", "counts", "optional"):
            getattr(self._ends, name)[:, number] = getattr(self._first, name)[:, number]
        self._update(number)

    def _update(self, number: int) -> None:
        topic = self.topics[number]
        self._enter(self._ends, number, topic, self.bounder.method.ends(topic, self.a, self.b))
        self._refine(number)
        self.gain[number] = self._weigh(number)

    def _enter(self, ends: TopicRanges, number: int, topic: TopicHoles, found: Ends) -> None:
        """Write new ends of a topic: with a relevant document, or without holes, it surely has a value or none."""
        ends.low[:, number], ends.high[:, number], ends.exact[:, number] = found.low, found.high, found.exact
        measure = self.situation.measure
        if topic.holes + topic.unseen == 0 or (not measure.definition.partial and (topic.base >= measure.rel).any()):
            ends.optional[:, number] = False
        ends.counts[:, number] &= ~(np.isnan(ends.low[:, number]) | np.isnan(ends.high[:, number]))

    def _refine(self, number: int) -> None:
        """Make the ends of a topic exact, where few completions are left."""
        method, ends = self.bounder.method, self._ends
        if not isinstance(method, SeparateRuns):
            return
        for row in np.flatnonzero(~ends.exact[:, number]).tolist():
            better = method.refined(self.topics[number], int(self.a[row]), int(self.b[row]), most=MOST)
            if better is None:
                continue
            ends.low[row, number], ends.high[row, number] = better.low[0], better.high[0]
            ends.exact[row, number] = True

    def _weigh(self, number: int) -> Floats:
        found = weights(self.bounder, self.topics[number])
        self.gap[:, self.left[number]] = self._gaps(found)
        return found.gain

    def _gaps(self, found: TopicWeights) -> Floats:
        return np.asarray((found.weight[self.a] - found.weight[self.b]) * self.share)


def _copied(ends: TopicRanges) -> TopicRanges:
    return TopicRanges(
        low=ends.low.copy(),
        high=ends.high.copy(),
        exact=ends.exact.copy(),
        counts=ends.counts.copy(),
        optional=ends.optional.copy(),
    )
