"""Bounds of sums: each hole takes the grade that is worst, or best, for the sum; shared documents cancel.

The term of a document is read off the measure itself: the value of a list in which this document alone is judged.
"""

from functools import cached_property

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, segment_sum, zero_if_undefined
from cranfield.missing.bounds.method import NO_RUN, BoundsMethod, Ends
from cranfield.missing.situation import Situation, TopicHoles

ROWS = 1 << 22  # numbers of one block of pairs


class TermTable:
    """The term of a document, by its rank, the length of the list, and its grade."""

    def __init__(self, situation: Situation, base: Floats | None = None) -> None:
        self.situation = situation
        self.base = situation.levels if base is None else base  # what is judged in the topic beside the document

    @cached_property
    def _grades(self) -> Floats:
        """All grades that occur: those of judged documents and those that a hole may take."""
        known = self.situation.grade
        return np.unique(np.concatenate((known[~np.isnan(known)], self.situation.levels)))

    @cached_property
    def _table(self) -> tuple[Ints, Floats]:
        """The combinations of rank and length that occur, coded, and the term of each grade there."""
        length = self.situation.retrieved[self.situation.run, self.situation.topic[self.situation.pair]]
        codes = np.unique(self._code(self.situation.rank, length))
        if len(codes) == 0:
            return codes, np.empty((len(self._grades), 0))
        rank, retrieved = self._decode(codes)
        nothing = self.empty(retrieved)
        rows = [self.alone(rank, retrieved, float(grade)) - nothing for grade in self._grades]
        return codes, np.stack(rows)

    def _code(self, rank: Ints, retrieved: Ints) -> Ints:
        return retrieved * self._deepest + rank

    def _decode(self, codes: Ints) -> tuple[Ints, Ints]:
        return codes % self._deepest, codes // self._deepest

    @cached_property
    def _deepest(self) -> int:
        return int(self.situation.rank.max(initial=0)) + 1

    def alone(self, rank: Ints, retrieved: Ints, grade: float) -> Floats:
        """The value of lists in which one document of this grade is judged."""
        return self._value(rank, np.full(len(rank), grade), np.arange(len(rank)), retrieved)

    def empty(self, retrieved: Ints) -> Floats:
        """The value of lists of these lengths in which no document is judged."""
        nothing = np.empty(0, dtype=np.int64)
        return self._value(nothing, nothing, nothing, retrieved)

    def _value(self, rank: Ints, grade: Ints | Floats, ranking: Ints, retrieved: Ints) -> Floats:
        hits = Hits(
            rank=rank,
            grade=grade,
            ranking=ranking,
            topic=np.zeros(len(retrieved), dtype=np.int64),
            retrieved=retrieved,
            base_topic=np.zeros(len(self.base), dtype=np.int64),
            base_grade=-np.sort(-self.base),
            topics=1,
            top_grade=self.situation.top_grade,
        )
        return zero_if_undefined(self.situation.measure(hits))

    def judged(self, topic: TopicHoles) -> Floats:
        """For each run its value if no hole is relevant: that of an empty list, and the terms of judged documents."""
        own = np.flatnonzero(topic.hole < 0)
        codes, table = self._table
        at = np.searchsorted(codes, self._code(topic.rank[own], topic.retrieved[topic.run[own]]))
        level = np.searchsorted(self._grades, topic.grade[own])
        return self.empty(topic.retrieved) + segment_sum(topic.run[own], table[level, at], topic.runs)

    def holes(self, topic: TopicHoles) -> Floats:
        """`[level, run, hole]`: the term of each hole at each grade it may take; 0 where a run does not list it."""
        levels = np.searchsorted(self._grades, self.situation.levels)
        found = np.zeros((len(levels), topic.runs, topic.holes))
        own = np.flatnonzero(topic.hole >= 0)
        codes, table = self._table
        at = np.searchsorted(codes, self._code(topic.rank[own], topic.retrieved[topic.run[own]]))
        found[:, topic.run[own], topic.hole[own]] = table[levels][:, at]
        return found


class Terms(BoundsMethod):
    """Bounds of a sum over documents."""

    def __init__(self, situation: Situation) -> None:
        super().__init__(situation)
        self.table = TermTable(situation)

    def ends(self, topic: TopicHoles, a: Ints, b: Ints) -> Ends:
        judged, terms = self.table.judged(topic), self.table.holes(topic)
        low, high = np.empty((2, len(a)))
        block = max(1, ROWS // max(terms.shape[0] * topic.holes, 1))
        for start in range(0, len(a), block):
            rows = slice(start, start + block)
            gap = _gap(terms, a[rows], b[rows])
            now = judged[a[rows]] - np.where(b[rows] == NO_RUN, 0.0, judged[b[rows]])
            low[rows] = now + gap.min(axis=0).sum(axis=1)
            high[rows] = now + gap.max(axis=0).sum(axis=1)
        return Ends(low, high, np.ones(len(a), dtype=bool))

    def witness(self, topic: TopicHoles, a: int, b: int, *, high: bool) -> Floats:
        gap = _gap(self.table.holes(topic), np.array([a]), np.array([b]))[:, 0]
        return self.situation.levels[(gap if high else -gap).argmax(axis=0)]

    def lowest_by_number(self, topic: TopicHoles, a: int, b: int) -> Floats:
        """The lowest difference of two runs that 0, 1, 2 … holes above the lowest grade can give."""
        judged = self.table.judged(topic)
        gap = _gap(self.table.holes(topic), np.array([a]), np.array([b]))[:, 0]
        falls = np.sort(gap.min(axis=0) - gap[0])
        return judged[a] - judged[b] + gap[0].sum() + np.concatenate(([0.0], np.cumsum(falls[falls < 0])))


def _gap(terms: Floats, a: Ints, b: Ints) -> Floats:
    """`[level, row, hole]`: what a hole of a grade adds to the first run and not to the second."""
    gap = terms[:, a]
    second = b != NO_RUN
    if second.all():
        gap = gap - terms[:, b]
    elif second.any():
        gap[:, second] -= terms[:, b[second]]
    return gap
