"""The orders of one ranking: all of them if there are few, random ones if there are many.

Documents that a measure cannot distinguish are not exchanged: those of one grade, and unjudged ones, unless the measure
looks at the documents themselves.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb, prod

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.rankings import Rankings
from cranfield.align.side_by_side import taken
from cranfield.arrays import NO_INTS, Floats, Ints
from cranfield.measures.ties.tied import TiedHits, reranked

MOST = 40_320  # orders that are gone through: those of eight documents
SAMPLES = 1000  # where there are more
CELLS = 1 << 20  # documents of the orders that are scored at once

_POOLED = -1.0  # the label of documents that are in the pool and not judged


@dataclass(frozen=True, eq=False)
class TieOrders:
    """The orders of one ranking.

    >>> from cranfield.align.tie_groups import TieGroups
    >>> hits = Hits.of([[(1, 1), (3, 0)]], levels=[[1, 1]], retrieved=[3])
    >>> orders = TieOrders(TiedHits(hits, TieGroups(np.array([0]), np.array([1]), np.array([3]))))
    >>> orders.number, orders.every().tolist()  # where the other document stands, and where the relevant one
    (6, [[1, 2], [1, 3], [2, 1], [2, 3], [3, 1], [3, 2]])
    """

    tied: TiedHits  # of one ranking
    whole: bool = False  # whether the measure looks at all documents of the list
    apart: bool = False  # whether it tells documents of one grade apart

    @cached_property
    def _labels(self) -> "list[dict[float, list[int]]]":
        """The current ranks of the documents of each group, by label; those that the measure ignores are left out."""
        hits, groups = self.tied.hits, self.tied.groups
        found: list[dict[float, list[int]]] = []
        for first, last in zip(groups.first.tolist(), groups.last.tolist(), strict=True):
            label: dict[int, float] = {}
            begin, end = np.searchsorted(hits.rank, (first, last + 1))
            label |= zip(hits.rank[begin:end].tolist(), hits.grade[begin:end].tolist(), strict=True)
            label |= {rank: _POOLED for rank in hits.pooled_rank.tolist() if first <= rank <= last}
            if self.whole:
                label = {rank: float(rank) for rank in range(first, last + 1)}
            elif self.apart:
                label = {rank: float(rank) for rank in label}
            by_label: dict[float, list[int]] = {}
            for rank in sorted(label):
                by_label.setdefault(label[rank], []).append(rank)
            found.append(dict(sorted(by_label.items())))
        return found

    @cached_property
    def members(self) -> Ints:
        """The current ranks of the documents that change places."""
        return np.array([rank for group in self._labels for ranks in group.values() for rank in ranks], dtype=np.int64)

    @cached_property
    def number(self) -> int:
        """The number of orders whose values can differ."""
        return prod(
            _choices(size, [len(ranks) for ranks in group.values()])
            for size, group in zip(self.tied.groups.size.tolist(), self._labels, strict=True)
        )

    def every(self) -> Ints:
        """`[order, member]`: the ranks in every order."""
        table = np.empty((1, 0), dtype=np.int64)
        for first, size, group in zip(
            self.tied.groups.first.tolist(), self.tied.groups.size.tolist(), self._labels, strict=True
        ):
            free = tuple(range(first, first + size))
            own = np.array(list(_placements(free, [len(ranks) for ranks in group.values()])), dtype=np.int64)
            left, right = np.divmod(np.arange(len(table) * len(own)), len(own))
            table = np.hstack([table[left], own.reshape(len(own), -1)[right]])
        return table

    def some(self, samples: int, rng: np.random.Generator) -> Ints:
        """`[order, member]`: the ranks in random orders."""
        columns = [np.empty((samples, 0), dtype=np.int64)]
        for first, size, group in zip(
            self.tied.groups.first.tolist(), self.tied.groups.size.tolist(), self._labels, strict=True
        ):
            ranks = np.tile(np.arange(first, first + size), (samples, 1))
            columns.append(rng.permuted(ranks, axis=1)[:, : sum(map(len, group.values()))])
        return np.hstack(columns)

    def by_grade(self) -> Ints:
        """`[order, member]`: the orders by grade, the best and the worst first, unjudged documents last or first."""
        table = []
        for backwards in (False, True):
            for at_end in (False, True):
                ranks: list[int] = []
                for last, size, group in zip(
                    self.tied.groups.last.tolist(), self.tied.groups.size.tolist(), self._labels, strict=True
                ):
                    count = sum(map(len, group.values()))
                    begin = last - count + 1 if at_end else last - size + 1
                    own = list(range(begin, begin + count))
                    ranks += own[::-1] if backwards else own
                table.append(ranks)
        return np.array(table, dtype=np.int64)

    def blocks(self, ranks: Ints) -> Iterator[Hits]:
        """The ranking in each of the orders, some orders at a time."""
        listed = int(self.tied.hits.retrieved[0]) if self.whole else len(self.tied.hits.rank)
        step = max(1, CELLS // max(listed, 1))
        for begin in range(0, len(ranks), step):
            yield self.arranged(ranks[begin : begin + step])

    def arranged(self, ranks: Ints) -> Hits:
        """The ranking in each of the orders, as so many rankings."""
        alone, orders = self.tied.hits, len(ranks)
        by_rank = np.argsort(self.members)
        sorted_members, ranks_by_member = self.members[by_rank], ranks[:, by_rank]
        moved = _moved(alone.rank, sorted_members, ranks_by_member)
        order = np.argsort(moved, axis=1)
        flat = (order + np.arange(orders)[:, None] * moved.shape[1]).ravel()
        many = taken(alone, np.zeros(orders, dtype=np.int64))
        hits = reranked(many, flat, np.take_along_axis(moved, order, axis=1).ravel())
        if len(alone.pooled_rank):
            pooled = _moved(alone.pooled_rank, sorted_members, ranks_by_member)
            order = np.argsort(pooled, axis=1)
            hits = replace(
                hits,
                pooled_rank=np.take_along_axis(pooled, order, axis=1).ravel(),
                pooled_document=alone.pooled_document[order].ravel() if len(alone.pooled_document) else NO_INTS,
            )
        return _with_lists(hits, alone, sorted_members, ranks_by_member) if self.whole else hits


def alone(tied: TiedHits, ranking: int) -> TiedHits:
    """One ranking, with the judgments of its topic and no others, where no other table refers to the others."""
    one = tied.only(np.array([ranking]))
    if one.hits.subtopics is not None or one.hits.sample is not None:
        return one
    topic = int(one.hits.topic[0])
    begin, end = np.searchsorted(one.hits.base_topic, (topic, topic + 1))
    hits = replace(
        one.hits,
        topic=np.zeros(1, dtype=np.int64),
        base_topic=np.zeros(end - begin, dtype=np.int64),
        base_grade=one.hits.base_grade[begin:end],
        topics=1,
    )
    return replace(one, hits=hits)


def _moved(now: Ints, members: Ints, ranks: Ints) -> Ints:
    """`[order, document]`: the ranks of documents, of which some are members, in each order."""
    table = np.tile(now, (len(ranks), 1))
    place = np.minimum(np.searchsorted(members, now), max(len(members) - 1, 0))
    inside = np.flatnonzero(members[place] == now) if len(members) else NO_INTS
    table[:, inside] = ranks[:, place[inside]]
    return table


def _with_lists(hits: Hits, alone: Hits, members: Ints, ranks: Ints) -> Hits:
    """Hits of several orders of one list, with the list itself in each order, and the lengths of its documents."""
    orders, listed, lists = len(ranks), int(alone.retrieved[0]), alone.lists
    begin = np.arange(orders) * listed
    place = np.tile(np.arange(listed), (orders, 1))
    place[np.arange(orders)[:, None], ranks - 1] = members - 1
    old = int(alone.begin[0]) + place.ravel()
    length: Floats | None = None if alone.length is None else alone.length[old]
    if lists is not None:
        lists = Rankings(lists.run, lists.row[old], np.append(begin, orders * listed), lists.policy)
    return replace(hits, lists=lists, begin=begin, place=begin[hits.ranking] + hits.rank - 1, length=length)


def _choices(size: int, members: list[int]) -> int:
    """The number of ways to place documents of several labels at so many ranks."""
    ways = 1
    for count in members:
        ways *= comb(size, count)
        size -= count
    return ways


def _placements(free: tuple[int, ...], members: list[int]) -> Iterator[tuple[int, ...]]:
    """The ranks of documents of several labels, in every way."""
    if not members:
        yield ()
        return
    for chosen in combinations(free, members[0]):
        rest = tuple(rank for rank in free if rank not in chosen)
        for others in _placements(rest, members[1:]):
            yield chosen + others
