"""Two systems beside SciPy, statsmodels, and plain loops in exact arithmetic."""

from fractions import Fraction
from importlib import import_module
from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy import optimize, stats

from cranfield.stats.paired.bootstrap import exceedances
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.effects import effects
from cranfield.stats.paired.equivalence import tost
from cranfield.stats.paired.intervals import intervals
from cranfield.stats.paired.posterior import posterior
from cranfield.stats.paired.ranks import wilcoxon
from cranfield.stats.paired.resampling import draws, spreads
from cranfield.stats.paired.signflips import exact_share

descriptive = import_module("statsmodels.stats.descriptivestats")  # ships no types
weighted = import_module("statsmodels.stats.weightstats")

ALTERNATIVES = ["two-sided", "greater", "less"]


def smooth(topics, pairs=12, seed=0):
    """Scores without ties."""
    rng = np.random.default_rng(seed)
    baseline = rng.beta(1, 2, (pairs, topics))
    return np.clip(baseline + rng.normal(0.03, 0.1, baseline.shape), 0, None), baseline


def coarse(topics, pairs=12, seed=0):
    """Differences in tenths, so that many are tied and some are 0."""
    return np.random.default_rng(seed).integers(-3, 5, (pairs, topics)) / 10


def outcome(name, differences, **options):
    options.setdefault("rng", np.random.default_rng(7))
    return TESTS[name].function(differences, **options)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_t_test_is_scipys(alternative):
    treatment, baseline = smooth(23)
    found = outcome("t", treatment - baseline, alternative=alternative)
    expected = stats.ttest_rel(treatment, baseline, axis=1, alternative=alternative)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.pvalue == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("topics", [2, 9, 50, 51, 120])
def test_wilcoxon_is_scipys_without_ties(alternative, topics):
    treatment, baseline = smooth(topics)
    found = outcome("wilcoxon", treatment - baseline, alternative=alternative)
    expected = stats.wilcoxon(treatment, baseline, axis=1, alternative=alternative)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.pvalue == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zeros", ["wilcox", "pratt"])
def test_wilcoxon_is_scipys_with_many_ties_and_zeros(alternative, zeros):
    differences = coarse(60)
    found = wilcoxon(differences, alternative=alternative, zeros=zeros)
    for row, difference in enumerate(differences):
        expected = stats.wilcoxon(np.round(difference, 12), zero_method=zeros, alternative=alternative)
        assert found.statistic[row] == pytest.approx(expected.statistic)
        assert found.pvalue[row] == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("zeros", ["wilcox", "pratt"])
def test_wilcoxon_with_few_ties_counts_every_sign_flip(zeros):
    for difference in coarse(8, pairs=6, seed=3):
        kept = difference[difference != 0]
        ranks = stats.rankdata(np.abs(difference if zeros == "pratt" else kept))
        ranks = ranks[difference != 0] if zeros == "pratt" else ranks
        observed = abs((np.sign(kept) * ranks).sum())
        reached = [abs(np.dot(signs, ranks)) >= observed for signs in product((-1, 1), repeat=len(kept))]
        assert wilcoxon(difference[None], zeros=zeros).pvalue[0] == pytest.approx(np.mean(reached))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_sign_test_is_the_binomial_test(alternative):
    differences = coarse(17)
    found = outcome("sign", differences, alternative=alternative)
    for row, difference in enumerate(differences):
        wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
        expected = stats.binomtest(wins, wins + losses, alternative=alternative)
        assert (found.statistic[row], found.pvalue[row]) == pytest.approx((wins, expected.pvalue))


def test_the_sign_test_is_that_of_statsmodels():
    differences = coarse(17)
    expected = [descriptive.sign_test(difference)[1] for difference in differences]
    assert outcome("sign", differences).pvalue == pytest.approx(expected)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("topics", [2, 7, 10])
def test_the_exact_permutation_test_is_scipys(alternative, topics):
    treatment, baseline = smooth(topics, pairs=4)
    expected = stats.permutation_test(
        (treatment, baseline),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
        alternative=alternative,
        axis=1,
    )
    found = outcome("permutation", treatment - baseline, alternative=alternative)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.pvalue == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_exact_permutation_test_counts_ties_exactly(alternative):
    differences = coarse(9, pairs=8)
    found = outcome("permutation", differences, alternative=alternative)
    for row, difference in enumerate(differences):
        tenths = np.rint(difference * 10).astype(int)
        sums = np.array([np.dot(signs, tenths) for signs in product((-1, 1), repeat=9)])
        observed = tenths.sum()
        reached = {"two-sided": abs(sums) >= abs(observed), "greater": sums >= observed, "less": sums <= observed}
        assert found.pvalue[row] == reached[alternative].mean()


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_sampled_permutations_are_near_all_of_them(alternative):
    differences = np.concatenate((coarse(22, pairs=5) - 0.02, -coarse(22, pairs=5)))
    found = outcome("permutation", differences, alternative=alternative, samples=20_000).pvalue
    sums = np.round(differences, 12).sum(axis=1)
    at = {"two-sided": np.abs(sums), "greater": sums, "less": -sums}[alternative] - 1e-9
    expected = exact_share(np.round(differences, 12), at) * (2 if alternative == "two-sided" else 1)
    assert found == pytest.approx(np.minimum(expected, 1), abs=4 * sqrt(0.25 / 20_000))


def test_the_bootstrap_test_counts_ties_and_lost_variance_exactly():
    for difference in coarse(5, pairs=3, seed=5):
        exactly = [Fraction(int(tenth), 10) for tenth in np.rint(difference * 10)]
        centre = sum(exactly, Fraction()) / 5
        squares = sum(((d - centre) * (d - centre) for d in exactly), Fraction())
        beyond = above = unvaried = 0
        for drawn in product(exactly, repeat=5):
            mean = sum(drawn, Fraction()) / 5
            scatter, moved = sum(((d - mean) * (d - mean) for d in drawn), Fraction()), mean - centre
            # t² = n (n-1) mean² / scatter, compared without roots
            unvaried += scatter == 0
            if scatter == 0:  # t is infinite, or 0
                beyond += moved != 0 or centre == 0
                above += moved > 0 or (moved == 0 and centre <= 0)
                continue
            beyond += moved * moved * squares >= centre * centre * scatter
            left, right = moved * abs(moved) * squares, centre * abs(centre) * scatter
            above += left >= right
        found = exceedances(difference[None], exact=True)
        assert (found.beyond[0], found.above[0], found.unvaried[0]) == (beyond, above, unvaried)
        assert found.asl[0] == pytest.approx(beyond / 5**5)


def test_sampled_resamples_are_evaluated_like_a_loop_would():
    values = coarse(25, pairs=3)
    centred = values - values.mean(axis=1, keepdims=True)
    (counts,) = draws(25, 40, seed=9)
    assert (counts.sum(axis=1) == 25).all()
    mean, sd = spreads(centred, counts)
    for row, resample in product(range(3), range(40)):
        drawn = np.repeat(centred[row], counts[resample].astype(int))
        assert mean[row, resample] == pytest.approx(drawn.mean(), abs=1e-15)
        assert sd[row, resample] == pytest.approx(drawn.std(ddof=1))


@pytest.mark.parametrize(("method", "name"), [("percentile", "percentile"), ("basic", "basic"), ("bca", "BCa")])
def test_bootstrap_intervals_are_near_scipys(method, name):
    differences = np.random.default_rng(5).exponential(1, (2, 40)) - 0.8
    found = intervals(differences, method, samples=20_000, rng=np.random.default_rng(1), level=0.9)
    expected = stats.bootstrap(
        (differences,), np.mean, axis=1, n_resamples=20_000, method=name, confidence_level=0.9, rng=2
    ).confidence_interval
    assert found.bounds == pytest.approx(np.stack(expected, axis=1), abs=0.02)


def test_the_studentised_interval_holds_0_when_the_studentised_test_does_not_reject():
    differences = np.random.default_rng(6).exponential(1, (60, 25)) - 0.75
    bounds = intervals(differences, "studentized", samples=2_000, rng=np.random.default_rng(1)).bounds
    pvalue = outcome("bootstrap-t", differences, samples=2_000, rng=np.random.default_rng(1)).pvalue
    clear = np.abs(pvalue - 0.05) > 0.002
    assert ((bounds[:, 0] > 0) | (bounds[:, 1] < 0))[clear].tolist() == (pvalue < 0.05)[clear].tolist()
    assert 5 < (pvalue < 0.05).sum() < 55


def test_the_interval_of_d_z_inverts_the_noncentral_t_distribution():
    treatment, baseline = smooth(20, pairs=6)
    found = effects(treatment, baseline, level=0.9)
    for row in range(6):
        t = outcome("t", treatment[[row]] - baseline[[row]]).statistic[0]
        ends = [
            optimize.brentq(lambda nc, t=t, share=share: stats.nct.cdf(t, 19, nc) - share, -20, 20, xtol=1e-12)
            for share in (0.95, 0.05)
        ]
        assert found["d_z"].bounds[row] == pytest.approx(np.array(ends) / sqrt(20), abs=1e-8)
        ratio = found["d_av"].value[row] / found["d_z"].value[row]
        assert found["d_av"].bounds[row] == pytest.approx(found["d_z"].bounds[row] * ratio)


def test_cliffs_delta_counts_every_pair_of_scores():
    treatment, baseline = np.abs(coarse(9, pairs=5)), np.abs(coarse(9, pairs=5, seed=1))
    treatment[0, 2] = baseline[1, 3] = np.nan
    found = effects(treatment, baseline)["cliff"]
    for row in range(5):
        both = np.isfinite(treatment[row]) & np.isfinite(baseline[row])
        signs = np.sign(np.round(treatment[row][both][:, None] - baseline[row][both], 12))
        assert found.value[row] == pytest.approx(signs.mean())
        leave = [np.delete(np.delete(signs, k, 0), k, 1).mean() for k in range(both.sum())]
        inside = found.bounds[row, 0] < signs.mean() < found.bounds[row, 1]
        assert inside == (np.ptp(leave) > 1e-12)


def test_the_t_interval_is_that_of_statsmodels():
    treatment, baseline = smooth(23)
    low, high = weighted.DescrStatsW((treatment - baseline).T).tconfint_mean(alpha=0.1)
    assert intervals(treatment - baseline, "t", level=0.9).bounds == pytest.approx(np.stack((low, high), axis=1))


def test_equivalence_is_that_of_statsmodels():
    treatment, baseline = smooth(23)
    found = tost(treatment - baseline, 0.05)
    for row in range(len(treatment)):
        pvalue, (lower, *_), (upper, *_) = weighted.ttost_paired(treatment[row], baseline[row], -0.05, 0.05)
        assert found.pvalue[row] == pytest.approx(pvalue)
        assert (found.lower[row], found.upper[row]) == pytest.approx((lower, upper))


def test_the_posterior_is_a_shifted_t_distribution():
    treatment, baseline = smooth(23)
    differences = treatment - baseline
    found = posterior(differences, 0.02)
    expected = stats.t(22, differences.mean(axis=1), stats.sem(differences, axis=1))
    assert found.positive == pytest.approx(expected.sf(0))
    assert found.inside == pytest.approx(expected.cdf(0.02) - expected.cdf(-0.02))
    assert found.below == pytest.approx(expected.cdf(-0.02))
    assert found.above == pytest.approx(expected.sf(0.02))
