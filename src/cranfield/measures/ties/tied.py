"""Hits together with the groups of equal scores in their lists."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.side_by_side import taken
from cranfield.align.tie_groups import TieGroups
from cranfield.arrays import Bools, Floats, Ints, ranges

_FARTHEST = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class TiedHits:
    """Rankings in one of their orders, and the groups of equal scores, inside which any order is possible.

    >>> hits = Hits.of([[(1, 1), (3, 1)]], levels=[[0, 2]], retrieved=[4])
    >>> tied = TiedHits(hits, TieGroups(np.array([0]), np.array([2]), np.array([4])))
    >>> tied.first, tied.last
    (array([1, 2]), array([1, 4]))
    """

    hits: Hits
    groups: TieGroups
    depth: int | None = None  # at which every order is cut

    @cached_property
    def group(self) -> Ints:
        """The group of each hit; -1 for a document whose score no other document has."""
        group = np.full(len(self.hits.rank), -1)
        group[self._members] = np.repeat(np.arange(len(self.groups)), self._count)
        return group

    @cached_property
    def _begin(self) -> Ints:
        """How many hits stand before the first one of each group."""
        return self.hits.up_to(self.groups.ranking, self.groups.first - 1)

    @cached_property
    def _count(self) -> Ints:
        """How many hits each group has."""
        return self.hits.up_to(self.groups.ranking, self.groups.last) - self._begin

    @cached_property
    def _members(self) -> Ints:
        """The hits of all groups, group by group."""
        return ranges(self._begin, self._count)

    @cached_property
    def first(self) -> Ints:
        """The first rank that each hit can have."""
        return self._bound(self.groups.first)

    @cached_property
    def last(self) -> Ints:
        """The last rank that each hit can have."""
        return self._bound(self.groups.last)

    def _bound(self, bound: Ints) -> Ints:
        ranks = self.hits.rank.copy()
        ranks[self._members] = np.repeat(bound, self._count)
        return ranks

    def within(self, cutoff: int | None) -> int:
        """The last rank that counts, with a cut-off and the depth."""
        return min(rank for rank in (cutoff, self.depth, int(_FARTHEST)) if rank is not None)

    def condensed(self) -> "TiedHits":
        """The condensed lists: of each group its judged documents are left, in any order."""
        return self.condensed_groups()[0]

    def condensed_groups(self) -> "tuple[TiedHits, Ints]":
        """The condensed lists, and of which group here each of their groups is what is left."""
        hits = self.hits.condensed()
        several = np.flatnonzero(self._count > 1)
        first = hits.rank[self._begin[several]]
        groups = TieGroups(self.groups.ranking[several], first, first + self._count[several] - 1)
        return replace(self, hits=hits, groups=groups), several

    def only(self, rankings: Ints) -> "TiedHits":
        """Some rankings, ascending and renumbered."""
        place = np.searchsorted(rankings, self.groups.ranking)
        kept = np.isin(self.groups.ranking, rankings)
        groups = TieGroups(place, self.groups.first, self.groups.last).where(kept)
        return replace(self, hits=taken(self.hits, rankings), groups=groups)

    def mixed(self, gain: Floats) -> Bools:
        """Whether the documents of each group differ in gain; one without a hit, or unjudged, has none."""
        mixed = np.zeros(len(self.groups), dtype=bool)
        held = np.flatnonzero(self._count)
        if len(held):
            gain, begin = gain[self._members], (np.cumsum(self._count) - self._count)[held]
            low, high = np.minimum.reduceat(gain, begin), np.maximum.reduceat(gain, begin)
            full = self._count[held] == self.groups.size[held]
            mixed[held] = np.where(full, low < high, (low < 0) | (high > 0))
        return mixed

    def sorted_by(self, gain: Floats, *, best: bool) -> Hits:
        """The rankings with each group sorted by gain, the best or the worst first; unjudged documents gain nothing."""
        hits = self.hits
        value = gain if best else -gain
        order = np.lexsort((-value, self.first, hits.ranking))
        group, ranked = self.group[order], value[order]
        opens = np.ones(len(order), dtype=bool)
        opens[1:] = (group[1:] != group[:-1]) | (group[1:] < 0)
        begin = np.maximum.accumulate(np.where(opens, np.arange(len(order)), 0))
        position = np.arange(len(order)) - begin
        size = np.bincount(np.cumsum(opens) - 1)[np.cumsum(opens) - 1] if len(order) else position
        front = self.first[order] + position
        back = self.last[order] - (size - 1 - position)
        return reranked(hits, order, np.where(ranked > 0, front, back))


def reranked(hits: Hits, order: Ints, rank: Ints) -> Hits:
    """The same hits in another order, with other ranks; their positions in kept lists are not updated."""
    return replace(
        hits,
        rank=rank,
        grade=hits.grade[order],
        ranking=hits.ranking[order],
        place=hits.place[order] if len(hits.place) else hits.place,
        document=hits.document[order] if len(hits.document) else hits.document,
    )
