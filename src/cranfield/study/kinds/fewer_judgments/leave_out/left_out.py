"""The effect of leaving runs out of the pool: change of score and of place, run by run."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.stats.orders.orders import settled, tied_ranks
from cranfield.study.data.collection import Collection
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.kinds.fewer_judgments.leave_out.held import LeftOutRanges
from cranfield.study.summaries.by_level import labels
from cranfield.study.summaries.order_agreement import agreement, coefficient_name
from cranfield.tables.sheets.numerals import in_print, percent
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.words import counted


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Worlds in each of which one group did not help to build the pool.

    Attributes:
        data: the collection.
        groups: the groups, one for each world.
        owner: `[place]`, the number of the group that alone lists the judged document, or -1.
        built: `[run]`, whether it helped to build the pool.
        means: `[world, run, measure]`.
        coefficient: how two orders are compared.
        grouped: whether groups were given; otherwise each run is one.
        depth: the ranks that were pooled.
    """

    data: Collection
    groups: list[str]
    owner: Ints
    built: Bools
    means: Floats
    coefficient: str
    grouped: bool
    depth: int | None

    @cached_property
    def rows(self) -> Ints:
        """The runs in the table: those that built the pool."""
        return np.flatnonzero(self.built)

    @cached_property
    def world(self) -> Ints:
        """The world in which each of these runs is new."""
        number = {group: at for at, group in enumerate(self.groups)}
        return np.array([number[self.data.groups[run]] for run in self.rows])

    @cached_property
    def new(self) -> Floats:
        """`[row, measure]`: the mean of each run as if it were new."""
        return self.means[self.world, self.rows]

    @cached_property
    def change(self) -> Floats:
        """`[row, measure]`: the change of the mean if the run is new."""
        return self.new - self.data.full_means[self.rows]

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        """`[row, measure]`: the place of each run among all, with all judgments and as if it were new."""
        full = self._ranks(self.data.full_means[None])[0][self.rows]
        return full, self._ranks(self.means)[self.world, self.rows]

    @cached_property
    def order(self) -> Floats:
        """`[measure]`: the agreement of the order of all runs, each scored as if new, with the full order."""
        full = self.data.full_means[self.rows]
        return agreement(full, self.new[None], self.coefficient)[0]

    @cached_property
    def unique(self) -> tuple[Ints, Ints]:
        """How many documents each group alone lists, and how many of them are relevant."""
        alone = self.owner >= 0
        good = alone & (self.data.judgments.grade >= self.data.policy.rel)
        count, relevant = (np.bincount(self.owner[mask], minlength=len(self.groups)) for mask in (alone, good))
        return count, relevant

    @property
    def names(self) -> list[str]:
        """The measures."""
        return [str(measure) for measure in self.data.measures]

    @property
    def _better(self) -> Floats:
        """`[measure]`: 1, or -1 where less is better."""
        return np.array([-1.0 if measure.definition.smaller else 1.0 for measure in self.data.measures])

    def findings(self, ranges: LeftOutRanges | None = None) -> Findings:
        """The runs that lose most first; with ranges, whether these held."""
        who = "its group" if self.grouped else "it"
        of = f" of {counted(len(self.groups), 'group')}" if self.grouped else ""
        among = "" if self.depth is None else f" among its first {self.depth}"
        counts = f"{counted(len(self.rows), 'run')}{of} · {counted(len(self.data.topics), 'topic')}"
        worst = np.argsort(np.nan_to_num(self.change * self._better)[:, 0], kind="stable")
        return Findings(
            title=f"Each run as if new · {counts} · documents that only {who} lists{among} become unjudged",
            shown=self._shown(worst, ranges),
            tidy=(*self._tidy(), *(() if ranges is None else ranges.tidy())),
            notes=(*(self._note(m) for m in range(len(self.names))), *(() if ranges is None else ranges.notes())),
            details={"worlds": (*self._worlds(), *self._held(ranges))},
            drawings={"change": self._drawing(), **({} if ranges is None else {"bounds": ranges.drawing(self._best)})},
        )

    def _held(self, ranges: LeftOutRanges | None) -> tuple[Column, ...]:
        return () if ranges is None else ranges.of_worlds(self.world, len(self.groups))

    def _shown(self, order: Ints, ranges: LeftOutRanges | None) -> tuple[Column, ...]:
        count, relevant = (numbers[self.world][order] for numbers in self.unique)
        columns = [Column("run", [self.data.runs[self.rows[at]] for at in order])]
        if self.grouped:
            columns.append(Column("group", [self.groups[self.world[at]] for at in order]))
        columns += [Column("unique", count, ","), Column("relevant", relevant, ",")]
        for m, name in enumerate(self.names):
            before, after = (places[order, m].tolist() for places in self.places)
            moved = [f"{a} → {b}" if a != b else f"{a}" for a, b in zip(before, after, strict=True)]
            columns += [Column(f"Δ {name}", _signed(self.change[order, m])), Column("place", moved)]
            columns += () if ranges is None else ranges.shown(m, order)
        return tuple(columns)

    def _tidy(self) -> tuple[Column, ...]:
        shape = self.change.shape
        runs = [self.data.runs[run] for run in self.rows]
        groups = [self.groups[world] for world in self.world]
        count, relevant = (numbers[self.world].tolist() for numbers in self.unique)
        run, measure = labels(shape, run=runs, measure=self.names)
        by_run = {"group": groups, "unique": count, "unique_relevant": relevant}
        before, after = self.places
        return (
            run,
            *(labels(shape, **{name: values, "": self.names})[0] for name, values in by_run.items()),
            measure,
            Column("score", self.data.full_means[self.rows].ravel()),
            Column("new", self.new.ravel()),
            Column("change", self.change.ravel()),
            Column("place", before.ravel()),
            Column("new_place", after.ravel()),
            Column("fall", (after - before).ravel()),
            Column("coefficient", [self.coefficient] * self.change.size),
            Column("agreement", np.broadcast_to(self.order, shape).ravel()),
        )

    def _worlds(self) -> tuple[Column, ...]:
        """The order of all runs where one group is left out, group by group."""
        order = agreement(self.data.full_means, self.means, self.coefficient)
        count, relevant = (numbers.tolist() for numbers in self.unique)
        group, measure = labels(order.shape, group=self.groups, measure=self.names)
        by_group = {"unique": count, "unique_relevant": relevant}
        columns = (labels(order.shape, **{name: values, "": self.names})[0] for name, values in by_group.items())
        return (group, *columns, measure, Column("agreement", order.ravel()))

    def _note(self, m: int) -> str:
        """Agreement, mean change, and the run that suffers most, on one measure."""
        change, better = self.change[:, m], self._better[m]
        before, after = (places[:, m] for places in self.places)
        hurt, fallen = int(np.argmin(np.nan_to_num(change * better))), int(np.argmax(after - before))
        fall = int((after - before)[fallen])
        what = f"{self.names[m]}: {coefficient_name(self.coefficient)} of all runs as if new {self.order[m]:.3f}"
        mean = f"mean change {_signed(change[~np.isnan(change)].mean(keepdims=True))[0]}"
        if not change[hurt] * better < 0:
            return f"{what} · {mean} · no run loses"
        full = self.data.full_means[self.rows[hurt], m]
        share = f", {percent(abs(change[hurt] / full))}" if full else ""
        drop = f"largest drop {_signed(change[[hurt]])[0]} ({self.data.runs[self.rows[hurt]]}{share})"
        places = f"{counted(fall, 'place')} ({self.data.runs[self.rows[fallen]]})" if fall > 0 else "none"
        return f"{what} · {mean} · {drop} · largest fall {places}"

    @property
    def _best(self) -> Ints:
        """The rows by the first measure with all judgments, the best run first."""
        return np.argsort(-np.nan_to_num(self.data.full_means[self.rows, 0] * self._better[0]), kind="stable")

    def _drawing(self) -> Drawing:
        """The change of each run, by its place in the order of the first measure."""
        best = self._best
        x = np.arange(1, len(best) + 1, dtype=np.float64)
        curves = tuple(Curve(name, x, self.change[best, m]) for m, name in enumerate(self.names))
        axis = f"run, by {self.names[0]} with all judgments"
        return Drawing("Change of the score as if new", axis, "change of the score", curves, across=(1, len(best)))

    def _ranks(self, means: Floats) -> Ints:
        """`[world, run, measure]`: one more than the number of better runs; undefined means come last."""
        upright = np.nan_to_num(settled(means) * self._better, nan=-np.inf)
        return np.stack([tied_ranks(upright[:, :, m])[0] for m in range(means.shape[2])], axis=-1)


def _signed(values: Floats) -> list[str]:
    """`+0.0012`, `−0.0300`, `0` where nothing changed.

    >>> _signed(np.array([0.0012, -0.03, 0.0, np.nan]))
    ['+0.0012', '−0.0300', '0', '–']
    """
    return ["–" if np.isnan(value) else "0" if value == 0 else in_print(value, "+.4f") for value in values.tolist()]
