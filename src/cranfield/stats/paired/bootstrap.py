"""Bootstrap tests of a mean difference: topics are resampled from differences shifted to have mean 0."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.stats.paired.definition import Alternative, Enough, Tested, define_test
from cranfield.stats.paired.differences import ZERO, Moments, by_size, moments, rounded
from cranfield.stats.paired.resampling import count_all, draws, spreads

CLOSE = 1e-9  # t statistics that differ by less are equal
NOTE = "assumes that the topics are a random sample; tests the mean; unreliable with few topics"


@dataclass(frozen=True, eq=False)
class Exceedances:
    """How the t statistics of the shifted resamples compare with the one observed, for each pair.

    A resample without variance has an infinite t with the sign of its mean, or 0 if its mean is 0. Differences that are
    all equal, and not 0, have no finite t to compare with: the counts are NaN.
    """

    of: Moments
    above: Floats  # resamples with t_b >= t
    below: Floats  # resamples with t_b <= t
    beyond: Floats  # resamples with |t_b| >= |t|
    unvaried: Ints  # resamples without variance
    samples: Floats  # resamples in all

    @property
    def asl(self) -> Floats:
        """The achieved significance level of Sakai (2006): the share of all resamples that are as extreme."""
        return self.beyond / self.samples


def exceedances(
    differences: Floats, *, rng: np.random.Generator | None = None, samples: int = 10_000, exact: bool = False
) -> Exceedances:
    """Compare t with the t of resamples under the null hypothesis; `exact` takes all n^n resamples.

    >>> found = exceedances(np.array([[0.0, 0.3]]), exact=True)  # t = 1; shifted: -.15, .15; resamples 00, 01, 10, 11
    >>> found.beyond, found.unvaried, found.asl  # t_b = 0 twice; no variance twice: -∞ and ∞
    (array([2.]), array([2]), array([0.5]))
    """
    table = rounded(differences)
    of = moments(table)
    above, below, beyond = np.full((3, len(table)), np.nan)
    unvaried, size = np.zeros(len(table), dtype=np.int64), np.full(len(table), float(samples))
    seed = None if exact or rng is None else int(rng.integers(2**63))
    if seed is None and not exact:
        raise ValueError("a bootstrap needs rng, unless it is exact")
    for rows, values in by_size(table):
        n = values.shape[1]
        if exact:
            size[rows] = count_all(n)
        moving = ~of.constant[rows]
        here, centred = rows[moving], (values - of.mean[rows, None])[moving]
        above[here], below[here], beyond[here] = 0.0, 0.0, 0.0
        t = of.t[here]
        close = CLOSE * np.maximum(np.abs(t), 1.0)
        for counts in draws(n, samples, seed, pairs=len(here)):
            mean, sd = spreads(centred, counts)
            drawn = resampled_t(mean, sd, n)
            above[here] += np.count_nonzero(drawn >= (t - close)[:, None], axis=1)
            below[here] += np.count_nonzero(drawn <= (t + close)[:, None], axis=1)
            beyond[here] += np.count_nonzero(np.abs(drawn, out=drawn) >= (np.abs(t) - close)[:, None], axis=1)
            unvaried[here] += np.count_nonzero(sd == 0, axis=1)
    same = of.constant & (of.mean == 0)  # every resample of zeros has t = 0 as well
    above[same] = below[same] = beyond[same] = size[same]
    unvaried[of.constant] = size[of.constant]
    return Exceedances(of, above, below, beyond, unvaried, size)


def resampled_t(mean: Floats, sd: Floats, n: int) -> Floats:
    """The t of resamples of n topics: infinite, with its sign, for a mean without variance, and 0 for a mean of 0.

    >>> resampled_t(np.array([0.1, -0.1, 0.0]), np.array([0.2, 0.0, 0.0]), 4)  # 0.1 / (0.2 / √4)
    array([  1., -inf,   0.])
    """
    t = mean * np.sqrt(n)
    np.divide(t, sd, out=t, where=sd > 0)
    flat = np.nonzero(sd == 0)
    t[flat] = np.where(np.abs(mean[flat]) < ZERO, 0.0, np.copysign(np.inf, mean[flat]))
    return t


@define_test(
    "bootstrap",
    tests="mean",
    note=NOTE,
    aliases="shifted-bootstrap",
    samples=10_000,
    cites="Sakai 2006",
    interval="bca",
)
def bootstrap(
    differences: Floats,
    *,
    rng: np.random.Generator,
    samples: int = 10_000,
    alternative: Alternative = "two-sided",
) -> Tested:
    r"""The shifted bootstrap test: how often do resampled topics give as large a t if the true difference is 0?

    With $w_i = d_i - \bar d$ and resamples of $w$, the same topics for every pair,
    $p = (1 + \#\{|t_b| \ge |t|\}) / (1 + B)$. A resample without variance has $t_b = \pm\infty$, and counts as extreme,
    unless its mean is 0, and then $t_b = 0$; `unvaried` counts them. Differences that are all 0 give
    p = 1; other constant differences have no finite t and no p.

    >>> tested = bootstrap(np.array([[0.1, 0.3, 0.2, 0.2]]), rng=np.random.default_rng(1), samples=999)
    >>> tested.statistic.round(4), bool(tested.pvalue[0] < 0.05)  # 0.2 / (0.0816 / 2)
    (array([4.899]), True)
    """
    found = exceedances(differences, rng=rng, samples=samples)
    count = {"two-sided": found.beyond, "greater": found.above, "less": found.below}[alternative]
    return _tested(found, (1 + count) / (1 + samples), f"shifted bootstrap test, {samples:,} resamples")


@define_test(
    "bootstrap-t",
    tests="mean",
    note=NOTE,
    aliases="studentised studentized",
    samples=10_000,
    cites="Efron 1979",
    interval="studentized",
    enough=Enough(topics=50, differing=15),
)
def bootstrap_t(
    differences: Floats,
    *,
    rng: np.random.Generator,
    samples: int = 10_000,
    alternative: Alternative = "two-sided",
) -> Tested:
    r"""The studentised bootstrap test: the one whose accepted values are the studentised bootstrap interval.

    Both tails count by themselves, $p = 2 \min(p_{\ge}, p_{\le})$ with $p_{\ge} = (1 + \#\{t_b \ge t\}) / (1 + B)$, so
    that skewed differences are not taken for symmetric ones; resamples without variance count as in `bootstrap`, on
    their own side.

    >>> tested = bootstrap_t(np.array([[0.1, 0.3, 0.2, 0.2]]), rng=np.random.default_rng(1), samples=999)
    >>> tested.statistic.round(4), bool(tested.pvalue[0] < 0.05)  # 0.2 / (0.0816 / 2)
    (array([4.899]), True)
    """
    found = exceedances(differences, rng=rng, samples=samples)
    above, below = (1 + found.above) / (1 + samples), (1 + found.below) / (1 + samples)
    both = np.minimum(2 * np.minimum(above, below), 1.0)
    pvalue = {"two-sided": both, "greater": above, "less": below}[alternative]
    return _tested(found, pvalue, f"studentised bootstrap test, {samples:,} resamples")


def _tested(found: Exceedances, pvalue: Floats, method: str) -> Tested:
    return Tested(found.of.t, np.where(found.of.n > 1, pvalue, np.nan), found.of.n, method, NOTE, found.unvaried)
