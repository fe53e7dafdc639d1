"""Cumulated gain: graded documents, worth less the further down they stand.

Three incompatible forms carry the name; the parameter `dcg` tells them apart:

    log2        gain = grade         discount log2(i + 1)             trec_eval, NTCIREVAL's MSnDCG
    exp-log2    gain = 2^grade - 1   discount log2(i + 1)             Burges et al. 2005
    jk          gain = grade         1 for i < b, then log_b i        Järvelin and Kekäläinen 2002
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, ratio
from cranfield.measures.definition import Domain, by_grade, define, is_number, one_of, plain

INFINITY = float("inf")
DOMAINS = {
    "dcg": one_of("log2", "exp-log2", "jk"),
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


@define(
    "DCG",
    family="graded",
    cites="jarvelin2002 burges2005",
    high=INFINITY,
    swap="strict",
    domain=DOMAINS,
    needs={"b": "dcg='jk'"},
)
def discounted_gain(
    hits: Hits, *, dcg: str = "log2", b: float = 2, gains: Gains | None = None, cutoff: int | None = None
) -> Floats:
    r"""Discounted cumulated gain: the gains of the documents, each divided by a discount that grows with its rank.

    $$\mathrm{DCG} = \sum_i \frac{g_i}{\log_2(i + 1)}$$

    `dcg` chooses gain and discount: `'log2'` as above with the grade as gain; `'exp-log2'` takes $2^{grade} - 1$;
    `'jk'` divides by 1 before rank *b* and by $\log_b i$ from there on. `gains` replaces the gain of single grades.

    >>> hits = Hits.of([[(1, 2), (2, 0), (3, 1)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> discounted_gain(hits)  # 2 / log2(2) + 1 / log2(4)
    array([2.5])
    """
    near = hits.top(cutoff)
    return near.sum(_gain(near, dcg, gains) / _discount(near.rank, dcg, b))


@define(
    "nDCG",
    family="graded",
    cites="jarvelin2002 burges2005",
    aliases="ndcg_cut",
    ideal=1.0,
    swap="strict",
    domain=DOMAINS,
    needs={"b": "dcg='jk'"},
)
def normalised_discounted_gain(
    hits: Hits, *, dcg: str = "log2", b: float = 2, gains: Gains | None = None, cutoff: int | None = None
) -> Floats:
    r"""Normalised discounted cumulated gain: DCG over that of the best list all judged documents could form.

    $$\mathrm{nDCG} = \frac{\mathrm{DCG}}{\mathrm{DCG}_{ideal}}$$

    The ideal list is cut at *k* like the ranking. A negative gain counts in the ranking and not in the ideal list.
    Undefined if no judged document has a positive gain. Parameters are those of `DCG`.

    >>> hits = Hits.of([[(1, 2), (2, 0), (3, 1)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> normalised_discounted_gain(hits).round(4)  # (2 + 1/2) / (2 + 1/log2(3))
    array([0.9502])
    """
    best = _best_gains_first(hits.ideal(), dcg, gains).top(cutoff)
    ideal = best.sum(np.maximum(_gain(best, dcg, gains), 0) / _discount(best.rank, dcg, b))
    return ratio(discounted_gain(hits, dcg=dcg, b=b, gains=gains, cutoff=cutoff), ideal[hits.topic])


def _gain(hits: Hits, dcg: str, gains: Gains | None) -> Floats:
    grade = hits.grade.astype(np.float64)
    gain = np.exp2(grade) - 1 if dcg == "exp-log2" else grade.copy()
    for level, worth in (gains or {}).items():
        gain[grade == level] = worth
    return gain


def _discount(rank: Ints, dcg: str, b: float) -> Floats:
    if dcg == "jk":
        return np.maximum(np.log2(rank) / np.log2(b), 1.0)  # below rank b the logarithm is under 1
    return np.log2(rank + 1.0)


def _best_gains_first(ideal: Hits, dcg: str, gains: Gains | None) -> Hits:
    """The ideal list sorted by gain: grades are sorted already, but chosen gains need not follow them."""
    if not gains:
        return ideal
    order = np.lexsort((-_gain(ideal, dcg, gains), ideal.ranking))
    return replace(ideal, grade=ideal.grade[order])
