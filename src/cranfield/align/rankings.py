"""Rankings: the lists of one run, ranked, without duplicates, cut at the depth; one step before `Hits`."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cranfield import kernel
from cranfield.align.policy import Duplicates, Policy
from cranfield.align.tie_breaking import ordered
from cranfield.arrays import NO_INTS, Bools, Ints, segment_size
from cranfield.arrays.strings import pair_key
from cranfield.errors import InputError
from cranfield.errors.wording import setting
from cranfield.tables.run import Run

if TYPE_CHECKING:
    from cranfield.align.policy import RowsLeftOut


class Rankings:
    """The ranked lists of a run, one after the other in the order of `run.topics`.

    `row[i]` is a row of the run, `topic[i]` the list it belongs to, `rank[i]` counts from 1 inside each.

    >>> run = Run.of("r", ["1", "2", "1"], ["a", "a", "b"], [1.0, 5.0, 3.0])
    >>> lists = Rankings.of(run)
    >>> lists.row, lists.topic, lists.rank
    (array([2, 0, 1]), array([0, 0, 1]), array([1, 2, 1]))
    """

    def __init__(
        self,
        run: Run,
        order: Ints | None,
        begin: Ints,
        policy: Policy,
        duplicates: int = 0,
        left_out: "RowsLeftOut | None" = None,
    ) -> None:
        self.run = run  # after cleaning
        self.order = order  # the rows of the run; None if they are in order already
        self.begin = begin  # where each list begins, and where the last one ends
        self.policy = policy
        self.duplicates = duplicates
        self.left_out = left_out  # by cleaning, if there was any

    @classmethod
    def of(cls, run: Run, policy: Policy = Policy()) -> "Rankings":  # noqa: B008  # a frozen default is no trap
        """Order a run under a policy; a document listed twice is an error unless the policy keeps one.

        A policy of many orders cuts no list: each order has other documents above the depth.
        """
        lists = cls(run, *ordered(run, policy.ties), policy)
        surplus = _surplus(lists, policy.duplicates)
        if len(surplus):
            keep = np.ones(len(run), dtype=bool)
            keep[surplus] = False
            lists = lists._where(keep[lists.row], duplicates=len(surplus))
        if policy.cleans:
            from cranfield.align.converting.cleaning import cleaned

            clean, left_out = cleaned(run, np.sort(lists.row), policy)
            lists = cls(clean, *ordered(clean, policy.ties), policy, lists.duplicates, left_out)
        return lists if policy.depth is None or policy.many_orders else lists.top(policy.depth)

    def top(self, depth: int) -> "Rankings":
        """The first documents of each list."""
        return self if self.retrieved.max(initial=0) <= depth else self._where(self.rank <= depth)

    def _where(self, kept: Bools, duplicates: int | None = None) -> "Rankings":
        size = segment_size(self.topic[kept], len(self.retrieved))
        begin = np.concatenate(([0], np.cumsum(size)))
        surplus = self.duplicates if duplicates is None else duplicates
        return Rankings(self.run, self.row[kept], begin, self.policy, surplus, self.left_out)

    @property
    def rows_read(self) -> int:
        """The rows of the run before cleaning."""
        return len(self.run) if self.left_out is None else len(self.run) + self.duplicates + sum(self.left_out)

    @cached_property
    def row(self) -> Ints:
        """The row of each listed document."""
        return np.arange(self.begin[-1]) if self.order is None else self.order

    @cached_property
    def topic(self) -> Ints:
        """The topic of each listed document, as a position in `run.topics`."""
        return np.repeat(np.arange(len(self.retrieved)), self.retrieved)

    @cached_property
    def rank(self) -> Ints:
        """The rank of each listed document."""
        return np.arange(1, self.begin[-1] + 1) - np.repeat(self.begin[:-1], self.retrieved)

    @property
    def retrieved(self) -> Ints:
        """The length of each list, by topic."""
        return np.diff(self.begin)


def _surplus(lists: Rankings, keep: Duplicates) -> Ints:
    """The rows that repeat a document of the same topic and are not the one to keep."""
    run = lists.run
    if not kernel.repeats(lists.order, lists.begin, run.document.hash):
        return NO_INTS
    key = pair_key(run.topic, run.document.hash)
    values = np.sort(key)
    repeated = values[1:][values[1:] == values[:-1]]
    if len(repeated) == 0:
        return NO_INTS
    suspects = np.flatnonzero(np.isin(key, repeated)).tolist()  # in file order
    seen: dict[tuple[int, bytes], int] = {}
    surplus = []
    place = np.empty(len(run), dtype=np.int64)
    place[lists.row] = np.arange(len(run))  # the place of a row in the ranking
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
        hint=f"{setting('duplicates', 'first', 'last', 'best')} keeps one of them",
    )
