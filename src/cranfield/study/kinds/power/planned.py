"""How many topics a new experiment needs, estimated from the scores of this one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from cranfield.arrays import Floats
from cranfield.stats.planning.power import power_paired
from cranfield.stats.planning.topics import Design, Pilot, minimum_detectable, pilot, topic_set_size
from cranfield.study.engine.findings import Curve, Drawing

POINTS = 60  # of a curve


@dataclass(frozen=True, eq=False)
class Planned:
    """The requirements of a new experiment, and the scores `[run, topic]` of each measure in this one."""

    names: Sequence[str]
    scores: Sequence[Floats]
    difference: float | None
    sd: float | None  # of differences, where it does not come from the scores
    power: float
    alpha: float
    design: Design
    systems: int | None = None  # compared by an analysis of variance, where not as many as there are runs here

    @cached_property
    def pilots(self) -> list[Pilot]:
        """The variances estimated from the scores."""
        return [pilot(scores) for scores in self.scores]

    def columns(self) -> dict[str, list[float]]:
        """For each measure the difference that can be detected, and the topics that the wanted one takes."""
        least = [
            p.sd * minimum_detectable(p.n, power=self.power, alpha=self.alpha) if p.sd > 0 else np.nan
            for p in self.pilots
        ]
        found: dict[str, list[float]] = {"sd": [p.sd for p in self.pilots], "detectable": least}
        return found if self.difference is None else found | {"topics_needed": self._topics(self.difference)}

    def words(self) -> list[str]:
        """What the columns mean."""
        said = [f"Detectable: by a paired t test of two usual runs on these topics, with power {self.power:g}."]
        if self.difference is not None:
            what = "an interval" if self.design == "width" else f"power {self.power:g} for a difference"
            source = "variances of these runs" if self.sd is None else f"standard deviation {self.sd:g}"
            said.append(f"Topics needed: {what} of {self.difference:g}, design {self.design}, {source}.")
        return said

    def drawings(self) -> dict[str, Drawing]:
        """The power of a paired t test by the number of topics, where a difference was given."""
        if self.difference is None:
            return {}
        sds = [self.sd or p.sd for p in self.pilots]
        known = [(name, self.difference / sd) for name, sd in zip(self.names, sds, strict=True) if sd > 0]
        needed = [topic_set_size(d, variance=0.5, power=self.power, alpha=self.alpha).n for _, d in known]
        n = np.unique(np.linspace(2, 2 * max(needed, default=5), POINTS).round()).astype(np.int64)
        curves = [
            Curve(name, n.astype(np.float64), np.array([power_paired(k, d, self.alpha) for k in n.tolist()]))
            for name, d in known
        ]
        title = f"Power of a paired t test for a difference of {self.difference:g}"
        return {"topics": Drawing(title, "topics", "power", tuple(curves), (0, float(n[-1])), (0, 1))}

    def _topics(self, difference: float) -> list[float]:
        needed = partial(
            topic_set_size,
            difference,
            self.design,
            systems=self.systems or len(self.scores[0]),
            power=self.power,
            alpha=self.alpha,
        )
        return [needed(variance=v).n if v > 0 else np.nan for v in map(self._variance, self.pilots)]

    def _variance(self, found: Pilot) -> float:
        """The variance of a score, without that of topics if the design removes it."""
        if self.sd is not None:
            return self.sd**2 / 2
        return found.variance_within if self.design == "anova" else found.variance
