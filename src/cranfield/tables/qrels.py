"""Qrels: the judgments of a test collection, as columns in the order of the file."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Floats, Ints
from cranfield.tables.run import counted
from cranfield.tables.source import Source
from cranfield.tables.text import Text


@dataclass(frozen=True, eq=False)
class Qrels:
    """Rows `(topic, document, grade)`; a negative grade means pooled but not judged, unless a policy says otherwise.

    `grade` holds whole numbers, or real gains where those were asked for. The other columns are there if the source
    had them: `iteration` (subtopics live there), `stratum` and `probability` of a sampled pool.

    >>> Qrels.of(["1", "1", "2"], ["d1", "d2", "d1"], [0, 2, 1])
    Qrels: 2 topics, 3 judgments, grades 0…2
    """

    topics: tuple[str, ...]
    topic: Ints
    document: Text
    grade: Ints | Floats
    iteration: Text | None = None
    stratum: Text | None = None
    probability: Floats | None = None
    line: Ints | None = None
    source: Source = Source()

    @classmethod
    def of(
        cls,
        topic: Iterable[str],
        document: Iterable[str],
        grade: ArrayLike,
        iteration: Iterable[str] | None = None,
    ) -> "Qrels":
        """Qrels from columns of equal length; grades of a floating type stay real numbers."""
        topics, code = Text.of(topic).codes()
        given = np.asarray(grade)
        grades: Ints | Floats = given.astype(np.float64) if given.dtype.kind == "f" else given.astype(np.int64)
        return cls(
            tuple(topics),
            code,
            Text.of(document),
            grades,
            None if iteration is None else Text.of(iteration),
        )

    def line_of(self, row: int) -> int | None:
        """The line of a row in the source, if the source has lines."""
        if self.line is not None:
            return int(self.line[row])
        return row + 1 if self.source.name and self.source.lines else None

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        grades = f", grades {self.grade.min()}…{self.grade.max()}" if len(self) else ""
        return f"Qrels: {counted(len(self.topics), 'topic')}, {counted(len(self), 'judgment')}{grades}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Qrels):
            return NotImplemented
        return (
            self.topics == other.topics
            and np.array_equal(self.topic, other.topic)
            and np.array_equal(self.grade, other.grade)
            and self.document == other.document
            and (self.iteration is None or other.iteration is None or self.iteration == other.iteration)
            and self.stratum == other.stratum
            and _same(self.probability, other.probability)
        )

    __hash__ = None  # type: ignore[assignment]  # compared by content


def _same(here: Floats | None, there: Floats | None) -> bool:
    if here is None or there is None:
        return here is there
    return np.array_equal(here, there)
