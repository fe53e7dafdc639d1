"""Bounds of D-nDCG, in which the gain of a document adds up over subtopics, and of D♯-nDCG.

With the sums of gains in the place of grades it is nDCG, whose ends are exact: the gains that a hole can have are those
of all grades for all subtopics. If they are too many, the range of the numerator over that of the ideal is taken.
D♯ is a mean of D-nDCG and of the share of the subtopics covered: it lies between the means of their ends.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.measures.definition import MEASURES
from cranfield.measures.facts.bounds import OverIdeal
from cranfield.measures.facts.subtopics import FacetBounds, GlobalGainBounds
from cranfield.measures.grammar import build
from cranfield.missing.bounds.by_subtopic.facets import BySubtopic, FacetMeans
from cranfield.missing.bounds.grids import completions_of
from cranfield.missing.bounds.ideal import SharesOfIdeal
from cranfield.missing.bounds.method import NO_RUN, Ends, narrowed
from cranfield.missing.situation import Situation, TopicHoles

MOST_CODES = 1 << 12  # grades of a document, subtopic by subtopic
MOST_GAINS = 256  # different sums of gains
DIGITS = 12  # to which sums of gains are told apart


class _SummedGains(NamedTuple):
    """A topic as nDCG sees it."""

    method: SharesOfIdeal
    topic: TopicHoles
    codes: Floats  # of each gain, ascending


class GlobalGains(BySubtopic):
    """Bounds of D-nDCG, alone or averaged with the share of subtopics covered."""

    def __init__(self, situation: Situation, rule: GlobalGainBounds) -> None:
        super().__init__(situation)
        self._covered = (
            None if rule.covered is None else FacetMeans(situation, FacetBounds(rule.covered, weighted=False))
        )
        self._part: float = 1 - situation.measure.arguments.get("gamma", 0.0)  # of D-nDCG

    def alone(self, topic: TopicHoles) -> Ends:
        found = super().alone(topic) if self._covered is not None else None
        if found is not None and found.exact.all():
            return found
        every = np.arange(topic.runs)
        near = self._ends(topic, every, np.full(topic.runs, NO_RUN))
        if found is None:
            return near
        return Ends(
            np.where(found.exact, found.low, near.low), np.where(found.exact, found.high, near.high), found.exact
        )

    def ends(self, topic: TopicHoles, a: Ints, b: Ints) -> Ends:
        if self._covered is None and self._gains(topic) is not None:
            return self._ends(topic, a, b)
        near, apart = self._ends(topic, a, b), super().ends(topic, a, b)
        return Ends(np.fmax(near.low, apart.low), np.fmin(near.high, apart.high), apart.exact)

    def _ends(self, topic: TopicHoles, a: Ints, b: Ints) -> Ends:
        topic, a, b = narrowed(topic, a, b)
        gains = self._gains(topic)
        second = np.where(b == NO_RUN, 0.0, 1.0)
        found = Ends(-second, np.ones(len(a)), np.zeros(len(a), dtype=bool))
        if gains is not None:
            found = gains.method.ends(gains.topic, a, b)
        if self._covered is None:
            return found
        covered = self._covered.ends(topic, a, b)
        low, high = (
            np.nan_to_num((1 - self._part) * first + self._part * other)
            for first, other in ((covered.low, found.low), (covered.high, found.high))
        )
        return Ends(low, high, np.zeros(len(a), dtype=bool))

    def _gains(self, topic: TopicHoles) -> _SummedGains | None:
        """The topic with sums of gains in the place of codes; None if they are too many, or not above 0."""
        count, levels = int(self.scale.size[topic.topic]), self.scale.levels
        if len(levels) ** count > MOST_CODES or count == 0:
            return None
        gains = self.situation.measure.arguments.get("gains") or {}
        gain = np.array([gains.get(level, level) for level in levels.tolist()], dtype=np.float64)
        if gain[0] != 0 or (gain[1:] <= 0).any():
            return None
        places = completions_of(np.arange(count), count, 0, np.arange(len(levels), dtype=np.float64)).astype(np.int64)
        sums = (gain[places] @ self.scale.weights(topic.topic)).round(DIGITS)
        codes = self.scale.codes(places)
        by_code = np.empty(len(codes))
        by_code[codes.astype(np.int64)] = sums
        known, first = np.unique(sums, return_index=True)
        if len(known) > MOST_GAINS or known[-1] <= 0:
            return None
        own = replace(
            topic,
            topic=0,
            base=by_code[topic.base.astype(np.int64)],
            grade=np.where(topic.hole >= 0, np.nan, by_code[np.nan_to_num(topic.grade).astype(np.int64)]),
        )
        measure = build(MEASURES["nDCG"], {"cutoff": self.situation.measure.cutoff})
        situation = replace(
            self.situation,
            measure=measure,
            levels=known,
            top_grade=float(known[-1]),
            grade=np.zeros(1),
            topic=np.zeros(1, dtype=np.int64),
            run=topic.run,
            rank=topic.rank,
            pair=np.zeros(len(topic.rank), dtype=np.int64),
            retrieved=topic.retrieved[:, None],
            subtopics=None,
        )
        rule = measure.definition.bounds
        assert isinstance(rule, OverIdeal)
        return _SummedGains(SharesOfIdeal(situation, rule), own, codes[first])

    def alone_witness(self, topic: TopicHoles, run: int, *, high: bool) -> Floats:
        if self._covered is not None or (gains := self._gains(topic)) is None:
            return super().alone_witness(topic, run, high=high)
        return self._coded(gains, run, NO_RUN, high=high)

    def witness(self, topic: TopicHoles, a: int, b: int, *, high: bool) -> Floats:
        gains = self._gains(topic) if self._covered is None else None
        return super().witness(topic, a, b, high=high) if gains is None else self._coded(gains, a, b, high=high)

    def _coded(self, gains: _SummedGains, a: int, b: int, *, high: bool) -> Floats:
        found = gains.method.witness(gains.topic, a, b, high=high)
        return gains.codes[np.searchsorted(gains.method.situation.levels, found)]
