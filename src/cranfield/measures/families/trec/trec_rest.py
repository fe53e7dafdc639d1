"""Measures that only trec_eval prints: binary ones, counts, and the utility of a set."""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, ratio
from cranfield.measures.definition import POSITIVE, Domain, define, is_number, is_whole, plain
from cranfield.measures.facts.bounds import ADDITIVE, EXCHANGE
from cranfield.measures.facts.looks_at import TopicRanks
from cranfield.measures.families.sets import set_precision
from cranfield.measures.ties.rules import UNORDERED

_INFINITE = float("inf")
_PRICE = Domain(is_number, "must be a number", canonical=plain)
_SIZE = Domain(lambda value: is_whole(value) and value >= 0, "must be a number of documents")


@define(
    "RelativeP", family="ranked", aliases="relative_P R_cap recall_cap", cites="buckley2005", ideal=1.0, bounds=EXCHANGE
)
def relative_precision(hits: Hits, *, rel: int = 1, cutoff: int) -> Floats:
    r"""Relative precision: precision at *k* as a share of the best that is possible there.

    $$\mathrm{RelativeP}@k = \frac{|\{i \le k : x_i = 1\}|}{\min(k, R)}$$

    Undefined where no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> relative_precision(hits, cutoff=5).round(4)  # 2 / min(5, 3)
    array([0.6667])
    """
    return ratio(hits.relevant(rel).top(cutoff).count, np.minimum(cutoff, hits.judged_at_least(rel)))


@define(
    "SetRelativeP",
    family="set",
    aliases="set_relative_P SetRelP",
    cites="buckley2005",
    ideal=1.0,
    ties=UNORDERED,
    bounds=EXCHANGE,
)
def set_relative_precision(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Relative precision of the whole list: relevant documents found, of those the list had room for.

    $$\mathrm{SetRelativeP} = \frac{a}{\min(n, R)}$$

    0 where nothing was retrieved, undefined where no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> set_relative_precision(hits).round(4)  # 2 / min(5, 3)
    array([0.6667])
    """
    return set_precision(hits, rel=rel, relative=True)


def _multiple(hits: Hits, *, rel: int, mult: float) -> Ints:
    """The rank at which the multiple of the relevant documents is reached."""
    return (mult * hits.judged_at_least(rel) + 0.9).astype(np.int64)


@define(
    "RprecMult",
    family="ranked",
    aliases="Rprec_mult",
    cites="buckley2005",
    at="mult",
    domain={"mult": POSITIVE},
    looks_at=TopicRanks(last=_multiple, name=lambda mult, **_: f"{mult:g}R"),
    bounds=EXCHANGE,
)
def r_precision_multiple(hits: Hits, *, rel: int = 1, mult: float = 1.0) -> Floats:
    r"""Precision at a multiple of the number of relevant documents.

    $$\mathrm{RprecMult}@m = \mathrm{P}@k, \quad k = \lfloor m R + 0.9 \rfloor$$

    With *m* = 1 it is R-precision. Undefined where no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> r_precision_multiple(hits, mult=0.5)  # int(1.5 + 0.9) = 2 documents, one relevant
    array([0.5])
    """
    cutoff = _multiple(hits, rel=rel, mult=mult)
    found = hits.relevant(rel)
    return ratio(found.where(found.rank <= cutoff[found.ranking]).count, cutoff)


@define("binG", family="ranked", cites="buckley2005", ideal=1.0, swap="strict", bounds=EXCHANGE)
def binary_g(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Binary G: each relevant document counts less, the more other documents stand above it.

    $$\mathrm{binG} = \frac{1}{R} \sum_{i=1}^{n} \frac{1}{\log_2(2 + r_i - i)}$$

    where $r_i$ is the rank of the *i*-th relevant document, so $r_i - i$ documents above it are not relevant (unjudged
    ones among them). Undefined where no document is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> binary_g(hits).round(4)  # (1 / log2(2) + 1 / log2(3)) / 3
    array([0.5436])
    """
    found = hits.relevant(rel)
    return ratio(found.sum(1 / np.log2(2.0 + found.rank - found.ordinal)), hits.judged_at_least(rel))


@define("Yaap", family="ranked", cites="buckley2005", low=-_INFINITE, high=_INFINITE, swap="strict", bounds=EXCHANGE)
def yaap(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Yet another average precision: the logarithm of the odds of a smoothed average precision.

    $$\mathrm{Yaap} = \ln \frac{1 + S}{1 + R - S}, \qquad S = \sum_{i=1}^{n} \frac{i}{r_i}$$

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> yaap(hits).round(4)  # S = 1 + 2/3; ln(2.6667 / 2.3333)
    array([0.1335])
    """
    found = hits.relevant(rel)
    total = found.sum(found.ordinal / found.rank)
    return np.log((1 + total) / (1 + hits.judged_at_least(rel) - total))


@define(
    "Utility",
    family="set",
    ties=UNORDERED,
    cites="buckley2005",
    low=-_INFINITE,
    high=_INFINITE,
    domain={**dict.fromkeys("abcd", _PRICE), "collection": _SIZE},
    unjudged="An unjudged document counts as not relevant.",
    bounds=EXCHANGE,
)
def utility(
    hits: Hits,
    *,
    rel: int = 1,
    a: float = 1.0,
    b: float = -1.0,
    c: float = 0.0,
    d: float = 0.0,
    collection: int | None = None,
) -> Floats:
    r"""Utility: a price for each cell of the contingency table.

    $$\mathrm{Utility} = a\,|\text{relevant found}| + b\,|\text{others found}| + c\,|\text{relevant missed}|
    + d\,|\text{others left out}|$$

    The last cell needs the size of the collection; without it only *d* = 0 is defined.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> utility(hits)  # 2 - 3
    array([-1.])
    >>> utility(hits, a=2, c=-0.5, d=0.1, collection=100)  # 2·2 - 3 - 0.5 + 0.1·94
    array([9.9])
    """
    found = hits.relevant(rel).count
    missed = hits.judged_at_least(rel) - found
    others = hits.retrieved - found
    value = a * found + b * others + c * missed
    if d == 0:
        return value
    if collection is None:
        return np.full(len(hits), np.nan)
    return value + d * (collection - hits.retrieved - missed)


@define(
    "NumNonrelJudgedRet",
    family="set",
    ties=UNORDERED,
    aliases="num_nonrel_judged_ret",
    cites="buckley2005",
    average="sum",
    high=_INFINITE,
    ignores_unjudged=True,
    unjudged="An unjudged document is not counted.",
    smaller=True,
    bounds=ADDITIVE,
)
def nonrelevant_judged_retrieved(hits: Hits, *, rel: int = 1) -> Floats:
    r"""Number of documents in the list that were judged, and judged not relevant; the summary is the sum.

    $$\mathrm{NumNonrelJudgedRet} = |\{i \le n : d_i \text{ judged}, \; x_i = 0\}|$$

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> nonrelevant_judged_retrieved(hits)
    array([1.])
    """
    return hits.where(hits.grade < rel).count.astype(np.float64)
