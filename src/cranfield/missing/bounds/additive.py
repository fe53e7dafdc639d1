r"""Bounds of sums: each hole takes the grade that is worst, or best, for the sum; shared documents cancel.

The term of a document is read off the measure itself: the value of a list in which this document alone is judged.

If the terms of all grades are shares of those of the highest, and none is negative, a hole that adds *x* to one run and
*y* to the other changes the difference by $\min(0, x - y) = \min(x, y) - y$ at worst and $x - \min(x, y)$ at best. So
all pairs need one table, the sums of $\min(x, y)$ over the holes that both list.
"""

from functools import cached_property

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, segment_sum, zero_if_undefined
from cranfield.missing.bounds.method import NO_RUN, BoundsMethod, Ends, narrowed, narrowed_pair
from cranfield.missing.situation import Situation, TopicHoles

ROWS = 1 << 22  # numbers of one block of pairs
SAME = 1e-12  # how near to each other two terms are the same


class TermTable:
    """The term of a document, by its rank, the length of the list, and its grade."""

    def __init__(self, situation: Situation, base: Floats | None = None) -> None:
        self.situation = situation
        self.base: Floats = (
            situation.levels if base is None else base
        )  # what is judged in the topic beside the document

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

    @cached_property
    def _empty(self) -> tuple[Ints, Floats]:
        """The lengths of lists that occur, and the value of an empty list of each."""
        lengths = np.unique(self.situation.retrieved)
        return lengths, self.empty(lengths)

    def _of_empty(self, retrieved: Ints) -> Floats:
        lengths, value = self._empty
        return value[np.searchsorted(lengths, retrieved)]

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

    @cached_property
    def shares(self) -> bool:
        """Whether the terms of every grade are a share, from 0 to 1, of those of the highest; none is negative."""
        _, table = self._table
        rows = table[np.searchsorted(self._grades, self.situation.levels)]
        top = rows[-1]
        size = top.max(initial=0.0)
        if size <= 0 or (top < 0).any():
            return not rows.any()
        share = (rows[:, top.argmax()] / size)[:, None]
        known = (share >= 0).all() and (share <= 1).all() and share[0] == 0
        return bool(known and (np.abs(rows - share * top) <= SAME * size).all())

    def highest(self, topic: TopicHoles) -> Floats:
        """`[run, hole]`: the term of each hole at the highest grade; 0 where a run does not list it."""
        codes, table = self._table
        own = np.flatnonzero(topic.hole >= 0)
        at = np.searchsorted(codes, self._code(topic.rank[own], topic.retrieved[topic.run[own]]))
        found = np.zeros((topic.runs, topic.holes))
        found[topic.run[own], topic.hole[own]] = table[np.searchsorted(self._grades, self.situation.levels[-1])][at]
        return found

    def judged(self, topic: TopicHoles) -> Floats:
        """For each run its value if no hole is relevant: that of an empty list, and the terms of judged documents."""
        own = np.flatnonzero(topic.hole < 0)
        codes, table = self._table
        at = np.searchsorted(codes, self._code(topic.rank[own], topic.retrieved[topic.run[own]]))
        level = np.searchsorted(self._grades, topic.grade[own])
        return self._of_empty(topic.retrieved) + segment_sum(topic.run[own], table[level, at], topic.runs)

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
        self.table: TermTable = TermTable(situation)

    def ends(self, topic: TopicHoles, a: Ints, b: Ints) -> Ends:
        topic, a, b = narrowed(topic, a, b)
        judged = self.table.judged(topic)
        if self.table.shares:
            return self._of_shares(judged, self.table.highest(topic), a, b)
        terms = self.table.holes(topic)
        low, high = np.empty((2, len(a)))
        block = max(1, ROWS // max(terms.shape[0] * topic.holes, 1))
        for start in range(0, len(a), block):
            rows = slice(start, start + block)
            gap = _gap(terms, a[rows], b[rows])
            now = judged[a[rows]] - np.where(b[rows] == NO_RUN, 0.0, judged[b[rows]])
            low[rows] = now + gap.min(axis=0).sum(axis=1)
            high[rows] = now + gap.max(axis=0).sum(axis=1)
        return Ends(low, high, np.ones(len(a), dtype=bool))

    def _of_shares(self, judged: Floats, weight: Floats, a: Ints, b: Ints) -> Ends:
        whole = np.append(weight.sum(axis=1), 0.0)  # of no run: 0
        now = judged[a] - np.append(judged, 0.0)[b]
        both = shared(weight, a, b)
        return Ends(now + both - whole[b], now + whole[a] - both, np.ones(len(a), dtype=bool))

    def witness(self, topic: TopicHoles, a: int, b: int, *, high: bool) -> Floats:
        topic, a, b = narrowed_pair(topic, a, b)
        gap = _gap(self.table.holes(topic), np.array([a]), np.array([b]))[:, 0]
        return self.situation.levels[(gap if high else -gap).argmax(axis=0)]

    def lowest_by_number(self, topic: TopicHoles, a: int, b: int) -> Floats:
        """The lowest difference of two runs that 0, 1, 2 … holes above the lowest grade can give."""
        topic, a, b = narrowed_pair(topic, a, b)
        judged = self.table.judged(topic)
        gap = _gap(self.table.holes(topic), np.array([a]), np.array([b]))[:, 0]
        falls = np.sort(gap.min(axis=0) - gap[0])
        return judged[a] - judged[b] + gap[0].sum() + np.concatenate(([0.0], np.cumsum(falls[falls < 0])))


def shared(weight: Floats, a: Ints, b: Ints) -> Floats:
    """For each pair of rows the sum of the smaller weight over all columns; 0 where there is no second row.

    >>> shared(np.array([[3.0, 1.0, 0.0], [2.0, 4.0, 5.0]]), np.array([0, 0]), np.array([1, NO_RUN]))
    array([3., 0.])
    """
    found, columns = np.zeros(len(a)), np.ascontiguousarray(weight.T)
    order = np.argsort(a, kind="stable")
    starts = np.searchsorted(a[order], np.arange(len(weight) + 1))
    for row, own in enumerate(weight):
        pairs = order[starts[row] : starts[row + 1]]
        pairs = pairs[b[pairs] != NO_RUN]
        if len(pairs):
            listed = np.flatnonzero(own)
            found[pairs] = np.minimum(columns[listed], own[listed, None]).sum(axis=0)[b[pairs]]
    return found


def _gap(terms: Floats, a: Ints, b: Ints) -> Floats:
    """`[level, row, hole]`: what a hole of a grade adds to the first run and not to the second."""
    gap = terms[:, a]
    second = b != NO_RUN
    if second.all():
        gap = gap - terms[:, b]
    elif second.any():
        gap[:, second] -= terms[:, b[second]]
    return gap
