"""All judgments of a lab, as records, as a table or as a frame."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from cranfield.errors.arguments import checked_methods
from cranfield.judging.exporting.pairs import ExportedPair, SaidBy
from cranfield.judging.exporting.snapshot import LabSnapshot
from cranfield.judging.exporting.tables import time_of
from cranfield.judging.records import Judgment
from cranfield.tables.audit import Audit
from cranfield.tables.result import Result
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.source import Input, Source
from cranfield.tables.words import counted
from cranfield.versions import versions


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class LabJudgments(Result):
    """What all assessors say about all pairs, oldest first; iterating gives one `Judgment` after the other.

    Attributes:
        rows: each judgment with its pair.
    """

    command: ClassVar[str] = "judge"

    rows: tuple[tuple[ExportedPair, SaidBy], ...]
    audit: Audit  # the lab they come from

    @classmethod
    def of(cls, lab: LabSnapshot, name: str) -> "LabJudgments":
        """The judgments of a lab."""
        rows = [(pair, said) for pair in lab.pairs for said in pair.said]
        rows.sort(key=lambda row: row[1].judgment.version)
        source = Source(name, "lab", lab.hash, lines=False)
        return cls(tuple(rows), Audit(inputs=[Input("lab", name, len(rows), source)], versions=versions()))

    def __len__(self) -> int:
        """Number of judgments."""
        return len(self.rows)

    def __iter__(self) -> Iterator[Judgment]:
        return (said.judgment for _, said in self.rows)

    def __getitem__(self, place: int) -> Judgment:
        return self.rows[place][1].judgment

    def sheet(self) -> Sheet:
        """The printed table: one row for each judgment."""
        answers = [said.judgment.answer for _, said in self.rows]
        return Sheet(
            (
                Column("topic", [pair.topic for pair, _ in self.rows]),
                Column("doc", [pair.document for pair, _ in self.rows]),
                Column("assessor", [said.judgment.assessor for _, said in self.rows]),
                Column("kind", [said.kind for _, said in self.rows]),
                Column("status", [answer.status for answer in answers]),
                Column("grade", [said.grade for _, said in self.rows]),
                Column("round", [said.judgment.round for _, said in self.rows]),
                Column("at", [time_of(said.judgment.at_ms) for _, said in self.rows]),
                Column("note", [answer.note for answer in answers]),
            ),
            notes=(counted(len(self), "judgment"),),
            caption="Judgments",
            label="tab:judgments",
        )

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        return {"judgments": self.to_records()}
