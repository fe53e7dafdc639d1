"""The columns that say how much of what a measure looks at was judged, or dropped where lists are condensed."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cranfield.tables.sheets.column import Cell, Column

if TYPE_CHECKING:
    from cranfield.tables.scores import Scores

MUCH = 0.1  # unjudged share from which on a score deserves a look
_FRAME = "border:1px dashed;border-radius:6px;padding:0 .35em"
_NAMES = {"whole list": "judged", "weight": "judged weight", "judged documents": "dropped"}


class JudgedShare(Column):
    """Shares judged, or dropped; in HTML one that leaves much unjudged has a dashed frame, as all that is unjudged.

    >>> [cell.startswith("<span") for cell in JudgedShare("judged@10", [0.46, 1.0], ".1%").html_cells]
    [True, False]
    """

    @property
    def html_cells(self) -> list[str]:
        """Every value escaped, the low ones framed."""
        unjudged = [value if self.name.startswith("dropped") else 1 - value for value in map(_known, self.raw)]
        cells = zip(super().html_cells, unjudged, strict=True)
        return [f'<span style="{_FRAME}">{cell}</span>' if share > MUCH else cell for cell, share in cells]


def _known(value: Cell) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def heading(looks_at: str) -> str:
    """The heading of the judged column of a measure; empty if the measure looks at no documents.

    >>> [heading(words) for words in ("first 10", "whole list", "weight", "first 10 judged", "judged documents")]
    ['judged@10', 'judged', 'judged weight', 'dropped@10', 'dropped']
    """
    kind, _, ranks = looks_at.partition(" ")
    if kind == "first":
        return f"dropped@{ranks.removesuffix(' judged')}" if ranks.endswith(" judged") else f"judged@{ranks}"
    return _NAMES.get(looks_at, "")


def judged_columns(scores: "Scores") -> list[Column]:
    """The judged columns of the measures; measures that look at the same ranks share one.

    There is none for a cut-off *k* if `Judged@k` is one of the measures.
    """
    named = [(heading(words), measure) for words, measure in zip(scores.looks_at, scores.measures, strict=False)]
    weighted = [measure for name, measure in named if name == "judged weight"]
    columns: dict[str, Column] = {}
    for column, (name, measure) in enumerate(named):
        title = f"{name} {measure}" if len(weighted) > 1 and measure in weighted else name
        if title and f"J{title[1:]}" not in scores.measures and title not in columns:
            columns[title] = _column(scores, column, range(len(scores.runs)), title)
    return list(columns.values())


def judged_column(scores: "Scores", column: int, rows: Iterable[int]) -> list[Column]:
    """The judged column for one measure and some of the runs; empty if nothing is known."""
    name = heading(scores.looks_at[column]) if scores.looks_at else ""
    found = _column(scores, column, rows, name)
    return [found] if name and found.numeric and any(value is not None for value in found.raw) else []


def _column(scores: "Scores", column: int, rows: Iterable[int], title: str) -> Column:
    shares = [float(scores.judged_shares[row, column]) for row in rows]
    return JudgedShare(title, [1 - share for share in shares] if title.startswith("dropped") else shares, ".1%")
