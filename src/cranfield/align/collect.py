"""Runs that are dictionaries, joined with the judgments as they are: the tables in between are never made."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield import kernel
from cranfield.align.hits import Hits
from cranfield.align.join import JudgmentIndex
from cranfield.align.pieces import LetGo
from cranfield.align.policy import Ties
from cranfield.align.ties import TieCounts
from cranfield.arrays import Ints


@dataclass(frozen=True, eq=False)
class Collected:
    """The judged documents of a run, list by list in its own order; lists may be empty."""

    index: JudgmentIndex
    topics: list[str]
    number: Ints  # of each list's topic among the judgments; -1: nobody judged it
    retrieved: Ints  # of each list
    hit_list: Ints  # of each hit
    rank: Ints
    place: Ints  # of its judgment in the index
    ties: TieCounts
    infinite: int

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
        return cls(index, topics, number, retrieved, hit_list, rank, place, counts, infinite)

    def hits(self) -> Hits:
        """The hits: one ranking per topic of the judgments, empty where the run has none."""
        retrieved = np.zeros(len(self.index.topics), dtype=np.int64)
        known = self.number >= 0
        retrieved[self.number[known]] = self.retrieved[known]
        return self._hits(self.number[self.hit_list], retrieved)

    def answered(self) -> tuple[list[str], Ints, Hits]:
        """The judged topics that the run has, in its order, their numbers, and one ranking for each."""
        known = self.number >= 0
        topics = (
            self.topics if known.all() else [t for t, here in zip(self.topics, known.tolist(), strict=True) if here]
        )
        ranking = (np.cumsum(known) - 1)[self.hit_list]
        number, retrieved = self.number[known], self.retrieved[known]
        return topics, number, self._hits(ranking, retrieved, number)

    def _hits(self, ranking: Ints, retrieved: Ints, only: Ints | None = None) -> Hits:
        nowhere = np.zeros(len(retrieved), dtype=np.int64)  # who looks there is told by the lists
        return self.index.hits_at(self.rank, ranking, self.place, retrieved, LetGo(), nowhere, only=only)
