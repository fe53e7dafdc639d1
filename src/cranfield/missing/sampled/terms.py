"""Measures that are a sum over documents, or such a sum over that of the ideal list: the weight of each rank.

Weights and gains are found by asking the measure itself for the value of lists with one document.
"""

from dataclasses import dataclass

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints
from cranfield.measures.grammar import Measure

SUMS = ("P", "CG", "DCG", "RBP")
OVER_IDEAL = ("nCG", "nDCG")


@dataclass(frozen=True, eq=False)
class DocumentTerms:
    """A measure as a sum: a document at a rank adds the weight of the rank times the gain of its level.

    >>> from cranfield.measures.grammar import parse
    >>> terms = document_terms(parse("nDCG@2"), depth=3, grades=np.array([0.0, 1.0, 2.0]))
    >>> terms.weight.round(4), terms.gain, terms.ideal.round(4)  # 1 / log2(2) and 1 / log2(3)
    (array([1.    , 0.6309, 0.    ]), array([0. , 0.5, 1. ]), array([0.    , 1.    , 1.6309, 1.6309]))
    """

    weight: Floats  # by rank, from 1
    gain: Floats  # by level
    ideal: Floats | None  # by number of documents of gain 1: what the ideal list collects; None: it is a plain sum

    def best(self, reached: Ints) -> Floats:
        """What the ideal list collects, for numbers of documents that reach each level, [..., level]."""
        if self.ideal is None:
            return np.ones(reached.shape[:-1])
        held = self.ideal[np.minimum(reached[..., 1:], len(self.ideal) - 1)]
        return np.asarray(held @ np.diff(self.gain))


def document_terms(measure: Measure, depth: int, grades: Floats) -> DocumentTerms | None:
    """The terms of a measure down to a depth, for the grade of each level; None if it is no such sum."""
    name, values = measure.definition.name, measure.arguments
    if measure.condensed or values.get("avg_pos") or name not in (*SUMS, *OVER_IDEAL):
        return None
    first = np.arange(1, depth + 1)
    if name in SUMS:
        alone = np.stack([measure(_lists(first, grade, grades)) for grade in grades[1:]], axis=1)
        most = alone[0].max(initial=0.0)
        if most <= 0:
            return DocumentTerms(np.zeros(depth), np.zeros(len(grades)), None)
        return DocumentTerms(alone[:, int(alone[0].argmax())] / most, np.r_[0.0, alone[0]], None)
    weight = np.nan_to_num(measure(_lists(first, grades[-1], grades)))
    beside = weight[1] if depth > 1 else 0.0
    share = np.nan_to_num([measure(_lists(first[:1], grade, grades, grades[-1]))[0] for grade in grades[1:-1]])
    gain = np.r_[0.0, share / (1 - share * beside), 1.0]
    ideal = np.r_[0.0, np.cumsum(weight)]
    return DocumentTerms(weight, gain, ideal) if (np.diff(gain) >= 0).all() else None


def _lists(rank: Ints, grade: float, grades: Floats, missed: float | None = None) -> Hits:
    """Lists with one document of that grade at each of the ranks, and perhaps another one that is not retrieved."""
    number = np.arange(len(rank))
    base = [grade] if missed is None else sorted((grade, missed), reverse=True)
    return Hits(
        rank=rank,
        grade=np.full(len(rank), grade),
        ranking=number,
        topic=number,
        retrieved=np.full(len(rank), rank[-1]),
        base_topic=np.repeat(number, len(base)),
        base_grade=np.tile(base, len(rank)),
        topics=len(rank),
        top_grade=float(grades[-1]),
    )
