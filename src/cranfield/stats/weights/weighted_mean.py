r"""The mean of topics with weights, its standard error and its degrees of freedom.

With $h_i = w_i / \sum w$, $m = \sum h_i v_i$ and $S = \sum h_i^2$, the variance of $m$ is estimated by
$\sum h_i^2 (v_i - m)^2 / (1 - 2 h_i + S)$, which is unbiased for topics of equal spread, and its degrees of freedom are
Satterthwaite's (Bell and McCaffrey 2002). Equal weights give Student's $s^2 / n$ and $n - 1$; where few topics have
most of the weight, there are few degrees of freedom, and so a wide interval.
"""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats
from cranfield.stats.paired.differences import ZERO


@dataclass(frozen=True, eq=False)
class WeightedMean:
    """The weighted mean of each row, its standard error and degrees of freedom; no error with a single topic.

    >>> found = WeightedMean.of(np.array([[0.2, 0.4]]), np.array([[1.0, 3.0]]))  # h = 1/4, 3/4; S = 10/16
    >>> found.mean.round(4), found.error.round(4)  # √(.15²/16 / 1.125 + .05² · 9/16 / .125)
    (array([0.35]), array([0.1118]))
    """

    mean: Floats
    error: Floats
    freedom: Floats

    @classmethod
    def of(cls, values: Floats, weights: Floats) -> "WeightedMean":
        """Of `values[row, topic]` with weights of the same shape; NaN and a weight of 0 leave a topic out."""
        used = ~np.isnan(values) & (weights > 0)
        own = np.where(used, weights, 0.0)
        total = own.sum(axis=1, keepdims=True)
        share = np.divide(own, total, out=np.zeros_like(own), where=total > 0)
        mean = np.where(total[:, 0] > 0, (share * np.where(used, values, 0.0)).sum(axis=1), np.nan)
        squares = (share**2).sum(axis=1, keepdims=True)
        kept = 1 - 2 * share + squares  # of the spread of a topic, after the mean was taken away
        factor = np.divide(share**2, kept, out=np.zeros_like(share), where=used & (kept > ZERO))
        rest = np.where(used, values, 0.0) - mean[:, None]
        many = np.count_nonzero(used, axis=1) > 1
        variance = np.where(many, (factor * np.where(used, rest, 0.0) ** 2).sum(axis=1), np.nan)
        error = np.sqrt(variance)
        error[error < ZERO] = 0.0
        return cls(mean, error, np.where(many, _freedom(share, factor, squares[:, 0]), np.nan))

    def interval(self, level: float) -> Floats:
        """`[row, 2]`: Student's interval."""
        from scipy.special import stdtrit

        half = stdtrit(self.freedom, 0.5 + level / 2) * self.error
        return np.stack([self.mean - half, self.mean + half], axis=1)


def _freedom(share: Floats, factor: Floats, squares: Floats) -> Floats:
    """Satterthwaite's: the squared expectation of the variance over half the variance of that."""
    none, one, two = (np.sum(factor * share**power, axis=1) for power in range(3))
    twice = squares[:, None] - 2 * share
    pairs = squares**2 * none**2 + 2 * none * two + 2 * one**2 - 4 * squares * none * one
    scatter = pairs + np.sum(factor**2 * ((1 + twice) ** 2 - twice**2), axis=1)
    return np.divide(squares**2, scatter, out=np.full(len(share), np.nan), where=scatter > 0)
