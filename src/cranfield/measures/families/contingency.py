"""The contingency table of a retrieved set, and accuracy, which needs all of it."""

from dataclasses import dataclass

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, ratio
from cranfield.measures.definition import define
from cranfield.measures.facts.bounds import TWO_PARTS
from cranfield.measures.families.search_length import COLLECTION, collection_size
from cranfield.measures.ties.rules import WeightedSum


@dataclass(frozen=True, eq=False)
class Contingency:
    """What was retrieved against what is relevant, for each ranking.

                       relevant   not relevant
        retrieved         a            b
        left out          c            d

    Unjudged documents count as not relevant; *d* is NaN unless the size of the collection is known.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> table = Contingency.of(hits, collection=100)
    >>> table.a, table.b, table.c, table.d
    (array([2]), array([3]), array([1]), array([94.]))
    >>> table.precision, table.recall.round(4), table.fallout.round(4)  # 2/5, 2/3, 3/97
    (array([0.4]), array([0.6667]), array([0.0309]))
    """

    a: Ints
    b: Ints
    c: Ints
    d: Floats

    @classmethod
    def of(
        cls, hits: Hits, *, rel: float = 1, collection: int | None = None, cutoff: int | None = None
    ) -> "Contingency":
        """The tables of all rankings, of the first `cutoff` documents where that is given."""
        size = collection_size("Fallout", hits, collection)
        near = hits.top(cutoff)
        a = near.relevant(rel).count
        b, c = near.retrieved - a, hits.judged_at_least(rel) - a
        return cls(a, b, c, size - a - b - c)

    @property
    def precision(self) -> Floats:
        """Relevant documents among the retrieved; undefined if nothing was retrieved."""
        return ratio(self.a, self.a + self.b)

    @property
    def recall(self) -> Floats:
        """Retrieved documents among the relevant (true positive rate); undefined if none is relevant."""
        return ratio(self.a, self.a + self.c)

    @property
    def fallout(self) -> Floats:
        """Retrieved documents among those that are not relevant (false positive rate)."""
        return ratio(self.b, self.b + self.d)


def _fallout(hits: Hits, found: Floats, *, rel: float, collection: int | None, cutoff: int | None) -> Floats:
    """Fallout from the number of relevant documents found, which may be that of many orders on average."""
    retrieved = hits.top(cutoff).retrieved
    return ratio(retrieved - found, collection_size("Fallout", hits, collection) - hits.judged_at_least(rel))


@define(
    "Fallout",
    family="set",
    cites="vanrijsbergen1979",
    swap="none",
    domain={"collection": COLLECTION},
    unjudged="An unjudged document counts as not relevant: retrieving it raises the value.",
    partial=True,
    divisor=lambda hits, *, rel, collection, **_: (collection or np.nan) - hits.judged_at_least(rel),
    smaller=True,
    ties=WeightedSum(value=_fallout),
    bounds=TWO_PARTS,
)
def fallout(hits: Hits, *, rel: int = 1, collection: int | None = None, cutoff: int | None = None) -> Floats:
    r"""Fallout: the share of the documents that are not relevant that was retrieved all the same.

    $$\mathrm{Fallout} = \frac{b}{b + d}$$

    where *b* documents that are not relevant were retrieved (with a cut-off, among the first *k*) and *d* were left
    out: `collection`, the number of all documents, must be given. Small is good. Undefined without it, and if all
    documents are relevant.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> fallout(hits, collection=63)  # 3 / 60
    array([0.05])
    """
    return Contingency.of(hits, rel=rel, collection=collection, cutoff=cutoff).fallout
