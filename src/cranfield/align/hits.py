"""Hits: the judged documents of thousands of rankings, which is all that a measure needs.

After a run is joined with the judgments, a measure needs only the *judged* documents: `(rank, grade)`.

    per hit        rank · grade · ranking        ranking = the segment it belongs to, ascending; ranks ascend inside it
    per ranking    topic · retrieved             retrieved = length of the list (unjudged ranks are the ones not hit)
    per judgment   base_topic · base_grade       every judged document of a topic, found or not, best grade first
    per pooled     pooled_rank · pooled_ranking  documents of the pool that were not judged (negative grades)
    optional       document · subtopics          which judged document a hit is, and what those cover
                   pooled_document · sample      which document of the pool each of those is, and how it was sampled
                   length                        of every document in the lists, judged or not

Condensed lists, thresholds and cut-offs are methods of `Hits`, not branches in measures.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cranfield.align.rankings import Rankings
from cranfield.arrays import NO_INTS, Bools, Floats, Ints, ordinal, segment_size, segment_sum

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from cranfield.align.columns.sampled import SampledJudgments
    from cranfield.align.columns.subtopics import Subtopics


@dataclass(frozen=True, eq=False, repr=False)
class Hits:
    """The judged documents of many rankings.

    >>> hits = Hits.of([[(1, 1), (2, 0), (3, 1)]], levels=[[4, 3]], retrieved=[5])
    >>> hits.rank, hits.grade, hits.judged_at_least(1)
    (array([1, 2, 3]), array([1, 0, 1]), array([3]))
    """

    rank: Ints
    grade: Ints | Floats
    ranking: Ints
    topic: Ints
    retrieved: Ints
    base_topic: Ints
    base_grade: Ints | Floats
    topics: int
    top_grade: float  # highest grade of the collection: gains of graded user models are fractions of it
    pooled_rank: Ints = field(default_factory=lambda: NO_INTS)
    pooled_ranking: Ints = field(default_factory=lambda: NO_INTS)
    lists: Rankings | None = None  # the Rankings these hits were found in, for measures that look at whole lists
    begin: Ints = field(default_factory=lambda: NO_INTS)  # where each list begins in them
    place: Ints = field(default_factory=lambda: NO_INTS)  # the place of each hit in them
    is_condensed: bool = False
    document: Ints = field(default_factory=lambda: NO_INTS)  # the number of each hit's document in the table below
    subtopics: "Subtopics | None" = None  # what the judged documents cover, for measures of diversity
    length: Floats | None = None  # of every document in the lists (NaN: unknown), for measures of time and effort
    pooled_document: Ints = field(default_factory=lambda: NO_INTS)  # the number of each pooled document, as `document`
    sample: "SampledJudgments | None" = None  # how the documents were sampled, for measures that estimate

    @classmethod
    def of(
        cls,
        rankings: Sequence[Sequence[tuple[int, float]]],
        levels: Sequence[Sequence[int]],
        retrieved: Sequence[int],
        pooled: Sequence[Sequence[int]] | None = None,
        lengths: Sequence[Sequence[float]] | None = None,
    ) -> "Hits":
        """Hits written by hand, one topic per ranking.

        Args:
            rankings: for each ranking its judged documents as (rank, grade).
            levels: for each ranking how many documents of its topic were judged 0, 1, 2 …
            retrieved: the length of each list.
            pooled: for each ranking the ranks of pooled but unjudged documents.
            lengths: for each ranking the length of every document in it.
        """
        flat = [(rank, grade, number) for number, ranking in enumerate(rankings) for rank, grade in ranking]
        rank, grade, ranking = (np.array(column) for column in zip(*flat, strict=True)) if flat else (NO_INTS,) * 3
        counts = [list(enumerate(row))[::-1] for row in levels]
        base = [(number, level) for number, row in enumerate(counts) for level, count in row for _ in range(count)]
        base_topic, base_grade = (np.array(column) for column in zip(*base, strict=True)) if base else (NO_INTS,) * 2
        unjudged = [(rank, number) for number, ranks in enumerate(pooled or []) for rank in ranks]
        pooled_rank, pooled_ranking = (np.array(c) for c in zip(*unjudged, strict=True)) if unjudged else (NO_INTS,) * 2
        begin = np.cumsum([0, *retrieved])[:-1]
        return cls(
            rank,
            grade,
            ranking,
            begin=begin,
            place=begin[ranking] + rank - 1,
            length=None if lengths is None else np.array([n for row in lengths for n in row], dtype=np.float64),
            topic=np.arange(len(rankings)),
            retrieved=np.array(retrieved, dtype=np.int64),
            base_topic=base_topic,
            base_grade=base_grade,
            topics=len(levels),
            top_grade=float(base_grade.max(initial=0)),
            pooled_rank=pooled_rank,
            pooled_ranking=pooled_ranking,
        )

    @classmethod
    def covering(
        cls,
        found: Sequence[tuple[float, ...] | None],
        missed: Sequence[tuple[float, ...]] = (),
        probabilities: tuple[float, ...] | None = None,
    ) -> "Hits":
        """Hits of one ranking written by hand, with a grade for each subtopic.

        Args:
            found: the documents of the list; None is unjudged.
            missed: judged documents of the topic that are not in the list.
            probabilities: how likely each subtopic is.

        >>> Hits.covering([(1, 0), None, (0, 2)], missed=[(1, 1)]).rank
        array([1, 3])
        """
        from cranfield.align.columns.subtopics import Subtopics

        judged = [row for row in found if row is not None]
        places = [place for place, row in enumerate(found, start=1) if row is not None]
        grades = [max(row, default=0) for row in [*judged, *missed]]
        return cls(
            rank=np.array(places, dtype=np.int64),
            grade=np.array(grades[: len(judged)]),
            ranking=np.zeros(len(judged), dtype=np.int64),
            topic=np.zeros(1, dtype=np.int64),
            retrieved=np.array([len(found)]),
            base_topic=np.zeros(len(grades), dtype=np.int64),
            base_grade=np.array(sorted(grades, reverse=True)),
            topics=1,
            top_grade=float(max(grades, default=0)),
            document=np.arange(len(judged)),
            subtopics=Subtopics.of([[*judged, *missed]], None if probabilities is None else [probabilities]),
        )

    # --- words that narrow -------------------------------------------------------------------------------------

    def where(self, mask: Bools) -> "Hits":
        """Only the hits of the mask; lengths and recall base stay."""
        kept = np.flatnonzero(mask)  # looked for once, not in every column
        return replace(
            self,
            rank=self.rank[kept],
            grade=self.grade[kept],
            ranking=self.ranking[kept],
            place=self.place[kept] if len(self.place) else self.place,
            document=self.document[kept] if len(self.document) else self.document,
        )

    def relevant(self, rel: float = 1) -> "Hits":
        """Only hits of at least the grade `rel`; computed once and shared by all measures."""
        if rel not in self._relevant:
            self._relevant[rel] = self.where(self.grade >= rel)
        return self._relevant[rel]

    @cached_property
    def _relevant(self) -> "dict[float, Hits]":
        return {}

    def top(self, cutoff: int | None) -> "Hits":
        """The first `cutoff` ranks of every list (all, if None)."""
        if cutoff is None:
            return self
        near = self.pooled_rank <= cutoff
        return replace(
            self.where(self.rank <= cutoff),
            retrieved=np.minimum(self.retrieved, cutoff),
            pooled_rank=self.pooled_rank[near],
            pooled_ranking=self.pooled_ranking[near],
            pooled_document=self.pooled_document[near] if len(self.pooled_document) else NO_INTS,
        )

    def condensed(self) -> "Hits":
        """The lists without their unjudged documents; the judged documents move up.

        >>> hits = Hits.of([[(2, 0), (5, 1)]], levels=[[1, 2]], retrieved=[9]).condensed()
        >>> hits.rank, hits.retrieved
        (array([1, 2]), array([2]))
        """
        return replace(self._without_pool(), rank=self.ordinal, retrieved=self.count, is_condensed=True)

    def _without_pool(self) -> "Hits":
        return replace(self, pooled_rank=NO_INTS, pooled_ranking=NO_INTS, pooled_document=NO_INTS)

    def ideal(self) -> "Hits":
        """The best possible list of each topic: every judged document, best grade first (one ranking per topic).

        Index a per-topic result with `hits.topic` to bring it back to the rankings.
        """
        return replace(
            self._without_pool(),
            rank=ordinal(self.base_topic),
            grade=self.base_grade,
            ranking=self.base_topic,
            topic=np.arange(self.topics),
            retrieved=segment_size(self.base_topic, self.topics),
            sample=None,
            lists=None,
            begin=NO_INTS,
            place=NO_INTS,
            document=NO_INTS,
            subtopics=None,
            length=None,
        )

    def with_lengths(self, lengths: Mapping[str, float]) -> "Hits":
        """The same hits with the length of every document in the lists; it is unknown where none is given."""
        ids: Iterable[str] = self.lists.run.document.take(self.lists.row) if self.lists is not None else []
        length = np.array([lengths.get(document, np.nan) for document in ids], dtype=np.float64)
        if lengths and len(length) and np.isnan(length).all() and self.lists is not None:
            from cranfield.tables.side.matching import match_names

            match_names(lengths, self.lists.run.document.codes()[0], "document", path="lengths", more_is_fine=True)
        return replace(self, length=length)

    # --- words that count --------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Number of rankings."""
        return len(self.topic)

    @cached_property
    def ordinal(self) -> Ints:
        """The place of each hit among the hits of its ranking, from 1."""
        return ordinal(self.ranking)

    def sum(self, values: "ArrayLike") -> Floats:
        """Sum of one value per hit, for each ranking; a ranking without hits sums to 0."""
        return segment_sum(self.ranking, values, len(self))

    @property
    def count(self) -> Ints:
        """Number of hits of each ranking."""
        return segment_size(self.ranking, len(self))

    def first_rank(self) -> Ints:
        """Rank of the first hit of each ranking; 0 where there is none."""
        first = np.zeros(len(self), dtype=np.int64)
        opening = self.ordinal == 1
        first[self.ranking[opening]] = self.rank[opening]
        return first

    def judged_at_least(self, rel: float = 1) -> Ints:
        """How many documents of the ranking's topic have at least the grade `rel`, found or not (R)."""
        return self._levels(rel)[1]

    def judged_below(self, rel: float = 1) -> Ints:
        """How many documents of the ranking's topic were judged below the grade `rel` (N)."""
        return self._levels(rel)[0]

    def _levels(self, rel: float) -> tuple[Ints, Ints]:
        """How many documents of each ranking's topic have a lower grade, and how many do not; counted once and kept."""
        if rel not in self._counted:
            enough = segment_size(self.base_topic[self.base_grade >= rel], self.topics)
            below = segment_size(self.base_topic, self.topics) - enough
            self._counted[rel] = below[self.topic], enough[self.topic]
        return self._counted[rel]

    @cached_property
    def _counted(self) -> dict[float, tuple[Ints, Ints]]:
        return {}

    def above(self, others: "Hits") -> Ints:
        """For each hit, how many hits of `others` have a smaller rank in the same ranking.

        >>> hits = Hits.of([[(1, 0), (2, 1), (4, 0), (5, 1)]], levels=[[2, 2]], retrieved=[5])
        >>> hits.relevant().above(hits.where(hits.grade < 1))
        array([1, 2])
        """
        return others.up_to(self.ranking, self.rank - 1) - others.up_to(self.ranking, np.zeros_like(self.rank))

    def up_to(self, ranking: Ints, rank: Ints) -> Ints:
        """How many hits, of all rankings together, stand before a rank of a ranking or at it.

        >>> hits = Hits.of([[(1, 0), (4, 1)], [(2, 1)]], levels=[[1, 1], [0, 1]], retrieved=[5, 5])
        >>> hits.up_to(np.array([0, 0, 1]), np.array([0, 3, 3]))
        array([0, 1, 3])
        """
        ranks, place = self._places
        return np.searchsorted(place, ranking * ranks + np.minimum(rank, ranks - 1), side="right")

    @cached_property
    def _places(self) -> tuple[int, Ints]:
        """A number of ranks that no list exceeds, and the place of each hit if all lists were that long."""
        ranks = int(self.rank.max(initial=0)) + 1
        return ranks, self.ranking * ranks + self.rank
