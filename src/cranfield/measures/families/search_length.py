"""Search lengths, and recall and precision normalised by the size of the collection.

In a search length small is good. Documents with equal scores are taken to be in random order.
"""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.tie_groups import tied_ranks
from cranfield.arrays import Bools, Floats, ordinal, ratio, segment_sum
from cranfield.errors import MeasureError
from cranfield.measures.definition import Domain, define, is_whole
from cranfield.measures.facts.bounds import EXCHANGE, SEARCH_LENGTH
from cranfield.measures.ties.rules import UNORDERED

INFINITY = float("inf")
COLLECTION = Domain(
    lambda size: is_whole(size) and 1 <= size <= 2**53,
    "must be a number of documents",
    "collection is the number of all documents that could be retrieved",
)
_WANTED = Domain(lambda q: is_whole(q) and 1 <= q <= 2**53, "must be a whole number from 1")


def collection_size(name: str, hits: Hits, collection: int | None) -> Floats:
    """The number of documents that could be retrieved, for each ranking; NaN if it is not given."""
    known = hits.retrieved + hits.judged_at_least(0) - hits.count
    if collection is not None and (known > collection).any():
        problem = f"{name}(collection={collection}): a topic alone has {known.max():,} documents"
        raise MeasureError("E203", problem, hint=COLLECTION.hint)
    return np.full(len(hits), np.nan if collection is None else float(collection))


@define(
    "ASL",
    family="ranked",
    ties=UNORDERED,
    cites="losee1998",
    low=1.0,
    high=INFINITY,
    swap="none",
    domain={"collection": COLLECTION},
    partial=True,
    smaller=True,
    needs_lists=True,
    bounds=SEARCH_LENGTH,
)
def average_search_length(hits: Hits, *, rel: int = 1, collection: int | None = None) -> Floats:
    r"""Average search length: the mean rank of the relevant documents.

    $$\mathrm{ASL} = \frac{1}{R} \sum_{i=1}^{R} r_i$$

    A document that shares its score with others has the middle of their ranks. With `collection`, the number *N* of
    all documents, a relevant one that was not found stands in the middle of the rest, at $n + (N - n + 1) / 2$ after a
    list of *n* documents. Small is good. Undefined if no document is relevant, or, without `collection`, if one of
    them was not found.

    >>> hits = Hits.of([[(1, 1), (2, 0), (4, 1)]], levels=[[1, 2]], retrieved=[4])
    >>> average_search_length(hits)  # (1 + 4) / 2
    array([2.5])
    """
    size = collection_size("ASL", hits, collection)
    first, last = tied_ranks(hits)
    middle = np.where(hits.grade >= rel, (first + last) / 2, 0.0)
    relevant = hits.judged_at_least(rel)
    missed = relevant - hits.relevant(rel).count
    beyond = np.where(missed > 0, missed * (hits.retrieved + (size - hits.retrieved + 1) / 2), 0.0)
    return ratio(hits.sum(middle) + beyond, relevant)


@define(
    "ESL",
    family="ranked",
    ties=UNORDERED,
    cites="cooper1968",
    high=INFINITY,
    swap="none",
    domain={"q": _WANTED},
    partial=True,
    smaller=True,
    needs_lists=True,
    bounds=SEARCH_LENGTH,
)
def expected_search_length(hits: Hits, *, q: int = 1, rel: int = 1) -> Floats:
    r"""Expected search length: how many documents that are not relevant are read before *q* relevant ones are found.

    $$\mathrm{ESL} = j + \frac{i\,s}{r + 1}$$

    where *j* of them stand above the group of equal scores in which the *q*-th relevant document is met; that group has
    *r* relevant and *i* other documents, and *s* relevant ones are still wanted there. Small is good. Undefined if
    fewer than *q* relevant documents are retrieved.

    >>> import cranfield as cf
    >>> qrels = {"t": {"a": 1, "b": 0, "c": 0, "d": 1, "e": 0}}
    >>> run = {"t": {"b": 9.0, "a": 5.0, "c": 5.0, "d": 5.0, "e": 1.0}}
    >>> cf.evaluate(qrels, run, ["ESL", "ESL(q=2)"]).means.round(4)  # 1 + 1 * 1/3, 1 + 1 * 2/3
    array([[1.3333, 1.6667]])
    """
    relevant = hits.grade >= rel
    first, last = (rank[relevant] for rank in tied_ranks(hits))
    found = hits.where(relevant)
    opens = np.ones(len(first), dtype=bool)
    opens[1:] = (found.ranking[1:] != found.ranking[:-1]) | (first[1:] != first[:-1])
    group = np.cumsum(opens) - 1
    before = (found.ordinal[opens] - 1)[group]
    inside = np.bincount(group)[group] if len(group) else group
    others = last - first + 1 - inside
    length = first - 1 - before + others * (q - before) / (inside + 1)
    return _only(found, found.ordinal == q, length)


def _only(hits: Hits, mask: Bools, values: Floats) -> Floats:
    """The value of the only hit of each ranking in the mask; undefined if there is none."""
    single = np.full(len(hits), np.nan)
    single[hits.ranking[mask]] = values[mask]
    return single


@define(
    "ESLReduction",
    family="ranked",
    ties=UNORDERED,
    cites="cooper1968",
    low=-INFINITY,
    domain={"q": _WANTED, "collection": COLLECTION},
    partial=True,
    needs_lists=True,
    bounds=SEARCH_LENGTH,
)
def search_length_reduction(hits: Hits, *, q: int = 1, rel: int = 1, collection: int | None = None) -> Floats:
    r"""Expected search length reduction: the share of a random search that the ranking saves.

    $$1 - \frac{\mathrm{ESL}}{q\,(N - R) / (R + 1)}$$

    where *R* of the *N* documents of the collection are relevant: `collection` must be given. Undefined without it, if
    fewer than *q* relevant documents are retrieved, and if all documents are relevant.

    >>> hits = Hits.of([[(1, 0), (2, 1)]], levels=[[1, 1]], retrieved=[2])
    >>> search_length_reduction(hits, collection=5)  # 1 - 1 / (1 * 4 / 2)
    array([0.5])
    """
    size, relevant = collection_size("ESLReduction", hits, collection), hits.judged_at_least(rel)
    at_random = q * (size - relevant) / (relevant + 1)
    return 1 - ratio(expected_search_length(hits, q=q, rel=rel), at_random)


@define(
    "NormRecall",
    family="ranked",
    cites="rocchio1966",
    ideal=1.0,
    swap="strict",
    domain={"collection": COLLECTION},
    partial=True,
    bounds=EXCHANGE,
)
def normalised_recall(hits: Hits, *, rel: int = 1, collection: int | None = None) -> Floats:
    r"""Normalised recall: how close the ranks of the relevant documents are to the best, on the way from the worst.

    $$\mathrm{NormRecall} = 1 - \frac{\sum_{i=1}^{R} r_i - \sum_{i=1}^{R} i}{R\,(N - R)}$$

    where *R* of the *N* documents of the collection are relevant: `collection` must be given. A relevant document that
    was not found stands at the end of the collection. On the condensed list of a collection in which all documents are
    judged it is BprefN. Undefined without `collection`, and if none or all of its documents are relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (4, 1)]], levels=[[1, 2]], retrieved=[4])
    >>> normalised_recall(hits, collection=10)  # 1 - (1 + 4 - 1 - 2) / (2 * 8)
    array([0.875])
    """
    size, relevant = collection_size("NormRecall", hits, collection), hits.judged_at_least(rel)
    found = hits.relevant(rel)
    missed = relevant - found.count
    ranks = found.sum(found.rank) + missed * size - missed * (missed - 1) / 2
    return 1 - ratio(ranks - relevant * (relevant + 1) / 2, relevant * (size - relevant))


@define(
    "NormPrecision",
    family="ranked",
    cites="rocchio1966",
    ideal=1.0,
    swap="strict",
    domain={"collection": COLLECTION},
    partial=True,
    bounds=EXCHANGE,
)
def normalised_precision(hits: Hits, *, rel: int = 1, collection: int | None = None) -> Floats:
    r"""Normalised precision: normalised recall with the logarithms of the ranks, so that the top weighs more.

    $$\mathrm{NormPrecision} = 1 - \frac{\sum_{i=1}^{R} \ln r_i - \sum_{i=1}^{R} \ln i}{\ln \binom{N}{R}}$$

    where *R* of the *N* documents of the collection are relevant: `collection` must be given. A relevant document that
    was not found stands at the end of the collection. Undefined without `collection`, and if none or all of its
    documents are relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (4, 1)]], levels=[[1, 2]], retrieved=[4])
    >>> normalised_precision(hits, collection=10).round(4)  # 1 - (ln 4 - ln 2) / ln 45
    array([0.8179])
    """
    size, relevant = collection_size("NormPrecision", hits, collection), hits.judged_at_least(rel)
    found = hits.relevant(rel)
    missing = np.repeat(np.arange(len(hits)), relevant - found.count)
    wanted = np.repeat(np.arange(len(hits)), relevant)
    best = ordinal(wanted).astype(np.float64)
    last = segment_sum(missing, np.log(size[missing] + 1 - ordinal(missing)), len(hits))
    logs = found.sum(np.log(found.rank)) + last - segment_sum(wanted, np.log(best), len(hits))
    choices = segment_sum(wanted, np.log((size - relevant)[wanted] / best + 1), len(hits))  # ln of the binomial
    return 1 - ratio(logs, choices)
