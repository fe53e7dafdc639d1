"""How many topics a new experiment needs, given only the standard deviation of differences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from cranfield.stats.planning.power import expected_width, power_anova, power_paired
from cranfield.stats.planning.topics import DESIGNS, Design, TopicPlan, topic_set_size
from cranfield.study.data.definition import Measures
from cranfield.study.engine.definition import Study, UnitResult
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.kinds.power.planned import POINTS
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.words import counted


@dataclass(frozen=True)
class PlannedAlone(Study[Measures]):
    """`power` without data: plan from a standard deviation that the caller gives."""

    data: ClassVar[str] = "measures"

    difference: float
    sd: float  # of differences
    power: float
    alpha: float
    design: Design
    systems: int

    def __post_init__(self) -> None:
        """Nothing: `power` has already checked the options."""

    def units(self, data: Measures) -> Sequence[Any]:
        """No units: it is arithmetic."""
        return []

    def work(self, data: Measures, unit: Any, seed: int) -> UnitResult:
        """Nothing."""
        return {}

    @property
    def variance(self) -> float:
        """The variance of a score; a difference of two scores has twice as much."""
        return self.sd**2 / 2

    def plan(self) -> TopicPlan:
        """The topics, and what they reach."""
        return topic_set_size(
            self.difference,
            self.design,
            variance=self.variance,
            systems=self.systems,
            power=self.power,
            alpha=self.alpha,
        )

    def findings(self, data: Measures, found: Sequence[UnitResult], seed: int) -> Findings:
        """One row: what is wanted, the topics, and what they reach."""
        plan = self.plan()
        width = plan.power is None
        design = DESIGNS[self.design] + (f" of {counted(self.systems, 'system')}" if "anova" in self.design else "")
        level = f"level {1 - self.alpha:.12g}" if width else f"α = {self.alpha:g}"
        reached = Column("expected width", [plan.width], ".4f") if width else Column("power", [plan.power], ".4f")
        return Findings(
            title=f"Topics needed · {design}, {level} · no data read",
            shown=(
                Column("width" if width else "difference", [f"{self.difference:g}"]),
                Column("sd", [f"{self.sd:g}"]),
                Column("topics needed", [f"{plan.n:,}"]),
                reached,
            ),
            tidy=(
                Column("design", [self.design]),
                Column("difference", [self.difference]),
                Column("sd", [self.sd]),
                Column("systems", [self.systems]),
                Column("alpha", [self.alpha]),
                Column("power", [None if width else self.power]),
                Column("topics_needed", [plan.n]),
                Column("power_reached", [plan.power]),
                Column("expected_width", [plan.width]),
            ),
            notes=(
                f"Topics needed: the fewest with {'that width' if width else f'power {self.power:g}'}, "
                "if topics are a random sample. sd: of the differences, topic by topic.",
            ),
            drawings={"topics": self._drawing(plan)},
        )

    def _drawing(self, plan: TopicPlan) -> Drawing:
        """Power, or width, by the number of topics."""
        n = np.unique(np.linspace(2, 2 * plan.n, POINTS).round()).astype(np.int64)
        curve = Curve(self.design, n.astype(np.float64), np.array([self._reached(k) for k in n.tolist()]))
        what, y = ("Expected width", "width") if plan.power is None else (f"Power for {self.difference:g}", "power")
        up = None if plan.power is None else (0.0, 1.0)
        return Drawing(f"{what} by topics, sd {self.sd:g}", "topics", y, (curve,), (0, float(n[-1])), up)

    def _reached(self, n: int) -> float:
        if self.design == "width":
            return expected_width(n, self.variance, self.alpha)
        if self.design == "paired":
            return power_paired(n, self.difference / self.sd, self.alpha)
        blocked = self.design == "anova-blocked"
        return power_anova(n, self.systems, self.difference, self.variance, self.alpha, blocked=blocked)
