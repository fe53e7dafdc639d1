"""About incomplete judgments: how much was judged, and estimates from sampled pools."""

from dataclasses import replace

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ratio
from cranfield.measures.definition import define
from cranfield.measures.facts.bounds import ADDITIVE, OfEstimated
from cranfield.measures.ties.rules import WeightedSum
from cranfield.measures.ties.rules import judged as each_judged

EPSILON = 1e-5  # keeps the share of relevant documents off 0 and 1 while little was judged


@define(
    "Judged",
    family="incomplete",
    cites="macavaney2022",
    uses_grades=False,
    partial=True,
    unjudged="An unjudged document lowers the value: it is what is measured.",
    ties=WeightedSum(each_judged, value=lambda hits, found, *, cutoff: ratio(found, hits.top(cutoff).retrieved)),
    bounds=ADDITIVE,
)
def judged(hits: Hits, *, cutoff: int | None = None) -> Floats:
    r"""Judged: the share of the first *k* documents that was judged.

    $$\mathrm{Judged}@k = \frac{|\{i \le \min(k, n) : d_i \text{ judged}\}|}{\min(k, n)}$$

    for a list of *n* documents; without a cut-off, of all *n*. Undefined for an empty list. A document with a
    negative grade is in the pool but not judged (ir_measures counts it as judged).

    >>> hits = Hits.of([[(1, 1), (3, 0)]], levels=[[1, 2]], retrieved=[4])
    >>> judged(hits, cutoff=10), judged(hits), judged(hits, cutoff=1)  # 2 of the 4 retrieved, and 1 of 1
    (array([0.5]), array([0.5]), array([1.]))
    """
    near = hits.top(cutoff)
    return ratio(near.count, near.retrieved)


@define(
    "Unj",
    family="incomplete",
    cites="buckley2005",
    aliases="unjudged",
    uses_grades=False,
    unjudged="An unjudged document raises the value: it is what is measured.",
    smaller=True,
    bounds=ADDITIVE,
)
def unjudged(hits: Hits, *, cutoff: int) -> Floats:
    r"""Unjudged: the number of unjudged documents among the first *k*, over *k*.

    $$\mathrm{Unj}@k = \frac{1}{k} \, |\{i \le \min(k, n) : d_i \text{ unjudged}\}|$$

    The form of trec_eval 10: a list shorter than *k* is divided by *k* all the same, so `Judged@k` and `Unj@k` need
    not add to 1. A document with a negative grade counts as unjudged.

    >>> hits = Hits.of([[(1, 1), (3, 0)]], levels=[[1, 2]], retrieved=[4])
    >>> unjudged(hits, cutoff=10)  # ranks 2 and 4
    array([0.2])
    """
    near = hits.top(cutoff)
    return (near.retrieved - near.count) / np.float64(cutoff)


@define(
    "infAP",
    family="incomplete",
    cites="yilmaz2006",
    swap="none",
    unjudged="A document of the pool that was not sampled is estimated from the judged ones above; any other unjudged "
    "document counts as not relevant.",
    bounds=OfEstimated("AP", "rel"),
)
def inferred_average_precision(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Inferred average precision: AP estimated from a random sample of the pool.

    $$\mathrm{infAP} = \frac{1}{R} \sum_{d} \frac{1}{k_d}
    \left(1 + c_d \, \frac{r_d + \epsilon}{r_d + n_d + 2 \epsilon}\right)$$

    over the sampled relevant documents *d* found, at rank $k_d$; above it stand $c_d$ documents of the pool, among
    them $r_d$ judged relevant and $n_d$ judged not relevant; $\epsilon = 10^{-5}$. Documents of the pool that were not
    judged carry a negative grade; without any the value is AP, up to $\epsilon$. Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 1), (3, 0), (4, 1)]], levels=[[1, 2]], retrieved=[5], pooled=[[2]])
    >>> inferred_average_precision(hits).round(4)  # (1/1 + 1/4 (1 + 3 * 1/2)) / 2
    array([0.8125])
    """
    found = hits.relevant(rel)
    relevant_above = found.ordinal - 1
    judged_above = hits.ordinal[hits.grade >= rel] - 1
    pooled = replace(hits, rank=hits.pooled_rank, ranking=hits.pooled_ranking, grade=np.zeros_like(hits.pooled_rank))
    share = (relevant_above + EPSILON) / (judged_above + 2 * EPSILON)
    return ratio(found.sum((1 + (judged_above + found.above(pooled)) * share) / found.rank), hits.judged_at_least(rel))
