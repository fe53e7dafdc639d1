"""The printed tables of a comparison: every run against a baseline, or all runs with letters for those they beat."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.stats.comparison.declared import in_tables
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.sheets.letters import letter
from cranfield.stats.comparison.sheets.paper import letters_of, number_format, paper_sheet, places
from cranfield.stats.comparison.sheets.rows import pair_rows
from cranfield.stats.comparison.sheets.words import caption, notes, title
from cranfield.tables.sheets.blocks import SheetBlocks, TitledSheet
from cranfield.tables.sheets.judged_columns import judged_column
from cranfield.tables.sheets.marked import Lowest
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.side.selection import best_first

if TYPE_CHECKING:
    from cranfield.stats.comparison.result import Comparison

FEW = 45  # pairs that are listed one by one on a terminal: those of ten runs


def sheet(comparison: "Comparison") -> SheetBlocks:
    """Tables for people, one for each measure and baseline; one long table of pairs for programs."""
    blocks = _labelled(block for found in comparison.evidence for block in _sheets(comparison, found))
    latex = () if comparison.baselines else (paper_sheet(comparison),)
    return SheetBlocks(pair_rows(comparison), notes(comparison), blocks=blocks, latex_blocks=latex)


def _labelled(blocks: Iterable[Sheet]) -> tuple[Sheet, ...]:
    """The tables with labels that differ, for references to them."""
    return tuple(
        replace(block, label=f"{block.label}-{n}" if n > 1 else block.label) for n, block in enumerate(blocks, 1)
    )


def _sheets(comparison: "Comparison", found: Evidence) -> list[Sheet]:
    if comparison.baselines:
        at = [comparison.scores.runs.index(name) for name in comparison.baselines]
        held = [(baseline, np.flatnonzero(found.contrasts.baseline == baseline)) for baseline in at]
        return [_baseline_sheet(comparison, found, baseline, pairs) for baseline, pairs in held if len(pairs)]
    tables: list[Sheet] = [_ranking_sheet(comparison, found)]
    if len(found.pairs) <= FEW:
        tables.append(
            TitledSheet(_pair_columns(comparison, found), caption=caption(comparison, found), label="tab:pairs")
        )
    return tables


def _baseline_sheet(comparison: "Comparison", found: Evidence, baseline: int, pairs: Ints) -> TitledSheet:
    """The baseline first, then the others from the best to the worst."""
    several = comparison.scores.runs[baseline] if len(comparison.baselines) > 1 else ""
    rows = np.concatenate(([baseline], found.contrasts.run[pairs]))
    columns = (
        Column("run", [comparison.scores.runs[row] for row in rows]),
        _means(comparison, found, rows),
        *_spread(comparison, found, rows),
        *_findings(comparison, found, pairs, blank=1),
        *judged_column(comparison.scores, found.column, rows),
        *_findings(comparison, found, pairs, blank=1, last=True),
    )
    return TitledSheet(
        columns, caption=caption(comparison, found), label="tab:comparison", title=title(comparison, found, several)
    )


def _ranking_sheet(comparison: "Comparison", found: Evidence) -> TitledSheet:
    """All runs, best first, each with the letters of those it is significantly better than."""
    rows = best_first(comparison.scores.means[:, found.column], found.contrasts.smaller)
    place = places(comparison)
    letters = letters_of(found, place, rows)
    columns = [
        Column("", [letter(int(place[row])) for row in rows]),
        Column("run", [comparison.scores.runs[row] for row in rows]),
        _means(comparison, found, rows),
        *_spread(comparison, found, rows),
        *([Column("better than", [text or None for text in letters])] if found.tested else []),
        *judged_column(comparison.scores, found.column, rows),
    ]
    return TitledSheet(
        tuple(columns), caption=caption(comparison, found), label="tab:comparison", title=title(comparison, found)
    )


def _means(comparison: "Comparison", found: Evidence, rows: Ints) -> Column:
    kind = Lowest if found.contrasts.smaller else Column
    return kind(
        "mean" if found.average != "sum" else "sum", _mean(comparison, found, rows), number_format(found), best=True
    )


def _spread(comparison: "Comparison", found: Evidence, rows: Ints) -> list[Column]:
    """The standard deviation of the means of replicates, if there are any."""
    behind = comparison.scores.replicates
    return [] if behind is None else [Column("sd", [behind.sd(int(row), found.column) for row in rows], ".4f")]


def _mean(comparison: "Comparison", found: Evidence, rows: Ints) -> Floats:
    return comparison.scores.means[rows, found.column]


def _findings(
    comparison: "Comparison", found: Evidence, places: Ints, *, blank: int = 0, last: bool = False
) -> list[Column]:
    """The columns of the declared fields that are shown, for some pairs, below the given number of empty rows.

    Those that stand behind all other columns are given if `last` is true, and no others.
    """
    some, columns = found.pairs.take(places), []
    for name, about in in_tables(type(some)).items():
        values, shown = getattr(some, name), about.shown
        if shown is None or values is None or shown.last != last or not shown.when(found):
            continue
        title = shown.title.format(method=comparison.method)
        cells = values if shown.cells is None else shown.cells(some, comparison.method)
        style = shown.sums if found.average == "sum" and shown.sums else shown.format
        columns.append(shown.column(title, [*[None] * blank, *cells], style))
    return columns


def _pair_columns(comparison: "Comparison", found: Evidence) -> tuple[Column, ...]:
    names = [f"{run} – {baseline}" for run, baseline in zip(found.pairs.run, found.pairs.baseline, strict=True)]
    every = np.arange(len(names))
    last = _findings(comparison, found, every, last=True)
    return Column("pair", names), *_findings(comparison, found, every), *last
