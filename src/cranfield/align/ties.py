"""Equal scores (or given ranks): which documents of a list share one, so that their order says nothing."""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.order import by_key, sort_key, tied_with_next
from cranfield.align.rankings import Rankings
from cranfield.arrays import Ints, segment_size


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
    """The first and the last rank of the documents that share the score of each hit, itself among them.

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


def single_precision_ties(lists: Rankings) -> int:
    """Neighbours whose scores differ in double precision and are equal in single: trec_eval 9 sees a tie there.

    >>> from cranfield.tables.run import Run
    >>> single_precision_ties(Rankings.of(Run.of("r", ["1"] * 3, ["a", "b", "c"], [1.0, 1.0, 1 + 1e-12])))
    1
    """
    if lists.policy.ties in ("given", "file"):
        return 0
    score = lists.run.score[lists.row]
    order = by_key(lists.topic, -score)  # by the full score, whatever the policy saw of it
    topic, score = lists.topic[order], score[order]
    with np.errstate(over="ignore"):
        single = score.astype(np.float32)
    return int(np.count_nonzero(tied_with_next(topic, single) & ~tied_with_next(topic, score)))
