"""`reduction`: how scores and the order of runs change when judgments are removed at random."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from cranfield.arrays import Bools
from cranfield.study.data.collection import Collection
from cranfield.study.data.strata import Rules, TopicStrata
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Findings
from cranfield.study.summaries.by_level import ByLevel, labels
from cranfield.study.summaries.order_agreement import coefficient_option, need_order
from cranfield.tables.sheets.numerals import percent
from cranfield.tables.sheets.sheet import Column

AG07 = (100, *range(95, 10, -5), *range(10, 0, -1))  # 28 levels
LEVELS: dict[str, tuple[float, ...]] = {"ag07": AG07, "sk08": (90, 70, 50, 30, 10), "ffm14": tuple(range(100, 0, -5))}
PARTS = 8  # units of a study with few draws, so that several processes have something to do
MUCH_MORE = 1.5  # times what was asked for
KIND = (
    "Uniform removal is the kind case: see also `study depth` and `study leave-out`, "
    "where missing judgments are not random."
)


@define(
    "reduction",
    "fewer judgments, removed at random",
    cites="ahlgren2007 sakai2008 ferrante2014",
    examples=(
        "cranfield study reduction qrels.txt runs/*.run -m AP -m bpref --levels 100,50",
        "cranfield study reduction qrels.txt runs/*.run -m AP --levels ag07 --keep ag07",
        "cranfield study reduction qrels.txt runs/*.run -m AP --draws 50 -o reduced/",
    ),
)
@dataclass(frozen=True)
class Reduction(Study[Collection]):
    """Remove judgments at random, and see how scores and the order of runs change.

    A document whose judgment is removed is unjudged, not nonrelevant. Per topic and stratum of *n* judgments,
    *n·level/100* are kept, rounded, and not fewer than the minimum: small strata keep more than their share, which the
    tidy table shows.
    """

    levels: tuple[float, ...] = option(
        (100, 90, 70, 50, 30, 20, 10, 5, 1),
        "percent of the judgments that are kept, or the levels of a paper: ag07, sk08, ffm14",
        metavar="P,…",
        also=LEVELS,
        check=lambda levels: bool(levels) and all(0 < level <= 100 for level in levels),
        rule="percentages above 0, up to 100",
    )
    draws: int = option(
        20, "how often the random draw is repeated", metavar="N", check=lambda n: n >= 1, rule="a whole number from 1"
    )
    stratify: Literal["relevance", "grade", "none"] = option(
        "relevance", "what the judgments of a topic are stratified by"
    )
    nested: bool = option(False, "lower levels keep a part of what higher ones keep, as in SK08")
    min_relevant: int = option(
        1,
        "fewest relevant judgments that are kept of a topic",
        metavar="N",
        check=lambda n: n >= 0,
        rule="a whole number",
    )
    min_nonrelevant: int = option(
        10,
        "fewest nonrelevant judgments that are kept of a topic",
        metavar="N",
        check=lambda n: n >= 0,
        rule="a whole number",
    )
    minima: Literal["each", "all"] = option(
        "each", "whether --min-relevant holds for each relevant stratum, or for all together"
    )
    rounding: Literal["ag07", "sk08"] = option(
        "ag07",
        "whether a half is rounded down (ag07, or half-down) or up (sk08, or half-up)",
        also={"half-down": "ag07", "half-up": "sk08"},
    )
    coefficient: str = coefficient_option()
    per_topic: bool = option(False, "also keep the score of every topic")

    @property
    def rules(self) -> Rules:
        """How judgments are reduced."""
        minimum = (self.min_relevant, self.min_nonrelevant, self.minima)
        return Rules(self.levels, self.stratify, self.nested, *minimum, self.rounding)

    @property
    def model(self) -> str:
        """The model of removal, in words."""
        how = {"none": "not stratified", "relevance": "stratified", "grade": "stratified by grade"}[self.stratify]
        nested = ", nested" if self.nested else ""
        if self.stratify == "none":
            return how + nested
        return f"{how}{nested}, minimum {self.min_relevant} relevant + {self.min_nonrelevant} nonrelevant"

    def units(self, data: Collection) -> Sequence[Any]:
        """One for each draw; where there are few draws, one for some of the levels of a draw."""
        need_order(len(data.runs))
        parts = min(len(self.levels), max(1, PARTS // self.draws))
        some = [list(range(len(self.levels)))[part::parts] for part in range(parts)]
        return [{"draw": draw, "levels": levels} for draw in range(self.draws) for levels in some]

    def size(self, data: Collection, unit: Any) -> int:
        """The bytes of the hits at its levels, for each measure."""
        share = sum(self.levels[at] for at in unit["levels"]) / 100
        return int(share * len(data.hits.rank) * len(data.measures) * 8)

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The means of every run at some levels of a draw."""
        scores = data.scores(_judged(data, self.rules, unit["draw"], seed)[unit["levels"]])
        means = data.means(scores)
        return {"means": means, "scores": scores} if self.per_topic else {"means": means}

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """Agreement with the full order, and mean score, by level."""
        strata = _strata(data, self.rules)
        percent = ".0%" if all(float(level).is_integer() for level in self.levels) else ".1%"
        by_level = ByLevel(
            data,
            level=Column("kept", [level / 100 for level in self.levels], percent),
            levels=self.levels,
            axis="judgments kept (%)",
            means=self._gathered(data, found, "means"),
            coefficient=self.coefficient,
            model=self.model,
        )
        kept = strata.kept().tolist()
        shares = [count / max(strata.total, 1) for count in kept]
        return by_level.findings(
            notes=(KIND, *self._raised(shares)),
            columns={"judged": kept, "judged_share": shares},
            details={"topics": self._by_topic(data, found)} if self.per_topic else {},
            lowest=f"{min(self.levels):g} %",
        )

    def _raised(self, shares: Sequence[float]) -> tuple[str, ...]:
        """A note if the minimum keeps many more judgments than the level asks for."""
        at = self.levels.index(min(self.levels))
        if shares[at] * 100 <= MUCH_MORE * self.levels[at]:
            return ()
        return (f"The minima keep {percent(shares[at])} of all judgments at {self.levels[at]:g} %.",)

    def _gathered(self, data: Collection, found: Sequence[UnitResult], name: str) -> Any:  # an array
        """What the units found, as `[draw, level, …]`."""
        whole = np.empty((self.draws, len(self.levels), *found[0][name].shape[1:]))
        for unit, each in zip(self.units(data), found, strict=True):
            whole[unit["draw"], unit["levels"]] = each[name]
        return whole

    def _by_topic(self, data: Collection, found: Sequence[UnitResult]) -> tuple[Column, ...]:
        values = self._gathered(data, found, "scores")
        axes = {"draw": range(1, self.draws + 1), "level": self.levels, "run": data.runs, "topic": data.topics}
        names = [str(measure) for measure in data.measures]
        return (*labels(values.shape, **axes, measure=names), Column("value", values.ravel()))


@lru_cache(maxsize=1)
def _strata(data: Collection, rules: Rules) -> TopicStrata:
    """The strata; all units of a process share them."""
    return TopicStrata.of(data, rules)


@lru_cache(maxsize=1)
def _judged(data: Collection, rules: Rules, draw: int, seed: int) -> Bools:
    """The judgments of a draw; its units share them."""
    return _strata(data, rules).judged(draw, seed)
