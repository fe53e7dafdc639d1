"""What measures need of a run, and no more: its lists are let go as soon as they have been looked up."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield import kernel
from cranfield.align.hits import Hits
from cranfield.align.join import JudgmentIndex
from cranfield.align.pieces import DiscardedLists
from cranfield.align.policy import Ties
from cranfield.align.rankings import Rankings
from cranfield.align.ties import NO_TIES, TieCounts
from cranfield.arrays import Ints


class Collected(NamedTuple):
    """The judged documents of a run, list by list in its own order; lists may be empty."""

    judgments: JudgmentIndex
    topics: list[str]
    number: Ints  # of each list's topic among the judgments; -1: nobody judged it
    retrieved: Ints  # of each list
    topic: Ints  # of each hit, among the judgments
    rank: Ints
    place: Ints  # of its judgment in the index
    rows: int
    ties: TieCounts
    infinite: int
    duplicates: int = 0

    @classmethod
    def of(cls, run: Any, index: JudgmentIndex, ties: Ties, cutoff: int = 0) -> "Collected | None":
        """Collect `{topic: {document: score}}`; None if it must become a table first, or there is no kernel.

        Without a cut-off ties are not counted.

        >>> from cranfield.tables.qrels import Qrels
        >>> judged = JudgmentIndex.of(Qrels.of(["q1", "q1"], ["d1", "d2"], [1, 0]))
        >>> found = Collected.of({"q1": {"d2": 0.5, "d1": 2.5, "d9": 1.0}}, judged, "trec")
        >>> found is None or found.hits().rank.tolist() == [1, 3]
        True
        """
        if kernel.compiled is None or kernel.objects is None or ties not in ("trec", "trec9"):
            return None
        found = kernel.objects.collect(run, index.by_name, ties == "trec9", cutoff)
        if found is None:
            return None
        topics, number, retrieved, hit_list, rank, place, groups, across, single, infinite = found
        counts = TieCounts(groups, across, single)
        return cls(
            index, topics, number, retrieved, number[hit_list], rank, place, int(retrieved.sum()), counts, infinite
        )

    @classmethod
    def of_lists(cls, lists: Rankings, index: JudgmentIndex, ties: TieCounts = NO_TIES) -> "Collected":
        """The same of ranked lists.

        >>> from cranfield.tables.qrels import Qrels
        >>> from cranfield.tables.run import Run
        >>> judged = JudgmentIndex.of(Qrels.of(["q1", "q2"], ["d1", "d2"], [1, 0]))
        >>> one = Collected.of_lists(Rankings.of(Run.of("r", ["q2"], ["d2"], [1.0])), judged)
        >>> other = Collected.of_lists(Rankings.of(Run.of("r", ["q1", "q1"], ["d9", "d1"], [2.0, 1.0])), judged)
        >>> hits = Collected.together([one, other]).hits()
        >>> hits.rank, hits.ranking, hits.retrieved
        (array([2, 1]), array([0, 1]), array([2, 1]))
        """
        number, _, rank, place = index.look_up(lists)
        found = (number, lists.retrieved, index.topic[place], rank, place)
        infinite = int(np.count_nonzero(np.isinf(lists.run.score)))
        return cls(index, list(lists.run.topics), *found, len(lists.run), ties, infinite, lists.duplicates)

    @classmethod
    def together(cls, pieces: "Sequence[Collected]") -> "Collected":
        """The pieces of one run: each has other topics."""
        return cls(
            pieces[0].judgments,
            [topic for piece in pieces for topic in piece.topics],
            np.concatenate([piece.number for piece in pieces]),
            np.concatenate([piece.retrieved for piece in pieces]),
            np.concatenate([piece.topic for piece in pieces]),
            np.concatenate([piece.rank for piece in pieces]),
            np.concatenate([piece.place for piece in pieces]),
            sum(piece.rows for piece in pieces),
            TieCounts.total(piece.ties for piece in pieces),
            sum(piece.infinite for piece in pieces),
            sum(piece.duplicates for piece in pieces),
        )

    def hits(self) -> Hits:
        """The hits: one ranking per topic of the judgments, empty where the run has none."""
        retrieved = np.zeros(len(self.judgments.topics), dtype=np.int64)
        known = self.number >= 0
        retrieved[self.number[known]] = self.retrieved[known]
        return self._hits(self.topic, retrieved)

    def answered(self) -> tuple[list[str], Ints, Hits]:
        """The judged topics that the run has, in its order, their numbers, and one ranking for each."""
        known = self.number >= 0
        topics = (
            self.topics if known.all() else [t for t, here in zip(self.topics, known.tolist(), strict=True) if here]
        )
        number, retrieved = self.number[known], self.retrieved[known]
        ranking = np.empty(len(self.judgments.topics), dtype=np.int64)
        ranking[number] = np.arange(len(number))
        return topics, number, self._hits(ranking[self.topic], retrieved, number)

    def _hits(self, ranking: Ints, retrieved: Ints, only: Ints | None = None) -> Hits:
        nowhere = np.zeros(len(retrieved), dtype=np.int64)  # who looks there is told by the lists
        return self.judgments.hits_at(self.rank, ranking, self.place, retrieved, DiscardedLists(), nowhere, only=only)
