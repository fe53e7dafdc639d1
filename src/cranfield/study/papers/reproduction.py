"""Repeat a paper: several studies of the same files, and their results beside the printed ones.

    @define("ahlgren2007", …)
    @dataclass(frozen=True)
    class Ahlgren2007(PaperStudy):
        views = {"score": {"keep": ("ag07",)}, "rank": {"keep": ("ag07",), "ties": "given"}}
        def parts(self): return {"swap": Part("score", Swap(sets=1000)), …}   # options as they would be called alone
        def compared(self, data, found): …                                # Findings of each part -> rows

Each part is a study of its own, made of one view of the data; units, processes and the journal are those of the parts.
The folder holds the tables and charts of every part, under the name of the part.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from cranfield.study.data.collection import Collection
from cranfield.study.data.views import Views
from cranfield.study.engine.definition import Study, UnitResult
from cranfield.study.engine.findings import Drawing, Findings
from cranfield.study.papers.printed_value import PrintedValue, agreeing, shown, tidy
from cranfield.tables.sheets.sheet import Cell, Column
from cranfield.tables.words import counted


@dataclass(frozen=True)
class StudyPart:
    """A study, and the view of the data that it uses."""

    view: str
    study: Study[Collection]


@dataclass(frozen=True)
class PaperStudy(Study[Views]):
    """Several studies that a paper made, with their results beside the printed ones."""

    data: ClassVar[str] = "views"
    views: ClassVar[Mapping[str, Mapping[str, Any]]] = {"score": {}}  # options of `Collection.of`
    source: ClassVar[str] = ""
    names: ClassVar[
        Mapping[str, str]
    ] = {}  # canonical name of a measure -> what the paper calls it, in what people read

    @abstractmethod
    def parts(self) -> Mapping[str, StudyPart]:
        """The studies by name."""

    @abstractmethod
    def compared(self, data: Views, found: Mapping[str, Findings]) -> Sequence[PrintedValue]:
        """The printed numbers, each with the one that the studies found."""

    def remarks(self, data: Views, found: Mapping[str, Findings]) -> Sequence[str]:
        """The remarks below the table."""
        return ()

    @cached_property
    def _parts(self) -> Mapping[str, StudyPart]:
        return self.parts()

    def units(self, data: Views) -> Sequence[Any]:
        """The units of all parts."""
        return [
            {"part": name, "unit": unit}
            for name, part in self._parts.items()
            for unit in part.study.units(data.members[part.view])
        ]

    def size(self, data: Views, unit: Any) -> int:
        """The size of a unit, from its part."""
        part = self._parts[unit["part"]]
        return part.study.size(data.members[part.view], unit["unit"])

    def work(self, data: Views, unit: Any, seed: int) -> UnitResult:
        """The result of a unit, from its part."""
        part = self._parts[unit["part"]]
        return part.study.work(data.members[part.view], unit["unit"], seed)

    def findings(self, data: Views, found: Sequence[UnitResult], seed: int) -> Findings:
        """The findings of all parts, and the printed numbers beside them."""
        units = self.units(data)
        by_part = {
            name: part.study.findings(
                data.members[part.view],
                [each for unit, each in zip(units, found, strict=True) if unit["part"] == name],
                seed,
            )
            for name, part in self._parts.items()
        }
        rows = self.compared(data, by_part)
        counts = f"{counted(len(data.first.runs), 'run')} · {counted(len(data.first.topics), 'topic')}"
        return Findings(
            title=f"{self.source}, printed and here · {counts} · {agreeing(rows)}",
            shown=shown(rows),
            tidy=tidy(rows),
            notes=tuple(self.remarks(data, by_part)),
            aside=dict(_tables(by_part, self.names)),
            details=dict(_details(by_part)),
            drawings=dict(_drawings(by_part, self.names)),
        )


def cells(columns: Sequence[Column], value: str, **where: Cell) -> list[Any]:  # numbers or names
    """The cells of a column in the rows where other columns have these values.

    >>> columns = (Column("measure", ["AP", "RR"]), Column("best", [0.4, 0.8]))
    >>> cells(columns, "best", measure="RR")
    [0.8]
    """
    known = {column.name: column.raw for column in columns}
    right = [all(known[name][row] == wanted for name, wanted in where.items()) for row in range(len(known[value]))]
    return [cell for cell, fits in zip(known[value], right, strict=True) if fits]


def cell(columns: Sequence[Column], value: str, **where: Cell) -> float:
    """The one number in the row where other columns have these values; NaN if there is none."""
    found = cells(columns, value, **where)
    return float(found[0]) if len(found) == 1 and found[0] is not None else float(np.nan)


def _tables(found: Mapping[str, Findings], names: Mapping[str, str]) -> list[tuple[str, tuple[Column, ...]]]:
    """The printed tables of every part, with their titles."""
    return [
        (title, tuple(_renamed(column, names) for column in columns))
        for each in found.values()
        for title, columns in ((each.title, each.shown), *each.aside.items())
    ]


def _renamed(column: Column, names: Mapping[str, str]) -> Column:
    """A column with the paper's names of measures, at its head and in it."""
    values = [names.get(cell, cell) if isinstance(cell, str) else cell for cell in column.raw]
    return replace(column, name=names.get(column.name, column.name), values=values)


def _details(found: Mapping[str, Findings]) -> list[tuple[str, tuple[Column, ...]]]:
    """The tables for programs of every part: PART.csv, PART-draws.csv …"""
    return [
        entry
        for part, each in found.items()
        for entry in ((part, each.tidy), *((f"{part}-{name}", columns) for name, columns in each.details.items()))
    ]


def _drawings(found: Mapping[str, Findings], names: Mapping[str, str]) -> list[tuple[str, Drawing]]:
    """The drawings of every part: PART-agreement.svg …"""
    return [
        (
            f"{part}-{name}",
            replace(drawing, curves=tuple(replace(c, label=names.get(c.label, c.label)) for c in drawing.curves)),
        )
        for part, each in found.items()
        for name, drawing in each.drawings.items()
    ]
