"""A run joined with judgments: facts about the run, and the judged documents in its lists."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from cranfield import kernel
from cranfield.align.hits import Hits
from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import NOTHING, RowsLeftOut, Ties
from cranfield.align.rankings import Rankings
from cranfield.align.tie_groups import NO_GROUPS, NO_TIES, TieCounts, TieGroups
from cranfield.arrays import NO_INTS, Ints
from cranfield.read.sources.run_names import distinct_names, sharing
from cranfield.tables.source import IN_MEMORY, Source


class RunFacts(NamedTuple):
    """Facts about a run, or about some of its topics, that are kept beside its lists until the scores are made."""

    name: str
    source: Source
    topics: tuple[str, ...]  # that have a list
    rows: int
    ties: TieCounts
    duplicates: int  # rows that repeat a document and were left out
    infinite: int  # scores
    left_out: RowsLeftOut = NOTHING  # rows, by cleaning

    @property
    def place(self) -> str:
        """Where the run came from, for messages."""
        return self.source.name or self.name

    def called(self, name: str) -> "RunFacts":
        """The same facts of a run that has another name, because other runs share the one it has."""
        return self if name == self.name else self._replace(name=name, source=sharing(self.source, self.name))

    @classmethod
    def together(cls, parts: "Sequence[RunFacts]", source: Source | None = None) -> "RunFacts":
        """The facts of one run from those of its parts, which have different topics.

        `source` is the source of the run, if the parts have other sources.
        """
        return cls(
            name=parts[-1].name,
            source=source or parts[-1].source,
            topics=tuple(topic for part in parts for topic in part.topics),
            rows=sum(part.rows for part in parts),
            ties=TieCounts.total(part.ties for part in parts),
            duplicates=sum(part.duplicates for part in parts),
            infinite=sum(part.infinite for part in parts),
            left_out=RowsLeftOut.total(part.left_out for part in parts),
        )


def with_names_of_their_own(runs: "Sequence[RunFacts]") -> "list[RunFacts]":
    """The facts of runs, of which those that share a name are named after their files."""
    names = distinct_names([run.name for run in runs], [run.source for run in runs])
    return [run.called(name) for run, name in zip(runs, names, strict=True)]


def new_names(runs: "Iterable[RunFacts]") -> dict[tuple[str, str], str]:
    """File and tag of the runs that are called otherwise, because other runs have their tag, and their names."""
    return {(run.source.name, run.source.shared_name): run.name for run in runs if run.source.shared_name}


class JoinedRun:
    """A run, or some topics of it: its lists in their own order, and the judged documents in them, list by list.

    The lists themselves are kept only where a measure needs them.
    """

    def __init__(
        self,
        *,
        facts: RunFacts,
        judgments: JudgmentIndex,
        number: Ints,
        retrieved: Ints,
        rank: Ints,
        place: Ints,
        lists: Rankings | None = None,
        found: Ints = NO_INTS,
        tied: TieGroups = NO_GROUPS,
    ) -> None:
        self.facts = facts
        self.judgments = judgments
        self.number = number  # of each list's topic among the judgments; -1: not judged
        self.retrieved = retrieved  # the length of each list; it may be 0
        self.rank = rank  # of each judged document
        self.place = place  # of its judgment in the index
        self.lists = lists
        self.found = found  # the place of each judged document in the lists
        self.tied = tied  # by topic of the judgments: those with a judged document, or all of lists that are kept

    @classmethod
    def of_lists(
        cls, lists: Rankings, judgments: JudgmentIndex, ties: TieCounts = NO_TIES, *, keep_lists: bool = False
    ) -> "JoinedRun":
        """Look up ranked lists.

        >>> from cranfield.tables.qrels import Qrels
        >>> from cranfield.tables.run import Run
        >>> judged = JudgmentIndex.of(Qrels.of(["q1", "q2"], ["d1", "d2"], [1, 0]))
        >>> one = JoinedRun.of_lists(Rankings.of(Run.of("r", ["q2"], ["d2"], [1.0])), judged)
        >>> other = JoinedRun.of_lists(Rankings.of(Run.of("r", ["q1", "q1"], ["d9", "d1"], [2.0, 1.0])), judged)
        >>> both = JoinedRun.together([one, other])
        >>> both.facts.rows, both.hits.rank, both.hits.ranking, both.hits.retrieved
        (3, array([2, 1]), array([0, 1]), array([2, 1]))
        """
        run = lists.run
        number, found, rank, place = judgments.look_up(lists)
        facts = RunFacts(
            name=run.name,
            source=run.source,
            topics=run.topics,
            rows=lists.rows_read,
            ties=ties,
            duplicates=lists.duplicates,
            infinite=int(np.count_nonzero(np.isinf(run.score))),
            left_out=lists.left_out or NOTHING,
        )
        return cls(
            facts=facts,
            judgments=judgments,
            number=number,
            retrieved=lists.retrieved,
            rank=rank,
            place=place,
            lists=lists if keep_lists else None,
            found=found if keep_lists else NO_INTS,
            tied=_tied(lists, number, None if keep_lists else found, ties),
        )

    @classmethod
    def of_dictionary(
        cls, run: Any, judgments: JudgmentIndex, ties: Ties, *, name: str = "", cutoff: int = 0
    ) -> "JoinedRun | None":  # a run is what a caller calls one
        """Look up `{topic: {document: score}}`; None if it must become a table first.

        Without a cut-off ties are not counted.

        >>> from cranfield.tables.qrels import Qrels
        >>> judged = JudgmentIndex.of(Qrels.of(["q1", "q1"], ["d1", "d2"], [1, 0]))
        >>> joined = JoinedRun.of_dictionary({"q1": {"d2": 0.5, "d1": 2.5, "d9": 1.0}}, judged, "trec")
        >>> joined is None or joined.hits.rank.tolist() == [1, 3]
        True
        """
        if ties not in ("trec", "trec9"):
            return None
        found = kernel.collect(run, judgments.by_name, ties == "trec9", cutoff)
        if found is None:
            return None
        topics, number, retrieved, list_of, rank, place, groups, across, single, infinite = found
        facts = RunFacts(
            name=name,
            source=IN_MEMORY,
            topics=tuple(topics if retrieved.all() else compress(topics, retrieved.tolist())),
            rows=int(retrieved.sum()),
            ties=TieCounts(groups, across, single),
            duplicates=0,
            infinite=infinite,
        )
        tied = TieGroups.of_dictionary(run, topics, number, list_of, rank, ties) if groups else NO_GROUPS
        return cls(
            facts=facts, judgments=judgments, number=number, retrieved=retrieved, rank=rank, place=place, tied=tied
        )

    @classmethod
    def together(cls, parts: "Sequence[JoinedRun]") -> "JoinedRun":
        """One run from its parts, which have different topics; the lists are not kept."""
        return cls(
            facts=RunFacts.together([part.facts for part in parts]),
            judgments=parts[0].judgments,
            number=np.concatenate([part.number for part in parts]),
            retrieved=np.concatenate([part.retrieved for part in parts]),
            rank=np.concatenate([part.rank for part in parts]),
            place=np.concatenate([part.place for part in parts]),
            tied=TieGroups.joined([part.tied for part in parts]),
        )

    @cached_property
    def hits(self) -> Hits:
        """The hits: one ranking per topic of the judgments, empty where the run has none."""
        return self.judgments.hits_by_topic(
            self.number, self.retrieved, self.rank, self.place, lists=self.lists, found=self.found
        )

    def answered(self) -> tuple[Ints, Hits]:
        """The numbers of the judged topics that the run has, in its order, and hits with one ranking for each."""
        known = self.number >= 0
        number, retrieved = self.number[known], self.retrieved[known]
        ranking = np.empty(len(self.judgments.topics), dtype=np.int64)
        ranking[number] = np.arange(len(number))
        topic = self.judgments.topic[self.place]
        return number, self.judgments.hits_at(self.rank, ranking[topic], self.place, retrieved, only=number)


def _tied(lists: Rankings, number: Ints, found: Ints | None, ties: TieCounts) -> TieGroups:
    """The groups of equal scores, if there are any; a group that the depth cuts may show only one of its documents."""
    inside = TieGroups.of_lists(lists, number, found) if ties.groups else NO_GROUPS
    return inside if lists.policy.depth is None or lists.policy.many_orders else inside.across_depth(lists, number)
