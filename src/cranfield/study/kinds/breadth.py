"""`breadth`: how scores and the order of runs change when fewer groups build the pool."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.random_streams import stream
from cranfield.study.data.collection import Collection
from cranfield.study.data.pools import builders, builders_option, listings, pool_depth_option, relevant, unlisted_note
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Findings
from cranfield.study.summaries.bands import Band
from cranfield.study.summaries.by_level import ByLevel, labels
from cranfield.study.summaries.order_agreement import coefficient_option, need_order
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.words import counted

STEPS = (1, 2, 5)  # times powers of ten: the sizes that are looked at unless told otherwise


@define(
    "breadth",
    "fewer groups that build the pool",
    cites="zobel1998 buckley2007",
    examples=(
        "cranfield study breadth qrels.txt runs/*.run -m AP --groups groups.tsv",
        "cranfield study breadth qrels.txt runs/*.run --sizes 20,5,1 --pool-depth 100",
        "cranfield study breadth qrels.txt runs/*.run -m AP --draws 50 -o breadth/",
    ),
)
@dataclass(frozen=True)
class Breadth(Study[Collection]):
    """Build the pool from random groups only, and see how scores and the order of runs change.

    A document keeps its judgment if a run of the drawn groups lists it; all others are unjudged. Runs of other groups
    are scored with judgments to which they did not contribute. Without groups every run is its own group.
    """

    sizes: tuple[int, ...] | None = option(
        None,
        "numbers of groups that build the pool",
        usual="1,2,5,10 … all",
        metavar="N,…",
        check=lambda sizes: bool(sizes) and min(sizes) >= 1,
        rule="whole numbers from 1",
    )
    draws: int = option(
        20, "how often the random draw is repeated", metavar="N", check=lambda n: n >= 1, rule="a whole number from 1"
    )
    pool_depth: int | None = pool_depth_option()
    builders: str | None = builders_option()
    coefficient: str = coefficient_option()

    def units(self, data: Collection) -> Sequence[Any]:
        """One for each draw and size."""
        need_order(len(data.runs))
        builders(data, self.builders, warn=True)
        return [{"draw": draw, "size": size} for draw in range(self.draws) for size in self._sizes(data)]

    def size(self, data: Collection, unit: Any) -> int:
        """The bytes of all hits, for each measure."""
        return len(data.hits.rank) * len(data.measures) * 8

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The means of every run with the pool of some groups, its size, and the change for runs inside and outside."""
        building = self._drawn(data, unit["draw"], unit["size"], seed)
        judged = listings(data, self.builders).pool(building, self.pool_depth)
        held = np.count_nonzero(judged & (data.judgments.grade >= 0)), relevant(data, judged)
        means = data.means(data.scores(judged[None]))[0]
        change = means - data.full_means
        return {
            "means": means,
            "held": np.array(held),
            "change": np.stack((_mean(change[building]), _mean(change[~building]))),
        }

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """Agreement with the full order, mean score, relevant documents lost, by number of groups."""
        sizes = self._sizes(data)
        shape = (self.draws, len(sizes))
        noun = "group" if data.chosen["groups"] is not None else "run"
        top = "lists" if self.pool_depth is None else f"top {self.pool_depth}"
        by_level = ByLevel(
            data,
            level=Column(f"{noun}s", sizes),
            levels=sizes,
            axis=f"{noun}s that build the pool",
            means=_gathered(found, "means", shape),
            coefficient=self.coefficient,
            model=f"pool of the {top} of random {noun}s, of {self._members(data)[1]}, documents outside it unjudged",
        )
        judged, kept = np.moveaxis(_gathered(found, "held", shape), -1, 0).mean(axis=1)
        total = relevant(data, np.ones(len(data.judgments), dtype=bool))
        lost = (total - kept) / max(total, 1)
        change = Band.over(_gathered(found, "change", shape))
        made = by_level.findings(
            notes=(_sides_note(by_level, change, noun), *unlisted_note(data, listings(data, self.builders))),
            columns={"judged": judged.tolist(), "relevant": kept.tolist(), "relevant_lost_share": lost.tolist()},
            details={"change": self._changes(by_level, change)},
            lowest=counted(min(sizes), noun),
        )
        level, *measures = made.shown
        asides = {"Mean change of the score of runs that built the pool, and of others": self._sides(by_level, change)}
        shown = (level, Column("judged", judged, ",.0f"), Column("lost", lost, ".1%"), *measures)
        return replace(made, shown=shown, aside=asides | dict(made.aside))

    def _members(self, data: Collection) -> tuple[list[str], int]:
        """The groups of the runs that built the pool, by name, and their number."""
        building = builders(data, self.builders)
        names = sorted({group for group, built in zip(data.groups, building, strict=True) if built})
        return names, len(names)

    def _sizes(self, data: Collection) -> tuple[int, ...]:
        count = self._members(data)[1]
        if self.sizes is None:
            usual = (step * 10**power for power in range(len(str(count))) for step in STEPS)
            return (count, *sorted((size for size in usual if size < count), reverse=True))
        if max(self.sizes) > count:
            raise PolicyError(
                "E246", f"{setting('sizes', max(self.sizes))} is too many", hint=f"there are {counted(count, 'group')}"
            )
        return self.sizes

    def _drawn(self, data: Collection, draw: int, size: int, seed: int) -> Bools:
        """`[run]`: whether the run is in a drawn group and helped to build the pool."""
        names = self._members(data)[0]
        drawn = {names[at] for at in stream(seed, "breadth", draw, size).permutation(len(names))[:size].tolist()}
        return np.array([group in drawn for group in data.groups]) & builders(data, self.builders)

    @staticmethod
    def _changes(by_level: ByLevel, change: Band) -> tuple[Column, ...]:
        axes = {"level": by_level.levels, "runs": ("inside", "outside"), "measure": by_level.names}
        parts = (Column(f"change{end}", part.ravel()) for end, part in change.parts())
        return (*labels(change.mean.shape, **axes), *parts)

    @staticmethod
    def _sides(by_level: ByLevel, change: Band) -> tuple[Column, ...]:
        cells = np.array(change.words(4), dtype=object).reshape(change.mean.shape)
        sides = [(f"{name}, {who}", cells[:, at, m]) for m, name in enumerate(by_level.names) for at, who in _SIDES]
        return (by_level.level, *(Column(name, column.tolist()) for name, column in sides))


_SIDES = ((0, "inside"), (1, "outside"))


def _gathered(found: Sequence[UnitResult], name: str, shape: tuple[int, int]) -> Floats:
    """`[draw, size, …]` of what the units found."""
    whole = np.stack([each[name] for each in found])
    return whole.reshape(*shape, *whole.shape[1:])


def _sides_note(by_level: ByLevel, change: Band, noun: str) -> str:
    """A note on the change for runs that built the smallest pool, and for the others."""
    fewest = int(min(by_level.levels))
    at = list(by_level.levels).index(fewest)
    inside, outside = (in_print(value, "+.4f") for value in change.mean[at, :, 0].tolist())
    return (
        f"With {counted(fewest, noun)} {by_level.names[0]} changes by {inside} on average for runs that built it, "
        f"by {outside} for the others."
    )


def _mean(change: Floats) -> Floats:
    return change.mean(axis=0) if len(change) else np.full(change.shape[1:], np.nan)
