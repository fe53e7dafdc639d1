"""A comparison in a few lines: the short form below which the verdicts of a gate stand."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cranfield.stats.comparison.sheets.words import brief_p, tested, topics
from cranfield.tables.sheets.escape import visible, width
from cranfield.tables.sheets.judged_columns import judged_column
from cranfield.tables.sheets.names import shortened
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.screen import PAPER, Screen

if TYPE_CHECKING:
    from cranfield.stats.comparison.pair import Pair
    from cranfield.stats.comparison.result import Comparison

_GAP, _BELOW = "   ", "   "
_NAME = 24  # columns that a name keeps where it is shortened


def brief(comparison: "Comparison", screen: Screen = PAPER) -> str:
    """A line for each run and measure, below one that names the test, and the notes: a short form for gates."""
    said = dict.fromkeys(" · ".join([topics(found), *tested(comparison, found)]) for found in comparison.evidence)
    source = f" · against {comparison.against}" if comparison.against else ""
    rows = [
        (
            visible(f"{pair.run} – {pair.baseline}" if len(comparison.baselines) > 1 else pair.run),
            f"{pair.measure} {comparison.mean(pair.run, pair.measure):.4f}",
            f"Δ {in_print(pair.difference, '+.4f')}",
            brief_p(pair, comparison.method.alpha),
            f"W/T/L {pair.wins}/{pair.ties}/{pair.losses}",
            _judged(comparison, pair),
        )
        for pair in comparison.pairs()
    ]
    notes = [f" {visible(note)}" for note in comparison.sheet().notes if note]
    above = [f" {line}{visible(source)}" for line in said]
    words = [screen.wrapped("\n".join(part)) for part in (above, notes)]
    return "\n".join([words[0], *_lines(rows, screen), *(["", words[1]] if notes else [])])


def _lines(rows: Sequence[tuple[str, ...]], screen: Screen) -> list[str]:
    """The rows as lines; on a narrow screen the last cells of each stand below its first, the same ones in all."""
    if screen.columns is not None:
        names = shortened([row[0] for row in rows], max(_NAME, screen.columns // 2))
        rows = [(names[row[0]], *row[1:]) for row in rows]
    rooms = [max(map(width, column)) for column in zip(*rows, strict=True)]
    ends, used = [0], 1
    for place, room in enumerate(rooms):
        if screen.columns is not None and place > ends[-1] and used + room > screen.columns:
            ends.append(place)
            used = 1 + len(_BELOW)
        used += room + len(_GAP)
    parts = list(zip(ends, [*ends[1:], len(rooms)], strict=True))
    return [
        (" " + _BELOW * (first > 0) + _GAP.join(_padded(row[first:last], rooms[first:last]))).rstrip()
        for row in rows
        for first, last in parts
    ]


def _padded(cells: Sequence[str], rooms: Sequence[int]) -> list[str]:
    return [cell + " " * (room - width(cell)) for cell, room in zip(cells, rooms, strict=True)]


def _judged(comparison: "Comparison", pair: "Pair") -> str:
    """How much was judged of the run and, if that is not the same, of the baseline."""
    scores, column = comparison.scores, comparison.measures.index(pair.measure)
    found = judged_column(scores, column, [scores.runs.index(name) for name in (pair.run, pair.baseline)])
    if not found:
        return ""
    run, baseline = found[0].cells
    return f"{found[0].name} {run}" + (f" (baseline {baseline})" if run != baseline else "")
