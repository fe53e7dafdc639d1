"""Isotonic regression: the non-decreasing curve nearest to the outcomes, by pooling adjacent violators."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bools, Floats, segment_sum


@dataclass(frozen=True, eq=False)
class IsotonicCurve:
    """Probabilities -> recalibrated probabilities: straight lines between the middles of the pooled blocks."""

    at: Floats  # ascending
    value: Floats  # ascending

    def __call__(self, chance: Floats) -> Floats:
        """The recalibrated probability of each; constant beyond the ends."""
        return np.interp(chance, self.at, self.value)


def isotonic(chance: Floats, outcome: Floats | Bools) -> IsotonicCurve:
    """The curve for some probabilities and what came out; never 0 or 1, which a sample cannot show.

    >>> curve = isotonic(np.array([0.1, 0.2, 0.3, 0.8]), np.array([0.0, 1.0, 0.0, 1.0]))
    >>> curve(np.array([0.1, 0.25, 0.8]))  # 0.2 and 0.3 violate the order and share 1/2; the ends are half of 1/5
    array([0.1, 0.5, 0.9])
    """
    places, block = np.unique(chance, return_inverse=True)
    size = np.bincount(block).astype(np.float64)
    total = segment_sum(block, outcome, len(places))
    middle, total, size = _pooled(places * size, total, size)
    least = 0.5 / (len(chance) + 1)
    return IsotonicCurve(middle / size, np.clip(total / size, least, 1 - least))


def _pooled(middle: Floats, total: Floats, size: Floats) -> tuple[Floats, Floats, Floats]:
    """Pool neighbours whose means do not rise, until all rise; each pass pools whole falling stretches."""
    while True:
        rises = total[1:] * size[:-1] > total[:-1] * size[1:]
        if rises.all():
            return middle, total, size
        first = np.flatnonzero(np.r_[True, rises])
        middle, total, size = (np.add.reduceat(column, first) for column in (middle, total, size))
