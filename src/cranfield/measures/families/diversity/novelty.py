"""Novelty: a document that covers what others above it covered is worth less each time.

The *novelty gain* of the document at rank $j$ is

    ng(j) = Σ_i J(d_j, i) (1 − α)^{c_i(j)}

over the *M* subtopics that have a relevant document: $J$ says whether the document is relevant to subtopic *i*, and
$c_i(j)$ documents above it are. Where probabilities are given, subtopic *i* counts $M P(i)$ times; a subtopic without
relevant documents is left out, and the probabilities of the others are divided by their sum.
"""

import math

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ratio
from cranfield.measures.definition import OPEN_UNIT, POSITIVE, UNIT, Domain, define, is_whole, one_of
from cranfield.measures.facts.looks_at import WeightedRanks
from cranfield.measures.facts.subtopics import FacetBounds, NoveltyBounds
from cranfield.measures.families.diversity.facets import Facets
from cranfield.measures.families.diversity.greedy import greedy_ideal
from cranfield.measures.families.diversity.single import (
    Discount,
    full,
    geometric,
    logarithmic,
    of_form,
    of_gain,
    of_one,
    of_patience,
    over_full,
    reciprocal,
)
from cranfield.measures.families.user.stopping import expected_reciprocal_rank

NOTHING = "An unjudged document covers nothing and keeps its rank."
DEEPEST = 10**6  # a normaliser that is a sum over ranks is added up term by term
TOP = math.e / (math.e - 1)  # coverage is submodular, so the greedy list reaches at least 1 - 1/e of the best
_CUTOFF = Domain(lambda k: is_whole(k) and 1 <= k <= DEEPEST, f"must be a whole number from 1 to {DEEPEST}")
_ALPHA = {"alpha": UNIT}
_SUMMED = _ALPHA | {"cutoff": _CUTOFF}
_BY_PATIENCE = WeightedRanks(weight=lambda rank, beta, **_: beta ** (rank - 1))
_PATIENCE = {
    "alpha": UNIT,
    "beta": OPEN_UNIT._replace(hint="beta=0.8 models a patient user, beta=0.5 an impatient one"),
}


@define(
    "alpha_DCG",
    family="diversity",
    aliases="alpha-DCG α_DCG",
    cites="clarke2008",
    high=math.inf,
    swap="strict",
    unjudged=NOTHING,
    needs_subtopics=True,
    domain=_SUMMED | {"normalisation": one_of("none", "ideal_ideal")},
    needs={"normalisation": "cutoff"},
    bounds=FacetBounds(
        of_gain,
        factor=over_full,
        total=lambda *, normalisation, cutoff, **_: normalisation == "none" or cutoff is None,
    ),
)
def alpha_gain(
    hits: Hits, *, alpha: float = 0.5, rel: int = 1, normalisation: str = "none", cutoff: int | None = None
) -> Floats:
    r"""Discounted novelty gain: the subtopics each document covers, worth less the more documents above it cover them.

    $$\alpha\text{-DCG} = \sum_j \frac{ng(j)}{\log_2(j + 1)}, \quad ng(j) = \sum_i J(d_j, i)(1-\alpha)^{c_i(j)}$$

    where $J(d_j, i)$ says whether the document at rank *j* has at least the grade `rel` for subtopic *i*, and $c_i(j)$
    documents above it have. *M* subtopics have such a document; the others are left out. `alpha` is how much of the
    interest in a subtopic one document satisfies. `normalisation='ideal_ideal'` divides by what a list would gain in
    which every document covers every subtopic, $\sum_{j \le k} M (1-\alpha)^{j-1} / \log_2(j+1)$. With intent
    probabilities subtopic *i* counts $M P(i)$ times. Undefined if no subtopic has a relevant document.

    >>> hits = Hits.covering([(1, 0, 0), (1, 1, 0), (0, 0, 0), (0, 0, 1), (1, 0, 0)], missed=[(0, 1, 0), (0, 1, 1)])
    >>> alpha_gain(hits, cutoff=3).round(4)  # 1 + (1/2 + 1) / log2(3)
    array([1.9464])
    """
    gain = _novelty(hits.top(cutoff), alpha, rel, logarithmic)
    if normalisation == "none" or cutoff is None:
        return gain
    return ratio(gain, Facets.of(hits, rel).count * full(alpha, cutoff, logarithmic))


@define(
    "alpha_nDCG",
    family="diversity",
    aliases="alpha-nDCG α_nDCG",
    cites="clarke2008",
    high=TOP,
    swap="strict",
    unjudged=NOTHING,
    needs_subtopics=True,
    greedy=True,
    domain=_ALPHA,
    bounds=NoveltyBounds(of_gain, lambda rank, **_: logarithmic(rank)),
)
def normalised_alpha_gain(hits: Hits, *, alpha: float = 0.5, rel: int = 1, cutoff: int | None = None) -> Floats:
    r"""Normalised discounted novelty gain: alpha_DCG over that of a greedy ideal list of all judged documents.

    $$\alpha\text{-nDCG} = \frac{\alpha\text{-DCG}}{\alpha\text{-DCG}_{ideal}}$$

    The best list is hard to find, so the ideal takes, again and again, the document of the largest novelty gain (of
    equal ones the highest document id). A ranking can beat it; the value is then above 1, never above $e/(e-1)$, and is
    not cut off. Parameters are those of `alpha_DCG`. Undefined if no subtopic has a relevant document.

    >>> hits = Hits.covering([(1, 0, 0), (1, 1, 0), (0, 0, 0), (0, 0, 1), (1, 0, 0)], missed=[(0, 1, 0), (0, 1, 1)])
    >>> normalised_alpha_gain(hits, cutoff=2).round(4)  # (1 + 1.5 / log2(3)) / (2 + 1.5 / log2(3))
    array([0.6606])
    """
    return _normalised(hits, alpha, rel, cutoff, logarithmic)


@define(
    "ERR_IA",
    family="diversity",
    aliases="ERR-IA",
    cites="chapelle2009 clarke2011",
    high=math.inf,
    unjudged=NOTHING,
    needs_subtopics=True,
    domain=_SUMMED | {"form": one_of("web", "binary", "graded"), "max_rel": POSITIVE},
    needs={"max_rel": "form='graded'"},
    bounds=FacetBounds(
        of_form,
        factor=lambda *, form, alpha, cutoff, **_: 1 / full(alpha, cutoff, reciprocal) if form == "web" else 1.0,
    ),
)
def intent_aware_reciprocal_rank(
    hits: Hits,
    *,
    form: str = "web",
    alpha: float = 0.5,
    rel: int = 1,
    max_rel: float | None = None,
    cutoff: int,
) -> Floats:
    r"""Intent-aware expected reciprocal rank: one over the rank at which a user with one of the intents is satisfied.

    $$\mathrm{ERR\text{-}IA}@k = \frac{\sum_{j \le k} ng(j) / j}{\sum_{j \le k} M (1-\alpha)^{j-1} / j}$$

    with the novelty gain of `alpha_DCG`. That is the form of the TREC web track, `form='web'`; `form='binary'` divides
    by *M* alone and can exceed 1, as the others cannot. `form='graded'` is the general one,
    $\sum_i P(i)\,\mathrm{ERR}_i@k$: a document of grade *g* for subtopic *i* satisfies with probability
    $(2^g - 1) / 2^{g_{max}}$, where $g_{max}$ is `max_rel`, or the highest grade of the collection; `alpha` and `rel`
    have no part in it, and if no grade is above 1 it is half of the binary form with `alpha=0.5`. Undefined if
    no subtopic has a relevant document.

    >>> hits = Hits.covering([(1, 0, 0), (1, 1, 0), (0, 0, 0), (0, 0, 1), (1, 0, 0)], missed=[(0, 1, 0), (0, 1, 1)])
    >>> intent_aware_reciprocal_rank(hits, form="binary", cutoff=3).round(4)  # (1/1 + 1.5/2) / 3
    array([0.5833])
    >>> intent_aware_reciprocal_rank(hits, cutoff=3).round(4)  # (1/1 + 1.5/2) / (3 * (1/1 + 0.5/2 + 0.25/3))
    array([0.4375])
    """
    near = hits.top(cutoff)
    if form == "graded":
        facets = Facets.of(near)
        return facets.mean(expected_reciprocal_rank(facets.hits, max_rel=max_rel))
    gain, count = _novelty(near, alpha, rel, reciprocal), Facets.of(near, rel).count
    return ratio(gain, count * (full(alpha, cutoff, reciprocal) if form == "web" else 1))


@define(
    "nERR_IA",
    family="diversity",
    aliases="nERR-IA",
    cites="clarke2011",
    high=TOP,
    swap="strict",
    unjudged=NOTHING,
    needs_subtopics=True,
    greedy=True,
    domain=_ALPHA,
    bounds=NoveltyBounds(lambda **given: of_one(reciprocal, **given), lambda rank, **_: reciprocal(rank)),
)
def normalised_intent_aware_reciprocal_rank(
    hits: Hits, *, alpha: float = 0.5, rel: int = 1, cutoff: int | None = None
) -> Floats:
    r"""Normalised intent-aware expected reciprocal rank: ERR_IA over that of a greedy ideal list.

    $$\mathrm{nERR\text{-}IA} = \frac{\sum_j ng(j) / j}{\sum_j ng^*(j) / j}$$

    with the novelty gain of `alpha_DCG`, and $ng^*$ that of the ideal list of `alpha_nDCG`; a value above 1 is possible
    for the same reason. Undefined if no subtopic has a relevant document.

    >>> hits = Hits.covering([(1, 0, 0), (1, 1, 0), (0, 0, 0), (0, 0, 1), (1, 0, 0)], missed=[(0, 1, 0), (0, 1, 1)])
    >>> normalised_intent_aware_reciprocal_rank(hits, cutoff=3).round(4)  # (1 + 1.5/2) / (2 + 1.5/2 + 0.5/3)
    array([0.6])
    """
    return _normalised(hits, alpha, rel, cutoff, reciprocal)


@define(
    "NRBP",
    family="diversity",
    cites="clarke2009",
    swap="strict",
    unjudged=NOTHING,
    needs_subtopics=True,
    domain=_PATIENCE,
    looks_at=_BY_PATIENCE,
    bounds=FacetBounds(of_patience, factor=lambda *, alpha, beta, **_: 1 - (1 - alpha) * beta),
)
def novelty_biased_precision(hits: Hits, *, alpha: float = 0.5, beta: float = 0.5, rel: int = 1) -> Floats:
    r"""Novelty- and rank-biased precision: the novelty gain met by a user who goes on with probability beta.

    $$\mathrm{NRBP} = \frac{1 - (1-\alpha)\beta}{M} \sum_j \beta^{j-1} ng(j)$$

    with the novelty gain of `alpha_DCG`. Undefined if no subtopic has a relevant document.

    >>> hits = Hits.covering([(1, 0, 0), (1, 1, 0), (0, 0, 0), (0, 0, 1), (1, 0, 0)], missed=[(0, 1, 0), (0, 1, 1)])
    >>> novelty_biased_precision(hits).round(4)  # (3/4) / 3 * (1 + 1.5/2 + 1/8 + 0.25/16)
    array([0.4727])
    """
    gain = _novelty(hits, alpha, rel, geometric(beta))
    return ratio((1 - (1 - alpha) * beta) * gain, Facets.of(hits, rel).count)


@define(
    "nNRBP",
    family="diversity",
    cites="clarke2009",
    high=TOP,
    swap="strict",
    unjudged=NOTHING,
    needs_subtopics=True,
    greedy=True,
    domain=_PATIENCE,
    looks_at=_BY_PATIENCE,
    bounds=NoveltyBounds(of_patience, lambda rank, *, beta, **_: geometric(beta)(rank)),
)
def normalised_novelty_biased_precision(hits: Hits, *, alpha: float = 0.5, beta: float = 0.5, rel: int = 1) -> Floats:
    r"""Normalised novelty- and rank-biased precision: NRBP over that of a greedy ideal list of all judged documents.

    $$\mathrm{nNRBP} = \frac{\sum_j \beta^{j-1} ng(j)}{\sum_j \beta^{j-1} ng^*(j)}$$

    The ideal list is that of `alpha_nDCG`, as long as there are documents, whatever the length of the ranking; a value
    above 1 is possible. Undefined if no subtopic has a relevant document.

    >>> hits = Hits.covering([(1, 0, 0), (1, 1, 0), (0, 0, 0), (0, 0, 1), (1, 0, 0)], missed=[(0, 1, 0), (0, 1, 1)])
    >>> normalised_novelty_biased_precision(hits).round(4)  # 1.890625 / (2 + 1.5/2 + 0.5/4 + 0.5/8 + 0.25/16 + 0.25/32)
    array([0.6385])
    """
    return _normalised(hits, alpha, rel, None, geometric(beta))


# --- how it is computed ------------------------------------------------------------------------------------------


def _novelty(hits: Hits, alpha: float, rel: float, discount: Discount) -> Floats:
    """The discounted novelty gain of each list, by subtopic: its n-th document there counts (1-α)^(n-1)."""
    facets = Facets.of(hits, rel)
    covers = facets.hits.relevant(rel)
    return facets.sum(covers.sum(np.power(1 - alpha, covers.ordinal - 1) * discount(covers.rank)))


def _normalised(hits: Hits, alpha: float, rel: float, cutoff: int | None, discount: Discount) -> Floats:
    ideal = _novelty(greedy_ideal(hits, alpha, rel, cutoff), alpha, rel, discount)
    return ratio(_novelty(hits.top(cutoff), alpha, rel, discount), ideal[hits.topic])
