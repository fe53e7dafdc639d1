"""Graded measures that only trec_eval prints: G, and means of nDCG at points that the judgments choose."""

from dataclasses import dataclass

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, ordinal, ratio, running_sum, segment_size, segment_sum
from cranfield.measures.definition import define
from cranfield.measures.facts.bounds import MonotoneGrades
from cranfield.measures.facts.looks_at import NoDocument
from cranfield.measures.families.gain import DOMAINS, Gains
from cranfield.measures.ties.rules import UNORDERED

_DOMAIN = {"gains": DOMAINS["gains"]}


@dataclass(frozen=True, eq=False)
class Best:
    """The positive gains of every topic, best first: what an ideal list would collect."""

    topic: Ints
    gain: Floats
    size: Ints  # per topic

    @classmethod
    def of(cls, hits: Hits, gains: Gains | None) -> "Best":
        """The best gains of the topics of these hits."""
        gain = gain_of(hits.base_grade, gains)
        useful = gain > 0
        topic, gain = hits.base_topic[useful], gain[useful]
        order = np.lexsort((-gain, topic))
        return cls(topic[order], gain[order], segment_size(topic, hits.topics))

    @property
    def rank(self) -> Ints:
        """The rank of each document of the ideal lists."""
        return ordinal(self.topic)

    @property
    def highest(self) -> Floats:
        """The best gain of each topic; 0 where no document has gain."""
        top = np.zeros(len(self.size))
        np.maximum.at(top, self.topic, self.gain)
        return top

    @property
    def discounted(self) -> Floats:
        """What each document of the ideal lists adds to their DCG."""
        return self.gain / np.log2(self.rank + 1)

    def after(self, values: Floats, topic: Ints, rank: Ints) -> Floats:
        """The sum of `values` over the first `rank` documents of a topic's ideal list (all, if it is shorter)."""
        first = np.cumsum(self.size) - self.size
        reached = np.minimum(rank, self.size[topic])
        total = np.append(running_sum(self.topic, values), 0.0)
        return np.where(reached > 0, total[np.where(reached > 0, first[topic] + reached - 1, -1)], 0.0)

    def total(self, values: Floats, topic: Ints) -> Floats:
        """The sum of `values` over the whole ideal list of a topic."""
        return segment_sum(self.topic, values, len(self.size))[topic]


def gain_of(grade: Ints | Floats, gains: Gains | None) -> Floats:
    """The gain of each grade: the grade itself unless `gains` says otherwise."""
    gain = np.asarray(grade, dtype=np.float64)
    for level, value in (gains or {}).items():
        gain = np.where(grade == level, value, gain)
    return gain


@define(
    "IdealDCG",
    family="graded",
    ties=UNORDERED,
    aliases="ideal_dcg",
    cites="jarvelin2002",
    high=float("inf"),
    ignores_unjudged=True,
    looks_at=NoDocument(),
    unjudged="An unjudged document changes nothing.",
    domain=_DOMAIN,
    bounds=MonotoneGrades(),
)
def ideal_dcg(hits: Hits, *, gains: Gains | None = None) -> Floats:
    r"""Ideal DCG: the discounted gain of a list that holds every judged document, best first.

    $$\mathrm{IdealDCG} = \sum_{i} \frac{g^*_i}{\log_2(i + 1)}$$

    A fact about the judgments of a topic: no list can change it.

    >>> hits = Hits.of([[(2, 1)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> ideal_dcg(hits).round(4)  # 2 / log2(2) + 1 / log2(3)
    array([2.6309])
    """
    best = Best.of(hits, gains)
    return best.total(best.discounted, hits.topic)


@define("G", family="graded", cites="buckley2005", ideal=1.0, swap="none", domain=_DOMAIN)
def gain_over_cost(hits: Hits, *, gains: Gains | None = None) -> Floats:
    r"""G: gain, divided by the logarithm of how far the list has fallen behind the best possible one.

    $$\mathrm{G} = \frac{1}{\sum_j g^*_j} \sum_i \frac{g_i}{\log_2(2 + c_i - \sum_{j \le i} g_j)}, \qquad
    c_i = \sum_{j \le i} \max(g^*_j, 1)$$

    where $g_i$ is the gain at rank *i* and $g^*_i$ that of the ideal list. Undefined where no document has gain.

    >>> hits = Hits.of([[(2, 1)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> gain_over_cost(hits).round(4)  # cost 2 + 1, gain 1: 1 / log2(2 + 3 - 1) / 3
    array([0.1667])
    """
    best = Best.of(hits, gains)
    useful = hits.where(gain_of(hits.grade, gains) > 0)
    gain, topic = gain_of(useful.grade, gains), useful.topic[useful.ranking]
    beyond = np.maximum(useful.rank - best.size[topic], 0)
    cost = best.after(np.maximum(best.gain, 1.0), topic, useful.rank) + beyond
    behind = cost - running_sum(useful.ranking, gain)
    return ratio(useful.sum(gain / np.log2(2 + behind)), best.total(best.gain, hits.topic))


@define("NDCGRel", family="graded", aliases="ndcg_rel", cites="buckley2005", ideal=1.0, swap="none", domain=_DOMAIN)
def ndcg_at_relevant(hits: Hits, *, gains: Gains | None = None) -> Floats:
    r"""The mean of nDCG at the rank of each relevant document; one that was not found counts as the end of the list.

    $$\mathrm{NDCGRel} = \frac{1}{R} \Big( \sum_{i: g_i > 0} \mathrm{nDCG}@i + m\,\mathrm{nDCG} \Big)$$

    where *m* of the *R* documents with gain were not found. Undefined where no document has gain.

    >>> hits = Hits.of([[(2, 1)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> ndcg_at_relevant(hits).round(4)  # both terms are (1 / log2(3)) / (2 + 1 / log2(3))
    array([0.2398])
    """
    best = Best.of(hits, gains)
    useful = hits.where(gain_of(hits.grade, gains) > 0)
    collected = gain_of(useful.grade, gains) / np.log2(useful.rank + 1)
    topic = useful.topic[useful.ranking]
    at_each = ratio(running_sum(useful.ranking, collected), best.after(best.discounted, topic, useful.rank))
    at_end = ratio(useful.sum(collected), best.total(best.discounted, hits.topic))
    relevant = best.size[hits.topic]
    return ratio(useful.sum(at_each) + (relevant - useful.count) * at_end, relevant)


@define("Rndcg", family="graded", cites="buckley2005", ideal=1.0, swap="strict", domain=_DOMAIN)
def ndcg_at_levels(hits: Hits, *, gains: Gains | None = None) -> Floats:
    r"""The mean of nDCG where the ideal list changes from one gain to the next, as R-precision does for one level.

    $$\mathrm{Rndcg} = \frac{1}{|K|} \sum_{k \in K} \mathrm{nDCG}@k$$

    The points *K* are the cumulated numbers of documents of each positive gain, best first. A list that is at least
    two documents longer than the number of documents with gain is also measured at its end. Undefined where no document
    has gain.

    >>> hits = Hits.of([[(1, 2)]], levels=[[0, 2, 1]], retrieved=[5])
    >>> ndcg_at_levels(hits).round(4)  # 1 at rank 1, 2 / 3.1309 at ranks 3 and 5
    array([0.7592])
    """
    best = Best.of(hits, gains)
    useful = hits.where(gain_of(hits.grade, gains) != 0)
    last = np.append((best.topic[1:] != best.topic[:-1]) | (best.gain[1:] != best.gain[:-1]), True)[: len(best.topic)]
    level_topic, level_rank = best.topic[last], best.rank[last]
    levels = segment_size(level_topic, hits.topics)
    first, own = np.cumsum(levels) - levels, levels[hits.topic]
    ranking = np.repeat(np.arange(len(hits)), own)
    rank = level_rank[np.repeat(first[hits.topic], own) + ordinal(ranking) - 1]
    longer = np.flatnonzero((hits.retrieved >= best.size[hits.topic] + 2) & (best.size[hits.topic] > 0))
    ranking, rank = np.append(ranking, longer), np.append(rank, hits.retrieved[longer])
    ideal = best.after(best.discounted, hits.topic[ranking], rank)
    points = ratio(_collected(useful, gain_of(useful.grade, gains), ranking, rank), ideal)
    return ratio(segment_sum(ranking, points, len(hits)), segment_size(ranking, len(hits)))


def _collected(hits: Hits, gain: Floats, ranking: Ints, rank: Ints) -> Floats:
    """The DCG of each given ranking down to the given rank."""
    total = np.append(running_sum(hits.ranking, gain / np.log2(hits.rank + 1)), 0.0)
    depth = int(max(hits.rank.max(initial=0), rank.max(initial=0))) + 1
    place = np.searchsorted(hits.ranking * depth + hits.rank, ranking * depth + rank, side="right") - 1
    inside = place >= np.searchsorted(hits.ranking, ranking)
    return np.where(inside, total[np.where(inside, place, -1)], 0.0)
