"""Diversity: measures of single documents averaged over the subtopics of a topic, and the D-measures of NTCIR."""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ordinal, ratio, segment_sum
from cranfield.measures.definition import MEASURES, UNIT, define
from cranfield.measures.facts.subtopics import FacetBounds, GlobalGainBounds
from cranfield.measures.families.diversity.facets import ABOVE_ZERO, Facets, kept_subtopics, subtopics, weights
from cranfield.measures.families.diversity.novelty import NOTHING
from cranfield.measures.families.gain import DOMAINS, Gains
from cranfield.measures.families.ranked import average_precision, precision
from cranfield.measures.families.trec.trec_gain import gain_of
from cranfield.measures.grammar import Measure, build

_GAINS = {"gains": DOMAINS["gains"]}


def _covering(*, cutoff: int, rel: float = ABOVE_ZERO, **_: object) -> Measure:
    """Whether one subtopic is covered."""
    return build(MEASURES["Success"], {"rel": rel, "cutoff": cutoff})


@define(
    "AP_IA",
    family="diversity",
    aliases="AP-IA MAP_IA MAP-IA",
    cites="agrawal2009",
    swap="strict",
    unjudged=NOTHING,
    needs_subtopics=True,
    bounds=FacetBounds(lambda *, rel, cutoff, **_: build(MEASURES["AP"], {"rel": rel, "cutoff": cutoff})),
)
def intent_aware_average_precision(hits: Hits, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    r"""Intent-aware average precision: the mean over the subtopics of the average precision for each.

    $$\mathrm{AP\text{-}IA} = \sum_{i=1}^{M} P(i)\,\mathrm{AP}_i$$

    Only subtopics with a relevant document count; $P(i)$ is $1/M$, unless probabilities are given. Undefined if no
    subtopic has a relevant document.

    >>> hits = Hits.covering([(1, 0), (1, 1), (0, 0)], missed=[(0, 1)])
    >>> intent_aware_average_precision(hits)  # ((1/1 + 2/2) / 2 + (1/2) / 2) / 2
    array([0.625])
    """
    facets = Facets.of(hits, rel)
    return facets.mean(average_precision(facets.hits, rel=rel, cutoff=cutoff))


@define(
    "P_IA",
    family="diversity",
    aliases="P-IA",
    cites="agrawal2009",
    unjudged=NOTHING,
    needs_subtopics=True,
    bounds=FacetBounds(lambda *, rel, cutoff, **_: build(MEASURES["P"], {"rel": rel, "cutoff": cutoff})),
)
def intent_aware_precision(hits: Hits, *, rel: int = 1, cutoff: int) -> Floats:
    r"""Intent-aware precision: the mean over the subtopics of the share of the first *k* documents that covers each.

    $$\mathrm{P\text{-}IA}@k = \sum_{i=1}^{M} P(i)\,\mathrm{P}_i@k = \frac{1}{kM} \sum_{j \le k} \sum_i J(d_j, i)$$

    the latter if no probabilities are given; $J(d_j, i)$ says whether the document at rank *j* is relevant to subtopic
    *i*. Only subtopics with a relevant document count. Undefined if there is none.

    >>> hits = Hits.covering([(1, 0), (1, 1), (0, 0)], missed=[(0, 1)])
    >>> intent_aware_precision(hits, cutoff=2)  # (2/2 + 1/2) / 2
    array([0.75])
    """
    facets = Facets.of(hits, rel)
    return facets.mean(precision(facets.hits, rel=rel, cutoff=cutoff))


@define(
    "StRecall",
    family="diversity",
    aliases="Irec I-rec strec S-rec",
    cites="zhai2003 sakai2011",
    unjudged=NOTHING,
    needs_subtopics=True,
    bounds=FacetBounds(_covering, weighted=False),
)
def subtopic_recall(hits: Hits, *, rel: float = 1, cutoff: int) -> Floats:
    r"""Subtopic recall (intent recall): the share of the subtopics that the first *k* documents cover.

    $$\mathrm{S\text{-}rec}@k = \frac{|\{i : J(d_j, i) = 1 \text{ for some } j \le k\}|}{M}$$

    Only subtopics with a relevant document count, and all alike, whatever their probabilities. Undefined if there is
    none.

    >>> hits = Hits.covering([(1, 0, 0), (1, 1, 0), (0, 0, 0)], missed=[(0, 0, 1)])
    >>> subtopic_recall(hits, cutoff=2).round(4)  # two of three
    array([0.6667])
    """
    facets = Facets.of(hits, rel)
    return facets.share(facets.hits.relevant(rel).top(cutoff).count > 0)


@define(
    "DnDCG",
    family="diversity",
    aliases="D-nDCG",
    cites="sakai2011",
    swap="strict",
    unjudged=NOTHING,
    needs_subtopics=True,
    domain=_GAINS,
    bounds=GlobalGainBounds(),
)
def global_gain(hits: Hits, *, gains: Gains | None = None, cutoff: int | None = None) -> Floats:
    r"""D-nDCG: nDCG with the gain of a document taken over all subtopics, each as likely as it is.

    $$\mathrm{D\text{-}nDCG} = \frac{\sum_j GG(d_j) / \log_2(j + 1)}{\sum_j GG(d^*_j) / \log_2(j + 1)}, \quad
    GG(d) = \sum_{i=1}^{M} P(i)\,g_i(d)$$

    where $g_i(d)$ is the grade of the document for subtopic *i* (`gains` replaces the gain of single grades), and the
    list $d^*$ holds all judged documents, largest $GG$ first. Only subtopics with a relevant document count; $P(i)$ is
    $1/M$, unless probabilities are given. Undefined if no document has gain.

    >>> hits = Hits.covering([(3, 0), (0, 1)], missed=[(0, 2)], probabilities=(0.25, 0.75))
    >>> global_gain(hits, cutoff=2).round(4)  # (0.75 + 0.75 / log2(3)) / (1.5 + 0.75 / log2(3))
    array([0.6199])
    """
    facets = Facets.of(hits)
    near = facets.hits.top(cutoff)
    gained = facets.mean(near.sum(gain_of(near.grade, gains) / np.log2(near.rank + 1)))
    return ratio(gained, _best_global_gain(hits, gains, cutoff)[hits.topic])


@define(
    "DSharp",
    family="diversity",
    aliases="D♯ D# D♯-nDCG D#-nDCG",
    cites="sakai2011",
    unjudged=NOTHING,
    needs_subtopics=True,
    domain=_GAINS | {"gamma": UNIT},
    bounds=GlobalGainBounds(_covering),
)
def d_sharp(hits: Hits, *, gamma: float = 0.5, gains: Gains | None = None, cutoff: int) -> Floats:
    r"""D♯-nDCG: how many of the subtopics are covered, and how well, in one number.

    $$\mathrm{D\sharp\text{-}nDCG}@k = \gamma\,\mathrm{I\text{-}rec}@k + (1 - \gamma)\,\mathrm{D\text{-}nDCG}@k$$

    See `StRecall` (intent recall; a document covers a subtopic if its grade is above 0) and `DnDCG`. Undefined if no
    subtopic has a relevant document.

    >>> hits = Hits.covering([(3, 0), (0, 1)], missed=[(0, 2)], probabilities=(0.25, 0.75))
    >>> d_sharp(hits, cutoff=2).round(4)  # (2/2 + 0.6199) / 2
    array([0.81])
    """
    covered = subtopic_recall(hits, rel=ABOVE_ZERO, cutoff=cutoff)
    return gamma * covered + (1 - gamma) * global_gain(hits, gains=gains, cutoff=cutoff)


def _best_global_gain(hits: Hits, gains: Gains | None, cutoff: int | None) -> Floats:
    """The discounted global gain of the best list of each topic, on the scale of `Facets.mean`."""
    table = subtopics(hits)
    kept = kept_subtopics(table)
    count = np.bincount(table.topic[kept], minlength=hits.topics)[table.topic]
    share = np.where(kept, ratio(weights(table, kept, hits.topics), count), 0.0)
    document, place = np.unique(table.document, return_inverse=True)
    gain = segment_sum(place, share[table.subtopic] * gain_of(table.grade, gains), len(document))
    topic = np.zeros(len(document), dtype=np.int64)
    topic[place] = table.topic[table.subtopic]
    useful = np.flatnonzero(gain > 0)
    order = useful[np.lexsort((-gain[useful], topic[useful]))]
    rank = ordinal(topic[order])
    near = rank <= (cutoff or len(order))
    return segment_sum(topic[order][near], gain[order][near] / np.log2(rank[near] + 1), hits.topics)
