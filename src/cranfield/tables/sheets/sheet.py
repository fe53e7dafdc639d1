"""A sheet: the printed form of any result, with one renderer for each output format.

Text, Markdown, LaTeX and HTML are for people: values are rounded as the column says, and the notes are the footer.
CSV, TSV, JSONL and Parquet are for programs: values have full precision, and nothing but the rows is written.
"""

import csv
import html
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO, StringIO
from numbers import Integral, Real
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors.extras import need
from cranfield.tables.sheets.escape import code_span, latex, markdown, spreadsheet, visible, width
from cranfield.tables.sheets.numerals import in_print

if TYPE_CHECKING:
    import pandas
    import polars

Cell: TypeAlias = str | float | int | bool | None
C = TypeVar("C")

MISSING = "–"


@dataclass(frozen=True)
class Column:
    """A named column; `format` rounds numbers for the reader, `best` marks the highest value in LaTeX.

    A column that is worded for people, such as an interval, has `parts`: the columns that programs get instead.

    >>> Column("judged@10", [0.98, None], ".1%").cells
    ['98.0 %', '–']
    """

    name: str
    values: Sequence[Cell] | Floats | Ints
    format: str = ""
    best: bool = False
    parts: tuple["Column", ...] = ()

    @cached_property
    def numeric(self) -> bool:
        """Whether the column holds numbers only, and so is aligned on the right."""
        return all(value is None or is_number(value) for value in self.values) and any(
            value is not None for value in self.values
        )

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
        """The rows that print the highest value: all of them, if several are equal as printed."""
        known = [value for value in self.raw if isinstance(value, int | float)]
        if not self.best or not known:
            return [False] * len(self.values)
        top = self._shown(max(known))
        return [value is not None and cell == top for value, cell in zip(self.raw, self.cells, strict=True)]

    @property
    def latex_cells(self) -> list[str]:
        """Every value as LaTeX prints it, the best in bold."""
        shown = list(map(latex, self.cells))
        if self.numeric:
            shown = [cell.replace(r" \%", r"\,\%") for cell in shown]
        return [rf"\textbf{{{cell}}}" if best else cell for cell, best in zip(shown, self.winners, strict=True)]

    def _shown(self, value: Cell) -> str:
        plain = _plain(value)
        if plain is None:
            return MISSING
        if isinstance(plain, str | bool):
            return visible(str(plain))
        return in_print(plain, self.format)


@dataclass(frozen=True)
class Sheet:
    """Columns of equal length with notes at the foot.

    >>> print(Sheet((Column("run", ["bm25"]), Column("AP", [0.29314], ".4f")), notes=("40 topics",)).text())
     run       AP
     bm25  0.2931
    <BLANKLINE>
     40 topics
    """

    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    caption: str = ""
    label: str = ""

    def text(self) -> str:
        """For a terminal: names left, numbers right, two blanks between columns, the notes below."""
        lines = [f" {'  '.join(cells).rstrip()}" for cells in zip(*map(_padded, self.columns), strict=True)]
        return "\n".join(
            [*lines, *([""] if self.notes else []), *(f" {visible(note)}".rstrip() for note in self.notes)]
        )

    def markdown(self) -> str:
        """A GitHub table; texts stand in code spans, so that nothing in a name becomes a link."""
        head = [markdown(column.name) for column in self.columns]
        rule = ["---:" if column.numeric else ":---" for column in self.columns]
        body = self._rows(lambda column: column.cells if column.numeric else map(_span, column.raw))
        lines = [f"| {' | '.join(row)} |" for row in [head, rule, *body]]
        return "\n".join(
            [*lines, *([""] if self.notes else []), "  \n".join(markdown(note) for note in self.notes)]
        ).rstrip()

    def latex(self) -> str:
        """A floating table in the style of booktabs; every best value, tied ones too, is bold."""
        align = "".join("r" if column.numeric else "l" for column in self.columns)
        head = " & ".join(latex(column.name) for column in self.columns)
        caption = " ".join(f"{latex(part)}" for part in ([self.caption] if self.caption else self.notes))
        return "\n".join(
            [
                r"% needs \usepackage{booktabs}",
                r"\begin{table}",
                r"\centering",
                rf"\caption{{{caption}}}",
                rf"\label{{{self.label or 'tab:scores'}}}",
                rf"\begin{{tabular}}{{{align}}}",
                r"\toprule",
                rf"{head} \\",
                r"\midrule",
                *(rf"{' & '.join(row)} \\" for row in self._rows(lambda column: column.latex_cells)),
                r"\bottomrule",
                r"\end{tabular}",
                r"\end{table}",
            ]
        )

    def html(self) -> str:
        """A table for a notebook; everything is escaped, nothing needs JavaScript."""
        head = "".join(f"<th{_right(column)}>{_escaped(column.name)}</th>" for column in self.columns)
        body = self._rows(_html_cells)
        rows = "".join(f"<tr>{''.join(row)}</tr>\n" for row in body)
        notes = "<br>".join(_escaped(note) for note in self.notes)
        foot = f'<p class="cranfield-notes">{notes}</p>\n' if self.notes else ""
        return f'<table class="cranfield">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n{foot}'

    def csv(self, plain: bool = False) -> str:
        r"""RFC 4180 with full precision; a text that a spreadsheet would run gets an apostrophe unless `plain`.

        >>> Sheet((Column("run", ["=1+1"]), Column("AP", [0.1]))).csv()
        "run,AP\r\n'=1+1,0.1\r\n"
        """
        guard: Callable[[str], str] = str if plain else spreadsheet
        out = StringIO()
        writer = csv.writer(out)
        plainly = self._for_programs()
        writer.writerow([guard(column.name) for column in plainly.columns])
        writer.writerows(plainly._rows(lambda column: [guard(v) if isinstance(v, str) else v for v in column.raw]))
        return out.getvalue()

    def tsv(self, plain: bool = False) -> str:
        r"""Columns separated by tabs, full precision; tabs and line ends inside a name are shown as escapes.

        A text that a spreadsheet would run gets an apostrophe unless `plain`.

        >>> Sheet((Column("run", ["=1+1"]), Column("AP", [-0.1]))).tsv()
        "run\tAP\n'=1+1\t-0.1\n"
        """
        guard: Callable[[str], str] = str if plain else spreadsheet
        plainly = self._for_programs()

        def cells(column: Column) -> list[str]:
            texts = [guard(value) if isinstance(value, str) else value for value in column.raw]
            return ["" if value is None else visible(str(value)) for value in texts]

        head = [visible(guard(column.name)) for column in plainly.columns]
        return "".join("\t".join(row) + "\n" for row in [head, *plainly._rows(cells)])

    def records(self) -> list[dict[str, Cell]]:
        """One dictionary per row, full precision, undefined as None.

        >>> Sheet((Column("run", ["bm25"]), Column("AP", [0.29314], ".4f"))).records()
        [{'run': 'bm25', 'AP': 0.29314}]
        """
        plainly = self._for_programs()
        names = [column.name for column in plainly.columns]
        return [dict(zip(names, row, strict=True)) for row in plainly._rows(lambda column: column.raw)]

    def jsonl(self) -> str:
        """One JSON object per row, full precision, undefined as null."""
        finite = ({n: None if v in (math.inf, -math.inf) else v for n, v in row.items()} for row in self.records())
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in finite)

    def parquet(self) -> bytes:
        """A Parquet file."""
        need("polars", "a Parquet file")
        out = BytesIO()
        self.polars().write_parquet(out)
        return out.getvalue()

    def polars(self) -> "polars.DataFrame":
        """A polars frame in full precision."""
        need("polars", "a polars frame")
        import polars

        return polars.DataFrame([polars.Series(column.name, column.raw) for column in self._for_programs().columns])

    def pandas(self) -> "pandas.DataFrame":
        """A pandas frame in full precision (pandas must be installed)."""
        need("pandas", "a pandas frame")
        import pandas

        return pandas.DataFrame({column.name: column.raw for column in self._for_programs().columns})

    def _for_programs(self) -> "Sheet":
        """The sheet with every column that is worded for people replaced by its parts."""
        return Sheet(tuple(part for column in self.columns for part in column.parts or (column,)))

    def _rows(self, cells: Callable[[Column], Iterable[C]]) -> list[list[C]]:
        """The columns, each turned into cells, as rows."""
        return [list(row) for row in zip(*(cells(column) for column in self.columns), strict=True)]


def is_number(value: object) -> bool:
    """Whether a cell is a number, NumPy's included; truth values are words."""
    return isinstance(value, Real) and not isinstance(value, bool)


def _plain(value: object) -> Cell:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool):
        return bool(value)
    if not isinstance(value, Real):
        return str(value)
    if isinstance(value, Integral):
        return int(value)
    return None if math.isnan(value) else float(value)


def _padded(column: Column) -> list[str]:
    """Header and cells in equal width; a header wider than its numbers keeps one blank more from its neighbour."""
    name, cells = visible(column.name), column.cells
    numeric = column.numeric
    room = max([width(name) + numeric, *map(width, cells)])
    pads = [(text, " " * (room - width(text))) for text in (name, *cells)]
    return [pad + text if numeric else text + pad for text, pad in pads]


def _span(value: Cell) -> str:
    return MISSING if value is None else code_span(str(value))


def _html_cells(column: Column) -> list[str]:
    opening = f"<td{_right(column)}>"
    return [f"{opening}{_escaped(cell)}</td>" for cell in column.cells]


def _escaped(text: str) -> str:
    return html.escape(visible(text))


def _right(column: Column) -> str:
    return ' style="text-align:right"' if column.numeric else ""
