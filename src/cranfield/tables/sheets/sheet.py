"""A sheet: the printed form of any result, with one renderer for each output format.

Text, Markdown, LaTeX and HTML are for people: values are rounded as the column says, and the notes are the footer.
CSV, TSV, JSONL and Parquet are for programs: values have full precision, and nothing but the rows is written.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, TypeVar

from cranfield.errors.extras import need
from cranfield.tables.sheets.column import MISSING, Cell, Column, is_number
from cranfield.tables.sheets.escape import latex, markdown, spreadsheet, visible
from cranfield.tables.sheets.layout import fitted, footer
from cranfield.tables.sheets.screen import PAPER, Screen

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = ["MISSING", "Cell", "Column", "Sheet", "is_number"]

C = TypeVar("C")


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

    def text(self, screen: Screen = PAPER) -> str:
        """For a terminal: names left, numbers right, two blanks between columns, the notes below.

        A table that is wider than the screen is cut into several, one below the other.
        """
        tables, said = fitted(self.columns, screen)
        return "\n".join(["\n\n".join(tables), *footer((*said, *self.notes), screen)])

    def markdown(self) -> str:
        """A GitHub table; texts stand in code spans, so that nothing in a name becomes a link."""
        head = [markdown(column.name) for column in self.columns]
        rule = ["---:" if column.numeric else ":---" for column in self.columns]
        body = self._rows(lambda column: column.markdown_cells)
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
        head = "".join(f'<th scope="col"{_aligned(column)}>{_escaped(column.name)}</th>' for column in self.columns)
        body = self._rows(_html_cells)
        rows = "".join(f"<tr>{''.join(row)}</tr>\n" for row in body)
        notes = "<br>".join(_escaped(note) for note in self.notes)
        foot = f'<p class="cranfield-notes">{notes}</p>\n' if self.notes else ""
        table = f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n"
        return f'<table class="cranfield" style="margin-bottom:1em">\n{table}</table>\n{foot}'

    def csv(self, plain: bool = False) -> str:
        r"""RFC 4180 with full precision; a text that a spreadsheet would run gets an apostrophe unless `plain`.

        >>> Sheet((Column("run", ["=1+1"]), Column("AP", [0.1]))).csv()
        "run,AP\r\n'=1+1,0.1\r\n"
        """
        import csv

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
        import json

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


def _html_cells(column: Column) -> list[str]:
    return [f"<td{_aligned(column)}>{cell}</td>" for cell in column.html_cells]


def _escaped(text: str) -> str:
    from html import escape

    return escape(visible(text))


def _aligned(column: Column) -> str:
    """Notebooks align all cells on the right by default."""
    return f' style="text-align:{"right" if column.numeric else "left"}"'
