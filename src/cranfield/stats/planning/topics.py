"""How many topics an experiment needs, and the smallest difference it can detect."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Floats
from cranfield.errors import PolicyError
from cranfield.registry import one_of
from cranfield.stats.planning.power import above_zero, expected_width, inside, power_anova, power_paired
from cranfield.stats.several.anova import parts
from cranfield.stats.several.complete_blocks import complete

Design = Literal["paired", "anova", "anova-blocked", "width"]
DESIGNS: dict[str, str] = {
    "paired": "power of a paired t test",
    "anova": "power of a one-way ANOVA",
    "anova-blocked": "power of a two-way ANOVA, topic + system",
    "width": "expected width of the interval for a difference",
}
_MOST = 10**9  # topics


@dataclass(frozen=True, eq=False)
class Pilot:
    """The variance to expect, estimated from the scores of an earlier experiment.

    Attributes:
        sds: standard deviation of the differences, for each pair of runs.
        sd: that of a usual pair: the root mean square over all pairs, which is √(2 `variance`).
        variance: the error variance of the two-way analysis, topic + system.
        variance_within: the variance of the scores of a system, topics included, for a one-way analysis.
        systems: runs; n: topics used; `dropped` were left out because some run had no score.
    """

    sds: Floats
    sd: float
    variance: float
    variance_within: float
    systems: int
    n: int
    dropped: int

    def detectable(self, n: int | None = None, *, power: float = 0.8, alpha: float = 0.05) -> Floats:
        """The smallest difference of each pair that `n` topics, or as many as the pilot had, would show."""
        return self.sds * minimum_detectable(n or self.n, power=power, alpha=alpha)


@dataclass(frozen=True)
class TopicPlan:
    """A number of topics, and the power or interval width it gives.

    Attributes:
        n: topics needed.
        power: the power that so many topics have (`None` for a design by width).
        width: the expected width of the interval for a difference (`None` for a design by power).
        difference: the smallest difference that matters, or the width asked for.
        variance: of the error, per score; a difference of two scores has twice as much.
    """

    n: int
    power: float | None
    width: float | None
    difference: float
    variance: float
    systems: int  # compared
    alpha: float  # level of the test, or 1 - level of the interval
    design: str  # `paired`, `anova`, `anova-blocked` or `width`
    note: str


def pilot(scores: ArrayLike) -> Pilot:
    """The variance to expect in a similar experiment, estimated from scores[run, topic].

    >>> found = pilot([[0.0, 1.0, 2.0], [1.0, 2.0, 6.0]])
    >>> found.variance, round(found.sd, 6)  # differences 1, 1, 4: variance 3, half of it per score
    (1.5, 1.732051)
    """
    blocks = complete(scores, "a pilot")
    covariance = np.cov(blocks.values)
    own = np.diag(covariance)
    sds = np.sqrt(np.maximum(own[:, None] + own - 2 * covariance, 0))
    _, _, error = parts(blocks)
    return Pilot(
        sds=sds,
        sd=float(np.sqrt(2 * error.ms)),
        variance=error.ms,
        variance_within=float(own.mean()),
        systems=blocks.runs,
        n=blocks.n,
        dropped=blocks.dropped,
    )


def topics_needed(difference: float, *, sd: float = 1.0, power: float = 0.8, alpha: float = 0.05) -> int:
    """The fewest topics on which a paired t test finds `difference` with that power; `sd` is of the differences.

    >>> topics_needed(0.05, sd=0.15), topics_needed(0.5)
    (73, 34)
    """
    above_zero(difference=difference, sd=sd)
    inside(power=power, alpha=alpha)
    return _fewest(lambda n: power_paired(n, difference / sd, alpha) >= power)


def topics_needed_anova(
    systems: int, difference: float, variance: float, *, power: float = 0.8, alpha: float = 0.05, blocked: bool = False
) -> int:
    """The fewest topics on which an analysis of variance finds `difference` between best and worst with that power.

    >>> topics_needed_anova(2, 0.1, 0.03), topics_needed_anova(2, 0.1, 0.03, blocked=True)
    (49, 50)
    """
    above_zero(difference=difference, variance=variance)
    inside(power=power, alpha=alpha)
    return _fewest(lambda n: power_anova(n, systems, difference, variance, alpha, blocked=blocked) >= power)


def topics_needed_width(width: float, variance: float, *, alpha: float = 0.05) -> int:
    """The fewest topics for which the interval of a difference is expected to be no wider than `width`.

    >>> topics_needed_width(0.1, 0.03)
    95
    """
    above_zero(width=width, variance=variance)
    inside(alpha=alpha)
    return _fewest(lambda n: expected_width(n, variance, alpha) <= width)


def minimum_detectable(n: int, *, sd: float = 1.0, power: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest difference that a paired t test on `n` topics finds with that power.

    >>> round(minimum_detectable(73, sd=0.15), 4)  # 73 topics find .05 with power .8023
    0.0499
    """
    from scipy.optimize import brentq

    above_zero(sd=sd)
    inside(power=power, alpha=alpha)
    if power <= alpha:
        return 0.0
    high = 1.0
    while power_paired(n, high, alpha) < power:
        high *= 2
    return sd * float(brentq(lambda d: power_paired(n, d, alpha) - power, 0.0, high, xtol=1e-12))


def topic_set_size(
    difference: float,
    design: Design = "paired",
    *,
    scores: ArrayLike | None = None,
    variance: float | None = None,
    systems: int | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
) -> TopicPlan:
    """How many topics are needed to detect `difference`, or to make its interval that wide (design `"width"`).

    Args:
        difference: the smallest that matters; for the designs of ANOVA, between the best and the worst system.
        design: `"paired"`, `"anova"` (one-way), `"anova-blocked"` (topic + system) or `"width"`.
        scores: pilot scores, `scores[run, topic]`, which give the variance and the number of systems.
        variance: of the error, per score, if there is no pilot.
        systems: compared; 2 without a pilot.
        power: wanted.
        alpha: level of the test, or 1 - level of the interval.

    >>> topic_set_size(0.1, "anova", variance=0.03, systems=10).n
    95
    >>> topic_set_size(0.05, variance=0.15**2 / 2).n  # a difference of two scores has twice the variance
    73
    """
    one_of("design", design, DESIGNS)
    if (scores is None) == (variance is None):
        raise PolicyError("E243", "the variance comes from a pilot or is given", hint="either scores or variance")
    found = None if scores is None else pilot(scores)
    if found is not None:
        variance = found.variance_within if design == "anova" else found.variance
    assumed = float(variance or 0)
    above_zero(variance=assumed)
    m = systems or (2 if found is None else found.systems)
    blocked = design == "anova-blocked"
    reached = width = None
    if design == "width":
        n = topics_needed_width(difference, assumed, alpha=alpha)
        width = expected_width(n, assumed, alpha)
    elif design == "paired":
        sd = float(np.sqrt(2 * assumed))
        n = topics_needed(difference, sd=sd, power=power, alpha=alpha)
        reached = power_paired(n, difference / sd, alpha)
    else:
        n = topics_needed_anova(m, difference, assumed, power=power, alpha=alpha, blocked=blocked)
        reached = power_anova(n, m, difference, assumed, alpha, blocked=blocked)
    source = (
        "variance given" if found is None else f"variance of a pilot with {found.n} topics and {found.systems} runs"
    )
    note = f"{DESIGNS[design]}; {source}; topics are treated as a random sample"
    return TopicPlan(
        n=n,
        power=reached,
        width=width,
        difference=difference,
        variance=assumed,
        systems=m,
        alpha=alpha,
        design=design,
        note=note,
    )


def _fewest(enough: Callable[[int], bool]) -> int:
    """The smallest number from 2 on that is enough, if every larger one is enough too."""
    high = 2
    while not enough(high):
        high *= 2
        if high > _MOST:
            raise PolicyError("E240", f"more than {_MOST:,} topics would be needed", hint="a larger difference")
    low = high // 2
    while high - low > 1 and high > 2:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
