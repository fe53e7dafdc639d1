"""Cumulated gain: graded documents, worth less the further down they stand.

Several incompatible forms carry the name; the parameter `dcg` tells them apart:

    log2        gain = grade         discount log2(i + 1)             trec_eval, NTCIREVAL's MSnDCG
    exp-log2    gain = 2^grade - 1   discount log2(i + 1)             Burges et al. 2005
    jk          gain = grade         1 for i < b, then log_b i        Järvelin and Kekäläinen 2002
    rank        gain = grade         i                                the same, as a sharper choice

Every measure here is one value of a *vector* by rank (`collected`, over `collectable` where it is normalised);
`avg_pos=True` is the mean of the vector's first *k* values instead of the last of them.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, ratio
from cranfield.measures.definition import Domain, by_grade, define, is_number, one_of, plain
from cranfield.measures.facts.bounds import ADDITIVE, OverIdeal
from cranfield.measures.ties.rules import WeightedSum

INFINITY = float("inf")
DOMAINS = {
    "dcg": one_of("log2", "exp-log2", "jk", "rank"),
    "b": Domain(
        lambda b: is_number(b) and b > 1, "must be above 1", "b=2 models an impatient user, b=10 a patient one", plain
    ),
    "gains": Domain(
        lambda gains: isinstance(gains, dict) and all(is_number(n) for pair in gains.items() for n in pair),
        "must map grades to gains",
        "write gains={1: 1, 2: 10, 3: 100}; a grade that is not named keeps its own gain",
        by_grade,
    ),
}
Gains = Mapping[float, float]
_NEEDS = {"b": "dcg='jk'", "avg_pos": "cutoff"}
_PLAIN = "plain"  # the form without any discount


def _gain_of(hits: Hits, *, dcg: str = _PLAIN, gains: Gains | None = None, **_: Any) -> Floats:  # the parameters
    return _gain(hits.grade, dcg, gains)


def _weight_of(rank: Floats, *, dcg: str, b: float, **_: Any) -> Floats:  # the parameters
    return 1 / _discount(rank, dcg, b)


def _over_ideal(
    hits: Hits, total: Floats, *, cutoff: int | None, dcg: str = _PLAIN, b: float = 2, gains: Gains | None, **_: Any
) -> Floats:  # the parameters
    return ratio(total, _ideal_gain(hits, dcg, b, gains, cutoff))


def _best_gain(
    documents: Ints, *, cutoff: int | None, dcg: str = _PLAIN, b: float = 2, **_: Any
) -> Floats:  # the parameters
    """What each number of documents of gain 1 collects in the ideal list."""
    last = int(documents.max(initial=0))
    rank = np.arange(1, min(last, cutoff or last) + 1)
    return np.concatenate(([0.0], np.cumsum(1 / _discount(rank, dcg, b))))[np.minimum(documents, len(rank))]


_TIED = WeightedSum(_gain_of, without="avg_pos")
_TIED_DISCOUNTED = WeightedSum(_gain_of, weight=_weight_of, without="avg_pos")


@define(
    "CG",
    family="graded",
    cites="jarvelin2002",
    high=INFINITY,
    domain={"gains": DOMAINS["gains"]},
    ties=_TIED,
    bounds=ADDITIVE,
)
def cumulated_gain(hits: Hits, *, gains: Gains | None = None, avg_pos: bool = False, cutoff: int) -> Floats:
    r"""Cumulated gain: the sum of the gains of the first *k* documents.

    $$\mathrm{CG}@k = \sum_{i=1}^{k} g_i$$

    The gain of a document is its grade; `gains` replaces that of single grades, as in `gains={1: 1, 2: 10, 3: 100}`
    for readers to whom one excellent document is worth many fair ones. A list that is shorter keeps its last value.
    `avg_pos=True` gives the mean of CG@1, …, CG@k.

    >>> hits = Hits.of([[(1, 2), (2, 0), (3, 1)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> cumulated_gain(hits, cutoff=3)  # 2 + 0 + 1
    array([3.])
    >>> cumulated_gain(hits, gains={2: 10}, avg_pos=True, cutoff=4)  # (10 + 10 + 11 + 11) / 4
    array([10.5])
    """
    return _gained(hits, _PLAIN, 2, gains, avg_pos, cutoff)


@define(
    "nCG",
    family="graded",
    cites="jarvelin2002",
    ideal=1.0,
    domain={"gains": DOMAINS["gains"]},
    ties=_TIED.but(value=_over_ideal),
    bounds=OverIdeal(_best_gain, without="avg_pos"),
)
def normalised_gain(hits: Hits, *, gains: Gains | None = None, avg_pos: bool = False, cutoff: int) -> Floats:
    r"""Normalised cumulated gain: the gain of the first *k* documents over the most that *k* documents could give.

    $$\mathrm{nCG}@k = \frac{\mathrm{CG}@k}{\mathrm{CG}_{ideal}@k}$$

    The ideal list holds every judged document of the topic, best gain first. Undefined if no judged document has a
    positive gain. Parameters are those of `CG`; `avg_pos=True` gives the mean of nCG@1, …, nCG@k.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 2)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> normalised_gain(hits, cutoff=2).round(4)  # 1 / (2 + 1)
    array([0.3333])
    >>> normalised_gain(hits, avg_pos=True, cutoff=3).round(4)  # (1/2 + 1/3 + 3/3) / 3
    array([0.6111])
    """
    return _normalised(hits, _PLAIN, 2, gains, avg_pos, cutoff)


@define(
    "DCG",
    family="graded",
    cites="jarvelin2002 burges2005",
    high=INFINITY,
    swap="strict",
    domain=DOMAINS,
    needs=_NEEDS,
    ties=_TIED_DISCOUNTED,
    bounds=ADDITIVE,
)
def discounted_gain(
    hits: Hits,
    *,
    dcg: str = "log2",
    b: float = 2,
    gains: Gains | None = None,
    avg_pos: bool = False,
    cutoff: int | None = None,
) -> Floats:
    r"""Discounted cumulated gain: the gains of the documents, each divided by a discount that grows with its rank.

    $$\mathrm{DCG} = \sum_i \frac{g_i}{\log_2(i + 1)}$$

    `dcg` chooses gain and discount: `'log2'` as above with the grade as gain; `'exp-log2'` takes $2^{grade} - 1$;
    `'jk'` divides by 1 before rank *b* and by $\log_b i$ from there on, for any base above 1, whole or not; `'rank'`
    divides by the rank *i* itself, which is very sharp.
    `gains` replaces the gain of single grades. `avg_pos=True` gives the mean of DCG@1, …, DCG@k.

    Two readers of Järvelin and Kekäläinen: the busy one is `DCG(dcg='jk', b=2, gains={1: 1, 2: 10, 3: 100})@30`, the
    patient one `DCG(dcg='jk', b=10, gains={1: 1, 2: 2, 3: 3})@200`.

    >>> hits = Hits.of([[(1, 2), (2, 0), (3, 1)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> discounted_gain(hits)  # 2 / log2(2) + 1 / log2(4)
    array([2.5])
    >>> discounted_gain(hits, dcg="jk", b=3)  # 2 + 1 / log3(3)
    array([3.])
    >>> discounted_gain(hits, dcg="rank").round(4)  # 2 / 1 + 1 / 3
    array([2.3333])
    """
    return _gained(hits, dcg, b, gains, avg_pos, cutoff)


@define(
    "nDCG",
    family="graded",
    cites="jarvelin2002 burges2005",
    aliases="ndcg_cut",
    ideal=1.0,
    swap="strict",
    domain=DOMAINS,
    needs=_NEEDS,
    ties=_TIED_DISCOUNTED.but(value=_over_ideal),
    bounds=OverIdeal(_best_gain, without="avg_pos"),
)
def normalised_discounted_gain(
    hits: Hits,
    *,
    dcg: str = "log2",
    b: float = 2,
    gains: Gains | None = None,
    avg_pos: bool = False,
    cutoff: int | None = None,
) -> Floats:
    r"""Normalised discounted cumulated gain: DCG over that of the best list all judged documents could form.

    $$\mathrm{nDCG} = \frac{\mathrm{DCG}}{\mathrm{DCG}_{ideal}}$$

    The ideal list is cut at *k* like the ranking. A negative gain counts in the ranking and not in the ideal list.
    Undefined if no judged document has a positive gain. Parameters are those of `DCG`; `avg_pos=True` gives the mean
    of nDCG@1, …, nDCG@k.

    >>> hits = Hits.of([[(1, 2), (2, 0), (3, 1)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> normalised_discounted_gain(hits).round(4)  # (2 + 1/2) / (2 + 1/log2(3))
    array([0.9502])
    """
    return _normalised(hits, dcg, b, gains, avg_pos, cutoff)


# --- vectors -----------------------------------------------------------------------------------------------------


def collected(hits: Hits, depth: int, *, dcg: str = _PLAIN, b: float = 2, gains: Gains | None = None) -> Floats:
    """`[ranking, rank]`: the gain collected down to each rank; a list that has ended keeps its last value.

    >>> hits = Hits.of([[(1, 2), (3, 1)]], levels=[[0, 1, 1]], retrieved=[3])
    >>> collected(hits, 4), collected(hits, 4, dcg="jk", b=3)  # 1 / log3(3) is 1 as well
    (array([[2., 2., 3., 3.]]), array([[2., 2., 3., 3.]]))
    """
    near = hits.top(depth)
    table = np.zeros((len(hits), depth))
    table[near.ranking, near.rank - 1] = worth(near.grade, near.rank, dcg=dcg, b=b, gains=gains)
    return np.cumsum(table, axis=1)


def collectable(hits: Hits, depth: int, *, dcg: str = _PLAIN, b: float = 2, gains: Gains | None = None) -> Floats:
    """`[topic, rank]`: the gain that the ideal list of each topic collects: every judged document, best gain first.

    >>> hits = Hits.of([[(1, 2), (3, 1)]], levels=[[0, 1, 1]], retrieved=[3])
    >>> collectable(hits, 4)
    array([[2., 3., 3., 3.]])
    """
    return collected(_ideal(hits, dcg, gains), depth, dcg=dcg, b=b, gains=gains)


def _gained(hits: Hits, dcg: str, b: float, gains: Gains | None, avg_pos: bool, cutoff: int | None) -> Floats:
    if avg_pos and cutoff is not None:
        depth = _depth(hits, cutoff)
        return _mean(collected(hits, depth, dcg=dcg, b=b, gains=gains), cutoff)
    near = hits.top(cutoff)
    return near.sum(worth(near.grade, near.rank, dcg=dcg, b=b, gains=gains))


def _normalised(hits: Hits, dcg: str, b: float, gains: Gains | None, avg_pos: bool, cutoff: int | None) -> Floats:
    if avg_pos and cutoff is not None:
        depth = _depth(hits, cutoff)
        ideal = collectable(hits, depth, dcg=dcg, b=b, gains=gains)[hits.topic]
        return _mean(ratio(collected(hits, depth, dcg=dcg, b=b, gains=gains), ideal), cutoff)
    return ratio(_gained(hits, dcg, b, gains, avg_pos, cutoff), _ideal_gain(hits, dcg, b, gains, cutoff))


def _ideal_gain(hits: Hits, dcg: str, b: float, gains: Gains | None, cutoff: int | None) -> Floats:
    """What the ideal list of each ranking's topic gains."""
    best = _ideal(hits, dcg, gains).top(cutoff)
    return best.sum(worth(best.grade, best.rank, dcg=dcg, b=b, gains=gains))[hits.topic]


def _depth(hits: Hits, cutoff: int) -> int:
    """The last rank at which a list or an ideal list still changes, or the cut-off if it comes first."""
    longest = np.bincount(hits.base_topic).max(initial=1)
    return int(min(cutoff, max(longest, hits.rank.max(initial=1))))


def _mean(vectors: Floats, cutoff: int) -> Floats:
    """The mean of the first values; after its end a vector keeps its last value."""
    return (vectors.sum(axis=1) + (cutoff - vectors.shape[1]) * vectors[:, -1]) / cutoff


def worth(grade: Ints | Floats, rank: Ints, *, dcg: str = _PLAIN, b: float = 2, gains: Gains | None = None) -> Floats:
    """The discounted gains of documents of these grades at these ranks."""
    return _gain(grade, dcg, gains) / _discount(rank, dcg, b)


_TOO_MUCH = 1024  # no number holds 2^1024: the gain is undefined


def _gain(grades: Ints | Floats, dcg: str, gains: Gains | None) -> Floats:
    grade = grades.astype(np.float64)
    gain = np.exp2(np.where(grade < _TOO_MUCH, grade, np.nan)) - 1 if dcg == "exp-log2" else grade.copy()
    for level, worth in (gains or {}).items():
        gain[grade == level] = worth
    return gain


def _discount(rank: Ints | Floats, dcg: str, b: float) -> Floats:
    if dcg == _PLAIN:
        return np.ones(len(rank))
    if dcg == "jk":
        return np.maximum(np.log2(rank) / np.log2(b), 1.0)  # below rank b the logarithm is under 1
    return rank.astype(np.float64) if dcg == "rank" else np.log2(rank + 1.0)


def _ideal(hits: Hits, dcg: str, gains: Gains | None) -> Hits:
    """The ideal lists sorted by gain, without negative gains; the order can differ from that of the grades."""
    ideal = hits.ideal()
    if not gains:
        return ideal
    gain = _gain(ideal.grade, dcg, gains)
    order = np.lexsort((-gain, ideal.ranking))
    return replace(ideal, grade=ideal.grade[order]).where(gain[order] >= 0)
