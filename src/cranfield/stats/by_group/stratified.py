"""The mean of groups: every group counts alike, however many topics it has.

The estimate is the mean of the group means. Topics are a random sample within each group, and groups are fixed, so its
variance is that of a stratified sample, Σ s²/n over the groups, divided by their squared number; the degrees of freedom
are Satterthwaite's (Cochran 1977, Sampling Techniques, 5.4).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.stats.paired.differences import ZERO, moments, signed_ratio
from cranfield.stats.weights.weighted_mean import WeightedMean


@dataclass(frozen=True, eq=False)
class StratifiedMean:
    """The mean of the groups of each row, its standard error and degrees of freedom.

    A row without a value in some group has no mean of groups; one with a single topic in a group has no error.

    >>> values = np.array([[0.2, 0.4, 0.9, 0.5]])
    >>> found = StratifiedMean.of(values, [np.array([0, 1]), np.array([2, 3])])
    >>> found.mean.round(4), found.error.round(4)  # (.3 + .7) / 2; √(.02/2 + .08/2) / 2
    (array([0.5]), array([0.1118]))
    """

    mean: Floats
    error: Floats
    freedom: Floats

    @classmethod
    def of(cls, values: Floats, members: Sequence[Ints]) -> "StratifiedMean":
        """Of `values[row, topic]`; `members` are the places of the topics of each group."""
        parts = [moments(values[:, places]) for places in members]
        return cls.combined([WeightedMean(part.mean, part.error, np.maximum(part.n - 1.0, 1.0)) for part in parts])

    @classmethod
    def combined(cls, parts: "Sequence[WeightedMean]") -> "StratifiedMean":
        """Of the means of the groups, with their errors and degrees of freedom."""
        count, rows = len(parts), len(parts[0].mean)
        mean = sum((part.mean for part in parts), np.zeros(rows)) / count
        mean[np.abs(mean) < ZERO] = 0.0
        spread = [part.error**2 for part in parts]
        variance = sum(spread, np.zeros(rows))
        divisor = sum((own**2 / part.freedom for own, part in zip(spread, parts, strict=True)), np.zeros(rows))
        freedom = np.divide(variance**2, divisor, out=np.full(rows, np.nan), where=divisor > 0)
        return cls(mean, np.sqrt(variance) / count, freedom)

    def interval(self, level: float) -> Floats:
        """`[row, 2]`: Student's interval; NaN where the error is not known or nothing varies."""
        from scipy.special import stdtrit

        half = stdtrit(self.freedom, 0.5 + level / 2) * self.error
        return np.stack([self.mean - half, self.mean + half], axis=1)

    @property
    def t(self) -> Floats:
        """The mean over its error; infinite where nothing varies."""
        return signed_ratio(self.mean, self.error)

    @property
    def pvalue(self) -> Floats:
        """Of the hypothesis that the mean of groups is 0, two-sided; NaN where there is no finite statistic.

        >>> zero = StratifiedMean.of(np.array([[0.1, -0.1, 0.2, -0.2]]), [np.array([0, 1]), np.array([2, 3])])
        >>> zero.pvalue
        array([1.])
        """
        from scipy.special import stdtr

        found = 2 * stdtr(self.freedom, -np.abs(self.t))
        return np.where(np.isfinite(self.t) & np.isfinite(self.freedom), found, np.nan)
