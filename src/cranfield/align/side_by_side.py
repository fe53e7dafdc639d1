"""The hits of many runs in one table, so that a measure is computed for all of them at once."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import NO_INTS, Ints, ranges


def side_by_side(runs: Sequence[Hits]) -> Hits:
    """The rankings of several runs, joined with the same judgments, in one table: run after run, topic after topic.

    A measure takes about as long for thousands of rankings as for fifty. The lists of the runs are not kept.

    >>> one = Hits.of([[(2, 1)], []], levels=[[0, 1], [0, 1]], retrieved=[3, 0])
    >>> other = Hits.of([[], [(1, 1)]], levels=[[0, 1], [0, 1]], retrieved=[0, 5])
    >>> both = side_by_side([one, other])
    >>> both.ranking, both.topic, both.retrieved
    (array([0, 3]), array([0, 1, 0, 1]), array([3, 0, 0, 5]))
    """
    before = np.cumsum([0] + [len(hits) for hits in runs])
    return replace(
        runs[0],
        rank=_column(runs, "rank"),
        grade=_column(runs, "grade"),
        ranking=np.concatenate([hits.ranking + first for hits, first in zip(runs, before, strict=False)]),
        topic=_column(runs, "topic"),
        document=_column(runs, "document"),
        retrieved=_column(runs, "retrieved"),
        pooled_rank=_column(runs, "pooled_rank"),
        pooled_ranking=np.concatenate([hits.pooled_ranking + first for hits, first in zip(runs, before, strict=False)]),
        pooled_document=_column(runs, "pooled_document"),
        lists=None,
        begin=NO_INTS,
        place=NO_INTS,
    )


def taken(hits: Hits, rankings: Ints) -> Hits:
    """Some rankings of a table, in the order given and as often as each is named; the recall base stays.

    >>> hits = Hits.of([[(1, 1)], [(2, 0), (3, 1)]], levels=[[0, 1], [1, 1]], retrieved=[4, 5])
    >>> twice = taken(hits, np.array([1, 1]))
    >>> twice.rank, twice.ranking, twice.topic
    (array([2, 3, 2, 3]), array([0, 0, 1, 1]), array([1, 1]))
    """
    own, ranking = _members(hits.ranking, rankings)
    pooled, pooled_ranking = _members(hits.pooled_ranking, rankings)
    return replace(
        hits,
        rank=hits.rank[own],
        grade=hits.grade[own],
        ranking=ranking,
        topic=hits.topic[rankings],
        retrieved=hits.retrieved[rankings],
        pooled_rank=hits.pooled_rank[pooled],
        pooled_ranking=pooled_ranking,
        pooled_document=hits.pooled_document[pooled] if len(hits.pooled_document) else hits.pooled_document,
        begin=hits.begin[rankings] if len(hits.begin) else hits.begin,
        place=hits.place[own] if len(hits.place) else hits.place,
        document=hits.document[own] if len(hits.document) else hits.document,
    )


def _members(segment: Ints, wanted: Ints) -> tuple[Ints, Ints]:
    """The elements of the wanted segments, one segment after the other, and the number of each in that order."""
    begin, end = np.searchsorted(segment, wanted), np.searchsorted(segment, wanted, side="right")
    size = end - begin
    return ranges(begin, size), np.repeat(np.arange(len(wanted)), size)


def _column(runs: Sequence[Hits], name: str) -> Ints:
    column: Ints = np.concatenate([getattr(hits, name) for hits in runs])
    return column
