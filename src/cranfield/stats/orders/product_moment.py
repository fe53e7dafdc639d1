"""Pearson's and Spearman's correlation of system means."""

import numpy as np

from cranfield.arrays import Floats, ratio
from cranfield.stats.orders.coefficient import coefficient
from cranfield.stats.orders.orders import tied_ranks


@coefficient("pearson", "Pearson r", aliases="r", cites="Pearson 1896")
def pearson(x: Floats, y: Floats) -> Floats:
    r"""Pearson's correlation of the means themselves: how well a straight line leads from one to the other.

    $$r = \frac{\sum (x_i - \bar x)(y_i - \bar y)}{\sqrt{\sum (x_i - \bar x)^2 \sum (y_i - \bar y)^2}}$$

    >>> pearson(np.array([[1.0, 2, 3]]), np.array([[1.0, 2, 6]])).round(4)  # 5 / √(2 · 14)
    array([0.9449])
    """
    x, y = (values - values.mean(axis=1, keepdims=True) for values in (x, y))
    x, y = (ratio(values, np.abs(values).max(axis=1, keepdims=True, initial=0)) for values in (x, y))
    return np.clip(ratio((x * y).sum(axis=1), np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))), -1, 1)


@coefficient("spearman", "Spearman ρ", aliases="rho", cites="Spearman 1904")
def spearman(x: Floats, y: Floats) -> Floats:
    r"""Spearman's correlation: Pearson's, of the ranks; tied systems share the mean of their ranks.

    $$\rho = r(\mathrm{rank}(x), \mathrm{rank}(y))$$

    >>> spearman(np.array([[4.0, 3, 2, 1]]), np.array([[3.0, 4, 2, 1]])).round(4)  # 1 - 6 · (1 + 1) / (4 · 15)
    array([0.8])
    """
    first, second = ((start + stop) / 2 for start, stop in map(tied_ranks, (x, y)))
    return pearson(first, second)
