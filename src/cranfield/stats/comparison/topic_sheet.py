"""The differences of a comparison on every topic."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.words import notes, title
from cranfield.tables.scores import number
from cranfield.tables.sheets.blocks import Blocks, Titled
from cranfield.tables.sheets.marked import Signed
from cranfield.tables.sheets.sheet import Column, Sheet

if TYPE_CHECKING:
    from cranfield.stats.comparison.result import Comparison

WIDE = 12  # pairs that fit side by side; more are listed one below the other

Cells = list[str] | Floats
Rows = tuple[list[str], list[str], list[str], list[str], Floats, Floats, Floats]


def topic_sheet(comparison: "Comparison") -> Blocks:
    """Topics down, pairs across; one row per measure, topic and pair for programs, and for people with many pairs."""
    names = ("measure", "topic", "run", "baseline", "value", "baseline_value", "difference")
    cells: Iterator[Cells] = iter(_rows(comparison))
    columns = tuple(Column(name, next(cells)) for name in names)
    blocks: list[Sheet] = []
    for found in comparison.evidence:
        if len(found.contrasts) <= WIDE:
            blocks.append(_wide(comparison, found))
    if len(blocks) < len(comparison.evidence):
        shown = (*columns[:4], *(Column(c.name, c.values, ".4f") for c in columns[4:6]))
        blocks = [Sheet((*shown, Signed("Δ", columns[6].values, "+.4f")))]
    return Blocks(columns, notes(comparison), blocks=tuple(blocks))


def topic_rows(comparison: "Comparison") -> list[dict[str, Any]]:
    """Plain data: one record per measure, topic and pair that has a difference."""
    names = ("measure", "topic", "run", "baseline", "value", "baseline_value", "difference")
    return [
        dict(zip(names, (*row[:4], *(number(float(value)) for value in row[4:])), strict=True))
        for row in zip(*_rows(comparison), strict=True)
    ]


def _rows(comparison: "Comparison") -> Rows:
    """Every common topic of every pair, as columns."""
    runs, topics = (np.array(names, dtype=object) for names in (comparison.scores.runs, comparison.scores.topics))
    measures: list[str] = []
    names: tuple[list[Ints], list[Ints], list[Ints]] = ([], [], [])
    numbers: tuple[list[Floats], list[Floats], list[Floats]] = ([], [], [])
    for found in comparison.evidence:
        values = comparison.scores.values[:, :, found.column]
        topic, pair = np.nonzero(found.contrasts.common.T)
        left, right = found.contrasts.run[pair], found.contrasts.baseline[pair]
        measures += [found.measure] * len(pair)
        for column, codes in zip(names, (topic, left, right), strict=True):
            column.append(codes)
        ours, theirs = values[left, topic], values[right, topic]
        for cells, part in zip(numbers, (ours, theirs, ours - theirs), strict=True):
            cells.append(part)
    labels = [list(of[np.concatenate(codes)]) for of, codes in zip((topics, runs, runs), names, strict=True)]
    first, second, third = (np.concatenate(cells) for cells in numbers)
    return measures, labels[0], labels[1], labels[2], first, second, third


def _wide(comparison: "Comparison", found: Evidence) -> Titled:
    """The values of a single baseline, and the difference of each pair."""
    runs, values = comparison.scores.runs, comparison.scores.values[:, :, found.column]
    columns = [Column("topic", comparison.scores.topics)]
    alone = len(comparison.baselines) == 1
    if alone:
        columns.append(Column(comparison.baselines[0], values[runs.index(comparison.baselines[0])], ".4f"))
    for left, right in zip(found.contrasts.run, found.contrasts.baseline, strict=True):
        name = f"Δ {runs[left]}" if alone else f"{runs[left]} – {runs[right]}"
        columns.append(Signed(name, values[left] - values[right], "+.4f"))
    return Titled(tuple(columns), title=title(comparison, found), label="tab:topics", caption=title(comparison, found))
