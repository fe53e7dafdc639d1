"""Scores of lists with one relevant document, and of ideal lists; no data are needed."""

from collections.abc import Sequence

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints
from cranfield.arrays.memory import afford_each
from cranfield.errors import MeasureError
from cranfield.measures.grammar import Measure


def single(relevant: Sequence[int], ranks: int, length: int) -> Hits:
    """For each number of relevant documents, lists whose only one of them stands at rank 1, 2, …

    Every other document of a list was judged, and is not relevant.

    >>> hits = single([2], ranks=2, length=3)
    >>> hits.rank, hits.grade, hits.judged_at_least(1)
    (array([1, 2, 3, 1, 2, 3]), array([1, 0, 0, 0, 1, 0]), array([2, 2]))
    """
    rank = np.tile(np.arange(1, length + 1), len(relevant) * ranks)
    ranking = np.repeat(np.arange(len(relevant) * ranks), length)
    return _hits(relevant, rank, (rank == ranking % ranks + 1).astype(np.int64), ranking, ranks, length)


def ideal(relevant: Sequence[int]) -> Hits:
    """For each number of relevant documents, the list that holds them and nothing else."""
    return single(relevant, 1, 1).ideal()


def scored(measure: Measure, hits: Hits) -> Floats:
    """The value of every list, or an error if the measure needs more than grades."""
    if measure.definition.needs_subtopics or measure.definition.needs_sample:
        raise MeasureError("E230", f"{measure} cannot be studied", hint="studies need one judgment per document")
    return measure(hits)


def _hits(relevant: Sequence[int], rank: Ints, grade: Ints, ranking: Ints, ranks: int, length: int) -> Hits:
    others = length - 1
    afford_each(sum(relevant), 32, "relevant documents")
    base_topic = np.repeat(np.arange(len(relevant)), [count + others for count in relevant])
    base_grade = np.concatenate([np.repeat([1, 0], [count, others]) for count in relevant])
    topic = np.repeat(np.arange(len(relevant)), ranks)
    return Hits(
        rank=rank,
        grade=grade,
        ranking=ranking,
        topic=topic,
        retrieved=np.full(len(topic), length),
        base_topic=base_topic,
        base_grade=base_grade,
        topics=len(relevant),
        top_grade=1.0,
    )
