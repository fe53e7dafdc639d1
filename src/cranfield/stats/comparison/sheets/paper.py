"""The table of a paper: runs and measures, with stars for differences from a baseline, or letters for beaten runs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import Ints
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.sheets.cells import marks
from cranfield.stats.comparison.sheets.letters import letter, listed
from cranfield.stats.comparison.sheets.words import caption
from cranfield.tables.sheets.marked import DOUBT, UNJUDGED, Lettered
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.side.selection import best_first

if TYPE_CHECKING:
    from cranfield.stats.comparison.result import Comparison


def paper_sheet(comparison: "Comparison") -> Sheet:
    """One row for each run, one column for each measure; the best values are bold.

    Against one baseline, a star marks what differs from it significantly. Otherwise letters name the runs, or those of
    several baselines, that a run is significantly better than.
    """
    place, said = _places_in_paper(comparison), caption(comparison, paper=True)
    rows = np.argsort(place)
    columns = [Column("run", [comparison.scores.runs[row] for row in rows])]
    starred = len(comparison.baselines) == 1
    if not starred:
        columns.insert(0, Column("", _row_letters(comparison, len(rows))))
    for found in comparison.evidence:
        raised = _stars(found, rows) if starred else letters_of(found, place, rows, len(comparison.baselines))
        values, smaller = comparison.scores.means[rows, found.column], found.contrasts.smaller
        column = Lettered(found.measure, values, number_format(found), True, letters=tuple(raised), smaller=smaller)
        columns.append(column)
    return Sheet(tuple(columns), notes=tuple(said.removesuffix(".").split("; ")), caption=said, label="tab:comparison")


def letters_of(found: Evidence, place: Ints, rows: Ints, first: int = 0) -> list[str]:
    """For each run the letters of those that it is significantly better than, marked if one of them is doubtful.

    Of several baselines, which have the first places, no other run is named.
    """
    beaten = found.beaten(len(place))
    if first:
        beaten &= place < first
    marked = {mark: np.any(beaten & found.marked(len(place), mark), axis=1) for mark in (DOUBT, UNJUDGED)}
    doubts = ["".join(mark for mark, where in marked.items() if where[row]) for row in rows]
    said = [listed(sorted(place[np.flatnonzero(beaten[row])].tolist()), len(place)) for row in rows]
    return [text + mark for text, mark in zip(said, doubts, strict=True)]


def places(comparison: "Comparison") -> Ints:
    """The place of each run in the order of the first measure: its letter."""
    first = comparison.evidence[0]
    return np.argsort(best_first(comparison.scores.means[:, first.column], first.contrasts.smaller))


def number_format(found: Evidence) -> str:
    """How the values of a measure are rounded."""
    return ".0f" if found.average == "sum" else ".4f"


def _places_in_paper(comparison: "Comparison") -> Ints:
    """Baselines first, as they were named; the others by the first measure, best first."""
    order = np.argsort(places(comparison)).tolist()
    baselines = [comparison.scores.runs.index(name) for name in comparison.baselines]
    return np.argsort([*baselines, *(row for row in order if row not in baselines)])


def _row_letters(comparison: "Comparison", rows: int) -> Sequence[str]:
    """The letters of the runs that letters can name: all, or the baselines."""
    named = len(comparison.baselines) or rows
    return [letter(row) if row < named else "" for row in range(rows)]


def _stars(found: Evidence, rows: Ints) -> list[str]:
    """A star for each run that differs significantly from the baseline, with the doubts about it."""
    stars = {
        int(run): "*" + marks(warning) if significant else ""
        for run, significant, warning in zip(
            found.contrasts.run, found.pairs.significant, found.pairs.warning, strict=True
        )
    }
    return [stars.get(int(row), "") for row in rows]
