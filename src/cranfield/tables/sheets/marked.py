"""Formatted columns: signed differences, starred p values, measures of which less is better."""

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cranfield.tables.sheets.escape import markdown
from cranfield.tables.sheets.numerals import minus
from cranfield.tables.sheets.sheet import MISSING, Column

DOUBT = "†"  # after a star that a note speaks against
UNJUDGED = "‡"  # after a star that may come from unjudged documents
_MARKS = f"*{DOUBT}{UNJUDGED}"
_IN_LATEX = {DOUBT: r"\textdagger{}", UNJUDGED: r"\textdaggerdbl{}", "–": "--"}


@dataclass(frozen=True, eq=False)
class Signed(Column):
    """Numbers with a sign; the minus is as wide as the plus.

    >>> Signed("Δ", [0.0575, -0.0815, None], "+.4f").cells
    ['+0.0575', '−0.0815', '–']
    """

    @property
    def cells(self) -> list[str]:
        """Every value as the reader sees it."""
        return [minus(cell) for cell in super().cells]


@dataclass(frozen=True, eq=False)
class Lowest(Column):
    """The column of a measure of which less is better: the smallest value is the best.

    >>> Lowest("ESL", [3.0, 1.0, 1.0], ".1f", best=True).winners
    [False, True, True]
    """

    def _best_of(self, known: Sequence[float]) -> float:
        return min(known)


@dataclass(frozen=True, eq=False)
class Lettered(Column):
    r"""Numbers with marks above the line, for a paper: the letters of the runs that are beaten, or stars.

    >>> column = Lettered("AP", [0.3, 0.2], ".2f", best=True, letters=("b", ""))
    >>> column.latex_cells, column.markdown_cells, column.cells
    (['\\textbf{0.30}\\textsuperscript{b}', '0.20'], ['**0.30**<sup>b</sup>', '0.20'], ['0.30 b', '0.20  '])
    """

    letters: tuple[str, ...] = ()
    smaller: bool = False

    @property
    def winners(self) -> list[bool]:
        """The rows that print the best value."""
        return self._bare.winners

    @property
    def header(self) -> str:
        """The name above the numbers, not above the marks."""
        room = max(map(len, self.letters), default=0)
        return self.name + " " * (room + 1 if room else 0)

    @property
    def cells(self) -> list[str]:
        """Every value, and its marks beside it."""
        room = max(map(len, self.letters), default=0)
        return [f"{cell} {marks:<{room}}" if room else cell for cell, marks in self._marked(self._bare.cells)]

    @property
    def latex_cells(self) -> list[str]:
        """Every value, with its marks as superscripts."""
        raised = (
            (cell, "".join(_IN_LATEX.get(mark, mark) for mark in marks)) for cell, marks in self._cells_of("latex")
        )
        return [rf"{cell}\textsuperscript{{{marks}}}" if marks else cell for cell, marks in raised]

    @property
    def markdown_cells(self) -> list[str]:
        """Every value, the best in bold, with its marks as superscripts."""
        cells = [f"**{cell}**" if best else cell for cell, best in zip(self._bare.cells, self.winners, strict=True)]
        return [f"{cell}<sup>{markdown(marks)}</sup>" if marks else cell for cell, marks in self._marked(cells)]

    @property
    def html_cells(self) -> list[str]:
        """Every value, the best in bold, with its marks as superscripts."""
        return [f"{cell}<sup>{html.escape(marks)}</sup>" if marks else cell for cell, marks in self._cells_of("html")]

    @property
    def _bare(self) -> Column:
        """The numbers alone."""
        return (Lowest if self.smaller else Column)(self.name, self.values, self.format, self.best)

    def _cells_of(self, form: str) -> Iterable[tuple[str, str]]:
        return self._marked(self._bare.latex_cells if form == "latex" else self._bare.html_cells)

    def _marked(self, cells: Sequence[str]) -> Iterable[tuple[str, str]]:
        return zip(cells, self.letters or [""] * len(cells), strict=True)


@dataclass(frozen=True, eq=False)
class Starred(Column):
    """Texts such as `0.0072*`; on a terminal they are aligned by their last digit, before the stars.

    >>> Starred("p", ["0.0072*", "0.12", None]).cells, Starred("p", ["<0.0001*", "0.12"]).cells
    (['0.0072*', '0.12', '     –'], ['<0.0001*', ' 0.12'])
    """

    @property
    def cells(self) -> list[str]:
        """Every value as the reader sees it."""
        cells = super().cells
        if any(cell.startswith("<") for cell in cells):
            cells = [cell if cell.startswith("<") else f" {cell}" for cell in cells]
        room = max((len(cell.rstrip(_MARKS)) for cell in cells), default=1)
        return [MISSING.rjust(room) if cell.strip() == MISSING else cell for cell in cells]

    @property
    def latex_cells(self) -> list[str]:
        """Every value, without the blanks of a terminal."""
        return Column(self.name, self.values).latex_cells

    @property
    def header(self) -> str:
        """The heading, aligned with the last digit, not with the star."""
        return self.name.rjust(max((len(cell.rstrip(_MARKS)) for cell in self.cells), default=1))


def probability(value: float, limit: float = 0.05) -> str:
    """A p value with two significant digits, or as many as show on which side of the limit it lies; never 0.

    >>> [probability(p) for p in (0.00721, 0.124, 0.9996, 1.0, 3e-7, 0.0498)]
    ['0.0072', '0.12', '0.9996', '1', '<0.0001', '0.0498']
    """
    if value < 0.0001:
        return "<0.0001"
    texts = (f"{value:.{digits}g}" for digits in range(2, 18))
    shown = next(text for text in texts if (float(text) < limit) == (value < limit) and (text != "1" or value == 1))
    return f"{float(shown):.6f}".rstrip("0") if "e" in shown else shown


def p_words(value: float, limit: float = 0.05) -> str:
    """A p value in a sentence.

    >>> p_words(0.0312), p_words(1e-9), p_words(float("nan"))
    ('p = 0.031', 'p < 0.0001', 'p undefined')
    """
    if math.isnan(value):
        return "p undefined"
    return "p < 0.0001" if value < 0.0001 else f"p = {probability(value, limit)}"
