"""Preferences between documents: the table, and which preferences of a topic a ranking fulfils.

A judgment group holds the preferences of one judge. With one subgroup, its levels order the documents (classes); with
several, the preferences of all subgroups hold together with those that follow from them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import Policy, Ties
from cranfield.align.rankings import Rankings
from cranfield.align.tie_breaking import ordered, sort_key
from cranfield.arrays import Bools, Floats, Ints, tied_with_next
from cranfield.compat.trec_eval.preferences.units import combined, numbered
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text


@dataclass(frozen=True, eq=False)
class Preferences:
    """Rows `(topic, group, subgroup, document, level)`: inside a subgroup, a higher level is preferred."""

    topics: tuple[str, ...]
    topic: Ints
    group: Ints  # from 0 inside each topic
    subgroup: Ints  # from 0 inside each group
    document: Text
    level: Floats

    @classmethod
    def of(cls, topic: Text, group: Text, subgroup: Text | None, document: Text, level: Floats) -> "Preferences":
        """Preferences from columns of text."""
        topics, code = topic.codes()
        number = numbered(code, group)
        inner = np.zeros(len(code), dtype=np.int64) if subgroup is None else numbered(combined(code, number), subgroup)
        return cls(tuple(topics), code, number, inner, document, level)

    @property
    def unit(self) -> Ints:
        """The subgroup of each row, over all topics."""
        return combined(combined(self.topic, self.group), self.subgroup)


@dataclass(frozen=True, eq=False)
class Group:
    """The preferences of one judgment group, its documents in the order of the list, those not retrieved last."""

    better: Bools  # better[i, j]: document i is preferred to document j
    relevant: Bools  # per document: some level above 0
    retrieved: int  # how many of the documents are in the list
    classes: bool  # one subgroup: levels order the documents

    @cached_property
    def possible(self) -> int:
        """All preferences."""
        return int(self.better.sum())

    @cached_property
    def implied(self) -> int:
        """Preferences of which at least one document was retrieved."""
        return self.possible - int(self.better[self.retrieved :, self.retrieved :].sum())

    @cached_property
    def fulfilled(self) -> int:
        """Preferences whose preferred document was retrieved, and stands above the other or alone."""
        return int(np.triu(self.better[: self.retrieved], 1).sum())

    @cached_property
    def only_retrieved(self) -> "Group":
        """The preferences of which both documents were retrieved."""
        near = slice(0, self.retrieved)
        return Group(self.better[near, near], self.relevant[near], self.retrieved, self.classes)

    @cached_property
    def only_relevant(self) -> "Group":
        """The preferences between relevant documents."""
        here = self.relevant
        return Group(
            self.better[np.ix_(here, here)], here[here], int(np.count_nonzero(here[: self.retrieved])), self.classes
        )


@dataclass(frozen=True, eq=False)
class JudgedTopic:
    """All judgment groups of one topic, with its judged documents in the order of the list."""

    documents: int
    retrieved: int
    groups: tuple[Group, ...]
    members: tuple[Ints, ...]  # per group: which of the documents it knows, ascending

    @cached_property
    def pairs(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Every pair with a preference: upper and lower document, preferences fulfilled and failed in that order."""
        count = np.zeros((self.documents, self.documents), dtype=np.int32)
        for group, member in zip(self.groups, self.members, strict=True):
            count[np.ix_(member, member)] += group.better
        upper, lower = (side.astype(np.int64) for side in np.nonzero(np.triu(count + count.T, 1)))
        return upper, lower, count[upper, lower].astype(np.int64), count[lower, upper].astype(np.int64)


def judged(preferences: Preferences, run: Run, ties: Ties, depth: int | None) -> Iterator[JudgedTopic]:
    """Which preferences the lists of a run fulfil, topic by topic; both have the same topics."""
    if not preferences.topics:
        return
    order = np.argsort(preferences.topic, kind="stable")
    bounds = np.searchsorted(preferences.topic[order], np.arange(len(preferences.topics) + 1))
    rows = [order[start:end] for start, end in pairwise(bounds.tolist())]
    codes = [preferences.document.take(row).codes()[1] for row in rows]
    hits = _places(preferences, rows, codes, Rankings.of(_ascending(run, ties), Policy(depth=depth)))
    bounds = np.searchsorted(hits.ranking, np.arange(len(rows) + 1))
    for number, (row, code) in enumerate(zip(rows, codes, strict=True)):
        found = hits.grade[bounds[number] : bounds[number + 1]].astype(np.int64)
        place = np.empty(int(code.max(initial=-1)) + 1, dtype=np.int64)
        place[found] = np.arange(len(found))
        others = np.setdiff1d(np.arange(len(place)), found)
        place[others] = len(found) + np.arange(len(others))
        yield _topic(preferences, row, place[code], len(place), len(found))


def _ascending(run: Run, ties: Ties) -> Run:
    """The run in trec_eval's order for preferences: equal scores by document id, from low to high."""
    found, _ = ordered(run, ties)
    order = np.arange(len(run)) if found is None else found
    tied = tied_with_next(run.topic[order], sort_key(run, ties)[order])
    group = np.cumsum(~np.concatenate(([False], tied[:-1]))) if len(order) else order
    order = order[np.lexsort((-np.arange(len(order)), group))]
    score = np.empty(len(order))
    score[order] = -np.arange(len(order))
    return Run(run.name, run.topics, run.topic, run.document, score)


def _places(preferences: Preferences, rows: list[Ints], codes: list[Ints], lists: Rankings) -> Hits:
    """The judged documents that were retrieved: the grade of each hit is the document's number in its topic."""
    first = [np.unique(code, return_index=True)[1] for code in codes]
    row = np.concatenate([row[start] for row, start in zip(rows, first, strict=True)])
    number = np.concatenate([np.arange(len(start)) for start in first])
    distinct = Qrels(preferences.topics, preferences.topic[row], preferences.document.take(row), number)
    return JudgmentIndex.of(distinct).hits(lists)


def _topic(preferences: Preferences, row: Ints, place: Ints, documents: int, retrieved: int) -> JudgedTopic:
    groups, members = [], []
    for number in range(int(preferences.group[row].max(initial=-1)) + 1):
        inside = preferences.group[row] == number
        mine = row[inside]
        member, local = np.unique(place[inside], return_inverse=True)
        groups.append(
            _group(preferences.subgroup[mine], local, preferences.level[mine], int((member < retrieved).sum()))
        )
        members.append(member)
    return JudgedTopic(documents, retrieved, tuple(groups), tuple(members))


def _group(subgroup: Ints, document: Ints, level: Floats, retrieved: int) -> Group:
    size = int(document.max()) + 1
    better = np.zeros((size, size), dtype=bool)
    relevant = np.zeros(size, dtype=bool)
    relevant[document[level > 0]] = True
    classes = int(subgroup.max()) == 0
    for number in range(int(subgroup.max()) + 1):
        member, levels = document[subgroup == number], level[subgroup == number]
        better[np.ix_(member, member)] |= levels[:, None] > levels[None, :]
    return Group(better if classes else _with_consequences(better), relevant, retrieved, classes)


def _with_consequences(better: Bools) -> Bools:
    """The transitive closure: if a is preferred to b and b to c, then a is preferred to c.

    >>> _with_consequences(np.array([[False, True, False], [False, False, True], [False, False, False]])).sum()
    np.int64(3)
    """
    known, before = better, np.zeros_like(better)
    while (known != before).any():
        before = known
        known = before | ((before.astype(np.float32) @ before.astype(np.float32)) > 0)
    return known & ~np.eye(len(known), dtype=bool)
