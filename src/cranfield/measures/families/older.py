"""Older measures of graded lists, each compared with other orders of the same list, and generalised precision.

The weight $w_i$ of the document at rank *i* is its gain; an unjudged document has none.
"""

from dataclasses import replace

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ordinal, ratio, running_sum, segment_sum
from cranfield.errors import MeasureError
from cranfield.measures.definition import POSITIVE, UNIT, define, one_of
from cranfield.measures.facts.bounds import ADDITIVE, LIMITED, TWO_PARTS, OverIdeal, number
from cranfield.measures.facts.looks_at import FirstRanks
from cranfield.measures.families.gain import DOMAINS, Gains
from cranfield.measures.families.trec.trec_gain import gain_of
from cranfield.measures.ties.rules import WeightedSum

INFINITY = float("inf")
_GAINS = {"gains": DOMAINS["gains"]}
REORDERED = FirstRanks("")  # the best or worst order of the whole list is what its first ranks are compared with


def _largest(hits: Hits, weight: Floats, cutoff: int) -> Floats:
    """The sum of the `cutoff` largest weights of each list."""
    order = np.lexsort((-weight, hits.ranking))
    near = order[ordinal(hits.ranking) <= cutoff]
    return segment_sum(hits.ranking[near], weight[near], len(hits))


@define(
    "SlidingRatio", family="graded", cites="pollock1968", ideal=1.0, domain=_GAINS, partial=True, looks_at=REORDERED
)
def sliding_ratio(hits: Hits, *, gains: Gains | None = None, cutoff: int) -> Floats:
    r"""Sliding ratio: the gain after *k* documents over that of the same list in its best order.

    $$\mathrm{SlidingRatio}@k = \frac{\sum_{i \le k} w_i}{\sum_{i \le k} w^*_i}$$

    where $w^*$ are the weights of the retrieved documents, largest first. Unlike nCG it knows nothing of what was not
    retrieved: a longer list can lower it. Undefined if no retrieved document has gain.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 2)]], levels=[[1, 1, 2]], retrieved=[3])
    >>> sliding_ratio(hits, cutoff=2).round(4)  # (1 + 0) / (2 + 1)
    array([0.3333])
    """
    weight = np.maximum(gain_of(hits.grade, gains), 0.0)
    return ratio(hits.sum(np.where(hits.rank <= cutoff, weight, 0.0)), _largest(hits, weight, cutoff))


@define(
    "Satisfaction",
    family="graded",
    cites="myaeng1990",
    ideal=1.0,
    partial=True,
    looks_at=REORDERED,
    bounds=TWO_PARTS,
)
def satisfaction(hits: Hits, *, rel: int = 1, cutoff: int) -> Floats:
    r"""Satisfaction: the sliding ratio of the relevant documents.

    $$S(k) = \frac{\sum_{i \le k} s_i}{\sum_{i \le k} s^*_i}$$

    where $s_i$ is the grade of a relevant document and 0 for any other, and $s^*$ are those of the retrieved documents,
    largest first. Undefined if no relevant document is retrieved.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 2)]], levels=[[1, 1, 2]], retrieved=[3])
    >>> satisfaction(hits, cutoff=2).round(4)  # (1 + 0) / (2 + 1)
    array([0.3333])
    """
    return sliding_ratio(hits.relevant(rel), cutoff=cutoff)


@define(
    "Frustration",
    family="graded",
    cites="myaeng1990",
    swap="none",
    unjudged="An unjudged document counts as not relevant, and frustrates as much as one of grade 0.",
    smaller=True,
    looks_at=REORDERED,
    bounds=TWO_PARTS,
)
def frustration(hits: Hits, *, rel: int = 1, cutoff: int) -> Floats:
    r"""Frustration: how early the documents that are not relevant come, compared with the worst order of the list.

    $$F(k) = \frac{\sum_{i \le k} f_i}{\sum_{i \le k} f^{\dagger}_i}, \qquad f_i = w_{max} - w_i$$

    for a document that is not relevant and 0 for any other, where $w_i$ is its grade, $w_{max}$ the highest of the
    collection, and $f^{\dagger}$ are the same values, largest first. Small is good; 0 if everything retrieved is
    relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (4, 2)]], levels=[[1, 1, 2]], retrieved=[4])
    >>> frustration(hits, cutoff=2)  # ranks 2 and 3 frustrate by 2: 2 / (2 + 2)
    array([0.5])
    """
    top, below = hits.top_grade, hits.where(hits.grade < rel)
    unjudged, near = hits.retrieved - hits.count, hits.top(cutoff)
    worst = replace(below, rank=ordinal(below.ranking) + unjudged[below.ranking])  # after the unjudged ones
    worst = replace(worst, grade=below.grade[np.lexsort((below.grade, below.ranking))]).top(cutoff)
    met = (near.retrieved - near.count) * top + below.top(cutoff).sum(top - below.top(cutoff).grade)
    possible = np.minimum(unjudged, cutoff) * top + worst.sum(top - worst.grade)
    return met / np.where(possible > 0, possible, 1.0)


@define("SFTotal", family="graded", cites="myaeng1990", domain={"a": UNIT}, partial=True, looks_at=REORDERED)
def satisfaction_frustration_total(hits: Hits, *, a: float = 0.5, rel: int = 1, cutoff: int) -> Floats:
    r"""Satisfaction, frustration, total: satisfaction and the absence of frustration, averaged.

    $$T(k) = a\,S(k) + (1 - a)\,(1 - F(k))$$

    with `Satisfaction` *S* and `Frustration` *F*. Undefined if no relevant document is retrieved.

    >>> hits = Hits.of([[(1, 1), (2, 0), (4, 2)]], levels=[[1, 1, 2]], retrieved=[4])
    >>> satisfaction_frustration_total(hits, cutoff=2).round(4)  # (1/3 + 1/2) / 2
    array([0.4167])
    """
    return a * satisfaction(hits, rel=rel, cutoff=cutoff) + (1 - a) * (1 - frustration(hits, rel=rel, cutoff=cutoff))


@define(
    "RankedHalfLife",
    family="graded",
    cites="borlund1998",
    aliases="RHL",
    high=INFINITY,
    swap="none",
    domain={"edge": one_of("lower", "middle")} | _GAINS,
    partial=True,
    smaller=True,
    bounds=LIMITED,
)
def ranked_half_life(
    hits: Hits, *, gains: Gains | None = None, edge: str = "lower", cutoff: int | None = None
) -> Floats:
    r"""Ranked half-life: the rank down to which half of the gain of the list is collected.

    $$\mathrm{RHL} = L_m + \frac{\tfrac{1}{2} \sum_i w_i - \sum_{i < m} w_i}{w_m}, \qquad L_m = m - 1$$

    where the half is reached at rank *m*: the median of ranks grouped by one. `edge='middle'` takes $L_m = m - 1/2$.
    Small is good. Undefined if no retrieved document has gain.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 3)]], levels=[[1, 1, 0, 1]], retrieved=[3])
    >>> ranked_half_life(hits).round(4)  # half of 4 is reached at rank 3: 2 + (2 - 1) / 3
    array([2.3333])
    """
    weight = np.maximum(gain_of(hits.grade, gains), 0.0)
    near = hits.where(weight > 0).top(cutoff)
    weight = gain_of(near.grade, gains)
    half, so_far = near.sum(weight) / 2, running_sum(near.ranking, weight)
    reached = so_far >= half[near.ranking]
    at = near.where(reached)
    before, own = (so_far - weight)[reached], weight[reached]
    point = at.rank - (1.0 if edge == "lower" else 0.5) + (half[at.ranking] - before) / own
    return np.where(half > 0, at.sum(np.where(at.ordinal == 1, point, 0.0)), np.nan)


@define(
    "RelativeRelevance",
    family="graded",
    cites="borlund1998",
    low=-1.0,
    swap="none",
    domain={"by": one_of("cosine", "jaccard")} | _GAINS,
    partial=True,
    needs_lists=True,
)
def relative_relevance(
    hits: Hits, *, by: str = "cosine", gains: Gains | None = None, cutoff: int | None = None
) -> Floats:
    r"""Relative relevance: how well the scores of the system agree with the gains of the documents.

    $$\frac{\sum_i s_i w_i}{\sqrt{\sum_i s_i^2}\,\sqrt{\sum_i w_i^2}}$$

    over the documents of the list, where the system gave $s_i$ and the judgments $w_i$. `by='jaccard'` divides by
    $\sum s_i^2 + \sum w_i^2 - \sum s_i w_i$ instead; only then does the scale of the scores matter. Undefined if no
    retrieved document has gain, or none a score but 0.

    >>> import cranfield as cf
    >>> qrels, run = {"t": {"a": 1, "b": 0, "c": 1}}, {"t": {"a": 3.0, "b": 2.0, "c": 1.0}}
    >>> cf.evaluate(qrels, run, "RelativeRelevance").means.round(4)  # (3 + 1) / √(14 · 2)
    array([[0.7559]])
    """
    if hits.lists is None:
        raise MeasureError("E203", "RelativeRelevance needs the scores of the run", hint="evaluate the run itself")
    near = hits.top(cutoff)
    score = hits.lists.run.score[hits.lists.row]
    owner = np.repeat(np.arange(len(near)), near.retrieved)
    listed = near.place if near.is_condensed else near.begin[owner] + ordinal(owner) - 1
    weight = gain_of(near.grade, gains)
    with np.errstate(over="ignore", invalid="ignore"):  # infinite scores have no direction
        both = near.sum(score[near.place] * weight)
        systems, judges = segment_sum(owner, score[listed] ** 2, len(near)), near.sum(weight**2)
        return ratio(both, np.sqrt(systems * judges) if by == "cosine" else systems + judges - both)


def _degree(hits: Hits, *, max_rel: float | None, **_: object) -> Floats:
    return np.minimum(hits.grade / (max_rel or hits.top_grade or 1), 1)


def _mean_degree(hits: Hits, total: Floats, *, cutoff: int | None, **_: object) -> Floats:
    return total / (np.maximum(hits.retrieved, 1) if cutoff is None else np.float64(cutoff))


@define(
    "GenPrecision",
    family="graded",
    cites="kekalainen2002",
    domain={"max_rel": POSITIVE},
    divisor=lambda hits, *, cutoff, **_: hits.retrieved if cutoff is None else np.full(len(hits), cutoff),
    ties=WeightedSum(_degree, value=_mean_degree),
    bounds=ADDITIVE,
)
def generalised_precision(hits: Hits, *, max_rel: float | None = None, cutoff: int | None = None) -> Floats:
    r"""Generalised precision: the mean degree of relevance of the retrieved documents.

    $$\mathrm{GenPrecision} = \frac{1}{n} \sum_{i \le n} \rho_i$$

    The degree $\rho_i$ is the grade over the highest grade of the collection, or over `max_rel` (a higher grade counts
    as `max_rel`). With a cut-off *k* the divisor is *k*, even for a shorter list. 0 if nothing was retrieved.

    >>> hits = Hits.of([[(1, 2), (2, 0), (3, 1)]], levels=[[4, 1, 1]], retrieved=[4])
    >>> generalised_precision(hits)  # (2/2 + 1/2) / 4
    array([0.375])
    """
    near = hits.top(cutoff)
    return _mean_degree(hits, near.sum(_degree(near, max_rel=max_rel)), cutoff=cutoff)


def _all_relevance(hits: Hits, **_: object) -> Floats:
    """The sum of the grades of all judged documents of the topic."""
    return segment_sum(hits.base_topic, hits.base_grade, hits.topics)[hits.topic]


@define(
    "GenRecall",
    family="graded",
    cites="kekalainen2002",
    divisor=_all_relevance,
    bounds=OverIdeal(number),
    ties=WeightedSum(
        lambda hits, **_: hits.grade.astype(np.float64),
        value=lambda hits, total, **_: ratio(total, _all_relevance(hits)),
    ),
)
def generalised_recall(hits: Hits, *, cutoff: int | None = None) -> Floats:
    r"""Generalised recall: the share of all relevance, counted by degree, that was retrieved.

    $$\mathrm{GenRecall} = \frac{\sum_{i \le n} \rho_i}{\sum_d \rho_d}$$

    over the documents retrieved (with a cut-off, among the first *k*) and over all judged documents of the topic; the
    degree $\rho$ is the grade, on any scale. Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 2), (2, 0), (3, 1)]], levels=[[4, 3, 1]], retrieved=[4])
    >>> generalised_recall(hits)  # (2 + 1) / (2 + 3)
    array([0.6])
    """
    near = hits.top(cutoff)
    return ratio(near.sum(near.grade), _all_relevance(hits))
