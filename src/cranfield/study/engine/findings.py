"""The findings of a study: text, tables, and descriptions of charts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cranfield.arrays import Floats
from cranfield.tables.sheets.blocks import TitledSheet
from cranfield.tables.sheets.escape import visible, width
from cranfield.tables.sheets.layout import wrapped
from cranfield.tables.sheets.screen import PAPER, Screen
from cranfield.tables.sheets.sheet import Column, Sheet

_FIRST, _GAP = 6, 3  # blanks after the first column and after the others


@dataclass(frozen=True, eq=False)
class Curve:
    """A line of a drawing, with a band if there is one; a single point is drawn as a mark."""

    label: str
    x: Floats
    y: Floats
    low: Floats | None = None
    high: Floats | None = None
    ideal: bool = field(default=False, kw_only=True)  # what no run can exceed: it has a look of its own


@dataclass(frozen=True, eq=False)
class Drawing:
    """Lines that share their axes, one for each measure (V11: x level, y value, band 5–95 %)."""

    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    across: tuple[float, float] | None = None  # ends of the horizontal axis, where they are known
    up: tuple[float, float] | None = None  # of the vertical one
    log: bool = False
    steps: bool = False


@dataclass(frozen=True)
class StudySheet(TitledSheet):
    """A table for people with its title right above it; `tidy` are the columns that programs get instead.

    >>> kept = Column("kept", [1.0, 0.05], ".0%")
    >>> print(
    ...     StudySheet(
    ...         (kept, Column("AP", ["1.00", "0.69 [0.62, 0.76]"])), title="τ-b", notes=("the kind case",)
    ...     ).text()
    ... )
     τ-b
     kept       AP
     100 %      1.00
       5 %      0.69 [0.62, 0.76]
     the kind case
    """

    tidy: tuple[Column, ...] = ()

    def text(self, screen: Screen = PAPER) -> str:
        """For a terminal: title, table and notes without blank lines between them; with some, if it is narrow."""
        gaps = [_FIRST, *[_GAP] * len(self.columns)]
        padded = [_padded(column, gap) for column, gap in zip(self.columns, gaps, strict=False)]
        rows = [f" {''.join(cells)}".rstrip() for cells in zip(*padded, strict=True)]
        if screen.columns is not None and max(map(width, rows)) > screen.columns:
            return super().text(screen)
        title = [wrapped(self.title, screen)] if self.title else []
        return "\n".join([*title, *rows, *(wrapped(note, screen) for note in self.notes)])

    def latex(self) -> str:
        """The title is the caption."""
        return Sheet(self.columns, caption=" ".join((f"{self.title}.", *self.notes)), label=self.label).latex()

    def _for_programs(self) -> Sheet:
        return Sheet(self.tidy)._for_programs() if self.tidy else super()._for_programs()


@dataclass(frozen=True, eq=False)
class Findings:
    """The findings of a study.

    Attributes:
        title: the first line: what the numbers are, the data they are from, and the model under which judgments are
            missing.
        shown: the columns that people read.
        tidy: the same in full precision for programs: one row per condition and measure.
        notes: the notes below the table.
        aside: further tables for people, in the folder only: title -> columns.
        details: further tidy tables for programs, by the name of their file: one row per draw, per run …
        drawings: by the name of their file, the most important first.
    """

    title: str
    shown: tuple[Column, ...]
    tidy: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    aside: Mapping[str, tuple[Column, ...]] = field(default_factory=dict)
    details: Mapping[str, tuple[Column, ...]] = field(default_factory=dict)
    drawings: Mapping[str, Drawing] = field(default_factory=dict)


def _padded(column: Column, gap: int) -> list[str]:
    """Header on the left; numbers on the right below it, words on the left."""
    name, cells = visible(column.name), column.cells
    room = max(map(width, (name, *cells)))
    widths = [(cell, " " * (room - width(cell))) for cell in cells]
    shown = [pad + cell if column.numeric else cell + pad for cell, pad in widths]
    return [text + " " * gap for text in (name + " " * (room - width(name)), *shown)]
