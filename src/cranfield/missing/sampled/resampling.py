"""The sample drawn again: infAP, xinfAP and infNDCG on resamples of the judged documents, stratum by stratum.

Of a stratum with *n* judged documents, *n* are drawn with replacement (the bootstrap). A stratum judged in full is no
sample and stays as it is. Nothing is subtracted for strata of which a large part was judged: their errors are then
rather too large, which makes up for estimates of rare documents, whose errors come out too small.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from cranfield.align.columns.sampled import SampledJudgments
from cranfield.align.hits import Hits
from cranfield.arrays import Bools, Floats, Ints, segment_size
from cranfield.measures.families.gain import worth
from cranfield.measures.families.incomplete.coverage import EPSILON
from cranfield.measures.families.incomplete.sampled import attention, sample_of

TOGETHER = 25  # resamples that are scored at once


def resamples(table: SampledJudgments, draws: int, rng: np.random.Generator) -> Iterator[Floats]:
    """`[draw, document]`: how often each judged document is in a resample, some resamples at a time.

    >>> from cranfield.align.columns.sampled import sampled_list
    >>> table = sample_of(sampled_list([1, 0, -1, -1, 1], strata=[0, 0, 0, 0, 1]))
    >>> drawn = next(resamples(table, 25, np.random.default_rng(0)))
    >>> drawn.shape, set(drawn.sum(axis=1).tolist()), set(drawn[:, 4].tolist())  # two of stratum 0, one of stratum 1
    ((25, 5), {3.0}, {1.0})
    """
    judged = np.flatnonzero(table.judged & (table.share < 1))
    judged = judged[np.argsort(table.stratum[judged], kind="stable")]
    begin = np.searchsorted(table.stratum[judged], table.stratum[judged])
    number = segment_size(table.stratum[judged], len(table.first))[table.stratum[judged]]
    for first in range(0, draws, TOGETHER):
        several = min(TOGETHER, draws - first)
        drawn = np.tile(table.judged.astype(np.float64), (several, 1))
        picked = begin + (rng.random((several, len(judged))) * number).astype(np.int64)
        picked += np.arange(several)[:, None] * len(judged)
        drawn[:, judged] = np.bincount(picked.ravel(), minlength=picked.size).reshape(picked.shape)
        yield drawn


def unknown(table: SampledJudgments, topics: int) -> Bools:
    """The topics with a stratum of which one document was judged, and not all: no resample shows how it varies."""
    number = segment_size(table.stratum[table.judged], len(table.first))
    single = table.judged & (number[table.stratum] == 1) & (table.share < 1)
    found = np.zeros(topics, dtype=bool)
    found[table.topic[single]] = True
    return found


@dataclass(frozen=True, eq=False)
class ResampledPrecision:
    """xinfAP of one run on resamples; with one stratum per topic, infAP."""

    table: SampledJudgments
    hits: Hits
    rel: float

    @classmethod
    def of(cls, hits: Hits, *, rel: float = 1, **_: object) -> "ResampledPrecision":
        """The run that these hits are of: one ranking per topic."""
        return cls(sample_of(hits), hits, rel)

    def __call__(self, drawn: Floats) -> Floats:
        """`[draw, topic]`: the value in each resample; undefined without a relevant document."""
        hits, table = self.hits, self.table
        relevant = hits.grade >= self.rel
        at = np.flatnonzero(relevant)
        start = np.searchsorted(hits.ranking, hits.ranking[at])
        weight = drawn[:, hits.document]
        number = table.place_in_topic[hits.document]
        expected = np.ones((len(drawn), len(at)))
        for stratum, members in enumerate(self._members_above(hits.where(relevant))):
            own = np.where(number == stratum, weight, 0.0)
            judged, good = (_before(values, at, start) for values in (own, np.where(relevant, own, 0.0)))
            expected += members * (good + EPSILON) / (judged + 2 * EPSILON)
        rate = hits.rank[at] * table.share[hits.document[at]]
        gained = by_segment(weight[:, at] * expected / rate, hits.ranking[at], hits.topics)
        wanted = np.flatnonzero(table.judged & (table.grade >= self.rel))
        return _ratio(gained, _by_topic(drawn, wanted, 1 / table.share[wanted], table, hits.topics))

    def _members_above(self, found: Hits) -> list[Ints]:
        """For each stratum of a topic, how many of its documents stand above each relevant hit, sampled or not."""
        hits, number = self.hits, self.table.place_in_topic
        rank, ranking = hits.pooled_rank, hits.pooled_ranking
        pooled = replace(
            hits, rank=rank, ranking=ranking, grade=np.zeros_like(rank), document=hits.pooled_document, place=rank[:0]
        )
        return [
            found.above(hits.where(number[hits.document] == stratum))
            + found.above(pooled.where(number[pooled.document] == stratum))
            for stratum in range(int(number.max(initial=-1)) + 1)
        ]


@dataclass(frozen=True, eq=False)
class ResampledGain:
    """infNDCG of one run on resamples."""

    table: SampledJudgments
    hits: Hits
    dcg: str
    ideal: str
    cutoff: int | None

    @classmethod
    def of(
        cls, hits: Hits, *, dcg: str = "log2", ideal: str = "round", cutoff: int | None = None, **_: object
    ) -> "ResampledGain":
        """The run that these hits are of: one ranking per topic."""
        return cls(sample_of(hits), hits, dcg, ideal, cutoff)

    def __call__(self, drawn: Floats) -> Floats:
        """`[draw, topic]`: the value in each resample; undefined without a document of positive gain."""
        table, near = self.table, self.hits.top(self.cutoff)
        gain = worth(near.grade, near.rank, dcg=self.dcg) / table.share[near.document]
        gained = by_segment(drawn[:, near.document] * gain, near.ranking, self.hits.topics)
        return _ratio(gained, self._best(drawn))

    def _best(self, drawn: Floats) -> Floats:
        """`[draw, topic]`: the gain of the ideal list."""
        table = self.table
        graded = np.flatnonzero(table.grade > 0)
        graded = graded[np.lexsort((-table.grade[graded], table.topic[graded]))]
        topic, grade = table.topic[graded], table.grade[graded]
        opens = np.ones(len(graded), dtype=bool)
        opens[1:] = (topic[1:] != topic[:-1]) | (grade[1:] != grade[:-1])
        level = np.cumsum(opens) - 1
        number = by_segment(drawn[:, graded] / table.share[graded], level, int(opens.sum()))
        number = np.floor(number + 0.5) if self.ideal == "round" else number
        total = np.cumsum(number, axis=1)
        first = np.searchsorted(topic[opens], topic[opens])
        end = total - (total - number)[:, first]
        gain = worth(grade[opens], np.ones(int(opens.sum()), dtype=np.int64), dcg=self.dcg)
        worth_of_level = gain * (attention(end, self.cutoff) - attention(end - number, self.cutoff))
        return by_segment(worth_of_level, topic[opens], self.hits.topics)


def by_segment(values: Floats, segment: Ints, segments: int) -> Floats:
    """`[draw, segment]`: the sums of columns that belong to one segment; segments ascend.

    >>> by_segment(np.array([[1.0, 2.0, 4.0]]), np.array([0, 0, 2]), 3)
    array([[3., 0., 4.]])
    """
    total = np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=1)], axis=1)
    edge = np.searchsorted(segment, np.arange(segments + 1))
    return total[:, edge[1:]] - total[:, edge[:-1]]


def _by_topic(drawn: Floats, places: Ints, worth_of: Floats, table: SampledJudgments, topics: int) -> Floats:
    """`[draw, topic]`: the sum over some documents of how often they were drawn times their worth."""
    order = np.argsort(table.topic[places], kind="stable")
    return by_segment(drawn[:, places[order]] * worth_of[order], table.topic[places[order]], topics)


def _before(values: Floats, at: Ints, start: Ints) -> Floats:
    """`[draw, place]`: the sum of the columns from a start to just before a place."""
    total = np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=1)], axis=1)
    return total[:, at] - total[:, start]


def _ratio(part: Floats, whole: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(whole > 0, part / whole, np.nan)
