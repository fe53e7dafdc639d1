"""Qrels: the judgments of a test collection, as columns in the order of the file."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import EqualByContent, Floats, Ints, same
from cranfield.errors import InputError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.wording import setting
from cranfield.tables.source import IN_MEMORY, Source
from cranfield.tables.text import Text
from cranfield.tables.words import counted

if TYPE_CHECKING:
    import pandas
    import polars

    from cranfield.tables.caller_columns import ColumnLike


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Qrels(EqualByContent):
    """Rows `(topic, document, grade)`; a negative grade means pooled but not judged, unless a policy says otherwise.

    `grade` holds whole numbers, or real gains where those were asked for. The other columns are there if the source
    had them: `iteration` (subtopics live there), `stratum` and `probability` of a sampled pool. Two qrels are equal if
    they have the same columns and these are equal, wherever they came from.

    >>> Qrels.of(["1", "1", "2"], ["d1", "d2", "d1"], [0, 2, 1])
    Qrels: 2 topics, 3 judgments, grades 0…2
    """

    topics: tuple[str, ...]  # ids in the order in which they are first met
    topic: Ints  # by row: a position in `topics`
    document: Text  # by row: the id
    grade: Ints | Floats  # by row
    iteration: Text | None = None  # by row: the subtopic, where there are some
    stratum: Text | None = None  # by row: of a sampled pool
    probability: Floats | None = None  # by row: that a sample would include it
    line: Ints | None = field(default=None, compare=False)  # by row: the line of the file, if not the row + 1
    source: Source = field(default=IN_MEMORY, compare=False)  # where it was read
    left_out: tuple[str, ...] = field(default=(), compare=False)  # judged topics that were left out on request

    @classmethod
    def of(
        cls,
        topic: Iterable[str],
        document: Iterable[str],
        grade: "ColumnLike",
        iteration: Iterable[str] | None = None,
    ) -> "Qrels":
        """Qrels from columns of equal length; grades of a floating type stay real numbers."""
        from cranfield.tables import caller_columns

        topic, document = caller_columns.text(topic), caller_columns.text(document)
        grades = caller_columns.grades(grade)
        iteration = None if iteration is None else caller_columns.text(iteration)
        caller_columns.same_length(topic=topic, document=document, grade=grades, iteration=iteration)
        topics, code = topic.codes()
        return cls(tuple(topics), code, document, grades, iteration)

    def line_of(self, row: int) -> int | None:
        """The line of a row in the source, if the source has lines."""
        if self.line is not None:
            return int(self.line[row])
        return row + 1 if self.source.name and self.source.lines else None

    def text_of(self, row: int) -> str | None:
        """The line itself, read again from the source to word an error; None where that cannot be done."""
        return self.source.text_at(self.line_of(row))

    def to_polars(self) -> "polars.DataFrame":
        """The judgments as a polars frame (extra `frames`)."""
        from cranfield.tables.side.as_frames import polars_frame, qrels_columns

        return polars_frame(qrels_columns(self))

    def to_pandas(self) -> "pandas.DataFrame":
        """The judgments as a pandas frame (pandas must be installed)."""
        from cranfield.tables.side.as_frames import pandas_frame, qrels_columns

        return pandas_frame(qrels_columns(self))

    def only(self, topics: str | Iterable[str]) -> "Qrels":
        """The judgments of some topics; unknown ones are warned of, or refused if none is known.

        >>> Qrels.of(["1", "1", "2"], ["d1", "d2", "d1"], [0, 2, 1]).only(["2"])
        Qrels: 1 topic, 1 judgment, grades 1…1
        """
        from cranfield.tables.caller_columns import text
        from cranfield.tables.side.matching import match_names

        wanted = set(text([topics] if isinstance(topics, str) else topics))
        if not wanted:
            raise InputError("E104", "no topic was chosen", hint=setting("only_topics", "q1,q2"))
        match_names(wanted, self.topics, "topic", path="only_topics")
        chosen = np.array([topic in wanted for topic in self.topics])
        number = np.cumsum(chosen) - 1
        rows = chosen[self.topic]
        return replace(
            self,
            topics=tuple(compress(self.topics, chosen)),
            topic=number[self.topic[rows]],
            document=self.document.take(rows),
            grade=self.grade[rows],
            iteration=None if self.iteration is None else self.iteration.take(rows),
            stratum=None if self.stratum is None else self.stratum.take(rows),
            probability=None if self.probability is None else self.probability[rows],
            line=np.array([self.line_of(row) or 0 for row in np.flatnonzero(rows).tolist()]),
            left_out=(*self.left_out, *compress(self.topics, ~chosen)),
        )

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        grades = f", grades {self.grade.min()}…{self.grade.max()}" if len(self) else ""
        return f"Qrels: {counted(len(self.topics), 'topic')}, {counted(len(self), 'judgment')}{grades}"

    def same_rows(self, other: "Qrels") -> bool:
        """Whether both hold the same judgments in the same order, as far as both have the columns.

        `iteration`, `stratum` and `probability` are compared if both have them, for formats without such columns.

        >>> trec, beir = Qrels.of(["1"], ["d1"], [2], iteration=["0"]), Qrels.of(["1"], ["d1"], [2])
        >>> trec.same_rows(beir), trec == beir
        (True, False)
        """
        pairs = [(getattr(self, name), getattr(other, name)) for name in _OPTIONAL]
        return (
            self.topics == other.topics
            and np.array_equal(self.topic, other.topic)
            and np.array_equal(self.grade, other.grade, equal_nan=True)
            and self.document == other.document
            and all(same(here, there) for here, there in pairs if here is not None and there is not None)
        )


_OPTIONAL = ("iteration", "stratum", "probability")
