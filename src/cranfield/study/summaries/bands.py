"""The mean over repetitions, and the band that holds the middle 90 % of them."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.sheet import MISSING

LOW, HIGH = 0.05, 0.95


@dataclass(frozen=True, eq=False)
class Band:
    """Mean and 5–95 % band over repetitions, of any shape.

    >>> band = Band.over(np.array([[0.5, 1.0], [0.7, 1.0], [0.6, 1.0]]))
    >>> band.mean.round(2), band.words()
    (array([0.6, 1. ]), ['0.60 [0.51, 0.69]', '1.00'])
    """

    mean: Floats
    low: Floats
    high: Floats

    @classmethod
    def over(cls, values: Floats) -> "Band":
        """The band of values whose first axis is that of the repetitions; undefined values are left out."""
        defined = ~np.isnan(values)
        count = defined.sum(axis=0)
        total = np.where(defined, values, 0.0).sum(axis=0)
        mean = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
        low, high = np.full((2, *count.shape), np.nan)
        some = count > 0
        if some.any():
            low[some], high[some] = np.nanquantile(values[:, some], [LOW, HIGH], axis=0)
        return cls(np.clip(mean, *_ends(values)), low, high)

    def parts(self) -> tuple[tuple[str, Floats], ...]:
        """Mean, low and high end, by the ending of the name of a column."""
        return ("", self.mean), ("_low", self.low), ("_high", self.high)

    def words(self, digits: int = 2) -> list[str]:
        """`0.95 [0.94, 0.97]` each, flat; without a band where all repetitions are equal."""
        cells = zip(self.mean.ravel().tolist(), self.low.ravel().tolist(), self.high.ravel().tolist(), strict=True)
        return [_worded(*cell, digits) for cell in cells]


def _ends(values: Floats) -> tuple[Floats, Floats]:
    """The smallest and the largest repetition, between which rounding must keep the mean."""
    undefined = np.isnan(values)
    return np.where(undefined, np.inf, values).min(axis=0), np.where(undefined, -np.inf, values).max(axis=0)


def _worded(mean: float, low: float, high: float, digits: int) -> str:
    if np.isnan(mean):
        return MISSING
    alone = low == high or np.isnan(low)  # nothing was repeated
    middle, lower, upper = (in_print(value, f".{digits}f") for value in (mean, low, high))
    return middle if alone else f"{middle} [{lower}, {upper}]"
