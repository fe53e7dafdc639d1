"""Sets and counts of the retrieved documents; all but Hits@k ignore the order."""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, ratio
from cranfield.measures.definition import POSITIVE, define
from cranfield.measures.facts.bounds import ADDITIVE, EXCHANGE, Additive, OverIdeal, number
from cranfield.measures.facts.looks_at import NoDocument
from cranfield.measures.families.ranked import harmonic
from cranfield.measures.ties.rules import UNORDERED, WeightedSum

INFINITY = float("inf")
COUNTED = "An unjudged document was retrieved like any other and counts as not relevant."
NOT_COUNTED = "An unjudged document changes nothing."


def _most(hits: Hits, *, rel: int, relative: bool) -> Ints:
    """The largest number of relevant documents that the retrieved set could hold."""
    return np.minimum(hits.retrieved, hits.judged_at_least(rel)) if relative else hits.retrieved


@define(
    "SetP",
    family="set",
    cites="cleverdon1966",
    aliases="set_P",
    unjudged=COUNTED,
    divisor=_most,
    ties=UNORDERED,
    bounds=Additive(without="relative"),
)
def set_precision(hits: Hits, *, rel: int = 1, relative: bool = False) -> Floats:
    r"""Set precision: the share of the retrieved documents that is relevant.

    $$\mathrm{P} = \frac{a}{n}$$

    where *a* of the *n* retrieved documents are relevant. With `relative=True` the divisor is $\min(n, R)$, the most
    that could have been found, and the value is undefined if no document is relevant. 0 if nothing was retrieved.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> set_precision(hits), set_precision(hits, relative=True).round(4)  # 2 / 5, 2 / min(5, 3)
    (array([0.4]), array([0.6667]))
    """
    most = np.maximum(hits.retrieved, 1)
    return ratio(hits.relevant(rel).count, np.minimum(most, hits.judged_at_least(rel)) if relative else most)


@define(
    "SetR",
    family="set",
    ties=UNORDERED,
    cites="cleverdon1966",
    aliases="set_recall",
    ideal=1.0,
    ignores_unjudged=True,
    unjudged=NOT_COUNTED,
    divisor=lambda hits, *, rel: hits.judged_at_least(rel),
    bounds=OverIdeal(number),
)
def set_recall(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Set recall: the share of the relevant documents that was retrieved.

    $$\mathrm{R} = \frac{a}{R}$$

    where *a* relevant documents were retrieved and *R* exist. Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> set_recall(hits).round(4)  # 2 / 3
    array([0.6667])
    """
    return ratio(hits.relevant(rel).count, hits.judged_at_least(rel))


@define(
    "SetF",
    family="set",
    ties=UNORDERED,
    cites="vanrijsbergen1979",
    aliases="set_F",
    domain={"beta": POSITIVE},
    unjudged=COUNTED,
    divisor=lambda hits, *, beta, rel: float(beta) ** 2 * hits.judged_at_least(rel) + hits.retrieved,
    bounds=EXCHANGE,
)
def set_f_measure(hits: Hits, *, beta: float = 1, rel: int = 1) -> Floats:
    r"""Set F measure: the weighted harmonic mean of set precision and set recall.

    $$\mathrm{F}_\beta = \frac{(\beta^2 + 1) P R}{\beta^2 P + R}$$

    A `beta` above 1 favours recall; `alpha`, the weight of precision, may be given instead:
    $\beta^2 = (1 - \alpha) / \alpha$. 0 if precision and recall are 0; undefined if no document is relevant.
    trec_eval's parameter *x* of `set_F` (and ir_measures' `SetF(beta=x)`) stands for $\beta^2$: their 0.5 is
    `beta=0.7071` here.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> set_f_measure(hits)  # P = 2/5, R = 2/3: 2 * 4/15 / (16/15)
    array([0.5])
    """
    return harmonic(hits.relevant(rel).count, hits.retrieved, hits.judged_at_least(rel), beta)


@define(
    "SetAP", family="set", cites="buckley2005", aliases="set_map", unjudged=COUNTED, ties=UNORDERED, bounds=EXCHANGE
)
def set_average_precision(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Set average precision: the product of set precision and set recall.

    $$\mathrm{P} \cdot \mathrm{R} = \frac{a^2}{nR}$$

    It is the average precision of a list in which every relevant document has the precision of the whole set.
    0 if nothing was retrieved, undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> set_average_precision(hits).round(4)  # 2/5 * 2/3
    array([0.2667])
    """
    return ratio(hits.relevant(rel).count ** 2, np.maximum(hits.retrieved, 1) * hits.judged_at_least(rel))


@define(
    "NumQ",
    family="set",
    ties=UNORDERED,
    looks_at=NoDocument(),
    aliases="num_q",
    cites="buckley2005",
    average="sum",
    ideal=1.0,
    ignores_unjudged=True,
    unjudged=NOT_COUNTED,
    bounds=ADDITIVE,
)
def number_of_topics(hits: Hits) -> Floats:
    r"""Number of topics: 1 for each ranking; the summary is the sum.

    $$\mathrm{NumQ} = 1$$

    >>> number_of_topics(Hits.of([[(1, 1)], []], levels=[[0, 1], [1]], retrieved=[5, 0]))
    array([1., 1.])
    """
    return np.ones(len(hits))


@define(
    "NumRet",
    family="set",
    ties=UNORDERED,
    aliases="num_ret",
    cites="buckley2005",
    average="sum",
    high=INFINITY,
    unjudged="It is counted.",
    bounds=ADDITIVE,
)
def number_retrieved(hits: Hits, *, rel: int | None = None) -> Floats:
    r"""Number of retrieved documents; with `rel`, of those that reach the grade. The summary is the sum.

    $$\mathrm{NumRet} = n$$

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> number_retrieved(hits), number_retrieved(hits, rel=1)
    (array([5.]), array([2.]))
    """
    return (hits.retrieved if rel is None else hits.relevant(rel).count).astype(np.float64)


@define(
    "NumRel",
    family="set",
    ties=UNORDERED,
    looks_at=NoDocument(),
    aliases="num_rel",
    cites="buckley2005",
    average="sum",
    high=INFINITY,
    ignores_unjudged=True,
    unjudged=NOT_COUNTED,
    bounds=EXCHANGE,
)
def number_relevant(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Number of relevant documents of the topic, found or not; the summary is the sum.

    $$\mathrm{NumRel} = R$$

    >>> number_relevant(Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5]))
    array([3.])
    """
    return hits.judged_at_least(rel).astype(np.float64)


@define(
    "NumRelRet",
    family="set",
    ties=UNORDERED,
    aliases="num_rel_ret",
    cites="buckley2005",
    average="sum",
    high=INFINITY,
    ignores_unjudged=True,
    unjudged=NOT_COUNTED,
    bounds=ADDITIVE,
)
def number_relevant_retrieved(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Number of relevant documents that were retrieved; the summary is the sum.

    $$\mathrm{NumRelRet} = \sum_{i \le n} x_i$$

    >>> number_relevant_retrieved(Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5]))
    array([2.])
    """
    return hits.relevant(rel).count.astype(np.float64)


@define(
    "Hits",
    family="ranked",
    cites="buckley2005",
    high=INFINITY,
    ties=WeightedSum(value=lambda hits, found, **_: found),
    bounds=ADDITIVE,
)
def hits_found(hits: Hits, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    r"""Hits: the number of relevant documents among the first *k*.

    $$\mathrm{Hits}@k = |\{i \le k : x_i = 1\}|$$

    The mean over topics, as in ranx; NumRelRet is the sum. Where every topic has one relevant document, Hits@k is what
    others call so: the share of topics with success.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> hits_found(hits, cutoff=2), hits_found(hits)
    (array([1.]), array([2.]))
    """
    return hits.relevant(rel).top(cutoff).count.astype(np.float64)
