"""The posterior distribution of the mean difference, given the scores."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.stats.paired.differences import moments, rounded, signed_ratio
from cranfield.stats.paired.effects import student_bounds

NOTE = "normal differences with Jeffreys' prior, which favours no value of the mean or the variance"


@dataclass(frozen=True, eq=False)
class Posterior:
    """The posterior of the mean difference of many pairs: location + scale · t; every array has one row per pair."""

    location: Floats
    scale: Floats
    freedom: Ints
    positive: Floats  # P(difference > 0)
    below: Floats  # P(difference < -rope)
    inside: Floats  # P(-rope <= difference <= rope): practically equivalent
    above: Floats  # P(difference > rope)
    bounds: Floats  # [pair, 2], central
    n: Ints
    rope: float
    level: float
    note: str


def posterior(differences: Floats, rope: float = 0.0, *, level: float = 0.95) -> Posterior:
    r"""The posterior of the mean difference under Jeffreys' prior, and its mass in a region of practical equivalence.

    $$\mu \mid d \sim \bar d + \frac{s}{\sqrt n}\, t_{n-1}$$

    If all differences are equal, all mass lies on that value; if it is 0, neither system is better and P is ½.
    Its central interval is Student's.

    >>> found = posterior(np.array([[0.1, 0.3]]), rope=0.1)
    >>> found.positive.round(4), found.inside.round(4)  # 1/2 + arctan(2) / π; (arctan(3) - arctan(1)) / π
    (array([0.8524]), array([0.1476]))
    """
    from scipy.special import stdtr

    if not (np.isfinite(rope) and rope >= 0):
        raise PolicyError("E240", f"{setting('rope', rope)} is no width", hint="half the width of the region, from 0")
    of = moments(rounded(differences))
    freedom = np.maximum(of.n - 1.0, 1.0)
    positive = stdtr(freedom, signed_ratio(of.mean, of.error))
    below, above = (stdtr(freedom, signed_ratio(-rope + side * of.mean, of.error)) for side in (-1, 1))
    certain = of.constant & (np.abs(of.mean) <= rope)  # on the edge is inside
    below, above = np.where(certain, 0.0, below), np.where(certain, 0.0, above)
    few = of.n < 2
    positive, below, above = (np.where(few, np.nan, share) for share in (positive, below, above))
    bounds = student_bounds(of, level)
    inside = np.maximum(1 - below - above, 0.0)
    return Posterior(
        location=of.mean,
        scale=of.error,
        freedom=of.n - 1,
        positive=positive,
        below=below,
        inside=inside,
        above=above,
        bounds=bounds,
        n=of.n,
        rope=rope,
        level=level,
        note=NOTE,
    )
