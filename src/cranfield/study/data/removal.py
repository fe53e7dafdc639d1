"""Remove judgments by a mask over the judgments and a gather over the hits, without a new join."""

from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import NO_INTS, Bools, Floats, Ints


def base_without(hits: Hits, base_place: Ints, judged: Bools) -> tuple[Ints, Ints | Floats]:
    """Topic and grade of every judgment that is left, world after world: the recall base.

    Args:
        hits: rankings joined with all judgments.
        base_place: `JudgmentIndex.base_place`, the place of every judgment of the recall base.
        judged: `[world, place]`, whether a judgment exists in a world.
    """
    left = [np.flatnonzero(world[base_place]) for world in judged]
    return _gathered(hits.base_topic, left, hits.topics), _gathered(hits.base_grade, left)


def without(hits: Hits, judged: Bools, base: tuple[Ints, Ints | Floats]) -> Hits:
    """The rankings in several worlds, in each of which some documents were not judged.

    A document that is no longer judged is unjudged, not nonrelevant, and the recall base loses it. The highest grade of
    the scale stays the same. Rankings come world after world, and so do topics. Hits no longer say which document they
    are.

    Args:
        hits: rankings joined with all judgments.
        judged: `[world, place]`, whether a judgment exists in a world.
        base: what `base_without` made of the same judgments.

    >>> hits = Hits.of([[(1, 1), (2, 0), (5, 1)]], levels=[[1, 2]], retrieved=[9])
    >>> hits = replace(hits, document=np.array([0, 1, 2]))
    >>> judged = np.array([[True, True, True], [False, True, True]])
    >>> both = without(hits, judged, base_without(hits, np.array([0, 2, 1]), judged))
    >>> both.rank, both.ranking, both.judged_at_least(1)
    (array([1, 2, 5, 2, 5]), array([0, 0, 0, 1, 1]), array([2, 1]))
    """
    worlds, rankings, topics = len(judged), len(hits), hits.topics
    left = [np.flatnonzero(world[hits.document]) for world in judged]
    return replace(
        hits,
        rank=_gathered(hits.rank, left),
        grade=_gathered(hits.grade, left),
        ranking=_gathered(hits.ranking, left, rankings),
        document=NO_INTS,
        topic=np.concatenate([hits.topic + world * topics for world in range(worlds)]),
        retrieved=np.tile(hits.retrieved, worlds),
        base_topic=base[0],
        base_grade=base[1],
        topics=topics * worlds,
        pooled_rank=np.tile(hits.pooled_rank, worlds),
        pooled_ranking=np.concatenate([hits.pooled_ranking + world * rankings for world in range(worlds)]),
        pooled_document=NO_INTS,
    )


def of_runs(hits: Hits, begin: int, end: int) -> Hits:
    """The rankings `begin` to `end` of several runs in one table.

    >>> hits = Hits.of([[(1, 1)], [(2, 0), (3, 1)]], levels=[[0, 1], [1, 1]], retrieved=[4, 5])
    >>> of_runs(hits, 1, 2).rank, of_runs(hits, 1, 2).ranking, of_runs(hits, 1, 2).topic
    (array([2, 3]), array([0, 0]), array([1]))
    """
    first, last = np.searchsorted(hits.ranking, (begin, end))
    nearest, farthest = np.searchsorted(hits.pooled_ranking, (begin, end))
    return replace(
        hits,
        rank=hits.rank[first:last],
        grade=hits.grade[first:last],
        ranking=hits.ranking[first:last] - begin,
        document=hits.document[first:last] if len(hits.document) else hits.document,
        topic=hits.topic[begin:end],
        retrieved=hits.retrieved[begin:end],
        pooled_rank=hits.pooled_rank[nearest:farthest],
        pooled_ranking=hits.pooled_ranking[nearest:farthest] - begin,
        pooled_document=hits.pooled_document[nearest:farthest],
        begin=NO_INTS,
        place=NO_INTS,
    )


def _gathered(column: Any, places: list[Ints], apart: int = 0) -> Any:  # an array of whole or real numbers
    """The places of a column, world after world; numbers of rankings and topics move on by `apart` each time."""
    if len(places) == 1:
        return column[places[0]]
    parts = [column[at] + world * apart if apart else column[at] for world, at in enumerate(places)]
    return np.concatenate(parts)
