"""A column of a printed table: its values, and how each form shows them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral, Real
from typing import TypeAlias

import numpy as np

from cranfield.arrays import EqualByContent, Floats, Ints
from cranfield.tables.sheets.escape import code_span, latex, visible
from cranfield.tables.sheets.numerals import in_print

Cell: TypeAlias = str | float | int | bool | None

MISSING = "–"


@dataclass(frozen=True, eq=False)
class Column(EqualByContent):
    """A named column; `format` rounds numbers for the reader, `best` marks the highest value.

    A column that is worded for people, such as an interval, has `parts`: the columns that programs get instead. One
    that says more about the column on its left is `attached` to it: both stay side by side.

    >>> Column("judged@10", [0.98, None], ".1%").cells
    ['98.0 %', '–']
    """

    name: str
    values: Sequence[Cell] | Floats | Ints
    format: str = ""
    best: bool = False
    parts: tuple["Column", ...] = ()
    attached: bool = False

    @cached_property
    def numeric(self) -> bool:
        """Whether the column holds numbers only, and so is aligned on the right."""
        return all(value is None or is_number(value) for value in self.values) and any(
            value is not None for value in self.values
        )

    @property
    def header(self) -> str:
        """The name, as it stands above the cells on a terminal."""
        return self.name

    @property
    def cells(self) -> list[str]:
        """Every value as the reader sees it."""
        return [self._shown(value) for value in self.values]

    @property
    def raw(self) -> list[Cell]:
        """Every value as a plain Python object in full precision; undefined is None."""
        return [_plain(value) for value in self.values]

    @property
    def winners(self) -> list[bool]:
        """The rows that print the best value: all of them, if several are equal as printed; none of a single row."""
        known = [value for value in self.raw if isinstance(value, int | float)]
        if not self.best or len(self.values) < 2 or not known:
            return [False] * len(self.values)
        top = self._shown(self._best_of(known))
        return [value is not None and cell == top for value, cell in zip(self.raw, self.cells, strict=True)]

    @property
    def latex_cells(self) -> list[str]:
        """Every value as LaTeX prints it, the best in bold."""
        shown = list(map(latex, self.cells))
        if self.numeric:
            shown = [cell.replace(r" \%", r"\,\%") for cell in shown]
        return [rf"\textbf{{{cell}}}" if best else cell for cell, best in zip(shown, self.winners, strict=True)]

    @property
    def markdown_cells(self) -> list[str]:
        """Every value as a cell of a GitHub table; texts stand in code spans."""
        if self.numeric:
            return self.cells
        return [MISSING if value is None else code_span(str(value)) for value in self.raw]

    @property
    def html_cells(self) -> list[str]:
        """Every value escaped, the best in bold."""
        from html import escape

        shown = [escape(cell) for cell in self.cells]
        return [f"<strong>{cell}</strong>" if best else cell for cell, best in zip(shown, self.winners, strict=True)]

    def _best_of(self, known: Sequence[float]) -> float:
        return max(known)

    def _shown(self, value: Cell) -> str:
        plain = _plain(value)
        if plain is None:
            return MISSING
        if isinstance(plain, str | bool):
            return visible(str(plain))
        return in_print(plain, self.format)


def is_number(value: object) -> bool:
    """Whether a cell is a number, NumPy's included; truth values are words."""
    return isinstance(value, Real) and not isinstance(value, bool)


def _plain(value: object) -> Cell:
    if type(value) is float:  # most cells of large tables: the questions below take several times as long
        return None if math.isnan(value) else value
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool):
        return bool(value)
    if not isinstance(value, Real):
        return str(value)
    if isinstance(value, Integral):
        return int(value)
    return None if math.isnan(value) else float(value)
