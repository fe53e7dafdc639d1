"""Users who stop at the first document that satisfies them: ERR, nERR, iRBU. None of them is a C/W/L measure."""

from typing import Any

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ratio, running_sum
from cranfield.measures.definition import POSITIVE, define, one_of
from cranfield.measures.facts.bounds import Monotone, OverRisingIdeal
from cranfield.measures.ties.rules import Stopping

DOMAIN = {"max_rel": POSITIVE, "stop": one_of("exp", "linear"), "highest": one_of("collection", "topic")}
CERTAIN = 1 - 2.0**-53  # a user is never sure to be satisfied: the last probability below 1


def _chance_of(hits: Hits, *, stop: str, highest: str, max_rel: float | None, **_: Any) -> Floats:  # the parameters
    return np.minimum(_chance(hits, stop, highest, max_rel), CERTAIN)


_TIED = Stopping(_chance_of)
_RISING = Monotone(without="highest", value="topic")  # a better document lowers what the others are worth


@define("ERR", family="graded", cites="chapelle2009", swap="strict", domain=DOMAIN, ties=_TIED, bounds=_RISING)
def expected_reciprocal_rank(
    hits: Hits,
    *,
    stop: str = "exp",
    highest: str = "collection",
    max_rel: float | None = None,
    cutoff: int | None = None,
) -> Floats:
    r"""Expected reciprocal rank: one over the rank of the document that satisfies the user, on average.

    $$\mathrm{ERR} = \sum_r \frac{1}{r} R_r \prod_{i < r} (1 - R_i), \qquad R_i = \frac{2^{g_i} - 1}{2^{g_{max}}}$$

    $R_i$ is the probability that the document at rank *i*, of grade $g_i$, satisfies. $g_{max}$ is the highest grade
    of the collection, or `max_rel` (a higher grade counts as `max_rel`); `highest='topic'` takes that of each topic.
    `stop='linear'` takes $R_i = g_i / (g_{max} + 1)$, as NTCIREVAL does. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 2)]], levels=[[0, 1, 1]], retrieved=[2])
    >>> expected_reciprocal_rank(hits)  # R = 1/4, 3/4: 1/4 + 1/2 * 3/4 * 3/4
    array([0.53125])
    """
    near = hits.top(cutoff)
    return near.sum(_satisfied(near, stop, highest, max_rel) / near.rank)


@define(
    "nERR",
    family="graded",
    cites="chapelle2009",
    ideal=1.0,
    swap="strict",
    domain=DOMAIN,
    ties=_TIED.but(value=lambda hits, total, **parameters: ratio(total, _ideal(hits, **parameters))),
    bounds=OverRisingIdeal("ERR", without="highest", value="topic"),
)
def normalised_expected_reciprocal_rank(
    hits: Hits,
    *,
    stop: str = "exp",
    highest: str = "collection",
    max_rel: float | None = None,
    cutoff: int | None = None,
) -> Floats:
    r"""Normalised expected reciprocal rank: ERR over that of the best list all judged documents could form.

    $$\mathrm{nERR} = \frac{\mathrm{ERR}}{\mathrm{ERR}_{ideal}}$$

    The ideal list is cut at *k* like the ranking. Undefined if no document is relevant. Parameters are those of `ERR`.

    >>> hits = Hits.of([[(1, 1), (2, 2)]], levels=[[0, 1, 1]], retrieved=[2])
    >>> normalised_expected_reciprocal_rank(hits).round(4)  # 0.53125 / (3/4 + 1/2 * 1/4 * 1/4)
    array([0.68])
    """
    found = expected_reciprocal_rank(hits, stop=stop, highest=highest, max_rel=max_rel, cutoff=cutoff)
    return ratio(found, _ideal(hits, stop=stop, highest=highest, max_rel=max_rel, cutoff=cutoff))


def _ideal(hits: Hits, **parameters: Any) -> Floats:  # those of ERR
    return expected_reciprocal_rank(hits.ideal(), **parameters)[hits.topic]


@define(
    "iRBU",
    family="graded",
    cites="sakai2019",
    swap="strict",
    domain=DOMAIN,
    ties=_TIED.but(weight=lambda rank, *, p, **_: p**rank),
    bounds=_RISING,
)
def intentwise_rank_biased_utility(
    hits: Hits,
    *,
    p: float = 0.99,
    stop: str = "exp",
    highest: str = "collection",
    max_rel: float | None = None,
    cutoff: int | None = None,
) -> Floats:
    r"""Intentwise rank-biased utility: what is left of a full utility when the user is satisfied, on average.

    $$\mathrm{iRBU} = \sum_r p^r R_r \prod_{i < r} (1 - R_i)$$

    The user of `ERR`, who loses a share of $1 - p$ with each document read. Other parameters are those of `ERR`.
    0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 2)]], levels=[[0, 1, 1]], retrieved=[2])
    >>> intentwise_rank_biased_utility(hits, p=0.5)  # R = 1/4, 3/4: 1/2 * 1/4 + 1/4 * 3/4 * 3/4
    array([0.265625])
    """
    near = hits.top(cutoff)
    return near.sum(_satisfied(near, stop, highest, max_rel) * p**near.rank)


def _chance(hits: Hits, stop: str, highest: str, max_rel: float | None) -> Floats:
    """How probable it is that each hit satisfies the user who reads it."""
    top = np.full(hits.topics, max_rel or hits.top_grade)
    if highest == "topic" and max_rel is None:
        top = np.zeros(hits.topics)
        np.maximum.at(top, hits.base_topic, hits.base_grade)
    most = top[hits.topic][hits.ranking]
    grade = np.clip(hits.grade, 0, most)
    return grade / (most + 1) if stop == "linear" else np.exp2(grade - most) - np.exp2(-most)


def _satisfied(hits: Hits, stop: str, highest: str, max_rel: float | None) -> Floats:
    """How probable it is that the user stops at each hit, having stopped at none above."""
    chance = _chance(hits, stop, highest, max_rel)
    missed = np.log1p(-np.minimum(chance, CERTAIN))
    return chance * np.exp(running_sum(hits.ranking, missed) - missed)
