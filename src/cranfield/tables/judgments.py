"""Judgments of several assessors, with status and time, before they are combined into one grade."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Bools, Floats, Ints, same
from cranfield.errors import DataWarning
from cranfield.errors.arguments import checked_methods
from cranfield.errors.warning import warn
from cranfield.tables.caller_columns import same_length
from cranfield.tables.qrels import Qrels
from cranfield.tables.source import Source
from cranfield.tables.text import Text
from cranfield.tables.words import counted

MISSING = "missing"  # the status of a row whose grade stands for no judgment


def warn_of_failed(failed: int, of_all: int, path: str) -> None:
    """Warn of judgments that failed or are open: they are unjudged, never grade 0."""
    if failed:
        message = f"{failed:,} of {of_all:,} judgments failed or are open; they count as unjudged"
        warn(DataWarning("W109", message, path))


@checked_methods
@dataclass(frozen=True, eq=False)
class Judgments:
    """Rows `(topic, document, assessor, kind, status, grade, at)`; only rows of status `judged` have a grade.

    A judgment that failed is unjudged, never grade 0: its `grade` cell says nothing.

    >>> Judgments.of(["1", "1"], ["d1", "d1"], ["ann", "model"], [2, 0], status=["judged", "failed"])
    Judgments: 2 assessors, 1 topic, 1 judgment, 1 other
    """

    topic: Text  # by row: the id
    document: Text  # by row: the id
    assessor: Text  # by row: the name
    kind: Text  # by row: `human` or `model`
    status: Text  # by row: `judged`, or why there is no grade
    grade: Ints | Floats  # by row
    at: Text  # by row: when, as it is written
    line: Ints | None = None
    source: Source = Source()  # noqa: RUF009  # frozen, so one may be shared

    @classmethod
    def of(
        cls,
        topic: Iterable[str],
        document: Iterable[str],
        assessor: Iterable[str],
        grade: ArrayLike,
        *,
        kind: Iterable[str] | None = None,
        status: Iterable[str] | None = None,
        at: Iterable[str] | None = None,
    ) -> "Judgments":
        """Judgments from columns of equal length; by default all are by people, judged, and without a time."""
        topics, documents, assessors = Text.of(topic), Text.of(document), Text.of(assessor)
        grades = np.atleast_1d(np.asarray(grade))
        kinds, states, times = (
            Text.of([default] * len(topics) if given is None else given)
            for given, default in ((kind, "human"), (status, "judged"), (at, ""))
        )
        same_length(
            topic=topics, document=documents, assessor=assessors, grade=grades, kind=kinds, status=states, at=times
        )
        number: Ints | Floats = grades.astype(np.float64) if grades.dtype.kind == "f" else grades.astype(np.int64)
        return cls(
            topic=topics,
            document=documents,
            assessor=assessors,
            kind=kinds,
            status=states,
            grade=number,
            at=times,
        )

    @property
    def judged(self) -> Bools:
        """Which rows carry a grade."""
        states, code = self.status.codes()
        return code == states.index("judged") if "judged" in states else np.zeros(len(self), dtype=bool)

    def warn_of_failed(self) -> None:
        """Warn if some of the rows failed or are open."""
        states, code = self.status.codes()
        failed = np.isin(code, [number for number, state in enumerate(states) if state not in ("judged", MISSING)])
        warn_of_failed(int(failed.sum()), len(self), self.source.name)

    def qrels(self) -> Qrels:
        """The graded rows of all assessors as qrels, which may contradict each other."""
        kept = self.judged
        topics, topic = self.topic.take(kept).codes()
        line = np.flatnonzero(kept) + 1 if self.line is None else self.line[kept]
        numbers = line if self.source.name and self.source.lines else None
        return Qrels(tuple(topics), topic, self.document.take(kept), self.grade[kept], line=numbers, source=self.source)

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        judged = int(self.judged.sum())
        people, topics = (
            counted(len(c.codes()[0]), n) for c, n in ((self.assessor, "assessor"), (self.topic, "topic"))
        )
        other = f", {len(self) - judged:,} other" if judged < len(self) else ""
        return f"Judgments: {people}, {topics}, {counted(judged, 'judgment')}{other}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Judgments):
            return NotImplemented
        names = ("topic", "document", "assessor", "kind", "status", "at")
        return all(getattr(self, name) == getattr(other, name) for name in names) and same(
            self.grade[self.judged], other.grade[other.judged]
        )

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # unhashable: equal by content; mypy wants a method
