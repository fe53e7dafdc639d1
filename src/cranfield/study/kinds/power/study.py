"""`power`: how many pairs of runs a measure separates, and how many topics it needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.random_streams import stream
from cranfield.study.data.collection import Collection
from cranfield.study.data.strata import Rules, TopicStrata
from cranfield.study.data.topic_sets import need_means, whole_topics
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Findings
from cranfield.study.kinds.power.discrimination import FULL, Discrimination
from cranfield.study.kinds.power.planned_alone import PlannedAlone
from cranfield.study.summaries.order_agreement import need_order
from cranfield.study.summaries.separation import TESTS, separate
from cranfield.tables.words import counted

_BOTH = f"{setting('difference', 0.05)} and {setting('sd', 0.15)}"


@define(
    "power",
    "discriminative power; how many topics are needed",
    cites="sakai2006 sakai2008 sakai2016",
    examples=(
        "cranfield study power qrels.txt runs/*.run -m AP -m Q --boot 1000",
        "cranfield study power qrels.txt runs/*.run -m AP --difference 0.05 --power 0.8",
        "cranfield study power --difference 0.05 --sd 0.15",
    ),
)
@dataclass(frozen=True)
class Power(Study[Collection]):
    """Test every pair of runs, and count those that a measure separates, with all judgments and with fewer.

    All pairs and all measures use the same resamples of topics. Levels are not corrected for the number of pairs
    (the tests of Tukey are): discriminative power compares measures, it does not decide about runs. Without data, the
    study plans the number of topics that a difference needs, from a given standard deviation.
    """

    needs_data: ClassVar[bool] = False
    takes_scores: ClassVar[bool] = True

    test: Literal["bootstrap", "t", "tukey", "tukey-randomized"] = option(
        "bootstrap", "test of the differences between runs"
    )
    boot: int = option(
        1000,
        "resamples, or permutations, of a test that draws",
        metavar="N",
        check=lambda n: n >= 20,
        rule="20 or more",
    )
    alpha: float = option(0.05, "level of significance", metavar="A", check=lambda a: 0 < a < 1, rule="between 0 and 1")
    at: tuple[float, ...] = option(
        (),
        "also test with P percent of the judgments",
        metavar="P,…",
        check=lambda levels: all(0 < level < 100 for level in levels),
        rule="percentages between 0 and 100",
    )
    draws: int = option(1, "repetitions of --at", metavar="N", check=lambda n: n >= 1, rule="a whole number from 1")
    difference: float | None = option(
        None,
        "difference, or width of an interval, for which the topics needed are computed",
        metavar="D",
        check=lambda d: d > 0,
        rule="a number above 0",
    )
    sd: float | None = option(
        None,
        "standard deviation of the differences",
        usual="from the runs",
        metavar="S",
        check=lambda s: s > 0,
        rule="a number above 0",
    )
    power: float = option(0.8, "power that is wanted", metavar="P", check=lambda p: 0 < p < 1, rule="between 0 and 1")
    design: Literal["paired", "anova", "anova-blocked", "width"] = option(
        "paired", "design for which the topics needed are computed"
    )
    systems: int | None = option(
        None,
        "systems that the analysis of variance compares",
        usual="the runs, or 2",
        metavar="N",
        check=lambda n: n >= 2,
        rule="a whole number from 2",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sd is not None and self.difference is None:
            raise PolicyError("E244", f"{setting('sd')} has no effect without {setting('difference')}", hint=_BOTH)
        if self.systems is not None and "anova" not in self.design:
            problem = f"{setting('systems')} has no effect for {setting('design', self.design)}"
            raise PolicyError("E244", problem, hint=setting("design", "anova", "anova-blocked"))

    def without_data(self) -> PlannedAlone | None:
        """The plan of an experiment, for a difference and a standard deviation that are given."""
        if self.difference is None:
            return None
        if self.sd is None:
            raise PolicyError("E244", f"{setting('difference')} needs {setting('sd')}, or runs", hint=_BOTH)
        fewer = ("test", "boot", "at", "draws", *(["power"] if self.design == "width" else []))
        if idle := next((name for name in fewer if getattr(self, name) != getattr(Power, name)), None):
            where = f"for {setting('design', 'width')}" if idle == "power" else "without runs"
            raise PolicyError("E244", f"{setting(idle)} has no effect {where}", hint="leave it out")
        alone = PlannedAlone(self.difference, self.sd, self.power, self.alpha, self.design, self.systems or 2)
        alone.plan()  # a number of topics that cannot be found is refused before anything is written
        return alone

    @property
    def rules(self) -> Rules:
        """How judgments are reduced: as by SK08."""
        return Rules(self.at, nested=True, rounding="sk08")

    @property
    def levels(self) -> tuple[float, ...]:
        """Percent of the judgments: all, then fewer."""
        return (FULL, *self.at)

    def units(self, data: Collection) -> Sequence[Any]:
        """One for each measure with all judgments, then one for each draw and level with fewer."""
        need_order(len(data.runs))
        need_means(data.measures)
        if self.at:
            data.require_judgments(setting("at"))
        return [
            *({"measure": m} for m in range(len(data.measures))),
            *({"draw": draw, "level": at} for at in range(len(self.at)) for draw in range(self.draws)),
        ]

    def size(self, data: Collection, unit: Any) -> int:
        """The bytes of the statistics of all pairs on all resamples."""
        measures = 1 if "measure" in unit else len(data.measures)
        return len(data.runs) ** 2 // 2 * self.boot * 8 * measures

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The level and the difference of every pair, and the difference that is needed, of one measure or of all."""
        if "measure" in unit:
            scores = data.full[:, :, unit["measure"], None]
        else:
            judged = _strata(data, self.rules).judged(unit["draw"], seed)[unit["level"], None]
            scores = data.scores(judged)[0]
        key = int(stream(seed, "power").integers(2**63))
        columns = [scores[:, whole_topics(data, scores[..., m]), m] for m in range(scores.shape[-1])]
        found = [separate(each, self.test, alpha=self.alpha, samples=self.boot, key=key) for each in columns]
        return {
            "level": np.array([each.level for each in found]),
            "difference": np.array([each.difference for each in found]),
            "needed": np.array([each.needed for each in found]),
            "unvaried": np.array([each.unvaried for each in found]),
            "doubtful": np.array([each.doubtful(self.alpha).sum() for each in found]),
            "topics": np.array([each.shape[1] for each in columns]),
        }

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """Pairs told apart by each measure, with all judgments and with fewer."""
        made = Discrimination(self, data, found)
        runs, pairs = len(data.runs), made.pairs
        fewer = f" · judgments reduced as by SK08 (nested), {counted(self.draws, 'draw')}" if self.at else ""
        how = f"{TESTS[self.test]}, α = {self.alpha:g}"
        drawn = {"bootstrap": f", {self.boot:,} resamples", "tukey-randomized": f", {self.boot:,} permutations"}
        unvaried = int(sum(each["unvaried"].sum() for each in found))
        equal = int(sum(np.isnan(each["level"]).sum() for each in found))
        notes = [] if "tukey" in self.test else [f"Levels are not corrected for {counted(pairs, 'pair')}."]
        if unvaried:
            notes.append(f"{counted(unvaried, 'resample')} of pairs without variance: t infinite, 0 if the mean is 0.")
        if equal:
            notes.append(f"{counted(equal, 'pair')} with equal differences on all topics: no level, not told apart.")
        if made.unreachable:
            most = f"at least {100 * self.alpha:g} % of the resamples of some pair have an infinite t"
            notes.append(f"Difference needed, where –: {most}, so no finite difference is significant.")
        if doubtful := int(sum(each["doubtful"].sum() for each in found)):
            few = f"so few topics that no sign-flip test could be significant at {self.alpha:g}"
            notes.append(f"{counted(doubtful, 'pair')} told apart by {few}.")
        return Findings(
            title=f"Discriminative power · {how}{drawn.get(self.test, '')} · "
            f"{counted(runs, 'run')}, {counted(pairs, 'pair')} · {counted(len(data.topics), 'topic')}"
            f"{fewer or ' · no judgment removed'}",
            shown=made.shown(),
            tidy=made.tidy(),
            notes=(*notes, *made.planned.words()),
            details=made.details(),
            drawings=made.drawings(),
        )


@lru_cache(maxsize=1)
def _strata(data: Collection, rules: Rules) -> TopicStrata:
    """The strata; all units of a process share them."""
    return TopicStrata.of(data, rules)
