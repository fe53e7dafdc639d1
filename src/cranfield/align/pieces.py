"""Several tables of hits as one: the pieces of a run, or many runs side by side."""

import copyreg
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.rankings import Rankings
from cranfield.arrays import Ints

_NONE = np.empty(0, dtype=np.int64)


class WholeListsNeeded(Exception):
    """A measure looks at documents that nobody judged: the run has to be read as a whole."""


class DiscardedLists(Rankings):
    """Lists that are no longer there; who asks for anything in them is told so."""

    def __init__(self) -> None:
        pass

    def __getattribute__(self, name: str) -> Any:  # never returns
        raise WholeListsNeeded


copyreg.pickle(
    DiscardedLists, lambda _: (DiscardedLists, ())
)  # hits are handed to other processes; nobody may ask it how


def joined(pieces: Sequence[Hits]) -> Hits:
    """The hits of all pieces, by ranking; the lists they were found in are gone.

    >>> one = Hits.of([[(2, 1)], []], levels=[[0, 1], [0, 1]], retrieved=[3, 0])
    >>> other = Hits.of([[], [(1, 1)]], levels=[[0, 1], [0, 1]], retrieved=[0, 5])
    >>> joined([other, one]).rank, joined([other, one]).retrieved
    (array([2, 1]), array([3, 5]))
    """
    ranking, pooled = _column(pieces, "ranking"), _column(pieces, "pooled_ranking")
    order, pooled_order = np.argsort(ranking, kind="stable"), np.argsort(pooled, kind="stable")
    document = _column(pieces, "document")
    return replace(
        pieces[0],
        rank=_column(pieces, "rank")[order],
        grade=_column(pieces, "grade")[order],
        ranking=ranking[order],
        document=document[order] if len(document) == len(order) else document,
        retrieved=np.sum([hits.retrieved for hits in pieces], axis=0),
        pooled_rank=_column(pieces, "pooled_rank")[pooled_order],
        pooled_ranking=pooled[pooled_order],
        lists=DiscardedLists(),
        begin=np.zeros(len(pieces[0]), dtype=np.int64),  # nowhere: who looks there is told by the lists
        place=_NONE,
    )


def side_by_side(runs: Sequence[Hits]) -> Hits:
    """The rankings of several runs, joined with the same judgments, in one table: run after run, topic after topic.

    Measures look at thousands of rankings at once as quickly as at fifty.

    >>> one = Hits.of([[(2, 1)], []], levels=[[0, 1], [0, 1]], retrieved=[3, 0])
    >>> other = Hits.of([[], [(1, 1)]], levels=[[0, 1], [0, 1]], retrieved=[0, 5])
    >>> both = side_by_side([one, other])
    >>> both.ranking, both.topic, both.retrieved
    (array([0, 3]), array([0, 1, 0, 1]), array([3, 0, 0, 5]))
    """
    before = np.cumsum([0] + [len(hits) for hits in runs])
    document = _column(runs, "document")
    return replace(
        runs[0],
        rank=_column(runs, "rank"),
        grade=_column(runs, "grade"),
        ranking=np.concatenate([hits.ranking + first for hits, first in zip(runs, before, strict=False)]),
        topic=_column(runs, "topic"),
        document=document,
        retrieved=_column(runs, "retrieved"),
        pooled_rank=_column(runs, "pooled_rank"),
        pooled_ranking=np.concatenate([hits.pooled_ranking + first for hits, first in zip(runs, before, strict=False)]),
        lists=DiscardedLists(),
        begin=np.zeros(before[-1], dtype=np.int64),
        place=_NONE,
    )


def _column(pieces: Sequence[Hits], name: str) -> Ints:
    column: Ints = np.concatenate([getattr(hits, name) for hits in pieces])
    return column
