"""Tie groups: documents of a list with equal scores (or equal given ranks), so that their order has no meaning."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from cranfield import kernel
from cranfield.align.hits import Hits
from cranfield.align.policy import Ties
from cranfield.align.rankings import Rankings
from cranfield.align.tie_breaking import single_precision, sort_key
from cranfield.arrays import NO_INTS, Bools, Floats, Ints, by_key, segment_size, tied_with_next


class TieGroups:
    """Groups of at least two documents with equal scores, by ranking and rank.

    >>> TieGroups(np.array([0, 2]), first=np.array([2, 1]), last=np.array([4, 2])).size
    array([3, 2])
    """

    def __init__(self, ranking: Ints, first: Ints, last: Ints) -> None:
        self.ranking = ranking
        self.first = first  # rank of its first document
        self.last = last

    @classmethod
    def of_lists(cls, lists: Rankings, number: Ints, found: Ints | None = None) -> "TieGroups":
        """The groups of lists, where `number` is the ranking of each list (-1: none).

        With `found`, places in the lists, only groups that hold one of those.

        >>> from cranfield.tables.run import Run
        >>> lists = Rankings.of(Run.of("r", ["1"] * 5, list("abcde"), [2.0, 1.0, 1.0, 0.0, 0.0]))
        >>> groups = TieGroups.of_lists(lists, np.array([7]), np.array([0, 2]))
        >>> groups.ranking, groups.first, groups.last
        (array([7]), array([2]), array([3]))
        """
        if lists.policy.ties == "file":
            return NO_GROUPS
        key = sort_key(lists.run, lists.policy.ties)
        groups = cls._of_keys(key if lists.order is None else key[lists.order], lists.begin, number, found)
        return groups.where(groups.ranking >= 0)

    @classmethod
    def of_dictionary(
        cls,
        run: Mapping[str, Mapping[str, float]],
        topics: Sequence[str],
        number: Ints,
        owner: Ints,
        rank: Ints,
        ties: Ties,
    ) -> "TieGroups":
        """The groups of a dictionary of scores that hold one of some documents, which stand at a `rank` of a list.

        >>> run = {"1": {"a": 2.0, "b": 1.0, "c": 1.0}}
        >>> groups = TieGroups.of_dictionary(run, ["1"], np.array([7]), np.array([0, 0]), np.array([1, 2]), "trec")
        >>> groups.ranking, groups.first, groups.last
        (array([7]), array([2]), array([3]))
        """
        held = np.unique(owner)
        lists = [run[topics[which]] for which in held.tolist()]
        begin = np.cumsum([0, *map(len, lists)])
        key = np.fromiter(chain.from_iterable(scores.values() for scores in lists), np.float64, begin[-1])
        key = key if ties == "trec" else single_precision(key)
        for low, high in pairwise(begin.tolist()):
            key[low:high].sort()
        key = key[::-1]  # the lists from the last to the first, each from high to low
        begin = begin[-1] - begin[::-1]
        own = len(held) - 1 - np.searchsorted(held, owner)
        return cls._of_keys(key, begin, number[held][::-1], np.sort(begin[own] + rank - 1))

    @classmethod
    def _of_keys(cls, key: Floats, begin: Ints, number: Ints, found: Ints | None) -> "TieGroups":
        """The groups of lists that stand one after the other, in the order of their keys."""
        tied = np.zeros(len(key), dtype=bool)
        tied[:-1] = key[1:] == key[:-1]
        tied[begin[1:] - 1] = False  # the last of each list
        opens, ends = stretches(tied)
        if found is not None:
            held = np.searchsorted(found, opens) < np.searchsorted(found, ends, side="right")
            opens, ends = opens[held], ends[held]
        owner = np.searchsorted(begin, opens, side="right") - 1
        before = begin[owner] - 1
        return cls(number[owner], opens - before, ends - before).sorted()

    @classmethod
    def joined(cls, parts: "Sequence[TieGroups]", apart: int = 0) -> "TieGroups":
        """The groups of several tables; the rankings of each are numbered on by `apart`."""
        return cls(
            np.concatenate([NO_INTS, *(part.ranking + number * apart for number, part in enumerate(parts))]),
            np.concatenate([NO_INTS, *(part.first for part in parts)]),
            np.concatenate([NO_INTS, *(part.last for part in parts)]),
        ).sorted()

    def across_depth(self, lists: Rankings, number: Ints) -> "TieGroups":
        """The same groups, and those that lists were cut through at the depth, with all their documents.

        >>> from cranfield.align.policy import Policy
        >>> from cranfield.tables.run import Run
        >>> run = Run.of("r", ["1"] * 4, list("abcd"), [2.0, 1.0, 1.0, 1.0])
        >>> groups = NO_GROUPS.across_depth(Rankings.of(run, Policy(depth=2)), np.array([7]))
        >>> groups.ranking, groups.first, groups.last
        (array([7]), array([2]), array([4]))
        """
        run, key = lists.run, sort_key(lists.run, lists.policy.ties)
        lowest = np.full(len(number), np.nan)  # of the lists that have ended
        reached = np.flatnonzero((lists.retrieved == lists.policy.depth) & (number >= 0))
        lowest[reached] = key[lists.row[lists.begin[reached + 1] - 1]]
        whole, shown = (
            np.bincount(run.topic[rows][key[rows] == lowest[run.topic[rows]]], minlength=len(number))
            for rows in (np.arange(len(run)), lists.row)
        )
        cut = np.flatnonzero(whole > shown) if lists.policy.ties != "file" else NO_INTS
        first = lists.retrieved[cut] - shown[cut] + 1
        others = self.where(~np.isin(self.ranking * (len(run) + 1) + self.first, number[cut] * (len(run) + 1) + first))
        return TieGroups.joined([others, TieGroups(number[cut], first, first + whole[cut] - 1)])

    def sorted(self) -> "TieGroups":
        """By ranking and rank."""
        order = np.lexsort((self.first, self.ranking))
        return self.where(order)

    def where(self, kept: Ints | Bools) -> "TieGroups":
        """Some of the groups."""
        return TieGroups(self.ranking[kept], self.first[kept], self.last[kept])

    def __len__(self) -> int:
        return len(self.first)

    @property
    def size(self) -> Ints:
        """How many documents each group has."""
        return self.last - self.first + 1


NO_GROUPS = TieGroups(NO_INTS, NO_INTS, NO_INTS)


def stretches(tied: Bools) -> tuple[Ints, Ints]:
    """The first and the last element of each group, from whether each element is tied with the next.

    >>> stretches(np.array([False, True, True, False, False]))
    (array([1]), array([3]))
    """
    before = np.concatenate(([False], tied[:-1])) if len(tied) else tied
    return np.flatnonzero(tied & ~before), np.flatnonzero(before & ~tied)


def tie_groups(lists: Rankings) -> Ints:
    """The group of equal scores each listed document belongs to, numbered from 0 through all lists.

    With `ties=given` equal ranks make a group; the order of the lines of a file (`ties=file`) has no ties.

    >>> from cranfield.tables.run import Run
    >>> tie_groups(Rankings.of(Run.of("r", ["1"] * 4, ["a", "b", "c", "d"], [2.0, 1.0, 1.0, 0.0])))
    array([0, 1, 1, 2])
    """
    if lists.policy.ties == "file":
        return np.arange(len(lists.row))
    tied = tied_with_next(lists.topic, sort_key(lists.run, lists.policy.ties)[lists.row])
    return np.cumsum(~tied) - ~tied  # a group ends where the next document has another score


def tied_ranks(hits: Hits) -> tuple[Ints, Ints]:
    """The first and the last rank of the group of equal scores that each hit belongs to.

    The hits must be all of their lists; of a condensed list only judged documents are counted. Hits written by hand
    have no scores: each stands alone.

    >>> tied_ranks(Hits.of([[(1, 1), (3, 0)]], levels=[[1, 1]], retrieved=[3]))
    (array([1, 3]), array([1, 3]))
    """
    if hits.lists is None:
        return hits.rank, hits.rank
    group = tie_groups(hits.lists)
    if hits.is_condensed:
        member, own = np.unique(group[hits.place], return_inverse=True)
        first = np.full(len(member), np.iinfo(np.int64).max)
        np.minimum.at(first, own, hits.rank)
        return first[own], first[own] + segment_size(own, len(member))[own] - 1
    size = segment_size(group, 0)
    begin = np.cumsum(size) - size
    first = hits.lists.rank[begin]
    own = group[hits.place]
    return first[own], first[own] + size[own] - 1


class TieCounts(NamedTuple):
    """How much of the order of some lists rests on ties.

    `groups` of equal scores (or given ranks); those of them that reach `across` a cut-off; neighbours whose scores
    differ in double precision and are equal in `single`: trec_eval 9 sees a tie there.
    """

    groups: int
    across: int
    single: int

    @classmethod
    def total(cls, parts: "Iterable[TieCounts]") -> "TieCounts":
        """The counts of several lists together."""
        return cls(*map(sum, zip(*parts, strict=True)))


NO_TIES = TieCounts(0, 0, 0)


def count_ties(lists: Rankings, cutoff: int) -> TieCounts:
    """Count the ties of lists.

    >>> from cranfield.tables.run import Run
    >>> run = Run.of("r", ["1"] * 4, ["a", "b", "c", "d"], [2.0, 1.0, 1.0, 1 - 1e-12])
    >>> count_ties(Rankings.of(run), 2)
    TieCounts(groups=1, across=1, single=1)
    """
    ties = lists.policy.ties
    if ties == "file":
        return NO_TIES
    key = sort_key(lists.run, ties)
    groups, across, single = kernel.ties(lists.order, lists.begin, key, cutoff)
    if ties in ("trec9", "given"):  # the key is not the score
        single = _single_precision_ties(lists) if ties == "trec9" else 0
    return TieCounts(groups, across, single)


def _single_precision_ties(lists: Rankings) -> int:
    score = lists.run.score[lists.row]
    order = by_key(lists.topic, score)  # by the full score, whatever the policy saw of it
    topic, score = lists.topic[order], score[order]
    with np.errstate(over="ignore"):
        single = score.astype(np.float32).astype(np.float64)
    return int(np.count_nonzero(tied_with_next(topic, single) & ~tied_with_next(topic, score)))
