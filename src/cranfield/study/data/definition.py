"""The input of a study: judgments and runs (`Collection`), or measures alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cranfield.errors import PolicyError
from cranfield.measures.grammar import Measure, parse_many
from cranfield.tables.audit import Audit


class StudyData(Protocol):
    """What every kind of study data has."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that are studied."""
        ...

    @property
    def audit(self) -> Audit:
        """What shaped the numbers."""
        ...

    def settings(self) -> dict[str, Any]:
        """The choices that led to it, as plain data; the same choices and inputs make it again."""
        ...

    @property
    def fingerprint(self) -> str | None:
        """SHA-256 of the data; None if the settings describe them completely."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """Notes about the data for the foot of every table."""
        ...


@dataclass(frozen=True, eq=False)
class Measures:
    """Measures alone: for studies that read no data, or make their own."""

    measures: tuple[Measure, ...]
    notes: tuple[str, ...] = ()
    fingerprint: None = None

    @classmethod
    def of(cls, measures: object = (), **others: Any) -> "Measures":  # what a study with data would take
        """Measures by name."""
        if others:
            raise PolicyError("E244", f"this study takes no {next(iter(others))!r}", hint="it reads no runs")
        return cls(parse_many(measures))

    @property
    def audit(self) -> Audit:
        """An empty audit: only the settings shape these numbers."""
        return Audit()

    def settings(self) -> dict[str, Any]:
        """The names of the measures."""
        return {"measures": [str(measure) for measure in self.measures]}
