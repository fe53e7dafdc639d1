"""Completions -> scores of sums over documents, from candidates alone: a second way to what `SituationScores` finds."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from cranfield.align.policy import Policy
from cranfield.arrays import Bools, Floats, Ints, ratio, segment_sum
from cranfield.missing.prior.drawing import DrawnLevels
from cranfield.missing.sampled.terms import DocumentTerms
from cranfield.pooling.candidates import Candidates


@dataclass(frozen=True, eq=False)
class TermScores:
    """Scores of a measure that is a sum over documents: one matrix product for each topic.

    >>> from cranfield.measures.grammar import parse
    >>> from cranfield.missing.sampled.terms import document_terms
    >>> from cranfield.tables.run import Run
    >>> runs = [Run.of("r", ["1"] * 2, ["a", "b"], [2, 1]), Run.of("s", ["1"] * 2, ["b", "c"], [2, 1])]
    >>> known, grade, levels = Candidates.of(runs, depth=2), np.array([1.0, np.nan, 0.0]), np.array([0.0, 1.0])
    >>> terms = document_terms(parse("P@2"), 2, levels)
    >>> TermScores(known, grade, levels, terms, np.isnan(grade)).values(0, np.array([[0], [1]], dtype=np.int8))
    array([[0.5, 0. ],
           [1. , 0.5]])
    """

    candidates: Candidates
    grade: Floats  # by pair; NaN if it is not judged
    grades: Floats  # of each level
    terms: DocumentTerms
    holes: Bools  # by pair
    policy: Policy = field(default_factory=Policy)
    counted: Bools | None = None  # by topic: whether it is in the mean; by default those with judgments

    @cached_property
    def topics(self) -> Ints:
        """The topics in the mean."""
        judged = np.zeros(len(self.candidates.topics), dtype=bool)
        judged[self.candidates.topic[~np.isnan(self.grade)]] = True
        return np.flatnonzero(judged if self.counted is None else self.counted)

    def holes_of(self, topic: int) -> Ints:
        """The pairs of a topic that a completion fills."""
        begin, end = np.searchsorted(self.candidates.topic, (topic, topic + 1))
        return begin + np.flatnonzero(self.holes[begin:end])

    @cached_property
    def _level(self) -> Ints:
        """The level of each judged pair; grades between two levels count for the lower."""
        return np.maximum(np.searchsorted(self.grades, np.nan_to_num(self.grade), side="right") - 1, 0)

    @cached_property
    def _weight(self) -> Floats:
        """The weight of each listing."""
        rank, deepest = self.candidates.rank, len(self.terms.weight)
        return np.where(rank <= deepest, self.terms.weight[np.minimum(rank, deepest) - 1], 0.0)

    @cached_property
    def _known(self) -> Floats:
        """What the judged documents contribute, [run, topic]."""
        known = self.candidates
        cells = known.run * len(known.topics) + known.topic[known.pair]
        found = segment_sum(
            cells, self._weight * self.terms.gain[self._level[known.pair]], len(known.runs) * len(known.topics)
        )
        return found.reshape(len(known.runs), len(known.topics))

    @cached_property
    def _reached(self) -> Ints:
        """How many judged documents of each topic reach each level, [topic, level]."""
        judged, topics = ~np.isnan(self.grade), len(self.candidates.topics)
        cell = self.candidates.topic[judged] * len(self.grades) + self._level[judged]
        count = np.bincount(cell, minlength=topics * len(self.grades)).reshape(topics, -1)
        return count[:, ::-1].cumsum(axis=1)[:, ::-1]

    @cached_property
    def _listings(self) -> tuple[Ints, Ints]:
        """The listings of holes in the order of topics, and where each topic begins."""
        rows = np.flatnonzero(self.holes[self.candidates.pair] & (self._weight != 0))
        topic = self.candidates.topic[self.candidates.pair[rows]]
        order = np.argsort(topic, kind="stable")
        return rows[order], np.searchsorted(topic[order], np.arange(len(self.candidates.topics) + 1))

    def weights(self, topic: int) -> Floats:
        """The weight of each hole of a topic in each run's value, before any division, [hole, run]."""
        rows, begin = self._listings
        here = rows[begin[topic] : begin[topic + 1]]
        holes = self.holes_of(topic)
        found = np.zeros((len(holes), len(self.candidates.runs)))
        found[np.searchsorted(holes, self.candidates.pair[here]), self.candidates.run[here]] = self._weight[here]
        return found

    def values(self, topic: int, levels: DrawnLevels) -> Floats:
        """`[completion, run]` for the levels of the topic's holes; undefined values follow the policy."""
        total = self._known[:, topic] + self.terms.gain[levels] @ self.weights(topic)
        if self.terms.ideal is None:
            return total
        above = np.stack([np.count_nonzero(levels >= level, axis=1) for level in range(len(self.grades))], axis=1)
        best = self.terms.best(self._reached[topic] + above)[:, None]
        return self.policy.counted(ratio(total, best), best == 0)
