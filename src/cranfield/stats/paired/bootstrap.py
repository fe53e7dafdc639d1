"""Bootstrap tests of a mean difference: topics are resampled from differences shifted to have mean 0."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.stats.paired.definition import Alternative, Tested, define_test
from cranfield.stats.paired.differences import Moments, by_size, moments, rounded
from cranfield.stats.paired.resampling import count_all, draws, spreads

CLOSE = 1e-9  # t statistics that differ by less are equal
NOTE = "takes the topics for a random sample of topics like them; tests the mean; unreliable with few topics"


@dataclass(frozen=True)
class Exceedances:
    """How the t statistics of the shifted resamples compare with the one observed, for each pair."""

    of: Moments
    above: Floats  # resamples with t_b >= t
    below: Floats  # resamples with t_b <= t
    beyond: Floats  # resamples with |t_b| >= |t|
    dropped: Ints  # resamples without variance: they count nowhere
    samples: Floats  # resamples in all

    @property
    def asl(self) -> Floats:
        """The achieved significance level of Sakai (2006): the share of all resamples that are as extreme."""
        return np.where(self.of.constant & (self.of.mean == 0), 1.0, self.beyond / self.samples)


def exceedances(
    differences: Floats, *, rng: np.random.Generator | None = None, samples: int = 10_000, exact: bool = False
) -> Exceedances:
    """Compare t with the t of resamples under the null hypothesis; `exact` takes all n^n resamples.

    >>> found = exceedances(np.array([[0.0, 0.3]]), exact=True)  # t = 1; shifted: -.15, .15; resamples 00, 01, 10, 11
    >>> found.beyond, found.dropped, found.asl  # t_b = 0 twice, no variance twice
    (array([0.]), array([2]), array([0.]))
    """
    table = rounded(differences)
    of = moments(table)
    above, below, beyond = np.full((3, len(table)), np.nan)
    dropped, size = np.zeros(len(table), dtype=np.int64), np.full(len(table), float(samples))
    seed = None if exact or rng is None else int(rng.integers(2**63))
    if seed is None and not exact:
        raise ValueError("a bootstrap needs rng, or exact=True")
    for rows, values in by_size(table):
        n = values.shape[1]
        if exact:
            size[rows] = count_all(n)
        above[rows], below[rows], beyond[rows] = 0.0, 0.0, 0.0
        dropped[rows] = size[rows]
        moving = ~of.constant[rows]
        here, centred = rows[moving], (values - of.mean[rows, None])[moving]
        t = of.t[here]
        close = CLOSE * np.maximum(np.abs(t), 1.0)
        for counts in draws(n, samples, seed, pairs=len(here)):
            mean, sd = spreads(centred, counts)
            held = sd > 0
            drawn = np.divide(mean * np.sqrt(n), sd, out=mean, where=held)
            above[here] += _count(drawn >= (t - close)[:, None], held)
            below[here] += _count(drawn <= (t + close)[:, None], held)
            beyond[here] += _count(np.abs(drawn, out=drawn) >= (np.abs(t) - close)[:, None], held)
            dropped[here] -= _count(held, held)
    return Exceedances(of, above, below, beyond, dropped, size)


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
    $p = (1 + \#\{|t_b| \ge |t|\}) / (1 + B)$. A resample without variance never counts as extreme; how many there were
    is told in `dropped`. Differences that are all 0 give p = 1.

    >>> tested = bootstrap(np.array([[0.1, 0.3, 0.2, 0.2]]), rng=np.random.default_rng(1), samples=999)
    >>> tested.statistic.round(4), bool(tested.pvalue[0] < 0.05)  # 0.2 / (0.0816 / 2)
    (array([4.899]), True)
    """
    found = exceedances(differences, rng=rng, samples=samples)
    count = {"two-sided": found.beyond, "greater": found.above, "less": found.below}[alternative]
    return _tested(found, (1 + count) / (1 + samples), f"shifted bootstrap test, {samples:,} resamples", alternative)


@define_test(
    "bootstrap-t",
    tests="mean",
    note=NOTE,
    aliases="studentised studentized",
    samples=10_000,
    cites="Efron 1979",
    interval="studentized",
)
def bootstrap_t(
    differences: Floats,
    *,
    rng: np.random.Generator,
    samples: int = 10_000,
    alternative: Alternative = "two-sided",
) -> Tested:
    r"""The studentised bootstrap test: the one whose accepted values are the studentised bootstrap interval.

    Both tails count by themselves, $p = 2 \min(p_{\ge}, p_{\le})$ with $p_{\ge} = (1 + \#\{t_b \ge t\}) / (1 + B')$, so
    that skewed differences are not taken for symmetric ones; resamples without variance are dropped ($B'$ are kept).

    >>> tested = bootstrap_t(np.array([[0.1, 0.3, 0.2, 0.2]]), rng=np.random.default_rng(1), samples=999)
    >>> tested.statistic.round(4), bool(tested.pvalue[0] < 0.05)  # 0.2 / (0.0816 / 2)
    (array([4.899]), True)
    """
    found = exceedances(differences, rng=rng, samples=samples)
    kept = 1 + samples - found.dropped
    above, below = (1 + found.above) / kept, (1 + found.below) / kept
    both = np.minimum(2 * np.minimum(above, below), 1.0)
    pvalue = {"two-sided": both, "greater": above, "less": below}[alternative]
    return _tested(found, pvalue, f"studentised bootstrap test, {samples:,} resamples", alternative)


def _tested(found: Exceedances, pvalue: Floats, method: str, alternative: Alternative) -> Tested:
    """The outcome, with what no resample can tell: constant differences."""
    of, least = found.of, 1 / (1 + found.samples)
    against = of.mean < 0 if alternative == "greater" else of.mean > 0 if alternative == "less" else of.mean == 0
    pvalue = np.where(of.constant, np.where(against | (of.mean == 0), 1.0, least), pvalue)
    return Tested(of.t, np.where(of.n > 1, pvalue, np.nan), of.n, method, NOTE, found.dropped)


def _count(hit: Bools, held: Bools) -> Ints:
    return np.count_nonzero(hit & held, axis=1)
