"""The differences of a comparison on every topic."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.stats.comparison.declared import Shown, declare, declared
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.sheets.words import notes, title
from cranfield.tables.scores import number
from cranfield.tables.sheets.blocks import SheetBlocks, TitledSheet
from cranfield.tables.sheets.marked import Signed
from cranfield.tables.sheets.sheet import Column, Sheet

if TYPE_CHECKING:
    from cranfield.stats.comparison.result import Comparison

WIDE = 12  # pairs that fit side by side; more are listed one below the other


@dataclass(frozen=True, eq=False)
class TopicDifferences:
    """One row per measure, topic and pair that has a difference."""

    measure: list[str] = field(metadata=declare("name", "the measure", shown=Shown("measure")))
    topic: list[str] = field(metadata=declare("name", "the topic", shown=Shown("topic")))
    run: list[str] = field(metadata=declare("name", "the run", shown=Shown("run")))
    baseline: list[str] = field(metadata=declare("name", "the run with which it is compared", shown=Shown("baseline")))
    value: Floats = field(metadata=declare("number", "score of the run", shown=Shown("value", format=".4f")))
    baseline_value: Floats = field(
        metadata=declare("number", "score of the baseline", shown=Shown("baseline_value", format=".4f"))
    )
    difference: Floats = field(metadata=declare("number", "run minus baseline", shown=Shown("Δ", Signed, "+.4f")))

    @classmethod
    def of(cls, comparison: "Comparison") -> "TopicDifferences":
        """Every common topic of every pair."""
        runs, topics = (np.array(names, dtype=object) for names in (comparison.scores.runs, comparison.scores.topics))
        parts = [_differences(found, comparison.scores.values[:, :, found.column]) for found in comparison.evidence]
        topic, left, right = (np.concatenate([part[at] for part in parts]) for at in range(3))
        ours, theirs = (np.concatenate([part[at] for part in parts]) for at in (3, 4))
        measures = [
            found.measure for found, part in zip(comparison.evidence, parts, strict=True) for _ in range(len(part[0]))
        ]
        return cls(
            measure=measures,
            topic=list(topics[topic]),
            run=list(runs[left]),
            baseline=list(runs[right]),
            value=ours,
            baseline_value=theirs,
            difference=ours - theirs,
        )

    def columns(self, shown: bool = False) -> tuple[Column, ...]:
        """The columns for programs, or as they are shown to people."""
        made = []
        for name, about in declared(type(self)).items():
            values, look = getattr(self, name), about.shown
            made.append(look.column(look.title, values, look.format) if shown and look else Column(name, values))
        return tuple(made)


def _differences(found: Evidence, values: Floats) -> tuple[Ints, Ints, Ints, Floats, Floats]:
    """Topic, run, baseline and both values of every common topic of the pairs of a measure."""
    topic, pair = np.nonzero(found.contrasts.common.T)
    left, right = found.contrasts.run[pair], found.contrasts.baseline[pair]
    return topic, left, right, values[left, topic], values[right, topic]


def topic_sheet(comparison: "Comparison") -> SheetBlocks:
    """Topics down, pairs across; one row per measure, topic and pair for programs, and for people with many pairs."""
    rows = TopicDifferences.of(comparison)
    fits = all(len(found.pairs) <= WIDE for found in comparison.evidence)
    blocks: tuple[Sheet, ...] = (Sheet(rows.columns(shown=True)),)
    if fits:
        blocks = tuple(_wide_sheet(comparison, found) for found in comparison.evidence)
    return SheetBlocks(rows.columns(), notes(comparison), blocks=blocks)


def topic_rows(comparison: "Comparison") -> list[dict[str, Any]]:
    """Plain data: one record per measure, topic and pair that has a difference."""
    columns = TopicDifferences.of(comparison).columns()
    names = [column.name for column in columns]
    return [
        {name: number(value) if isinstance(value, float) else value for name, value in zip(names, row, strict=True)}
        for row in zip(*(column.raw for column in columns), strict=True)
    ]


def _wide_sheet(comparison: "Comparison", found: Evidence) -> TitledSheet:
    """The values of a single baseline, and the difference of each pair."""
    runs, values = comparison.scores.runs, comparison.scores.values[:, :, found.column]
    columns = [Column("topic", comparison.scores.topics)]
    alone = len(comparison.baselines) == 1
    if alone:
        columns.append(Column(comparison.baselines[0], values[runs.index(comparison.baselines[0])], ".4f"))
    for left, right in zip(found.contrasts.run, found.contrasts.baseline, strict=True):
        name = f"Δ {runs[left]}" if alone else f"{runs[left]} – {runs[right]}"
        columns.append(Signed(name, values[left] - values[right], "+.4f"))
    return TitledSheet(
        tuple(columns), title=title(comparison, found), label="tab:topics", caption=title(comparison, found)
    )
