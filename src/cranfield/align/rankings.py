"""Rankings: the lists of one run, ranked, without duplicates, cut at the depth; one step before `Hits`."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.align.order import ordered, sort_key, tied_with_next
from cranfield.align.policy import Duplicates, Policy
from cranfield.arrays import Ints, Words, ordinal, segment_size
from cranfield.errors import InputError
from cranfield.tables.run import Run

_SALT = np.uint64(0xD6E8FEB86659FD93)


@dataclass(frozen=True, eq=False)
class Rankings:
    """The ranked lists of a run: `row[i]` is a row of the run, lists stand one after the other.

    `topic[i]` is the list's topic (a position in `run.topics`), `rank[i]` counts from 1 inside each.

    >>> run = Run.of("r", ["1", "2", "1"], ["a", "a", "b"], [1.0, 5.0, 3.0])
    >>> lists = Rankings.of(run)
    >>> lists.row, lists.topic, lists.rank
    (array([2, 0, 1]), array([0, 0, 1]), array([1, 2, 1]))
    """

    run: Run
    row: Ints
    policy: Policy
    duplicates: int = 0

    @classmethod
    def of(cls, run: Run, policy: Policy = Policy()) -> "Rankings":  # noqa: B008  # a frozen default is no trap
        """Order a run under a policy; a document listed twice is an error unless the policy keeps one."""
        row = ordered(run, policy.ties)
        surplus = _surplus(run, row, policy.duplicates)
        if len(surplus):
            keep = np.ones(len(run), dtype=bool)
            keep[surplus] = False
            row = row[keep[row]]
        if policy.depth is not None:
            row = row[ordinal(run.topic[row]) <= policy.depth]
        return cls(run, row, policy, len(surplus))

    @cached_property
    def topic(self) -> Ints:
        """The topic of each listed document."""
        return self.run.topic[self.row]

    @cached_property
    def rank(self) -> Ints:
        """The rank of each listed document."""
        return ordinal(self.topic)

    @property
    def retrieved(self) -> Ints:
        """The length of each list, by topic."""
        return segment_size(self.topic, len(self.run.topics))

    def tie_groups(self, cutoff: int | None = None) -> int:
        """How many groups of equal scores (or given ranks) there are, or how many reach across a cut-off.

        >>> run = Run.of("r", ["1"] * 4, ["a", "b", "c", "d"], [2.0, 1.0, 1.0, 1.0])
        >>> Rankings.of(run).tie_groups(), Rankings.of(run).tie_groups(2), Rankings.of(run).tie_groups(1)
        (1, 1, 0)
        """
        if self.policy.ties == "file":
            return 0
        tied = tied_with_next(self.topic, sort_key(self.run, self.policy.ties)[self.row])
        if cutoff is not None:
            return int(np.count_nonzero(tied & (self.rank == cutoff)))
        return int(np.count_nonzero(tied & ~np.concatenate(([False], tied[:-1]))))


def pair_key(topic: Ints, document_hash: Words) -> Words:
    """One number per (topic, document), well spread."""
    return document_hash ^ (topic.astype(np.uint64) * _SALT)


def _surplus(run: Run, row: Ints, keep: Duplicates) -> Ints:
    """The rows that repeat a document of the same topic and are not the one to keep."""
    key = pair_key(run.topic, run.document.hash)
    values = np.sort(key)
    repeated = values[1:][values[1:] == values[:-1]]
    if len(repeated) == 0:
        return np.empty(0, dtype=np.int64)
    suspects = np.flatnonzero(np.isin(key, repeated)).tolist()  # in file order
    seen: dict[tuple[int, bytes], int] = {}
    surplus = []
    place = np.empty(len(run), dtype=np.int64)
    place[row] = np.arange(len(row))  # where a row stands in the ranking
    for later in suspects:
        pair = (int(run.topic[later]), run.document.raw(later))
        earlier = seen.setdefault(pair, later)
        if earlier == later:
            continue
        if keep == "error":
            raise _listed_twice(run, earlier, later)
        stays = {"first": earlier, "last": later, "best": min(earlier, later, key=place.__getitem__)}[keep]
        surplus.append(earlier + later - stays)
        seen[pair] = stays
    return np.array(surplus, dtype=np.int64)


def _listed_twice(run: Run, earlier: int, later: int) -> InputError:
    topic = run.topics[int(run.topic[later])]
    first = run.line_of(earlier)
    return InputError(
        "E108",
        f"document {run.document[later]!r} is listed twice for topic {topic!r}"
        + ("" if first is None else f" (first at line {first})"),
        path=run.source.name or run.name,
        line=run.line_of(later),
        text=run.text_of(later),
        hint="--duplicates first|last|best keeps one of them",
    )
