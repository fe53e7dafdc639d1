"""Graded average precision: users differ in the grade from which a document is relevant to them.

`g` says how: `g={1: 0.3, 2: 0.7}` are 30 % users to whom grade 1 is enough and 70 % who want grade 2. AP(k) is the
average precision of those who want grade *k*, RB(k) the number of documents that satisfy them.
"""

from collections.abc import Mapping

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ratio, running_sum
from cranfield.measures.definition import Domain, Value, by_grade, define, is_number, one_of
from cranfield.measures.facts.bounds import ThresholdBounds

Thresholds = Mapping[float, float]


def _is_distribution(g: Value) -> bool:
    numbers = isinstance(g, dict) and all(is_number(n) for pair in g.items() for n in pair)
    return numbers and all(k > 0 and share >= 0 for k, share in g.items()) and abs(sum(g.values()) - 1) < 1e-9


_DOMAIN = {
    "g": Domain(
        _is_distribution,
        "must share out 1 among grades above 0",
        "write g={1: 0.5, 2: 0.5}: half the users want grade 1, half want grade 2",
        by_grade,
    ),
    "no_user": one_of("zero", "nan"),
}


_FEW = 100  # grades that are looked at one by one


def _thresholds(hits: Hits, g: Thresholds | None) -> dict[float, float]:
    """The share of the users at each threshold: as given, or the same for every grade of the collection.

    If there are many grades, and no document has most of them, users satisfied by the same documents form one group.
    """
    shares = _shares(hits.top_grade, g=g)
    if shares is not None:
        return shares
    top = int(hits.top_grade)
    had = np.unique(np.floor(np.concatenate((hits.base_grade, hits.grade))).astype(np.int64))
    ends = [*had[(had >= 1) & (had < top)].tolist(), top]
    return {k: (k - before) / top for before, k in zip([0, *ends[:-1]], ends, strict=True)}


def _shares(top_grade: float, *, g: Thresholds | None = None, **_: object) -> dict[float, float] | None:
    """The share of the users at each threshold; None if there are many grades."""
    if g is not None:
        return {k: share for k, share in g.items() if share > 0}
    top = max(int(top_grade), 1)
    return dict.fromkeys(range(1, top + 1), 1 / top) if top <= _FEW else None


def _without_users(values: Floats, hits: Hits, satisfied: Floats, no_user: str) -> Floats:
    """The values, with `no_user` applied to topics that satisfy no user; undefined if no document is relevant."""
    relevant = hits.judged_at_least(1) > 0
    nobody = np.where(relevant & (no_user == "zero"), 0.0, np.nan)
    return np.where(satisfied > 0, values, nobody)


def _precisions(hits: Hits, k: float, cutoff: int | None) -> Floats:
    """The sum of the precisions at the documents from grade `k`: AP(k), before it is divided by RB(k)."""
    found = (hits.relevant(k) if k <= _FEW else hits.where(hits.grade >= k)).top(cutoff)  # few are kept for others
    return found.sum(found.ordinal / found.rank)


@define(
    "GAP",
    family="graded",
    cites="robertson2010",
    ideal=1.0,
    swap="strict",
    domain=_DOMAIN,
    partial=True,
    bounds=ThresholdBounds(_shares, mean=True),
)
def graded_average_precision(
    hits: Hits, *, g: Thresholds | None = None, no_user: str = "zero", cutoff: int | None = None
) -> Floats:
    r"""Graded average precision: the average precisions of users with different thresholds, weighted by what they want.

    $$\mathrm{GAP} = \frac{\sum_k g_k\,RB(k)\,\mathrm{AP}(k)}{\sum_k g_k\,RB(k)}$$

    where a share $g_k$ of the users takes documents from grade *k* for relevant, $RB(k)$ of them exist and
    $\mathrm{AP}(k)$ is the average precision in their eyes. Unless given, $g$ is the same for each grade from 1 to the
    highest of the collection. 0 (`no_user='nan'`: undefined) if no judged document satisfies any user; undefined if no
    document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 2)]], levels=[[0, 1, 1]], retrieved=[2])
    >>> graded_average_precision(hits, g={1: 0.5, 2: 0.5}).round(4)  # AP(1) = 1 of 2, AP(2) = 1/2 of 1: (2 + 1/2) / 3
    array([0.8333])
    """
    total, wanted = np.zeros(len(hits)), np.zeros(len(hits))
    for k, share in _thresholds(hits, g).items():
        total += share * _precisions(hits, k, cutoff)
        wanted += share * hits.judged_at_least(k)
    return _without_users(ratio(total, wanted), hits, wanted, no_user)


@define(
    "eGAP",
    family="graded",
    cites="ferrante2014",
    swap="strict",
    domain=_DOMAIN,
    partial=True,
    bounds=ThresholdBounds(_shares, mean=False),
)
def expected_average_precision(
    hits: Hits,
    *,
    g: Thresholds | None = None,
    renormalise: bool = False,
    no_user: str = "zero",
    cutoff: int | None = None,
) -> Floats:
    r"""Expected graded average precision: the mean of the average precisions of users with different thresholds.

    $$\mathrm{eGAP} = \sum_k g_k\,\mathrm{AP}(k)$$

    where a share $g_k$ of the users takes documents from grade *k* for relevant; $\mathrm{AP}(k) = 0$ where none
    exists, so that the best list reaches only the share of the users that can be satisfied (`renormalise=True` divides
    by it). Unless given, $g$ is the same for each grade from 1 to the highest of the collection. 0 (`no_user='nan'`:
    undefined) if no judged document satisfies any user; undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 2)]], levels=[[0, 1, 1]], retrieved=[2])
    >>> expected_average_precision(hits, g={1: 0.5, 2: 0.5})  # (1 + 1/2) / 2
    array([0.75])
    """
    total, users = np.zeros(len(hits)), np.zeros(len(hits))
    for k, share in _thresholds(hits, g).items():
        exist = hits.judged_at_least(k)
        total += share * _precisions(hits, k, cutoff) / np.maximum(exist, 1)
        users += share * (exist > 0)
    return _without_users(ratio(total, users) if renormalise else total, hits, users, no_user)


@define("xGAP", family="graded", cites="ferrante2014", swap="none", domain=_DOMAIN, partial=True)
def extended_average_precision(
    hits: Hits,
    *,
    g: Thresholds | None = None,
    renormalise: bool = False,
    no_user: str = "zero",
    cutoff: int | None = None,
) -> Floats:
    r"""Extended graded average precision: GAP in which a rare document weighs more than a common one.

    $$\mathrm{xGAP} = \sum_n \frac{1}{n}\, \frac{\sum_{k \le r_n} g_k / RB(k)}{G(r_n)} \sum_{m \le n} G(\min(r_m, r_n)),
    \qquad G(r) = \sum_{k \le r} g_k$$

    over the ranks *n*, where the document at rank *n* has grade $r_n$, a share $g_k$ of the users wants grade *k*, and
    $RB(k)$ documents satisfy them; a term with $G(r_n) = 0$ is 0. Unless given, $g$ is the same for each grade from 1
    to the highest of the collection. The best list reaches only the share of the users that can be satisfied
    (`renormalise=True` divides by it). Moving a better document up can lower xGAP; eGAP has not this flaw. 0
    (`no_user='nan'`: undefined) if no judged document satisfies any user; undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 2)]], levels=[[0, 1, 1]], retrieved=[2])
    >>> extended_average_precision(hits, g={1: 0.5, 2: 0.5})  # 1/2 / 2 / 1/2 * 1/2 + 1/2 (1/4 + 1/2) / 1 * (1/2 + 1)
    array([0.8125])
    """
    near = hits.top(cutoff)
    weight, reached, shared = np.zeros(len(near.rank)), np.zeros(len(near.rank)), np.zeros(len(near.rank))
    users = np.zeros(len(hits))
    for k, share in _thresholds(hits, g).items():
        satisfied, exist = near.grade >= k, hits.judged_at_least(k)
        reached += share * satisfied  # G(r_n)
        weight += share * satisfied / np.maximum(exist, 1)[near.ranking]
        shared += share * satisfied * running_sum(near.ranking, satisfied)
        users += share * (exist > 0)
    terms = np.where(reached > 0, weight * shared / np.where(reached > 0, reached, 1.0) / near.rank, 0.0)
    total = near.sum(terms)
    return _without_users(ratio(total, users) if renormalise else total, hits, users, no_user)
