"""`stability`: how far the order of runs depends on the choice of topics."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.random_streams import stream
from cranfield.study.data.collection import Collection
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Findings
from cranfield.study.summaries.bands import Band
from cranfield.study.summaries.by_level import ByLevel, labels
from cranfield.study.summaries.order_agreement import agreement, coefficient_name, coefficient_option, need_order
from cranfield.tables.sheets.sheet import Column

STEP = 5
PARTS = "A subset shares its topics with the full set, two halves share none: compare the rows with that in mind."


@define(
    "stability",
    "would other topics give the same order",
    cites="buckley2000 voorhees2002",
    examples=(
        "cranfield study stability qrels.txt runs/*.run -m AP -m P@10",
        "cranfield study stability qrels.txt runs/*.run --sizes 10,25 --draws 100",
        "cranfield study stability qrels.txt runs/*.run --coefficient tau-ap -o st/",
    ),
)
@dataclass(frozen=True)
class Stability(Study[Collection]):
    """Score the runs on random topics, and see how far their order agrees with that on all topics.

    Two disjoint random halves of the topics are compared with each other, and random subsets of each size with the
    full set. Topics are drawn without replacement; every judgment of a topic that is drawn counts.
    """

    takes_scores: ClassVar[bool] = True

    sizes: tuple[int, ...] | None = option(
        None,
        "numbers of topics that are drawn",
        usual="5,10 … all but 5",
        metavar="N,…",
        check=lambda sizes: bool(sizes) and min(sizes) >= 1,
        rule="whole numbers from 1",
    )
    draws: int = option(
        20, "how often the random draw is repeated", metavar="N", check=lambda n: n >= 1, rule="a whole number from 1"
    )
    coefficient: str = coefficient_option()

    def units(self, data: Collection) -> Sequence[Any]:
        """One for each draw."""
        need_order(len(data.runs))
        self._sizes(data)
        if len(data.topics) < 2:
            raise InputError("E208", f"two halves need at least 2 topics, got {len(data.topics)}")
        return [{"draw": draw} for draw in range(self.draws)]

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The means of every run on two halves, and on a subset of each size."""
        names = sorted(range(len(data.topics)), key=data.topics.__getitem__)
        half = len(names) // 2

        def drawn(*key: int | str) -> Any:  # the topics in a random order that belongs to the key
            return np.array(names)[stream(seed, "stability", unit["draw"], *key).permutation(len(names))]

        whole = drawn("halves")
        subsets = [drawn(size)[:size] for size in self._sizes(data)]
        return {
            "halves": _means(data, [whole[:half], whole[half : 2 * half]]),
            "subsets": _means(data, subsets),
        }

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """Agreement of halves with each other, and of subsets with the full set."""
        sizes, half = self._sizes(data), len(data.topics) // 2
        by_level = ByLevel(
            data,
            level=Column("topics", [str(size) for size in sizes]),
            levels=sizes,
            axis="topics",
            means=np.stack([each["subsets"] for each in found]),
            coefficient=self.coefficient,
            model="random topics, drawn without replacement, all their judgments kept",
        )
        halves = np.stack([each["halves"] for each in found])
        between = np.concatenate([agreement(one, other[None], self.coefficient) for one, other in halves])
        made = by_level.findings(notes=(PARTS,), lowest=f"{min(sizes)} topics")
        band, score = Band.over(between), Band.over(halves.mean(axis=(1, 2)))
        first = [f"{half} with {half} others", *band.words(2)]
        axes = {"draw": range(1, self.draws + 1), "measure": by_level.names}
        detail = (*labels(between.shape, **axes), Column("agreement", between.ravel()))
        return replace(
            made,
            title=made.title.replace(
                f"{coefficient_name(self.coefficient)} with the full order",
                f"{coefficient_name(self.coefficient)} of two halves, and of subsets with the full order",
            ),
            shown=tuple(_above(column, cell) for column, cell in zip(made.shown, first, strict=True)),
            tidy=_with_halves(made.tidy, by_level.names, half, band, score),
            details={**made.details, "halves": detail},
        )

    def _sizes(self, data: Collection) -> tuple[int, ...]:
        count = len(data.topics)
        if self.sizes is None:
            return tuple(range(STEP, count - STEP + 1, STEP)) or (max(count // 2, 1),)
        if max(self.sizes) > count:
            raise PolicyError(
                "E246", f"{setting('sizes', max(self.sizes))} is too many", hint=f"there are {count} topics"
            )
        return self.sizes


def _means(data: Collection, subsets: Sequence[Any]) -> Floats:
    """`[subset, run, measure]`: the means over some topics, which are numbers."""
    return np.stack([data.means(data.full[:, np.sort(topics)]) for topics in subsets])


def _above(column: Column, cell: str) -> Column:
    """The same column with one cell more, at the top."""
    return replace(column, values=[cell, *column.cells])


def _with_halves(
    tidy: Sequence[Column], measures: Sequence[str], half: int, band: Band, score: Band
) -> tuple[Column, ...]:
    """The tidy table of subsets with the rows of the halves above it; the column `compared` distinguishes them."""
    values: dict[str, Any] = {"level": [half] * len(measures), "measure": list(measures)}
    for prefix, each in (("agreement", band), ("score", score)):
        values |= {f"{prefix}{end}": part.tolist() for end, part in each.parts()}
    for name in ("coefficient", "draws"):
        column = next(column for column in tidy if column.name == name)
        values[name] = [column.raw[0]] * len(measures)
    rows = len(tidy[0].values)
    compared = Column("compared", ["halves"] * len(measures) + ["subset"] * rows)
    return (compared, *(Column(column.name, [*values[column.name], *column.raw]) for column in tidy))
