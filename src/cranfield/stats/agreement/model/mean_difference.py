"""A mean difference between a model and people, with its interval over topics."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.stats.paired.differences import moments, rounded
from cranfield.stats.paired.intervals import intervals
from cranfield.tables.scores import number

METHOD = "studentized"  # of the intervals, because it holds its level also where differences are skewed
LEVEL = 0.95


@dataclass(frozen=True)
class MeanDifference:
    """A mean of differences, model minus people, and its 95 % interval.

    Attributes:
        value: the mean.
        low: the lower end of the interval; NaN if there is none, because all differences are equal, or too few differ.
        high: the upper end.
        n: how many topics, or pairs, the mean is over; 1 if a sum or geometric mean over topics was subtracted.
    """

    value: float
    low: float
    high: float
    n: int

    @property
    def excludes_zero(self) -> bool:
        """Whether there is an interval, and 0 lies outside it."""
        return self.low > 0 or self.high < 0

    def within(self, least: float, most: float) -> "MeanDifference":
        """The same with an interval that ends where possible values end."""
        return replace(self, low=float(np.clip(self.low, least, most)), high=float(np.clip(self.high, least, most)))

    def turned(self) -> "MeanDifference":
        """The difference the other way round."""
        return MeanDifference(-self.value, -self.high, -self.low, self.n)

    def as_dict(self, name: str) -> dict[str, Any]:
        """Plain data, in which the mean has the given name."""
        ci = None if math.isnan(self.low) else [self.low, self.high]
        return {name: number(self.value), "ci": ci, "excludes_zero": self.excludes_zero, "n": self.n}


def mean_differences(rows: Floats, samples: int, seed: int) -> list[MeanDifference]:
    """The mean of each row of differences by topic, which are resampled alike for all rows.

    The intervals are those of the studentised bootstrap. Equal differences have none.

    >>> mean_differences(np.array([[0.5, 0.5, 0.5], [0.5, np.nan, np.nan]]), 100, 0)
    [MeanDifference(value=0.5, low=nan, high=nan, n=3), MeanDifference(value=0.5, low=nan, high=nan, n=1)]
    """
    if not len(rows):
        return []
    of, equal = moments(rows), moments(rounded(rows)).constant
    bounds = intervals(rows, METHOD, level=LEVEL, samples=samples, rng=np.random.default_rng(seed)).bounds
    bounds = np.where(equal[:, None], np.nan, bounds)
    columns = (of.mean.tolist(), bounds[:, 0].tolist(), bounds[:, 1].tolist(), of.n.tolist())
    return [MeanDifference(*row) for row in zip(*columns, strict=True)]
