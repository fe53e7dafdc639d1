r"""Bounds of measures that judge by subtopic, where the value is a mean over subtopics of a value of each.

The grades of a document for one subtopic say nothing of those for another, so each subtopic has ends of its own,
$l_i \le v_i \le h_i$, and all of them can be attained at once. What remains is which subtopics count: those with a
relevant document as judged always do; another one counts in the completions that make a document relevant to it. The
highest mean $\sum_i \pi_i h_i / \sum_i \pi_i$ over all choices takes the subtopics of the largest $h_i$ first, so as
many choices are tried as there are such subtopics.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cranfield.arrays import Bools, Floats, Ints, ratio
from cranfield.measures.facts.subtopics import FacetBounds
from cranfield.missing.bounds.by_subtopic.codes import SubtopicHoles
from cranfield.missing.bounds.enumeration import Enumeration
from cranfield.missing.bounds.exchange import AveragePrecisions
from cranfield.missing.bounds.grids import completions_of, number_of_completions
from cranfield.missing.bounds.method import NO_RUN, BoundsMethod, Ends, method_of, narrowed
from cranfield.missing.completions import values
from cranfield.missing.situation import Situation, TopicHoles

MANY = 512  # holes above which the lowest value with one relevant hole is not looked for


class BySubtopic(Enumeration):
    """Bounds by subtopic; the grades of a hole are a code."""

    @property
    def scale(self) -> SubtopicHoles:
        """The subtopics of each topic, and the grades for them."""
        assert self.situation.subtopics is not None
        return self.situation.subtopics

    def _enumerated(self, topic: TopicHoles, runs: list[int], most: int) -> Floats | None:
        codes = len(self.scale.levels) ** int(self.scale.size[topic.topic])
        if topic.unseen and self.situation.measure.definition.greedy:
            return None  # the ideal list depends on ids, and unseen documents have none
        listed = np.unique(topic.hole[(topic.hole >= 0) & np.isin(topic.run, runs)])
        others = topic.holes - len(listed) + topic.unseen
        if codes > most or number_of_completions(len(listed), others, codes) > most:
            return None
        return completions_of(listed, topic.holes, topic.unseen, np.arange(codes, dtype=np.float64))


class FacetValues:
    """The ends of the value of each subtopic, by a method for documents with one grade."""

    def __init__(self, situation: Situation, rule: FacetBounds) -> None:
        assert situation.subtopics is not None
        self.scale: SubtopicHoles = situation.subtopics
        facet = rule.facet(**situation.measure.arguments)
        self.level: float = facet.rel
        self.situation: Situation = replace(
            situation,
            measure=facet,
            named=facet,
            levels=self.scale.levels,
            grade=np.zeros(len(situation.grade)),
            policy=situation.policy.with_(no_relevant="exclude"),
            subtopics=None,
        )
        self.method: BoundsMethod = method_of(self.situation)

    def parts(self, topic: TopicHoles) -> list[TopicHoles]:
        """The topic once for each subtopic, with the grades for it."""
        count = int(self.scale.size[topic.topic])
        base, listed = self.scale.grades(topic.base, count), self.scale.grades(topic.grade, count)
        return [replace(topic, base=base[:, at], grade=listed[:, at]) for at in range(count)]

    def sure(self, parts: Sequence[TopicHoles]) -> Bools:
        """Which subtopics have a relevant document as judged."""
        return np.array([bool((part.base >= self.level).any()) for part in parts], dtype=bool)

    def possible(self, topic: TopicHoles) -> bool:
        """Whether a hole can be relevant."""
        return topic.holes + topic.unseen > 0 and bool(self.scale.levels[-1] >= self.level)

    def single(self, part: TopicHoles) -> tuple[Floats, Floats]:
        """`[completion, document]` with one relevant document each, as little relevant as possible; their values."""
        lowest = self.scale.levels[self.scale.levels >= self.level][0]
        filled = lowest * np.eye(part.holes + part.unseen)
        return filled, values(self.situation, part, filled)

    def ends(self, part: TopicHoles, a: Ints, b: Ints, *, sure: bool) -> Ends:
        """The ends of rows; if no judged document is relevant, those of the completions in which a hole is."""
        found = self.method.ends(part, a, b)
        if sure or isinstance(self.method, AveragePrecisions) or (b != NO_RUN).all():
            return found
        if part.holes + part.unseen > MANY:
            return Ends(found.low, found.high, np.zeros(len(a), dtype=bool))
        least = self.single(part)[1].min(axis=0)
        return Ends(np.where(b == NO_RUN, least[a], found.low), found.high, found.exact)

    def witness(self, part: TopicHoles, a: int, b: int, *, sure: bool, high: bool) -> Floats:
        """A completion that attains an end; with a relevant document, if no judged one is."""
        size = part.holes + part.unseen
        if not sure and not high and b == NO_RUN and not isinstance(self.method, AveragePrecisions):
            filled, value = self.single(part)
            return filled[value[:, a].argmin()]
        found = self.method.witness(part, a, b, high=high)
        filled = np.append(found, np.zeros(size - len(found)))
        if not sure and not (filled >= self.level).any():
            filled[-1] = self.scale.levels[-1]
        return filled


class FacetMeans(BySubtopic):
    """Bounds of a mean over subtopics."""

    def __init__(self, situation: Situation, rule: FacetBounds) -> None:
        super().__init__(situation)
        self._values, self._rule = FacetValues(situation, rule), rule
        self._factor: float = rule.factor(**situation.measure.arguments)
        self._total: bool = rule.total(**situation.measure.arguments)

    def alone(self, topic: TopicHoles) -> Ends:
        every = np.arange(topic.runs)
        return self.ends(topic, every, np.full(topic.runs, NO_RUN))

    def ends(self, topic: TopicHoles, a: Ints, b: Ints) -> Ends:
        topic, a, b = narrowed(topic, a, b)
        low, high, sure, exact = self._of_each(topic, a, b)
        weight = self._weights(topic)
        under, over = -self._highest(-low, sure, weight), self._highest(high, sure, weight)
        settled = exact.all(axis=0) & ((b == NO_RUN) | bool(sure.all()))
        if self._total and (weight != weight[:1]).any():
            most, least = len(sure), max(int(sure.sum()), 1)
            under, over = np.minimum(under * least, under * most), np.maximum(over * least, over * most)
            settled = settled & bool(sure.all())
        return self._nearer(topic, a, b, Ends(under * self._factor, over * self._factor, settled))

    def _nearer(self, topic: TopicHoles, a: Ints, b: Ints, found: Ends) -> Ends:
        """The ends of differences, no further than those of the two runs allow."""
        if (found.exact | (b == NO_RUN)).all():
            return found
        apart = super().ends(topic, a, b)
        loose = (b != NO_RUN) & ~found.exact
        low, high = np.fmax(found.low, apart.low), np.fmin(found.high, apart.high)
        return Ends(np.where(loose, low, found.low), np.where(loose, high, found.high), found.exact)

    def _weights(self, topic: TopicHoles) -> Floats:
        known = self.scale.weights(topic.topic)
        alike = bool((known == known[:1]).all())
        return np.ones(len(known)) if alike or not self._rule.weighted else known

    def _of_each(self, topic: TopicHoles, a: Ints, b: Ints) -> tuple[Floats, Floats, Bools, Bools]:
        """`[subtopic, row]`: the ends, whether a subtopic counts in any case, and whether the ends are exact.

        Those of a subtopic that never counts are undefined.
        """
        parts = self._values.parts(topic)
        sure = self._values.sure(parts)
        low, high = np.full((2, len(parts), len(a)), np.nan)
        exact = np.ones((len(parts), len(a)), dtype=bool)
        for at, part in enumerate(parts):
            if sure[at] or self._values.possible(topic):
                found = self._values.ends(part, a, b, sure=bool(sure[at]))
                low[at], high[at], exact[at] = found.low, found.high, found.exact
        return low, high, sure, exact

    def _highest(self, ends: Floats, sure: Bools, weight: Floats) -> Floats:
        """The highest mean (or sum) of each row over all choices of the subtopics that may count."""
        tried, _ = self._choices(ends, sure, weight)
        return np.fmax.reduce(tried)

    def _choices(self, ends: Floats, sure: Bools, weight: Floats) -> tuple[Floats, Ints]:
        """`[number, row]`: the mean with so many of the subtopics that may count; `[turn, row]`: in which order."""
        optional = np.flatnonzero(~sure & ~np.isnan(ends).any(axis=1))
        order = optional[np.argsort(-ends[optional], axis=0, kind="stable")]
        share = weight[:, None] * np.nan_to_num(ends)
        above = np.concatenate((share[sure].sum(axis=0)[None], np.take_along_axis(share, order, axis=0)))
        size = np.concatenate((np.full((1, ends.shape[1]), weight[sure].sum()), weight[order]))
        below, counted = np.cumsum(size, axis=0), np.arange(len(size))[:, None] + int(sure.sum())
        if self._total and (weight == weight[:1]).all():
            below = np.where(counted > 0, 1.0, 0.0) + np.zeros_like(below)
        tried = ratio(np.cumsum(above, axis=0), np.where(counted > 0, below, 0.0))
        return np.where(counted > 0, tried, self.situation.policy.counted(tried, True)), order

    def alone_witness(self, topic: TopicHoles, run: int, *, high: bool) -> Floats:
        return self._composed(topic, run, NO_RUN, high=high)

    def witness(self, topic: TopicHoles, a: int, b: int, *, high: bool) -> Floats:
        if b != NO_RUN and not self.ends(topic, np.array([a]), np.array([b])).exact[0]:
            return super().witness(topic, a, b, high=high)
        return self._composed(topic, a, b, high=high)

    def _composed(self, topic: TopicHoles, a: int, b: int, *, high: bool) -> Floats:
        """The completion that attains the ends of all subtopics that count at an end."""
        low, up, sure, _ = self._of_each(topic, np.array([a]), np.array([b]))
        tried, order = self._choices(up if high else -low, sure, self._weights(topic))
        value = tried[:, 0]
        number = 0 if np.isnan(value).all() else int(np.nanargmax(value))
        chosen = [*np.flatnonzero(sure).tolist(), *order[:number, 0].tolist()]
        places = np.zeros((topic.holes + topic.unseen, len(sure)), dtype=np.int64)
        for at, part in enumerate(self._values.parts(topic)):
            if at in chosen:
                filled = self._values.witness(part, a, b, sure=bool(sure[at]), high=high)
                places[:, at] = np.searchsorted(self.scale.levels, filled)
        return self.scale.codes(places)
