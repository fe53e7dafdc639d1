"""Whether ranges held: they should contain the score with all judgments, and certain orders should be those."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.missing.pairs.attained import difference
from cranfield.missing.situation import ZERO
from cranfield.study.data.collection import Collection
from cranfield.study.engine.findings import Curve, Drawing
from cranfield.tables.sheets.numerals import in_print, percent
from cranfield.tables.sheets.sheet import MISSING, Column
from cranfield.tables.words import counted

OUTSIDE = "!"  # beside a range that the score with all judgments is not in


@dataclass(frozen=True, eq=False)
class LeftOutRanges:
    """The ranges of runs as if they were new, beside what all judgments say.

    Attributes:
        data: the collection, with the measures that are bounded.
        rows: the runs.
        low: `[row, measure]`, the lowest possible score.
        high: the highest one.
        exact: whether completions attain both.
        pair_low: `[row, run, measure]`, the lowest possible difference from each other run.
        pair_high: the highest one.
        universe: which unjudged documents might have been relevant, in words, by measure.
    """

    data: Collection
    rows: Ints
    low: Floats
    high: Floats
    exact: Bools
    pair_low: Floats
    pair_high: Floats
    universe: tuple[str, ...]

    @property
    def full(self) -> Floats:
        """`[row, measure]`: the scores with all judgments."""
        return self.data.full_means[self.rows]

    @cached_property
    def contained(self) -> Bools:
        """`[row, measure]`: whether the score with all judgments is in its range; one without a value is."""
        outside = (self.full < self.low - ZERO) | (self.full > self.high + ZERO)
        return np.asarray(~outside)

    @cached_property
    def certain(self) -> Bools:
        """`[row, run, measure]`: which orders of two runs are certain from the judgments that are left."""
        return np.asarray((self.pair_low > ZERO) | (self.pair_high < -ZERO))

    @cached_property
    def held(self) -> Bools:
        """`[row, run, measure]`: which of these are the orders with all judgments."""
        truth = np.full(self.pair_low.shape, np.nan)
        for row, run in enumerate(self.rows.tolist()):
            for other, m in zip(*np.nonzero(self.certain[row]), strict=True):
                average = self.data.measures[m].definition.average
                truth[row, other, m] = difference(self.data.full[[run, other], :, m], average)
        return self.certain & np.where(self.pair_low > ZERO, truth > ZERO, truth < -ZERO)

    @property
    def _counts(self) -> dict[str, Ints]:
        """`[row, measure]`: the other runs, the certain orders, and those that held."""
        others = np.full(self.low.shape, len(self.data.runs) - 1)
        return {"others": others, "certain": self.certain.sum(axis=1), "held": self.held.sum(axis=1)}

    def shown(self, measure: int, order: Ints) -> Iterator[Column]:
        """The columns of a measure for people."""
        ends = zip(self.low[order, measure], self.high[order, measure], self.contained[order, measure], strict=True)
        yield Column("possible", [_range(low, high, bool(inside)) for low, high, inside in ends])
        certain, held = (self._counts[name][order, measure].tolist() for name in ("certain", "held"))
        yield Column("certain", [f"{number:,}" for number in certain])
        yield Column("held", [MISSING if c == 0 else f"{h:,}" for c, h in zip(certain, held, strict=True)])

    def tidy(self) -> tuple[Column, ...]:
        """The columns for programs."""
        return (
            Column("lowest", self.low.ravel()),
            Column("highest", self.high.ravel()),
            Column("width", (self.high - self.low).ravel()),
            Column("exact", self.exact.ravel().astype(np.int64)),
            Column("contained", self.contained.ravel().astype(np.int64)),
            *(Column(name, numbers.ravel()) for name, numbers in self._counts.items()),
        )

    def of_worlds(self, world: Ints, worlds: int) -> tuple[Column, ...]:
        """The columns for programs, by world and measure: runs, those contained, mean width, orders."""
        sums = {"runs": np.ones_like(self.low), "contained": self.contained, "width": self.high - self.low}
        sums |= {name: self._counts[name] for name in ("certain", "held")}
        found = {name: np.zeros((worlds, self.low.shape[1])) for name in sums}
        for name, numbers in sums.items():
            np.add.at(found[name], world, np.nan_to_num(numbers.astype(np.float64)))
        found["width"] /= np.maximum(found["runs"], 1)
        whole = {name: numbers if name == "width" else numbers.astype(np.int64) for name, numbers in found.items()}
        return tuple(Column(name, numbers.ravel()) for name, numbers in whole.items())

    def notes(self) -> Iterator[str]:
        """How many ranges held, measure by measure, and what may be relevant."""
        for m, measure in enumerate(self.data.measures):
            inside, of = int(self.contained[:, m].sum()), counted(len(self.rows), "score")
            width = in_print(float(np.nanmean(self.high[:, m] - self.low[:, m])), ".4f")
            certain, held = int(self.certain[:, :, m].sum()), int(self.held[:, :, m].sum())
            every = percent(certain / max(self.certain[:, :, m].size - len(self.rows), 1))
            orders = f"{held:,} of {counted(certain, 'certain order')} held, {every} of all are certain"
            said = f"{measure}: {inside:,} of {of} with all judgments in the possible range, mean width {width}"
            yield f"{said} · {orders if certain else 'no order is certain'}"
        if not self.contained.all():
            yield f"{OUTSIDE} relevant documents outside of the universe changed what scores are divided by"
        if len(set(self.universe)) == 1:
            yield self.universe[0]
        else:
            yield from (f"{measure}: {said}" for measure, said in zip(self.data.measures, self.universe, strict=True))

    def drawing(self, best: Ints) -> Drawing:
        """The score with all judgments in the range that the others leave, by the place of the run."""
        x = np.arange(1, len(best) + 1, dtype=np.float64)
        curves = tuple(
            Curve(str(measure), x, self.full[best, m], self.low[best, m], self.high[best, m])
            for m, measure in enumerate(self.data.measures)
        )
        axis = f"run, by {self.data.measures[0]} with all judgments"
        return Drawing("Possible range as if new", axis, "score with all judgments", curves, across=(1, len(best)))


def ranges_found(
    data: Collection, rows: Ints, found: Sequence[Any], place: Sequence[tuple[int, int]], universe: tuple[str, ...]
) -> LeftOutRanges:
    """The ranges of all runs; `place` is the world of each, and its number there."""
    columns = {
        name: np.stack([found[world][name][at] for world, at in place])
        for name in ("low", "high", "exact", "pair_low", "pair_high")
    }
    exact = columns.pop("exact").astype(bool)
    return LeftOutRanges(data=data, rows=rows, exact=exact, universe=universe, **columns)


def _range(low: float, high: float, inside: bool) -> str:
    """A range in print.

    >>> _range(0.25, 0.5, True), _range(0.25, 0.5, False)
    ('0.2500 – 0.5000', '0.2500 – 0.5000 !')
    """
    said = f"{in_print(low, '.4f')} – {in_print(high, '.4f')}"
    return said if inside else f"{said} {OUTSIDE}"
