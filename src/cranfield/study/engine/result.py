"""StudyResult: the result of a study in every form, and its output folder."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from cranfield.errors import DataWarning
from cranfield.errors.arguments import checked_methods
from cranfield.errors.extras import command, installed
from cranfield.errors.names import named
from cranfield.errors.warning import warn
from cranfield.study.engine.findings import Findings, StudySheet
from cranfield.tables.audit import Audit
from cranfield.tables.charts import ChartChoices, draw
from cranfield.tables.result import Result
from cranfield.tables.scores import number
from cranfield.tables.sheets.sheet import Cell, Column, Sheet
from cranfield.whole_files import write_whole

if TYPE_CHECKING:
    import polars

    from cranfield.tables.charts import Figure

SETTINGS = "study.json"


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class StudyResult(Result):
    """A finished study: it prints itself, gives its rows and its charts, and knows its settings.

    >>> import cranfield.study as study
    >>> qrels = {f"q{n}": {"a": 1, "b": 0, "c": 1} for n in range(4)}
    >>> runs = {"x": dict.fromkeys(qrels, ["a", "c", "b"]), "y": dict.fromkeys(qrels, ["b", "a"])}
    >>> made = study.reduction(qrels, runs, "AP", levels=[100, 50], draws=3)
    >>> made.settings["options"]["levels"], made.to_dict()["result"]["rows"][0]["agreement"]
    ([100, 50], 1.0)
    """

    command: ClassVar[str] = "study"

    settings: Mapping[str, Any]  # plain data: kind, options, seed, inputs, versions
    findings: Findings  # title, tables, notes and drawings
    audit: Audit

    def sheet(self) -> StudySheet:
        """The printed table with its first line and its notes."""
        found = self.findings
        return StudySheet(
            found.shown, found.notes, label=f"tab:{self.settings['kind']}", title=found.title, tidy=found.tidy
        )

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        return {"settings": dict(self.settings), "title": self.findings.title, "rows": rows(self.findings.tidy)}

    def to_records(self, name: str = "") -> list[dict[str, Cell]]:
        """The rows as dictionaries; with a name those of one of the further tables, such as `draws`."""
        if not name:
            return super().to_records()
        return Sheet(named(name, self.findings.details, "table")).records()

    def table(self, name: str = "") -> "polars.DataFrame":
        """The rows in full precision; with a name one of the further tables, such as `draws`."""
        if not name:
            return self.to_polars()
        return Sheet(named(name, self.findings.details, "table")).polars()

    def plot(self, name: str = "", **choices: Unpack[ChartChoices]) -> "Figure":
        """A chart: the first one, or that of the name; `width`, `title` as for all charts."""
        drawing = named(name or next(iter(self.findings.drawings), ""), self.findings.drawings, "chart")
        return draw("study", "levels", self, drawing, **choices)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Every file of the study's folder, with its bytes; charts where the extra `charts` is installed."""
        found = self.findings
        blocks = [self.sheet(), *(StudySheet(columns, title=title) for title, columns in found.aside.items())]
        yield SETTINGS, dumped(self.settings)
        yield "table.txt", ("\n\n".join(block.text() for block in blocks) + "\n").encode("utf-8", "backslashreplace")
        yield f"{self.settings['kind']}.csv", self.to_csv().encode("utf-8", "backslashreplace")
        for name, columns in found.details.items():
            yield f"{name}.csv", Sheet(columns).csv().encode("utf-8", "backslashreplace")
        for name in found.drawings if installed("charts") else ():
            figure = self.plot(name)
            for ending in (".svg", ".png", ".json"):
                yield f"{name}{ending}", figure.rendered(ending)

    def write(self, folder: "str | os.PathLike[str]") -> None:
        """Write settings, tables and charts to a folder; each file is complete or absent.

        Without the extra `charts` the charts are left out, with a warning.
        """
        for name, data in self.files():
            write_whole(Path(folder) / name, data)
        if self.findings.drawings and not installed("charts"):
            message = f"the charts were left out, altair and vl-convert draw them: {command('altair')}"
            warn(DataWarning("W118", message, str(folder)))


def dumped(settings: Mapping[str, Any]) -> bytes:
    """Settings as the bytes of `study.json`."""
    return (json.dumps(settings, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "backslashreplace")


def rows(columns: tuple[Column, ...]) -> list[dict[str, Any]]:
    """Columns as plain rows; what is undefined is None."""
    names = [column.name for column in columns]
    cells = zip(*(column.raw for column in columns), strict=True)
    return [{n: number(v) if isinstance(v, float) else v for n, v in zip(names, row, strict=True)} for row in cells]
