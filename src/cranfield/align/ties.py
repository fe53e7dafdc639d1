"""Ties: which documents of a list have equal scores (or equal given ranks), so that their order is arbitrary."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from cranfield import kernel
from cranfield.align.hits import Hits
from cranfield.align.rankings import Rankings
from cranfield.align.tie_breaking import sort_key
from cranfield.arrays import Ints, by_key, segment_size, tied_with_next


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
