"""How large a difference is: in standard deviations, in dominance, in percent, in topics won.

Intervals treat the topics as a random sample. That of d_z inverts the noncentral t distribution; d_av, Glass's Δ and
Hedges' corrections scale it (Algina and Keselman 2003), which treats the ratio of the standard deviations in the
divisor to that of the differences as known. That of Cliff's δ is Cliff's asymmetric one, with the variance of δ over
topics that both systems share. That of a difference in percent is Fieller's.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints, ratio
from cranfield.stats.paired.differences import Moments, moments, rounded
from cranfield.stats.paired.dominance import cliff_delta
from cranfield.stats.paired.noncentral import noncentrality

NONCENTRAL, SCALED, ASYMMETRIC = "noncentral t", "noncentral t, scaled", "asymmetric, paired topics"
FIELLER = "Fieller"
REPORTED = {"percent": "percent", "d_z": "d_z", "hedges_g": "g", "cliffs_delta": "cliff"}  # of a comparison -> here


@dataclass(frozen=True, eq=False)
class Effect:
    """One effect size of many pairs."""

    value: Floats
    bounds: Floats  # [pair, 2]; NaN where there is no interval
    method: str  # of the interval


@dataclass(frozen=True, eq=False)
class Tally:
    """On how many topics the treatment won, tied and lost, for many pairs."""

    wins: Ints
    ties: Ints
    losses: Ints


def tally(differences: Floats) -> Tally:
    """Wins, ties and losses; scores that differ by less than 5e-13 are tied.

    >>> found = tally(np.array([[0.1, -0.2, 0.0, 0.3, np.nan]]))
    >>> found.wins, found.ties, found.losses
    (array([2]), array([1]), array([1]))
    """
    table = rounded(differences)
    wins, ties, losses = (np.count_nonzero(side, axis=1) for side in (table > 0, table == 0, table < 0))
    return Tally(wins, ties, losses)


def effects(treatment: Floats, baseline: Floats, *, level: float = 0.95) -> Mapping[str, Effect]:
    r"""Every effect size of `treatment[pair, topic]` over `baseline[pair, topic]`, on the topics that both have.

    | name | value |
    |---|---|
    | `difference` | mean difference, with Student's interval |
    | `percent` | mean difference in percent of the baseline's mean, with Fieller's interval |
    | `d_z` | mean difference / standard deviation of the differences |
    | `d_av` | mean difference / $\sqrt{(s_1^2 + s_2^2) / 2}$ |
    | `g` | Hedges' g: $J(2n - 2)$ `d_av`, with $J(m) = \Gamma(m/2) / (\sqrt{m/2}\,\Gamma((m-1)/2))$ |
    | `g_z` | $J(n - 1)$ `d_z` |
    | `glass` | mean difference / standard deviation of the baseline |
    | `cliff` | P(treatment > baseline) - P(treatment < baseline) over all pairs of topics |
    | `A12` | (1 + `cliff`) / 2 |

    A standard deviation of 0 leaves the effect undefined (NaN), unless the difference is 0 as well: then it is 0.

    >>> found = effects(np.array([[0.5, 0.6, 0.9]]), np.array([[0.2, 0.6, 0.4]]))
    >>> [(name, found[name].value.round(4).tolist()) for name in ("difference", "d_z", "cliff")]
    [('difference', [0.2667]), ('d_z', [1.0596]), ('cliff', [0.6667])]
    """
    both = np.isfinite(treatment) & np.isfinite(baseline)
    first, second = (rounded(np.where(both, scores, np.nan)) for scores in (treatment, baseline))
    of, one, two = moments(rounded(first - second)), moments(first), moments(second)
    d_z = Effect(_in_units(of, of.sd), _noncentral(of, level), NONCENTRAL)
    d_av = _scaled(of, d_z, np.sqrt((one.sd**2 + two.sd**2) / 2))
    cliff = Effect(*cliff_delta(first, second, level), ASYMMETRIC)
    student = Effect(of.mean, student_bounds(of, level), "t")
    percent = Effect(100 * ratio(of.mean, two.mean), 100 * _fieller(of, one, two, level), FIELLER)
    return {
        "difference": student,
        "percent": percent,
        "d_z": d_z,
        "d_av": d_av,
        "g": _corrected(d_av, hedges(2 * of.n - 2)),
        "g_z": _corrected(d_z, hedges(of.n - 1)),
        "glass": _scaled(of, d_z, two.sd),
        "cliff": cliff,
        "A12": Effect((1 + cliff.value) / 2, (1 + cliff.bounds) / 2, cliff.method),
    }


def student_bounds(of: Moments, level: float) -> Floats:
    """Student's interval of the mean, [pair, 2].

    >>> student_bounds(moments(np.array([[0.1, 0.3]])), 0.5).round(4)  # 0.2 ± 1 · 0.1
    array([[0.1, 0.3]])
    """
    half = _quantile(of, level) * of.error
    return np.stack((of.mean - half, of.mean + half), axis=1)


def hedges(freedom: Ints) -> Floats:
    """Hedges' factor against the bias of a standardised difference; undefined below two degrees of freedom.

    >>> hedges(np.array([10, 5, 1])).round(6)
    array([0.922746, 0.840749,      nan])
    """
    from scipy.special import gammaln

    half = np.maximum(freedom, 2) / 2
    factor = np.exp(gammaln(half) - gammaln(half - 0.5) - np.log(half) / 2)
    return np.where(freedom > 1, factor, np.nan)


def rule_of_thumb(percent: float) -> str:
    """Spärck Jones's words for a difference in percent.

    >>> [rule_of_thumb(percent) for percent in (-3.0, 7.0, 12.5)]
    ['marginal', 'noticeable', 'material']
    """
    return "marginal" if abs(percent) < 5 else "noticeable" if abs(percent) <= 10 else "material"


def _quantile(of: Moments, level: float) -> Floats:
    """The t such that a Student statistic lies between -t and t with that probability."""
    from scipy.special import stdtrit

    return np.asarray(stdtrit(np.maximum(of.n - 1.0, 1.0), 0.5 + level / 2))


def _fieller(of: Moments, one: Moments, two: Moments, level: float) -> Floats:
    """The ratios r of mean difference to baseline for which a t test of d - r y against 0 is not significant.

    They have two ends only if the baseline's mean is significantly different from 0; otherwise there is no interval.
    """
    share = _quantile(of, level) ** 2 / np.maximum(of.n, 1)
    together = (one.sd**2 - of.sd**2 - two.sd**2) / 2  # the covariance of difference and baseline
    square = two.mean**2 - share * two.sd**2
    linear = of.mean * two.mean - share * together
    root = np.sqrt(np.maximum(linear**2 - square * (of.mean**2 - share * of.sd**2), 0.0))
    bounded = square > 0
    return np.stack([np.where(bounded, ratio(linear + side * root, square), np.nan) for side in (-1, 1)], axis=1)


def _in_units(of: Moments, unit: Floats) -> Floats:
    return np.where((unit == 0) & (of.mean == 0), 0.0, ratio(of.mean, unit))


def _scaled(of: Moments, d_z: Effect, unit: Floats) -> Effect:
    """The mean difference in another unit, with the interval of d_z in that unit."""
    return Effect(_in_units(of, unit), d_z.bounds * ratio(of.sd, unit)[:, None], SCALED)


def _corrected(effect: Effect, factor: Floats) -> Effect:
    return Effect(effect.value * factor, effect.bounds * factor[:, None], effect.method)


def _noncentral(of: Moments, level: float) -> Floats:
    """The d_z for which the observed t lies at either end of its noncentral distribution."""
    t = np.where(of.constant, np.nan, of.t)
    freedom = np.maximum(of.n - 1.0, 1.0)
    ends = np.stack([noncentrality(np.abs(t), freedom, 0.5 + side * level / 2) for side in (1, -1)], axis=1)
    ends = np.where(t[:, None] < 0, -ends[:, ::-1], ends)  # solved for |t|, so that swapping the systems is exact
    return ends / np.sqrt(np.maximum(of.n, 1))[:, None]
