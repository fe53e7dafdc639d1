"""Facets: each list of `Hits`, once for each subtopic of its topic.

A measure of single documents, applied to the facets and averaged over them, is its intent-aware form.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.align.columns.subtopics import Subtopics
from cranfield.align.hits import Hits
from cranfield.arrays import Bools, Floats, Ints, ordinal, ratio, segment_size, segment_sum
from cranfield.errors import MeasureError

ABOVE_ZERO = np.finfo(np.float64).tiny  # as a threshold: any grade above 0


@dataclass(frozen=True, eq=False)
class Facets:
    """`hits` holds one list for each ranking and kept subtopic; its topics are the subtopics.

    Attributes:
        hits: the documents judged for the subtopic, at the ranks of the ranking.
        ranking: the ranking each list belongs to, ascending.
        weight: the probability of the list's subtopic times the number of kept subtopics: 1, unless they differ.
        rankings: how many rankings there are.

    >>> facets = Facets.of(Hits.covering([(1, 0), (0, 2)], missed=[(1, 1)]))
    >>> facets.hits.rank, facets.hits.grade, facets.hits.ranking, facets.ranking
    (array([1, 2, 1, 2]), array([1, 0, 0, 2]), array([0, 0, 1, 1]), array([0, 0]))
    """

    hits: Hits
    ranking: Ints
    weight: Floats
    rankings: int

    @classmethod
    def of(cls, hits: Hits, rel: float = ABOVE_ZERO) -> "Facets":
        """Only subtopics with a document of at least the grade `rel` are kept."""
        table = subtopics(hits)
        kept = kept_subtopics(table, rel)
        size = segment_size(table.topic[kept], hits.topics)
        number = np.cumsum(kept) - 1  # of each kept subtopic among the kept ones
        begin = np.cumsum(size) - size  # the first kept subtopic of each topic, by that number
        lists = np.cumsum(size[hits.topic]) - size[hits.topic]  # the first list of each ranking
        place, cell = _cells(table, hits.document)
        used = kept[table.subtopic[cell]]
        place, cell = place[used], cell[used]
        owner = hits.ranking[place]
        facet = lists[owner] + number[table.subtopic[cell]] - begin[hits.topic[owner]]
        order = np.argsort(facet, kind="stable")  # hits stand by ranking and rank, so ranks ascend inside a list
        ranking = np.repeat(np.arange(len(hits)), size[hits.topic])
        base = np.flatnonzero(kept[table.subtopic])
        base = base[np.lexsort((-table.grade[base], table.subtopic[base]))]
        subtopic = begin[hits.topic[ranking]] + ordinal(ranking) - 1
        return cls(
            Hits(
                rank=hits.rank[place][order],
                grade=table.grade[cell][order],
                ranking=facet[order],
                topic=subtopic,
                retrieved=hits.retrieved[ranking],
                base_topic=number[table.subtopic[base]],
                base_grade=table.grade[base],
                topics=int(kept.sum()),
                top_grade=table.top_grade,
            ),
            ranking,
            weights(table, kept, hits.topics)[kept][subtopic],
            len(hits),
        )

    @property
    def count(self) -> Ints:
        """The number of kept subtopics of each ranking's topic (M)."""
        return segment_size(self.ranking, self.rankings)

    def sum(self, values: ArrayLike) -> Floats:
        """The weighted sum, for each ranking, of one value per facet; undefined without facets."""
        total = segment_sum(self.ranking, self.weight * np.asarray(values), self.rankings)
        return np.where(self.count > 0, total, np.nan)

    def mean(self, values: ArrayLike) -> Floats:
        """The mean by probability, for each ranking, of one value per facet; undefined without facets."""
        return ratio(self.sum(values), self.count)

    def share(self, values: ArrayLike) -> Floats:
        """The mean of one value per facet, all facets alike; undefined without facets."""
        return ratio(segment_sum(self.ranking, values, self.rankings), self.count)


def subtopics(hits: Hits) -> Subtopics:
    """The table of subtopic judgments; without one, an error."""
    if hits.subtopics is None:
        raise MeasureError("E123", "these judgments have no subtopics", hint="use judgments of one subtopic per line")
    return hits.subtopics


def kept_subtopics(table: Subtopics, rel: float = ABOVE_ZERO) -> Bools:
    """Which subtopics have a relevant document."""
    kept = np.zeros(len(table.topic), dtype=bool)
    kept[table.subtopic[table.grade >= rel]] = True
    return kept


def weights(table: Subtopics, kept: Bools, topics: int) -> Floats:
    """The weight of each kept subtopic: 1 on average, and each 1 where there are no probabilities."""
    known = np.where(kept, table.probability, 0.0)
    total, size = segment_sum(table.topic, known, topics), segment_size(table.topic[kept], topics)
    weight = ratio(table.probability * size[table.topic], total[table.topic])
    return np.where(np.isnan(table.probability), 1.0, weight)


def _cells(table: Subtopics, document: Ints) -> tuple[Ints, Ints]:
    """The cells of each document: its position in the given column, and the cell."""
    begin = np.searchsorted(table.document, document)
    size = np.searchsorted(table.document, document, side="right") - begin
    place = np.repeat(np.arange(len(document)), size)
    return place, begin[place] + ordinal(place) - 1
