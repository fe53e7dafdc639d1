"""Findings by level: scores and order of runs at each level of judgments kept, pool depth and so on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.study.data.collection import Collection
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.summaries.bands import Band
from cranfield.study.summaries.order_agreement import agreement, coefficient_name
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.words import counted


@dataclass(frozen=True, eq=False)
class ByLevel:
    """The means of every run at every level of every draw, and the findings from them.

    Attributes:
        data: the collection.
        level: the levels as people read them: the first column of the printed table.
        levels: the levels as numbers.
        axis: what the levels are, for charts.
        means: `[draw, level, run, measure]`.
        coefficient: how the order at a level is compared with the full one.
        model: the model under which judgments are missing, in words; ends the first line.
    """

    data: Collection
    level: Column
    levels: Sequence[float]
    axis: str
    means: Floats
    coefficient: str
    model: str

    @cached_property
    def agreements(self) -> Floats:
        """`[draw, level, measure]`: agreement with the full order."""
        return agreement(self.data.full_means, self.means, self.coefficient)

    @cached_property
    def scores(self) -> Floats:
        """`[draw, level, measure]`: the mean over runs."""
        return self.means.mean(axis=2)

    @property
    def names(self) -> list[str]:
        """The measures."""
        return [str(measure) for measure in self.data.measures]

    def findings(
        self,
        *,
        notes: Sequence[str] = (),
        columns: Mapping[str, Sequence[Any]] | None = None,
        details: Mapping[str, tuple[Column, ...]] | None = None,
        lowest: str = "",
    ) -> Findings:
        """Tables and drawings of agreement and of mean score.

        Args:
            notes: the notes below the table.
            columns: further tidy columns, with a value for each level.
            details: further tidy tables.
            lowest: the name of the hardest level, the last one in numeric order.
        """
        order, score = Band.over(self.agreements), Band.over(self.scores)
        what, draws = coefficient_name(self.coefficient), len(self.means)
        over = f" (mean over {counted(draws, 'draw')}, 5–95 %)" if draws > 1 else ""
        counts = f"{counted(len(self.data.runs), 'run')} · {counted(len(self.data.topics), 'topic')}"
        ending = f"{over} · {counts} · {self.model}"
        return Findings(
            title=f"{what} with the full order{ending}",
            shown=self.worded(order, 2),
            tidy=self._tidy(order, score, columns or {}),
            notes=tuple(notes),
            aside={
                f"Mean score over runs and topics{ending}": self.worded(score, 4),
                f"{what} at {lowest or min(self.levels)}, best first": self._at_lowest(order),
            },
            details={**self._details(), **(details or {})},
            drawings={
                "agreement": self._drawing(f"{what} with the full order", what, order),
                "score": self._drawing("Mean score", "mean score", score),
            },
        )

    def worded(self, band: Band, digits: int) -> tuple[Column, ...]:
        """A row for each level, a column for each measure."""
        cells = np.array(band.words(digits), dtype=object).reshape(len(self.levels), len(self.names))
        return (self.level, *(Column(name, cells[:, m].tolist()) for m, name in enumerate(self.names)))

    def _tidy(self, order: Band, score: Band, columns: Mapping[str, Sequence[Any]]) -> tuple[Column, ...]:
        level, measure = labels(order.mean.shape, level=self.levels, measure=self.names)
        rows = len(order.mean.ravel())
        return (
            level,
            *(labels(order.mean.shape, **{name: values, "": self.names})[0] for name, values in columns.items()),
            measure,
            Column("coefficient", [self.coefficient] * rows),
            *(Column(f"agreement{end}", part.ravel()) for end, part in order.parts()),
            *(Column(f"score{end}", part.ravel()) for end, part in score.parts()),
            Column("draws", [len(self.means)] * rows),
        )

    def _at_lowest(self, order: Band) -> tuple[Column, ...]:
        at = list(self.levels).index(min(self.levels))
        best = sorted(range(len(self.names)), key=lambda m: -np.nan_to_num(order.mean[at, m], nan=-np.inf))
        words = order.words()
        return (
            Column("measure", [self.names[m] for m in best]),
            Column("agreement", [words[at * len(self.names) + m] for m in best]),
        )

    def _details(self) -> dict[str, tuple[Column, ...]]:
        draws = range(1, len(self.means) + 1)
        by_draw = labels(self.agreements.shape, draw=draws, level=self.levels, measure=self.names)
        by_run = labels(self.means.shape, draw=draws, level=self.levels, run=self.data.runs, measure=self.names)
        return {
            "draws": (*by_draw, Column("agreement", self.agreements.ravel()), Column("score", self.scores.ravel())),
            "runs": (*by_run, Column("mean", self.means.ravel())),
        }

    def _drawing(self, title: str, y: str, band: Band) -> Drawing:
        order = np.argsort(self.levels, kind="stable")
        x = np.array(self.levels, dtype=np.float64)[order]
        parts = [part[order] for _, part in band.parts()]
        curves = tuple(Curve(name, x, *(part[:, m] for part in parts)) for m, name in enumerate(self.names))
        return Drawing(title, self.axis, y, curves, across=(0, float(x[-1])))


def labels(shape: tuple[int, ...], **axes: Sequence[Any]) -> tuple[Column, ...]:
    """A column for each axis of an array, as long as the array is when it is flat.

    >>> [column.values for column in labels((2, 2), run=["a", "b"], measure=["AP", "RR"])]
    [['a', 'a', 'b', 'b'], ['AP', 'RR', 'AP', 'RR']]
    """
    places = np.indices(shape).reshape(len(shape), -1).tolist()
    named = zip(places, axes.items(), strict=True)
    return tuple(Column(name, [values[at] for at in place]) for place, (name, values) in named)
