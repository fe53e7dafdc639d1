"""The Q family: precision and cumulated gain in one ratio, and graded preferences.

A document is relevant if it has gain; *R* documents of a topic are. Of the first *r* documents $c(r)$ are relevant and
$cg(r)$ is their gain, $cg^*(r)$ that of the best possible list. All measures but the preferences rest on one ratio,

    BR(r) = (c(r) + β cg(r)) / (r + β cg*(r)),

which is precision for β = 0 and approaches normalised cumulated gain as β grows.
"""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ratio, running_sum, segment_sum
from cranfield.measures.definition import Domain, define, is_number, one_of, plain
from cranfield.measures.facts.bounds import Exchange
from cranfield.measures.facts.looks_at import JudgedDocuments
from cranfield.measures.families.gain import DOMAINS, Gains
from cranfield.measures.families.trec.trec_gain import Best, gain_of

_BETA = Domain(
    lambda beta: is_number(beta) and 0 <= beta <= 1e15,
    "must be a number from 0",
    "beta=1 is usual; beta=0 is precision, a large beta forgives low ranks",
    plain,
)
_GAINS = {"gains": DOMAINS["gains"]}
_BLENDED = {"beta": _BETA} | _GAINS
_PREFERENCE = {"highest": one_of("topic", "collection")} | _GAINS
_IGNORED = "An unjudged document is ignored: ranks are counted among the judged ones."


def _blended(hits: Hits, beta: float, gains: Gains | None) -> tuple[Hits, Floats]:
    """The relevant documents found, and the blended ratio at the rank of each."""
    best = Best.of(hits, gains)
    found = hits.where(gain_of(hits.grade, gains) > 0)
    gained = running_sum(found.ranking, gain_of(found.grade, gains))
    possible = best.after(best.gain, found.topic[found.ranking], found.rank)
    return found, (found.ordinal + beta * gained) / (found.rank + beta * possible)


def _preferred(found: Hits) -> Hits:
    """For each ranking the first document of the highest grade that it holds."""
    highest = np.full(len(found), -np.inf)
    np.maximum.at(highest, found.ranking, found.grade)
    best = found.where(found.grade == highest[found.ranking])
    return best.where(best.ordinal == 1)


@define(
    "Q",
    family="graded",
    cites="sakai2008",
    aliases="Q-measure",
    ideal=1.0,
    swap="none",
    domain=_BLENDED,
    bounds=Exchange(binary_only=True),
)
def q_measure(hits: Hits, *, beta: float = 1, gains: Gains | None = None, cutoff: int | None = None) -> Floats:
    r"""Q-measure: average precision for graded documents, with a blend of precision and cumulated gain at each.

    $$\mathrm{Q} = \frac{1}{R} \sum_{r: x_r = 1} \frac{c(r) + \beta\,cg(r)}{r + \beta\,cg^*(r)}$$

    over the ranks of the relevant documents found; among the first *r* documents $c(r)$ are relevant and gain
    $cg(r)$, the best possible list gains $cg^*(r)$, and *R* documents of the topic are relevant: those that have gain.
    With a cut-off *k* the divisor is $\min(k, R)$. `beta=0` is AP; a large one forgives low ranks. With grades, moving
    a relevant document up past a better one can lower Q. Undefined if no document has gain.

    >>> hits = Hits.of([[(1, 0), (2, 2), (3, 1)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> q_measure(hits).round(4)  # ((1 + 2) / (2 + 3) + (2 + 3) / (3 + 3)) / 2
    array([0.7167])
    """
    found, blended = _blended(hits.top(cutoff), beta, gains)
    relevant = Best.of(hits, gains).size[hits.topic]
    return ratio(found.sum(blended), relevant if cutoff is None else np.minimum(relevant, cutoff))


@define("O", family="graded", cites="sakai2007", aliases="O-measure", ideal=1.0, swap="none", domain=_BLENDED)
def o_measure(hits: Hits, *, beta: float = 1, gains: Gains | None = None, cutoff: int | None = None) -> Floats:
    r"""O-measure: reciprocal rank for graded documents, the blended ratio at the first relevant one.

    $$\mathrm{O} = \frac{1 + \beta\,g(r_1)}{r_1 + \beta\,cg^*(r_1)}$$

    where the first relevant document stands at $r_1$ and gains $g(r_1)$, and the best possible list gains
    $cg^*(r_1)$ down to there. 0 if no relevant document is found.

    >>> hits = Hits.of([[(1, 0), (2, 1), (3, 2)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> o_measure(hits)  # (1 + 1) / (2 + 3)
    array([0.4])
    """
    found, blended = _blended(hits.top(cutoff), beta, gains)
    return found.sum(np.where(found.ordinal == 1, blended, 0.0))


@define("PMeasure", family="graded", cites="sakai2007", aliases="P-measure", ideal=1.0, swap="none", domain=_BLENDED)
def p_measure(hits: Hits, *, beta: float = 1, gains: Gains | None = None, cutoff: int | None = None) -> Floats:
    r"""P-measure: the blended ratio at the first of the best documents that the list holds.

    $$\mathrm{P} = \frac{c(r_p) + \beta\,cg(r_p)}{r_p + \beta\,cg^*(r_p)}$$

    where $r_p$ is the rank of the first document of the highest grade present in the list, $c$ counts the relevant
    documents down to there, and $cg$ and $cg^*$ are their gain and that of the best possible list. 0 if no relevant
    document is found.

    >>> hits = Hits.of([[(1, 0), (2, 1), (3, 2)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> p_measure(hits).round(4)  # rank 3: (2 + 3) / (3 + 3)
    array([0.8333])
    """
    found, blended = _blended(hits.top(cutoff), beta, gains)
    wanted = _preferred(found)
    return found.sum(np.where(_rank_of(wanted)[found.ranking] == found.rank, blended, 0.0))


@define("PPlus", family="graded", cites="sakai2007", aliases="P+ P-plus", ideal=1.0, swap="none", domain=_BLENDED)
def p_plus(hits: Hits, *, beta: float = 1, gains: Gains | None = None, cutoff: int | None = None) -> Floats:
    r"""P-plus: the mean of the blended ratios down to the first of the best documents that the list holds.

    $$\mathrm{P^+} = \frac{1}{c(r_p)} \sum_{r \le r_p, x_r = 1} \frac{c(r) + \beta\,cg(r)}{r + \beta\,cg^*(r)}$$

    where $r_p$ is the rank of the first document of the highest grade present in the list. Moving a better document
    up by one rank can lower it. 0 if no relevant document is found.

    >>> hits = Hits.of([[(1, 0), (2, 1), (3, 2)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> p_plus(hits).round(4)  # ((1 + 1) / (2 + 3) + (2 + 3) / (3 + 3)) / 2
    array([0.6167])
    """
    found, blended = _blended(hits.top(cutoff), beta, gains)
    seen = found.rank <= _rank_of(_preferred(found))[found.ranking]
    return found.sum(np.where(seen, blended, 0.0)) / np.maximum(found.sum(seen), 1)


def _rank_of(single: Hits) -> Floats:
    """The rank of the one hit of each ranking; 0 where there is none."""
    return single.sum(single.rank)


@define(
    "RprefN",
    family="incomplete",
    cites="sakai2008",
    aliases="rpref_N",
    ideal=1.0,
    swap="strict",
    domain=_PREFERENCE,
    ignores_unjudged=True,
    looks_at=JudgedDocuments(),
    unjudged=_IGNORED,
    partial=True,
)
def rpref_n(hits: Hits, *, gains: Gains | None = None, highest: str = "topic") -> Floats:
    r"""Graded preference: how rarely less relevant documents stand above more relevant ones, of all that could.

    $$\mathrm{RprefN} = \frac{1}{cg^*} \sum_d g_d \left(1 - \frac{p_d}{R + N - cg^* / g_H}\right),
    \qquad p_d = \sum_{e \text{ above } d,\ g_e < g_d} \frac{g_d - g_e}{g_d}$$

    over the relevant documents *d* found; $cg^*$ is the gain of all *R* relevant documents, *N* were judged not
    relevant, and $g_H$ is the highest gain of the topic (`highest='collection'`: of all topics). With one grade it is
    BprefN. Undefined if no document has gain, or if all that were judged have the highest.

    >>> hits = Hits.of([[(1, 1), (3, 2)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> rpref_n(hits).round(4)  # p = 1/2 for the second; (1 + 2 (1 - 1/2 / (2 + 1 - 3/2))) / 3
    array([0.7778])
    """
    found, penalty, total = _penalties(hits, gains)
    top = Best.of(hits, gains).highest
    ceiling = top if highest == "topic" else np.full(hits.topics, top.max(initial=0))
    short = 1 - ratio(
        np.maximum(gain_of(hits.base_grade, gains), 0.0), ceiling[hits.base_topic]
    )  # exactly 0 at the top
    room = segment_sum(hits.base_topic, short, hits.topics)[hits.topic]
    return ratio(found.sum(gain_of(found.grade, gains) * (room[found.ranking] - penalty)), total * room)


@define(
    "RprefRelative",
    family="incomplete",
    cites="sakai2008",
    aliases="rpref_relative",
    domain=_GAINS,
    ignores_unjudged=True,
    looks_at=JudgedDocuments(),
    unjudged=_IGNORED,
)
def rpref_relative(hits: Hits, *, gains: Gains | None = None) -> Floats:
    r"""Graded preference relative to the place: the errors above a document over the errors possible there.

    $$\mathrm{RprefRelative} = \frac{1}{cg^*} \sum_{d: r'_d > 1} g_d \left(1 - \frac{p_d}{r'_d - 1}\right),
    \qquad p_d = \sum_{e \text{ above } d,\ g_e < g_d} \frac{g_d - g_e}{g_d}$$

    over the relevant documents *d* found, at the rank $r'_d$ among the judged ones; $cg^*$ is the gain of all relevant
    documents. One at $r' = 1$ contributes 0: a known flaw, mended in RprefRelative2. Undefined if no document has gain.

    >>> hits = Hits.of([[(1, 1), (3, 2)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> rpref_relative(hits).round(4)  # (0 + 2 (1 - 1/2 / 1)) / 3
    array([0.3333])
    """
    found, penalty, total = _penalties(hits, gains)
    errors = _place(hits, gains) - 1.0
    terms = np.where(errors > 0, 1 - penalty / np.maximum(errors, 1), 0.0)
    return ratio(found.sum(gain_of(found.grade, gains) * terms), total)


@define(
    "RprefRelative2",
    family="incomplete",
    cites="sakai2008",
    aliases="rpref_relative2",
    ideal=1.0,
    swap="strict",
    domain=_GAINS,
    ignores_unjudged=True,
    looks_at=JudgedDocuments(),
    unjudged=_IGNORED,
)
def rpref_relative_2(hits: Hits, *, gains: Gains | None = None) -> Floats:
    r"""Graded preference relative to the rank: average precision of the judged documents, for grades.

    $$\mathrm{RprefRelative2} = \frac{1}{cg^*} \sum_d g_d \left(1 - \frac{p_d}{r'_d}\right),
    \qquad p_d = \sum_{e \text{ above } d,\ g_e < g_d} \frac{g_d - g_e}{g_d}$$

    over the relevant documents *d* found, at the rank $r'_d$ among the judged ones; $cg^*$ is the gain of all relevant
    documents. With one grade it is AP on the condensed list. Undefined if no document has gain.

    >>> hits = Hits.of([[(1, 1), (3, 2)]], levels=[[1, 1, 1]], retrieved=[3])
    >>> rpref_relative_2(hits).round(4)  # (1 + 2 (1 - 1/2 / 2)) / 3
    array([0.8333])
    """
    found, penalty, total = _penalties(hits, gains)
    return ratio(found.sum(gain_of(found.grade, gains) * (1 - penalty / _place(hits, gains))), total)


def _place(hits: Hits, gains: Gains | None) -> Floats:
    """The rank among the judged documents of each relevant one."""
    return hits.ordinal[gain_of(hits.grade, gains) > 0].astype(np.float64)


def _penalties(hits: Hits, gains: Gains | None) -> tuple[Hits, Floats, Floats]:
    """The relevant documents found, the penalty of each, and for each ranking the gain of its topic."""
    gain = np.maximum(gain_of(hits.grade, gains), 0.0)
    useful = gain > 0
    penalty = np.zeros(len(gain))
    for level in np.unique(gain):  # documents of this gain stand above, by how much is each better one worse off?
        above = running_sum(hits.ranking, gain == level)
        penalty += above * np.maximum(1 - level / np.where(useful, gain, 1.0), 0.0)
    best = Best.of(hits, gains)
    return hits.where(useful), penalty[useful], segment_sum(best.topic, best.gain, hits.topics)[hits.topic]
