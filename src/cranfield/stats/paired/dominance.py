"""Dominance: how often the scores of one system exceed those of another, over all pairs of topics."""

import numpy as np

from cranfield.arrays import Floats, ratio
from cranfield.stats.paired.differences import moments


def cliff_delta(first: Floats, second: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    r"""Cliff's δ of rows of scores and its interval [pair, 2]; a topic is missing in both rows or in none.

    $$\delta = P(x > y) - P(x < y)$$

    over all pairs of a score of the first and a score of the second. Each topic enters with its row and its column of
    the comparisons, and the spread of these over topics gives the standard error, so that scores on the same topic may
    be correlated. The interval is Cliff's asymmetric one, which stays inside [-1, 1].

    >>> cliff_delta(np.array([[0.5, 0.6, 0.9]]), np.array([[0.2, 0.6, 0.4]]))[0].round(4)  # (7 - 1) / 9
    array([0.6667])
    """
    from scipy.special import stdtrit
    from scipy.stats import rankdata

    topics = first.shape[1]
    n = np.count_nonzero(~np.isnan(first), axis=1).astype(np.float64)
    pooled = rankdata(np.concatenate((first, second), axis=1), axis=1, nan_policy="omit")
    over, under = (
        ratio(2 * (ranks - rankdata(own, axis=1, nan_policy="omit")), n[:, None]) - 1
        for ranks, own in ((pooled[:, :topics], first), (pooled[:, topics:], second))
    )  # the mean sign of each score against all scores of the other system
    delta = moments(over).mean
    t = np.where(n > 1, stdtrit(np.maximum(n - 1, 1), 0.5 + level / 2), np.nan)
    return delta, _asymmetric(delta, t * moments(over - under).error, (n - t**2) / (n + t**2))


def _asymmetric(delta: Floats, width: Floats, edge: Floats) -> Floats:
    """Cliff's interval; complete dominance has no spread, and its interval has a conventional end."""
    room = 1 - delta**2
    half = width * np.sqrt(room**2 + width**2)
    bounds = np.stack([ratio(delta * room + side * half, room + width**2) for side in (-1, 1)], axis=1)
    bounds[delta == 1] = np.stack((edge, np.ones_like(edge)), axis=1)[delta == 1]
    bounds[delta == -1] = np.stack((-np.ones_like(edge), -edge), axis=1)[delta == -1]
    return np.where(np.isnan(edge)[:, None], np.nan, bounds)
