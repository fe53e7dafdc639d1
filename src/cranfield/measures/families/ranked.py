"""Binary measures of ranked lists."""

from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, ratio
from cranfield.measures.definition import POSITIVE, define, one_of
from cranfield.measures.facts.bounds import ADDITIVE, EXCHANGE, MONOTONE, Exchange, OverIdeal, number
from cranfield.measures.facts.looks_at import TopicRanks
from cranfield.measures.ties.rules import Precisions, Stopping, WeightedSum, alike

if TYPE_CHECKING:
    from cranfield.measures.users.cwl import UserModel

_RECALLED = WeightedSum(value=lambda hits, found, *, rel, **_: ratio(found, hits.judged_at_least(rel)))


# the user models behind three of these measures, imported on first use
def _average_precision_model(**parameters: Any) -> "UserModel":  # those of the measure
    from cranfield.measures.users.models import average_precision_model

    return average_precision_model(**parameters)


def _precision_model(**parameters: Any) -> "UserModel":  # those of the measure
    from cranfield.measures.users.models import precision_model

    return precision_model(**parameters)


def _reciprocal_rank_model(**parameters: Any) -> "UserModel":  # those of the measure
    from cranfield.measures.users.models import reciprocal_rank_model

    return reciprocal_rank_model(**parameters)


def _reachable(hits: Hits, *, rel: float, denominator: str = "R", cutoff: int | None = None) -> Ints:
    relevant = hits.judged_at_least(rel)
    return relevant if denominator == "R" or cutoff is None else np.minimum(relevant, cutoff)


@define(
    "AP",
    family="ranked",
    aliases="map map_cut average_precision mean_average_precision",
    cites="buckley2005",
    ideal=1.0,
    swap="strict",
    domain={"denominator": one_of("R", "min")},
    needs={"denominator": "cutoff"},
    model=_average_precision_model,
    ties=Precisions(divisor=_reachable),
    bounds=Exchange(precisions=True),
)
def average_precision(hits: Hits, *, rel: int = 1, denominator: str = "R", cutoff: int | None = None) -> Floats:
    r"""Average precision: the mean, over the relevant documents, of the precision at each.

    $$\mathrm{AP} = \frac{1}{R} \sum_{i=1}^{n} \frac{i}{r_i}$$

    where $r_i$ is the rank of the *i*-th relevant document found and *R* relevant documents exist.
    A relevant document that was not found contributes 0. With a cut-off the divisor is still *R*;
    `denominator='min'` divides by $\min(k, R)$ instead. Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> average_precision(hits).round(4)  # (1/1 + 2/3) / 3
    array([0.5556])
    >>> average_precision(hits, cutoff=2, denominator="min")  # (1/1) / min(2, 3)
    array([0.5])
    """
    found = hits.relevant(rel).top(cutoff)
    return ratio(
        found.sum(found.ordinal / found.rank), _reachable(hits, rel=rel, denominator=denominator, cutoff=cutoff)
    )


@define(
    "GMAP",
    family="ranked",
    aliases="gm_map",
    cites="robertson2006",
    average="geometric",
    ideal=1.0,
    swap="strict",
    ties=Precisions(divisor=_reachable),
    bounds=Exchange(precisions=True),
)
def geometric_average_precision(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Geometric mean average precision: AP, averaged so that a hard topic weighs as much as an easy one.

    $$\mathrm{GMAP} = \exp \frac{1}{|T|} \sum_{t \in T} \ln \max(\mathrm{AP}_t, 10^{-5})$$

    The value of one topic is its AP; only the average differs. Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> geometric_average_precision(hits).round(4)  # (1/1 + 2/3) / 3
    array([0.5556])
    """
    return average_precision(hits, rel=rel)


@define(
    "P",
    family="ranked",
    cites="cleverdon1966",
    aliases="precision",
    model=_precision_model,
    divisor=lambda hits, *, cutoff, **_: np.full(len(hits), cutoff),
    ties=WeightedSum(value=lambda hits, found, *, cutoff, **_: found / cutoff),
    bounds=ADDITIVE,
)
def precision(hits: Hits, *, rel: int = 1, cutoff: int) -> Floats:
    r"""Precision: the share of the first *k* documents that is relevant.

    $$\mathrm{P}@k = \frac{1}{k} \, |\{i \le k : x_i = 1\}|$$

    A list shorter than *k* is divided by *k* all the same; without relevant documents the value is 0.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[3])
    >>> precision(hits, cutoff=5)  # 2 / 5
    array([0.4])
    """
    return hits.relevant(rel).top(cutoff).count / np.float64(cutoff)


@define(
    "R",
    family="ranked",
    cites="cleverdon1966",
    aliases="recall",
    divisor=lambda hits, *, rel, **_: hits.judged_at_least(rel),
    ties=_RECALLED,
    bounds=OverIdeal(number),
)
def recall(hits: Hits, *, rel: int = 1, cutoff: int) -> Floats:
    r"""Recall: the share of the relevant documents that is among the first *k*.

    $$\mathrm{R}@k = \frac{1}{R} \, |\{i \le k : x_i = 1\}|$$

    Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[3])
    >>> recall(hits, cutoff=2).round(4)  # 1 / 3
    array([0.3333])
    """
    return ratio(hits.relevant(rel).top(cutoff).count, hits.judged_at_least(rel))


def _f_measure(hits: Hits, found: Ints | Floats, *, beta: float, rel: float, cutoff: int) -> Floats:
    relevant = hits.judged_at_least(rel)
    return harmonic(found, np.full_like(relevant, cutoff), relevant, beta)


@define(
    "F",
    family="ranked",
    cites="vanrijsbergen1979",
    aliases="f1",
    domain={"beta": POSITIVE},
    divisor=lambda hits, *, beta, rel, cutoff: float(beta) ** 2 * hits.judged_at_least(rel) + cutoff,
    ties=WeightedSum(value=_f_measure),
    bounds=OverIdeal(lambda n, *, beta, cutoff, **_: float(beta) ** 2 * n + cutoff),
)
def f_measure(hits: Hits, *, beta: float = 1, rel: int = 1, cutoff: int) -> Floats:
    r"""F measure: the weighted harmonic mean of precision and recall after *k* documents.

    $$\mathrm{F}_\beta@k = \frac{(\beta^2 + 1) P R}{\beta^2 P + R}, \qquad P = \mathrm{P}@k, \quad R = \mathrm{R}@k$$

    A `beta` above 1 favours recall; `alpha`, the weight of precision, may be given instead:
    $\beta^2 = (1 - \alpha) / \alpha$. 0 if precision and recall are 0; undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[3])
    >>> f_measure(hits, cutoff=5)  # P = 2/5, R = 2/3: 2 * 4/15 / (16/15)
    array([0.5])
    """
    return _f_measure(hits, hits.relevant(rel).top(cutoff).count, beta=beta, rel=rel, cutoff=cutoff)


def harmonic(found: Ints | Floats, retrieved: Ints, relevant: Ints, beta: float) -> Floats:
    """F of `found` documents that are both among the `retrieved` and the `relevant`; undefined if none is relevant."""
    weight = float(beta) ** 2  # of huge whole numbers the square fits no array
    # P = R = 0 needs no case of its own: the divisor is a sum
    parts = (1 + weight) * found / (weight * relevant + np.maximum(retrieved, 1))
    return np.where(relevant > 0, parts, np.nan)


@define(
    "Rprec",
    family="ranked",
    cites="buckley2005",
    aliases="R-prec r-precision r_precision",
    ideal=1.0,
    divisor=lambda hits, *, rel: hits.judged_at_least(rel),
    looks_at=TopicRanks(last=lambda hits, rel: hits.judged_at_least(rel)),
    ties=_RECALLED.but(last_of=lambda hits, *, rel: hits.judged_at_least(rel)),
    bounds=EXCHANGE,
)
def r_precision(hits: Hits, *, rel: int = 1) -> Floats:
    r"""R-precision: the precision after as many documents as are relevant.

    $$\mathrm{Rprec} = \mathrm{P}@R$$

    Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (4, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> r_precision(hits).round(4)  # P@3 = 1 / 3
    array([0.3333])
    """
    found = hits.relevant(rel)
    relevant = hits.judged_at_least(rel)
    return ratio(found.where(found.rank <= relevant[found.ranking]).count, relevant)


@define(
    "RR",
    family="ranked",
    cites="kantor2000",
    aliases="recip_rank mrr reciprocal_rank mean_reciprocal_rank",
    ideal=1.0,
    model=_reciprocal_rank_model,
    ties=Stopping(),
    bounds=MONOTONE,
)
def reciprocal_rank(hits: Hits, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    r"""Reciprocal rank: one over the rank of the first relevant document.

    $$\mathrm{RR} = \frac{1}{r_1}$$

    0 if no relevant document is found (among the first *k*, with a cut-off).

    >>> hits = Hits.of([[(1, 0), (2, 1)], [(3, 0)]], levels=[[1, 1], [1, 1]], retrieved=[5, 5])
    >>> reciprocal_rank(hits)  # 1 / 2, and nothing found
    array([0.5, 0. ])
    """
    first = hits.relevant(rel).top(cutoff).first_rank()
    return np.where(first > 0, 1 / np.maximum(first, 1), 0.0)


@define(
    "FullRecall",
    family="ranked",
    cites="asai2020",
    aliases="full_recall",
    bounds=EXCHANGE,
)
def full_recall(hits: Hits, *, rel: int = 1, cutoff: int) -> Floats:
    r"""Full recall: whether all relevant documents are among the first *k*.

    $$\mathrm{FullRecall}@k = \lfloor \mathrm{R}@k \rfloor$$

    For questions that can be answered only if all evidence was found. 0 if more than *k* documents are relevant;
    undefined if none is.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 2]], retrieved=[5])
    >>> full_recall(hits, cutoff=2), full_recall(hits, cutoff=3)  # the second of two relevant documents is at rank 3
    (array([0.]), array([1.]))
    """
    relevant = hits.judged_at_least(rel)
    found = hits.relevant(rel).top(cutoff).count == relevant
    return np.where(relevant > 0, found.astype(np.float64), np.nan)


@define(
    "Success",
    family="ranked",
    cites="buckley2005",
    aliases="hit hit_rate hit_ratio HR",
    ideal=1.0,
    ties=Stopping(weight=alike),
    bounds=MONOTONE,
)
def success(hits: Hits, *, rel: int = 1, cutoff: int) -> Floats:
    r"""Success: whether a relevant document is among the first *k*.

    $$\mathrm{Success}@k = \max_{i \le k} x_i$$

    >>> hits = Hits.of([[(1, 0), (2, 1)]], levels=[[1, 1]], retrieved=[5])
    >>> success(hits, cutoff=1), success(hits, cutoff=2)  # the first relevant document is at rank 2
    (array([0.]), array([1.]))
    """
    return (hits.relevant(rel).top(cutoff).count > 0).astype(np.float64)
