"""`disagreement`: how scores and the order of runs change when assessors disagree."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.study.data.collection import Collection
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.kinds.disagreement.assessors import MODELS, match_second, second_assessor
from cranfield.study.kinds.disagreement.regrading import Reached, Sides, regraded
from cranfield.study.summaries.bands import Band
from cranfield.study.summaries.by_level import ByLevel, labels
from cranfield.study.summaries.order_agreement import coefficient_option, need_order
from cranfield.tables.sheets.sheet import Column

RANDOM = "Random swaps are a model: real assessors disagree most about documents that are nearly relevant."
SWAPS = (
    "as many relevant as nonrelevant documents of each topic swap grades at random, so that Cohen κ is met on average"
)
WORDS = {
    "second": "second assessor",
    "union": "union",
    "intersection": "intersection",
    "mix": "mix, a random assessor for each topic",
}


@define(
    "disagreement",
    "other assessors, other judgments",
    cites="voorhees2000",
    examples=(
        "cranfield study disagreement qrels.txt runs/*.run -m AP",
        "cranfield study disagreement qrels.txt runs/*.run --kappa 0.8,0.6,0.4",
        "cranfield study disagreement qrels.txt runs/*.run --second other.txt",
    ),
)
@dataclass(frozen=True)
class Disagreement(Study[Collection]):
    """Change judgments as other assessors would, and see how scores and the order of runs change.

    Without a second assessor, random relevant and nonrelevant documents of each topic swap their grades, equally many,
    until Cohen's kappa with the original has the wanted value in expectation. With one, the runs are scored with the
    second judgments, with the union and the intersection of both, and with those of a random assessor for each topic.
    """

    kappa: tuple[float, ...] = option(
        (0.9, 0.8, 0.7, 0.6, 0.5, 0.4),
        "agreement of another assessor with the judgments, as Cohen's κ",
        metavar="κ,…",
        check=lambda levels: bool(levels) and all(0 <= level <= 1 for level in levels),
        rule="numbers from 0 to 1",
    )
    second: str | None = option(None, "judgments of a second assessor", metavar="FILE", file=True)
    draws: int = option(
        20, "how often the random draw is repeated", metavar="N", check=lambda n: n >= 1, rule="a whole number from 1"
    )
    coefficient: str = coefficient_option()

    def units(self, data: Collection) -> Sequence[Any]:
        """One for each draw and kappa; with a second assessor, one for each set of judgments and draw of the mix."""
        need_order(len(data.runs))
        if self.second is None:
            return [{"draw": draw, "kappa": kappa} for draw in range(self.draws) for kappa in self.kappa]
        match_second(data, self.second)
        second_assessor(data, self.second)
        fixed = [{"draw": 0, "model": model} for model in MODELS[:-1]]
        return [*fixed, *({"draw": draw, "model": MODELS[-1]} for draw in range(self.draws))]

    def size(self, data: Collection, unit: Any) -> int:
        """The bytes of all hits, for each measure."""
        return len(data.hits.rank) * len(data.measures) * 8

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The means of every run with other judgments, and how far these agree with the original ones."""
        grade, among = self._grades(data, unit, seed)
        reached = Reached.of(data, grade, among)
        return {
            "means": regraded(data, grade).full_means,
            "reached": np.array([reached.kappa, reached.topic_kappa, reached.overlap]),
        }

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """Agreement with the original order, the kappa that was reached, and the band of each run."""
        means, reached = (np.stack([each[name] for each in found]) for name in ("means", "reached"))
        if self.second is None:
            shape = (self.draws, len(self.kappa))
            return self._by_kappa(data, means.reshape(*shape, *means.shape[1:]), reached.reshape(*shape, 3))
        fixed = len(MODELS) - 1  # those that are not drawn are the same in every draw
        means, reached = (
            np.stack([np.concatenate((part[:fixed], part[[at]])) for at in range(fixed, len(part))])
            for part in (means, reached)
        )
        return self._by_model(data, means, reached)

    def _grades(self, data: Collection, unit: Any, seed: int) -> tuple[Ints | Floats, Any]:
        """Other grades by place, and the judgments among which agreement is measured: all, or those of both."""
        if self.second is None:
            sides = _sides(data)
            return sides.swapped(data.judgments.grade, unit["kappa"], unit["draw"], seed), None
        second = second_assessor(data, self.second)
        return second.combined(data, unit["model"], unit["draw"], seed), second.both

    def _by_kappa(self, data: Collection, means: Floats, reached: Floats) -> Findings:
        by_level = self._leveled(data, means, Column("κ", self.kappa, ".2f"), self.kappa, SWAPS)
        made = by_level.findings(notes=(RANDOM,), columns=_columns(reached), lowest=f"κ {min(self.kappa):g}")
        lowest = list(self.kappa).index(min(self.kappa))
        return self._finished(by_level, made, reached, {f"κ {self.kappa[lowest]:g}": lowest})

    def _by_model(self, data: Collection, means: Floats, reached: Floats) -> Findings:
        second = second_assessor(data, str(self.second))
        numbers = range(1, len(MODELS) + 1)
        level = Column("judgments", [WORDS[model] for model in MODELS])
        by_level = self._leveled(data, means, level, numbers, "judgments of two assessors, combined")
        made = by_level.findings(notes=(second.note(),), columns={"judgments": MODELS, **_columns(reached)})
        made = replace(
            made,
            tidy=tuple(column for column in made.tidy if column.name != "level"),
            aside={title: columns for title, columns in made.aside.items() if "best first" not in title},
            drawings={},
        )
        return self._finished(by_level, made, reached, {model: at for at, model in enumerate(MODELS) if at})

    def _leveled(self, data: Collection, means: Floats, level: Column, levels: Sequence[float], model: str) -> ByLevel:
        return ByLevel(
            data=data,
            level=level,
            levels=levels,
            axis="Cohen κ",
            means=means,
            coefficient=self.coefficient,
            model=model,
        )

    def _finished(self, by_level: ByLevel, made: Findings, reached: Floats, drawn: dict[str, int]) -> Findings:
        """The findings with the kappa that was reached, and the bands of the runs."""
        level, *measures = made.shown
        words = {"κ reached": Band.over(reached[..., 1]), "overlap": Band.over(reached[..., 2])}
        columns = (Column(name, band.words(2)) for name, band in words.items())
        band = Band.over(by_level.means)
        levels: Sequence[Any] = MODELS if self.second is not None else self.kappa
        axes = {"judgments" if self.second else "kappa": levels, "run": by_level.data.runs, "measure": by_level.names}
        parts = (Column(f"mean{end}", part.ravel()) for end, part in band.parts())
        return replace(
            made,
            title=made.title.replace("the full order", "the original order"),
            shown=(level, *columns, *measures),
            details={**made.details, "bands": (*labels(band.mean.shape, **axes), *parts)},
            drawings={**made.drawings, "bands": _drawing(by_level, band, drawn)},
        )


def _columns(reached: Floats) -> dict[str, list[float]]:
    """The mean over draws of each measure of agreement, by level."""
    kappa, topic_kappa, overlap = reached.mean(axis=0).T.tolist()
    return {"kappa_reached": topic_kappa, "kappa_pooled": kappa, "overlap": overlap}


def _drawing(by_level: ByLevel, band: Band, drawn: dict[str, int]) -> Drawing:
    """The runs by their original score on the first measure: that score, and what other judgments give."""
    original = by_level.data.full_means[:, 0]
    better = -1.0 if by_level.data.measures[0].definition.smaller else 1.0
    best = np.argsort(-np.nan_to_num(original * better), kind="stable")
    x = np.arange(1, len(best) + 1, dtype=np.float64)
    curves = [Curve("original", x, original[best])]
    curves += [Curve(name, x, *(part[at, best, 0] for _, part in band.parts())) for name, at in drawn.items()]
    name = by_level.names[0]
    axis = f"run, by {name} with the original judgments"
    return Drawing(f"{name} with other judgments", axis, name, tuple(curves), across=(1, len(best)))


@lru_cache(maxsize=1)
def _sides(data: Collection) -> Sides:
    """The relevant and the nonrelevant documents; all units of a process share them."""
    return Sides.of(data)
