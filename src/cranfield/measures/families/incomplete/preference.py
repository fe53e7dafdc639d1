"""Preference measures: how many judged nonrelevant documents stand above each relevant one.

Only judged documents matter: an unjudged one neither helps nor hurts, wherever it stands. In the formulas *R* documents
are relevant, *N* were judged not relevant, and $n_d$ judged nonrelevant documents are ranked above *d*.
"""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ratio
from cranfield.measures.definition import define, one_of
from cranfield.measures.facts.bounds import EXCHANGE
from cranfield.measures.facts.looks_at import JudgedDocuments

IGNORED = "An unjudged document is ignored: only judged ones are compared."


def _preferences(hits: Hits, rel: int) -> tuple[Hits, Floats, Floats, Floats]:
    """The relevant documents found; for each the nonrelevant ones above it, and the R and N of its topic."""
    found = hits.relevant(rel)
    above = hits.ordinal[hits.grade >= rel] - found.ordinal  # those judged above it that are not relevant
    relevant, nonrelevant = hits.judged_at_least(rel)[found.ranking], hits.judged_below(rel)[found.ranking]
    return found, above.astype(np.float64), relevant.astype(np.float64), nonrelevant.astype(np.float64)


@define(
    "Bpref",
    family="incomplete",
    cites="buckley2004",
    ideal=1.0,
    ignores_unjudged=True,
    unjudged=IGNORED,
    looks_at=JudgedDocuments(),
    bounds=EXCHANGE,
)
def bpref(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Binary preference: how rarely judged nonrelevant documents stand above relevant ones.

    $$\mathrm{Bpref} = \frac{1}{R} \sum_d \left(1 - \frac{\min(n_d, R)}{\min(R, N)}\right)$$

    over the relevant documents *d* found; the term is 1 where nothing judged nonrelevant stands above.
    Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 0), (2, 1), (4, 1)]], levels=[[4, 6]], retrieved=[5])
    >>> bpref(hits)  # ((1 - 1/4) + (1 - 1/4)) / 6
    array([0.25])
    """
    found, above, relevant, nonrelevant = _preferences(hits, rel)
    lost = np.minimum(above, relevant) / np.maximum(np.minimum(relevant, nonrelevant), 1)
    return ratio(found.sum(1 - lost), hits.judged_at_least(rel))


@define(
    "GMBpref",
    family="incomplete",
    aliases="gm_bpref",
    cites="buckley2004 robertson2006",
    average="geometric",
    ideal=1.0,
    ignores_unjudged=True,
    looks_at=JudgedDocuments(),
    unjudged=IGNORED,
    bounds=EXCHANGE,
)
def geometric_bpref(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Geometric mean of Bpref: averaged so that a hard topic weighs as much as an easy one.

    $$\exp \frac{1}{|T|} \sum_{t \in T} \ln \max(\mathrm{Bpref}_t, 10^{-5})$$

    The value of one topic is its Bpref; only the average differs. Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 0), (2, 1), (4, 1)]], levels=[[4, 6]], retrieved=[5])
    >>> geometric_bpref(hits)  # ((1 - 1/4) + (1 - 1/4)) / 6
    array([0.25])
    """
    return bpref(hits, rel=rel)


@define(
    "BprefR",
    family="incomplete",
    cites="sakai2008",
    ideal=1.0,
    ignores_unjudged=True,
    unjudged=IGNORED,
    looks_at=JudgedDocuments(),
    bounds=EXCHANGE,
)
def bpref_r(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Binary preference against the first *R* judged nonrelevant documents, however few there are.

    $$\mathrm{BprefR} = \frac{1}{R} \sum_d \left(1 - \frac{\min(n_d, R)}{R}\right)$$

    over the relevant documents *d* found. Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 0), (2, 1), (4, 1)]], levels=[[4, 5]], retrieved=[5])
    >>> bpref_r(hits).round(4)  # ((1 - 1/5) + (1 - 1/5)) / 5
    array([0.32])
    """
    found, above, relevant, _ = _preferences(hits, rel)
    return ratio(found.sum(1 - np.minimum(above, relevant) / relevant), hits.judged_at_least(rel))


@define(
    "Bpref10",
    family="incomplete",
    cites="buckley2004 ahlgren2007",
    aliases="bpref-10",
    domain={"variant": one_of("literal", "te")},
    ideal=1.0,
    ignores_unjudged=True,
    looks_at=JudgedDocuments(),
    unjudged=IGNORED,
    bounds=EXCHANGE,
)
def bpref_10(hits: Hits, *, variant: str = "literal", rel: int = 1) -> Floats:
    r"""Binary preference against the first $10 + R$ judged nonrelevant documents.

    $$\frac{1}{R} \sum_d \left(1 - \frac{\min(n_d, D)}{D}\right), \qquad D = 10 + R$$

    over the relevant documents *d* found. `variant='te'` takes $D = \min(N, 10 + R)$, so that 0 can be reached when
    few documents were judged not relevant. Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 0), (2, 1), (4, 1)]], levels=[[4, 10]], retrieved=[5])
    >>> bpref_10(hits).round(4), bpref_10(hits, variant="te")  # 2 (1 - 1/20) / 10, 2 (1 - 1/4) / 10
    (array([0.19]), array([0.15]))
    """
    found, above, relevant, nonrelevant = _preferences(hits, rel)
    scale = 10 + relevant if variant == "literal" else np.maximum(np.minimum(nonrelevant, 10 + relevant), 1)
    return ratio(found.sum(1 - np.minimum(above, scale) / scale), hits.judged_at_least(rel))


@define(
    "BprefN",
    family="incomplete",
    cites="ahlgren2007 sakai2008",
    aliases="RankEff bpref_allnonrel bpref_N",
    ideal=1.0,
    swap="strict",
    ignores_unjudged=True,
    looks_at=JudgedDocuments(),
    unjudged=IGNORED,
    bounds=EXCHANGE,
)
def bpref_n(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Rank effectiveness: the share of the pairs of a relevant and a judged nonrelevant document in right order.

    $$\mathrm{BprefN} = \frac{1}{R} \sum_d \frac{N - n_d}{N}$$

    over the relevant documents *d* found. A judged document that was not retrieved stands below all that were; a pair
    of which neither was retrieved counts 0. Undefined if no document is relevant, or none was judged not relevant.

    >>> hits = Hits.of([[(1, 0), (2, 1), (4, 1)]], levels=[[4, 6]], retrieved=[5])
    >>> bpref_n(hits)  # (3/4 + 3/4) / 6
    array([0.25])
    """
    found, above, _, nonrelevant = _preferences(hits, rel)
    return ratio(found.sum(nonrelevant - above), hits.judged_at_least(rel) * hits.judged_below(rel))


@define(
    "BprefRelative",
    family="incomplete",
    cites="sakai2008",
    ignores_unjudged=True,
    unjudged=IGNORED,
    looks_at=JudgedDocuments(),
    bounds=EXCHANGE,
)
def bpref_relative(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Binary preference relative to the place: the errors above a document over the errors possible there.

    $$\mathrm{BprefRelative} = \frac{1}{R} \sum_d \left(1 - \frac{n_d}{r'_d - 1}\right)$$

    over the relevant documents *d* found, where $r'_d$ is the rank among the judged documents. A relevant document at
    $r' = 1$ contributes 0: a known flaw, kept for comparison. Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (4, 1)]], levels=[[4, 2]], retrieved=[5])
    >>> bpref_relative(hits)  # (0 + (1 - 1/2)) / 2
    array([0.25])
    """
    found, above, _, _ = _preferences(hits, rel)
    place = hits.ordinal[hits.grade >= rel]
    terms = np.where(place > 1, 1 - above / np.maximum(place - 1, 1), 0.0)
    return ratio(found.sum(terms), hits.judged_at_least(rel))
