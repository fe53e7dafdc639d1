"""Tests that look at the order or the sign of differences only: Wilcoxon's signed ranks and the sign test."""

from functools import cache
from typing import Literal

import numpy as np

from cranfield.arrays import Floats
from cranfield.stats.paired.definition import Alternative, Tested, define_test
from cranfield.stats.paired.differences import rounded, row_sums
from cranfield.stats.paired.signflips import EXACT, exact_share

TABLE = 50  # differences up to which the distribution of ranks without ties is tabulated
WILCOXON = (
    "assumes that differences are symmetric about their median; tests the median, not the mean, "
    "and can disagree with the t test; ties get mid-ranks"
)
SIGN = (
    "counts wins and losses only, ties are left out; tests the median, not the mean, and can disagree with the t test"
)


@define_test(
    "wilcoxon",
    tests="median",
    note=WILCOXON,
    aliases="signed-rank",
    cites="Wilcoxon 1945; Urbano et al. 2019; Otero et al. 2025",
    swapped="same",
)
def wilcoxon(
    differences: Floats,
    *,
    rng: np.random.Generator | None = None,
    samples: int = 0,
    alternative: Alternative = "two-sided",
    zeros: Literal["wilcox", "pratt"] = "wilcox",
) -> Tested:
    r"""Wilcoxon's signed-rank test: do large differences favour one system?

    $W^+ = \sum_{d_i > 0} \operatorname{rank}(|d_i|)$ and $W^-$ likewise. Topics without a difference are dropped
    (`wilcox`) or ranked first and then dropped (`pratt`). The null distribution is exact up to 50 differences without
    ties and up to 20 with ties; otherwise normal, with the variance of the mid-ranks. The statistic is $W^+$, and for
    a two-sided test the smaller of the two sums.

    >>> tested = wilcoxon(np.array([[0.1, 0.3, -0.2]]))
    >>> tested.statistic, tested.pvalue  # ranks 1, 3 against 2; of 2³ sign flips 3 + 3 have a sum of at most 2
    (array([2.]), array([0.75]))
    """
    from scipy.stats import rankdata

    table = rounded(differences)
    n = np.count_nonzero(~np.isnan(table), axis=1)
    moved = np.where(table == 0, np.nan, table)
    ranked = moved if zeros == "wilcox" else table
    ranks: Floats = np.where(np.isnan(moved), 0.0, rankdata(np.abs(ranked), axis=1, nan_policy="omit"))
    signed = np.where(moved < 0, -ranks, ranks)
    gain, loss = (row_sums(np.where(side, ranks, 0.0)) for side in (moved > 0, moved < 0))
    lead = _orient(gain - loss, alternative)
    used, unties = np.count_nonzero(ranks, axis=1), ranks.max(axis=1, initial=0)
    plain = (used == unties) & (row_sums(ranks**2) == used * (used + 1) * (2 * used + 1) / 6)
    pvalue = _normal(lead, row_sums(ranks**2), alternative)
    for size in np.unique(used[plain & (used <= TABLE)]).tolist():
        rows = np.flatnonzero(plain & (used == size))
        reached = np.ceil((lead[rows] + size * (size + 1) / 2) / 2).astype(np.int64)  # the larger rank sum
        share = _tails(size)[reached]
        pvalue[rows] = np.minimum(2 * share, 1.0) if alternative == "two-sided" else share
    for size in np.unique(used[~plain & (used <= EXACT)]):
        rows = np.flatnonzero(~plain & (used == size))
        kept = signed[rows][signed[rows] != 0].reshape(len(rows), size)
        share = exact_share(kept, lead[rows] - 0.25)  # sums of mid-ranks are whole or half
        pvalue[rows] = np.minimum(2 * share, 1.0) if alternative == "two-sided" else share
    statistic = np.minimum(gain, loss) if alternative == "two-sided" else gain
    method = f"Wilcoxon signed-rank test, zeros {'dropped' if zeros == 'wilcox' else 'ranked (Pratt)'}"
    return Tested(np.where(n > 0, statistic, np.nan), np.where(n > 1, pvalue, np.nan), n, method, WILCOXON)


@define_test("sign", tests="median", note=SIGN, cites="Conover 1999; Urbano et al. 2019", swapped="counted")
def sign(
    differences: Floats,
    *,
    rng: np.random.Generator | None = None,
    samples: int = 0,
    alternative: Alternative = "two-sided",
) -> Tested:
    """The sign test: is one system better on more topics than a fair coin would give?

    Binomial and exact; topics without a difference are left out. The statistic is the number of wins.

    >>> tested = sign(np.array([[0.1, 0.3, 0.2, 0.0]]))
    >>> tested.statistic, tested.pvalue  # 3 wins, 0 losses: 2 / 2³
    (array([3.]), array([0.25]))
    """
    from scipy.special import bdtr

    table = rounded(differences)
    n = np.count_nonzero(~np.isnan(table), axis=1)
    wins, losses = np.count_nonzero(table > 0, axis=1), np.count_nonzero(table < 0, axis=1)
    fewer = np.minimum(wins, losses) if alternative == "two-sided" else losses if alternative == "greater" else wins
    share = bdtr(fewer.astype(np.float64), wins + losses, 0.5)
    pvalue = np.minimum(2 * share, 1.0) if alternative == "two-sided" else share
    statistic = np.where(n > 0, wins.astype(np.float64), np.nan)
    return Tested(statistic, np.where(n > 1, pvalue, np.nan), n, "sign test, ties left out", SIGN)


def _orient(lead: Floats, alternative: Alternative) -> Floats:
    """The rank sum in the direction that is tested."""
    return np.abs(lead) if alternative == "two-sided" else lead if alternative == "greater" else -lead


def _normal(lead: Floats, squares: Floats, alternative: Alternative) -> Floats:
    """The tail probability of a sum of independently signed ranks, by the normal approximation; 1 without ranks."""
    from scipy.special import ndtr

    share = ndtr(-lead / np.sqrt(np.where(squares > 0, squares, 1.0)))
    share = np.where(squares > 0, share, 1.0)
    return np.minimum(2 * share, 1.0) if alternative == "two-sided" else share


@cache
def _tails(n: int) -> Floats:
    """P(W+ >= w) for w = 0 … n (n + 1) / 2: each rank is in the sum or not."""
    ways = np.ones(1)
    for rank in range(1, n + 1):
        ways = np.concatenate((ways, np.zeros(rank))) + np.concatenate((np.zeros(rank), ways))
    return ways[::-1].cumsum()[::-1] / 2.0**n
