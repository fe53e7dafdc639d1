"""Compare pooled judgments with the truth: order, sign errors, bias, coverage of intervals."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.study.simulated.world import WorldModel
from cranfield.study.summaries.order_agreement import agreement

LEVEL = 0.95


def agreement_with_truth(means: Floats, coefficient: str) -> Floats:
    """`[draw, judgments, measure]` of the means `[draw, judgments, system, measure]`."""
    return np.stack([agreement(each[0], each, coefficient) for each in means])


def pairs(systems: int) -> tuple[Ints, Ints]:
    """The systems of every pair."""
    both = np.array(list(combinations(range(systems), 2)), dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


@dataclass(frozen=True, eq=False)
class Told:
    """The results of all draws: `[draw, judgments, system or pair, measure]`; the first judgments are complete."""

    model: WorldModel
    means: Floats
    error: Floats
    pair_error: Floats

    @cached_property
    def with_novel(self) -> Bools:
        """Whether a system of each pair is novel."""
        first, second = pairs(self.model.systems)
        found: Bools = self.model.is_novel[first] | self.model.is_novel[second]
        return found

    @cached_property
    def differences(self) -> Floats:
        """The differences of the means of every pair."""
        first, second = pairs(self.model.systems)
        return self.means[:, :, first] - self.means[:, :, second]

    def sign_errors(self, chosen: Bools) -> Floats:
        """Share of the chosen pairs whose order is not that of the truth on the same topics."""
        return _mean((self.differences * self.differences[:, :1] < 0)[:, :, chosen])

    def wrong_if_significant(self) -> Floats:
        """Of the pairs that a t test separates (5 %), the share whose order over all topics is the other one."""
        significant = np.abs(self.differences) > self._quantile * self.pair_error
        wrong = significant & (self.differences * _others(self.differences) < 0)
        count = significant.sum(axis=(0, 2))
        return np.divide(wrong.sum(axis=(0, 2)), count, out=np.full(count.shape, np.nan), where=count > 0)

    def bias(self, chosen: Bools) -> Floats:
        """Mean score minus mean true score of the chosen systems."""
        return _mean((self.means - self.means[:, :1])[:, :, chosen])

    def coverage(self, chosen: Bools) -> Floats:
        """How often the interval of a chosen system's mean holds its mean over all topics."""
        return _mean(self._holds(self.means, self.error)[:, :, chosen])

    def pair_coverage(self, chosen: Bools) -> Floats:
        """How often the interval of a chosen pair's difference holds the difference over all topics."""
        return _mean(self._holds(self.differences, self.pair_error)[:, :, chosen])

    @cached_property
    def _quantile(self) -> float:
        from scipy.stats import t

        return float(t.ppf(0.5 + LEVEL / 2, self.model.topics - 1))

    def _holds(self, values: Floats, error: Floats) -> Bools:
        """Whether intervals contain the truth; they are widened by its error, as other draws estimate it."""
        draws = len(values)
        found: Bools = np.abs(values - _others(values)) <= self._quantile * error * np.sqrt(draws / (draws - 1))
        return found


def _others(values: Floats) -> Floats:
    """For each draw, the mean of the true values of all other draws."""
    true = values[:, :1]
    return (true.sum(axis=0) - true) / (len(true) - 1)


def _mean(values: Any) -> Floats:  # numbers or truth values
    """`[judgments, measure]`: over draws and systems or pairs; undefined where there are none."""
    if values.shape[2] == 0:
        return np.full((values.shape[1], values.shape[3]), np.nan)
    found: Floats = values.mean(axis=(0, 2))
    return found
