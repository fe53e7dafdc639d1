"""One number for many topics: mean, median, sum, geometric mean, or the ratio of sums (micro average)."""

import math

import numpy as np

from cranfield.arrays import Floats

FLOOR = 1e-5  # smallest value that enters a geometric mean


def summary(values: Floats, average: str) -> float:
    """The summary of the defined values; sums are exactly rounded, so they do not depend on the order of the topics.

    >>> (
    ...     summary(np.array([0.1, np.nan, 0.3]), "mean"),
    ...     round(summary(np.array([1.0, 0.0]), "geometric"), 6),
    ... )  # sqrt(1e-5)
    (0.2, 0.003162)
    """
    defined = values[~np.isnan(values)].tolist()
    if average == "sum":
        return math.fsum(defined)
    if not defined:
        return math.nan
    if average == "median":
        ordered, count = sorted(defined), len(defined)
        return (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    if average == "geometric":
        return math.exp(math.fsum(math.log(max(value, FLOOR)) for value in defined) / len(defined))
    return math.fsum(defined) / len(defined)


def growth(values: Floats, residuals: Floats, average: str) -> float:
    """How much a mean or median could still grow, where every value could grow by its residual.

    >>> growth(np.array([0.1, 0.2, 0.9]), np.array([0.2, 0.1, 0.0]), "median").__round__(4)  # from 0.2 to 0.3
    0.1
    """
    if average == "median":
        return summary(values + residuals, average) - summary(values, average)
    return summary(residuals, "mean")


def micro(values: Floats, weights: Floats) -> float:
    """The ratio of the sums over topics, of ratios with these divisors: their mean, weighted by the divisors.

    >>> micro(np.array([1.0, 0.5]), np.array([1.0, 4.0]))  # (1 + 2) / (1 + 4)
    0.6
    """
    defined = ~np.isnan(values)
    total = math.fsum(weights[defined].tolist())
    return math.fsum((values * weights)[defined].tolist()) / total if total else math.nan


def influence(values: Floats, weights: Floats) -> Floats:
    """The contribution of each topic to a micro average: their mean is the average, their spread its uncertainty.

    >>> influence(np.array([1.0, 0.5]), np.array([1.0, 4.0])).round(4)  # 0.6 + (1 (1 - 0.6), 4 (0.5 - 0.6)) / 2.5
    array([0.76, 0.44])
    """
    average, defined = micro(values, weights), ~np.isnan(values)
    if math.isnan(average):
        return np.full(len(values), np.nan)
    return average + weights * (values - average) / weights[defined].mean()
