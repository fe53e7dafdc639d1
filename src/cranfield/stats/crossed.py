"""Topics × replicates: variance components of a system with several runs, and intervals and tests that contain them.

Topics and replicates are both random samples and crossed: every run of a system answers every topic. A value is
`y = mean + topic + replicate + rest`, each with a variance of its own: the crossed model of random effects of Searle,
Casella and McCulloch, Variance Components (1992).
"""

import math
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.tables.scores import Scores
from cranfield.tables.side.replicates import Replicates

CROSSED = "t test over topics and replicates"


@dataclass(frozen=True)
class VarianceComponents:
    """What the values of a system vary with.

    Attributes:
        topics: the variance of topics.
        replicates: the variance of replicates; 0 where the estimate is negative, NaN of one run.
        residual: the variance of the rest: topics that suit some replicates more than others.
        mean_squares: of topics, replicates and the rest.
        shape: the numbers of replicates and topics.
    """

    topics: float
    replicates: float
    residual: float
    mean_squares: tuple[float, float, float]
    shape: tuple[int, int]

    @classmethod
    def of(cls, values: Floats) -> "VarianceComponents":
        """From values `[replicate, topic]` by the method of moments, on topics where every replicate has a value.

        >>> found = VarianceComponents.of(np.array([[0.1, 0.5, 0.9], [0.3, 0.7, 1.1]]))
        >>> round(found.topics, 4), round(found.replicates, 4), abs(round(found.residual, 4))
        (0.16, 0.02, 0.0)
        """
        values = values[:, ~np.isnan(values).any(axis=0)]
        runs, topics = values.shape
        nothing = math.nan
        if topics < 2:
            return cls(nothing, nothing, nothing, (nothing,) * 3, (runs, topics))
        by_run, by_topic = values.mean(axis=1, keepdims=True), values.mean(axis=0, keepdims=True)
        of_topics = runs * float(by_topic.var(ddof=1))
        if runs < 2:
            return cls(of_topics, nothing, nothing, (of_topics, nothing, nothing), (runs, topics))
        of_runs = topics * float(by_run.var(ddof=1))
        rest = float(((values - by_run - by_topic + values.mean()) ** 2).sum()) / ((runs - 1) * (topics - 1))
        return cls(
            topics=max(0.0, (of_topics - rest) / runs),
            replicates=max(0.0, (of_runs - rest) / topics),
            residual=rest,
            mean_squares=(of_topics, of_runs, rest),
            shape=(runs, topics),
        )

    @property
    def added(self) -> "AddedVariance":
        """What replicates add to the variance of the mean of the system."""
        (runs, topics), (_, of_runs, rest) = self.shape, self.mean_squares
        if not self.replicates > 0:  # one run, or a spread that the rest explains
            return AddedVariance()
        cells = runs * topics
        spread = (of_runs / cells) ** 2 / (runs - 1) + (rest / cells) ** 2 / ((runs - 1) * (topics - 1))
        return AddedVariance(self.replicates / runs, spread)


@dataclass(frozen=True)
class AddedVariance:
    """A variance beside that of topics, and the part of it in the denominator of Satterthwaite's degrees of freedom."""

    variance: float = 0.0
    spread: float = 0.0

    def __add__(self, other: "AddedVariance") -> "AddedVariance":
        return AddedVariance(self.variance + other.variance, self.spread + other.spread)

    def with_topics(self, variance: float, topics: int) -> tuple[float, float]:
        """Standard error and degrees of freedom of a mean whose variance over topics is given.

        >>> AddedVariance().with_topics(0.04, 16)  # Student's t
        (0.05, 15.0)
        """
        own = variance / topics
        total = own + self.variance
        below = own**2 / (topics - 1) + self.spread
        return math.sqrt(total), total**2 / below if below > 0 else math.nan


def components(behind: Replicates, system: int, column: int) -> VarianceComponents:
    """The variance components of a system on one measure."""
    return VarianceComponents.of(behind.values[behind.of(system), :, column])


def mean_bounds(scores: Scores, column: int, level: float) -> Floats:
    """`[system, 2]`: the interval of each mean when topics and replicates are random; NaN of fewer than two topics."""
    from scipy import stats

    assert scores.replicates is not None
    found = np.full((len(scores.runs), 2), np.nan)
    for system in range(len(scores.runs)):
        values = scores.values[system, :, column]
        values = values[~np.isnan(values)]
        if len(values) < 2:
            continue
        added = components(scores.replicates, system, column).added
        error, df = added.with_topics(float(values.var(ddof=1)), len(values))
        reach = 0.0 if math.isnan(df) else float(stats.t.ppf(0.5 + level / 2, df)) * error
        found[system] = values.mean() - reach, values.mean() + reach
    return found


@dataclass(frozen=True, eq=False)
class CrossedErrors:
    """`[pair]`: the standard error of each difference of means, and its degrees of freedom."""

    mean: Floats
    error: Floats
    df: Floats

    @classmethod
    def of(cls, behind: Replicates, column: int, run: Ints, baseline: Ints, differences: Floats) -> "CrossedErrors":
        """From the rows of both systems and their differences `[pair, topic]`."""
        found = np.full((3, len(differences)), np.nan)
        for pair, (one, other) in enumerate(zip(run, baseline, strict=True)):
            common = ~np.isnan(differences[pair])
            values = differences[pair, common]
            if len(values) < 2:
                continue
            sides = (behind.values[behind.of(int(system))][:, common, column] for system in (one, other))
            first, second = (VarianceComponents.of(side).added for side in sides)
            found[:, pair] = values.mean(), *(first + second).with_topics(float(values.var(ddof=1)), len(values))
        return cls(*found)

    def bounds(self, level: float) -> Floats:
        """`[pair, 2]`: the intervals."""
        from scipy import stats

        reach = stats.t.ppf(0.5 + level / 2, self.df) * self.error
        return np.stack([self.mean - reach, self.mean + reach], axis=1)

    def test(self) -> tuple[Floats, Floats]:
        """t and the two-sided p that the difference is 0."""
        from scipy import stats

        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where(self.error > 0, self.mean / self.error, np.nan)
        return t, 2 * stats.t.sf(np.abs(t), self.df)

    def within(self, margin: float) -> Floats:
        """p that the difference is not within ± the margin: the larger of two one-sided p values."""
        from scipy import stats

        with np.errstate(invalid="ignore", divide="ignore"):
            low, high = (self.mean + margin) / self.error, (self.mean - margin) / self.error
        return np.maximum(stats.t.sf(low, self.df), stats.t.cdf(high, self.df))
