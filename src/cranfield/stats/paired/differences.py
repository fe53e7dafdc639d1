"""Differences of paired scores: rounding, the topics of a pair, and sums that do not depend on the order of topics."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Bools, Floats, Ints

ZERO = 1e-12  # a standard deviation below it is none; differences are rounded to it
CELLS = 2_000_000  # numbers held at once in a block of draws


def rounded(values: ArrayLike) -> Floats:
    """Values rounded to twelve decimals, so that equal differences are equal numbers; infinite values become NaN.

    >>> rounded([[0.60 - 0.55, 0.47 - 0.42, np.inf]])
    array([[0.05, 0.05,  nan]])
    """
    given = np.asarray(values, dtype=np.float64)
    if given.ndim != 2:
        raise ValueError(f"differences are a table of pairs by topics, not of shape {given.shape}")
    fine = np.abs(given) < 4096  # above that, a double has no twelve decimals
    result: Floats = np.where(np.isfinite(given), given, np.nan)
    result[fine] = np.round(result[fine], 12) + 0.0  # no negative zero
    return result


def row_sums(values: Floats) -> Floats:
    """The sum of each row, exactly rounded, so that it does not depend on the order of the topics.

    >>> row_sums(np.array([[1e16, 1.0, -1e16], [0.1, np.nan, 0.2]])).round(2)
    array([1. , 0.3])
    """
    filled = np.where(np.isnan(values), 0.0, values)
    return np.array([math.fsum(row.tolist()) for row in filled], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Moments:
    """Size, mean and standard deviation (n - 1) of each row; undefined where there are too few values."""

    n: Ints
    mean: Floats
    sd: Floats

    @property
    def error(self) -> Floats:
        """The standard error of the mean."""
        return self.sd / np.sqrt(np.maximum(self.n, 1))

    @property
    def t(self) -> Floats:
        """Student's statistic; 0 for differences that are all 0, infinite for other constant ones."""
        return signed_ratio(self.mean, self.error)

    @property
    def constant(self) -> Bools:
        """Whether the values of a row are all equal."""
        return self.sd == 0


def moments(differences: Floats) -> Moments:
    """The moments of the known values of each row.

    >>> of = moments(np.array([[0.1, 0.3, np.nan], [0.1, 0.1, 0.1]]))
    >>> of.n, of.mean.round(4), of.sd.round(4)  # sqrt((0.1² + 0.1²) / 1)
    (array([2, 3]), array([0.2, 0.1]), array([0.1414, 0.    ]))
    """
    n = np.count_nonzero(~np.isnan(differences), axis=1)
    mean = np.where(n > 0, row_sums(differences) / np.maximum(n, 1), np.nan)
    mean[np.abs(mean) < ZERO] = 0.0
    scatter = row_sums((differences - mean[:, None]) ** 2)
    sd = np.where(n > 1, np.sqrt(scatter / np.maximum(n - 1, 1)), np.nan)
    sd[sd < ZERO] = 0.0
    return Moments(n, mean, sd)


def medians(differences: Floats) -> Floats:
    """The median of the known values of each row; undefined where there are none.

    >>> medians(np.array([[0.1, 0.4, np.nan, 0.2, 0.3], [np.nan] * 5])).round(4)
    array([0.25,  nan])
    """
    ordered = np.sort(rounded(differences), axis=1)  # NaN last
    n = np.count_nonzero(~np.isnan(ordered), axis=1)
    if ordered.shape[1] == 0:
        return np.full(len(ordered), np.nan)
    low, high = (np.take_along_axis(ordered, np.maximum(at, 0)[:, None], axis=1)[:, 0] for at in ((n - 1) // 2, n // 2))
    return np.where(n > 0, (low + high) / 2, np.nan)


def signed_ratio(part: Floats, whole: Floats) -> Floats:
    """`part / whole` with 0 for nothing over nothing and an infinite value, with its sign, for something over nothing.

    >>> signed_ratio(np.array([1.0, 0.0, -2.0, np.nan]), np.array([2.0, 0.0, 0.0, 1.0]))
    array([ 0.5,  0. , -inf,  nan])
    """
    limit = np.where(np.isnan(whole) | np.isnan(part), np.nan, np.where(part == 0, 0.0, np.copysign(np.inf, part)))
    return np.divide(part, whole, out=limit, where=whole > 0)


def by_size(differences: Floats, least: int = 2) -> Iterator[tuple[Ints, Floats]]:
    """Pairs with equally many topics, `least` or more: their places, and their known differences in topic order.

    >>> [(rows, values) for rows, values in by_size(np.array([[1.0, np.nan, 2.0], [np.nan, 3.0, np.nan]]))]
    [(array([0]), array([[1., 2.]]))]
    """
    missing = np.isnan(differences)
    size = differences.shape[1] - np.count_nonzero(missing, axis=1)
    first_known = np.argsort(missing, axis=1, kind="stable")
    for n in np.unique(size[size >= least]).tolist():
        rows = np.flatnonzero(size == n)
        yield rows, np.take_along_axis(differences[rows], first_known[rows, :n], axis=1)
