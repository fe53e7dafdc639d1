"""Topics × replicates: variance components of a system with several runs, and intervals and tests that contain them.

Topics and replicates are both random samples and crossed: every run of a system answers every topic. A value is
`y = mean + topic + replicate + rest`, each with a variance of its own. `docs/explanation/statistics.md` derives what is
computed here.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.stats.paired.differences import moments
from cranfield.tables.scores import Scores
from cranfield.tables.side.replicates import Replicates

CROSSED = "t test over topics and replicates"
_SMALLEST, _HALVINGS = 1e-150, 60  # p values are found between this and 1


@dataclass(frozen=True)
class VarianceComponents:
    """What the values of a system vary with.

    Attributes:
        topics: the variance of topics; 0 where the estimate is negative.
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
    def share(self) -> "ReplicateShare":
        """What the replicates of the system contribute to the variance of its mean; nothing if there is one run."""
        (runs, topics), (_, of_runs, rest) = self.shape, self.mean_squares
        if runs < 2:
            return ReplicateShare()
        return ReplicateShare(of_runs / (runs * topics), rest / (runs * topics), runs - 1)


@dataclass(frozen=True)
class ReplicateShare:
    """The variance of a mean over replicates.

    Attributes:
        variance: the squared standard error of the mean over replicates, the rest included.
        rest: the part of it that the variance over topics contains, too.
        df: the degrees of freedom of the variance.
    """

    variance: float = 0.0
    rest: float = 0.0
    df: int = 1


def components(behind: Replicates, system: int, column: int) -> VarianceComponents:
    """The variance components of a system on one measure."""
    return VarianceComponents.of(behind.values[behind.of(system), :, column])


def mean_bounds(scores: Scores, column: int, level: float) -> Floats:
    """`[system, 2]`: the interval of each mean when topics and replicates are random; NaN of fewer than two topics."""
    behind = scores.replicates
    assert behind is not None
    systems = range(len(scores.runs))
    shares = [[components(behind, system, column).share] for system in systems]
    return CrossedErrors.of(scores.values[:, :, column], shares).bounds(level)


def difference_errors(
    behind: Replicates, column: int, run: Ints, baseline: Ints, differences: Floats
) -> "CrossedErrors":
    """The errors of differences of systems `[pair, topic]`, to which the replicates of both contribute."""
    shares = []
    for pair, systems in enumerate(zip(run.tolist(), baseline.tolist(), strict=True)):
        common = ~np.isnan(differences[pair])
        sides = (behind.values[behind.of(system)][:, common, column] for system in systems)
        shares.append([VarianceComponents.of(side).share for side in sides])
    return CrossedErrors.of(differences, shares)


@dataclass(frozen=True, eq=False)
class CrossedErrors:
    """Means with the parts of their variances: `mean[row]`, `variance[row, part]` and `df[row, part]`.

    The squared half-width of an interval is the sum of those that the parts would have alone: `sum(t(df)² variance)`.
    No ratio of the parts makes such an interval too short. A p value belongs to the interval that ends at 0.
    """

    mean: Floats
    variance: Floats
    df: Floats

    @classmethod
    def of(cls, values: Floats, shares: Sequence[Sequence[ReplicateShare]]) -> "CrossedErrors":
        """From values `[row, topic]`, which are means over replicates, and what these contribute in each row."""
        found = moments(values)
        columns = np.array([[(share.variance, share.rest, share.df) for share in row] for row in shares])
        return cls.of_parts(found.mean, found.sd**2, found.n, *np.moveaxis(columns, 2, 0))

    @classmethod
    def of_parts(
        cls, mean: Floats, over_topics: Floats, topics: Ints, variance: Floats, rest: Floats, df: Floats
    ) -> "CrossedErrors":
        """From the variance over topics of each row, and what replicates contribute: `[row, side]`.

        The rest of replicates is in both; it is taken out of the part of topics, which is 0 where nothing is left.
        """
        own = np.maximum(0.0, over_topics / np.maximum(1, topics) - rest.sum(axis=1))
        return cls(mean, np.column_stack([own, variance]), np.column_stack([np.maximum(1, topics - 1), df]))

    @property
    def error(self) -> Floats:
        """`[row]`: the standard error of each mean."""
        return np.asarray(np.sqrt(self.variance.sum(axis=1)))

    def bounds(self, level: float) -> Floats:
        """`[row, 2]`: the intervals."""
        reach = self._reach(np.full(len(self.mean), 1 - level))
        return np.stack([self.mean - reach, self.mean + reach], axis=1)

    def test(self) -> tuple[Floats, Floats]:
        """The mean in standard errors, and the two-sided p that the difference is 0."""
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where(self.error > 0, self.mean / self.error, np.nan)
        return t, np.where(np.isnan(t), np.nan, self._outside(np.abs(self.mean)))

    def within(self, margin: float) -> Floats:
        """p that the difference is not within ± the margin: the larger of two one-sided p values."""
        inner = margin - np.abs(self.mean)  # how far the nearer end of the margin is away
        half = self._outside(np.abs(inner)) / 2
        return np.where(self.error > 0, np.where(inner > 0, half, 1 - half), np.nan)

    def _reach(self, outside: Floats) -> Floats:
        """`[row]`: the half-width of the interval that leaves this probability outside."""
        from scipy import stats

        wide = stats.t.isf(outside[:, None] / 2, self.df)
        return np.asarray(np.sqrt((self.variance * wide**2).sum(axis=1)))

    def _outside(self, distance: Floats) -> Floats:
        """`[row]`: the probability that the interval of this half-width leaves outside, by halving its logarithm."""

        def halved(ends: tuple[Floats, Floats], _: int) -> tuple[Floats, Floats]:
            low, high = ends
            middle = np.sqrt(low * high)
            wider = self._reach(middle) > distance
            return np.where(wider, middle, low), np.where(wider, high, middle)

        ends = np.full(len(distance), _SMALLEST), np.ones(len(distance))
        return reduce(halved, range(_HALVINGS), ends)[1]
