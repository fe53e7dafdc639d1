"""How often tests reject and intervals cover when the truth is known: every pair is one simulated experiment."""

import numpy as np
import pytest

from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.effects import effects
from cranfield.stats.paired.equivalence import tost
from cranfield.stats.paired.intervals import intervals

EXPERIMENTS = 4000
NOISE = 4 * np.sqrt(0.05 * 0.95 / EXPERIMENTS)  # four standard errors of a share of 5 %


def share_of(events):
    return float(np.mean(events))


def rejections(name, differences, samples=1000):
    return share_of(TESTS[name].function(differences, rng=np.random.default_rng(3), samples=samples).pvalue <= 0.05)


@pytest.mark.parametrize(
    ("name", "topics", "least"),
    [
        ("t", 15, 0.05),
        ("permutation", 15, 0.05),
        ("permutation", 30, 0.05),
        ("wilcoxon", 15, 0.048),  # the largest attainable level below 5 %
        ("wilcoxon", 60, 0.05),
        ("sign", 15, 0.035),
        ("bootstrap", 50, 0.04),
        ("bootstrap-t", 50, 0.04),
    ],
)
def test_a_true_null_hypothesis_is_rejected_as_often_as_promised(name, topics, least):
    normal = np.random.default_rng(11).normal(0, 0.1, (EXPERIMENTS, topics))
    assert least - NOISE <= rejections(name, normal) <= 0.05 + NOISE


@pytest.mark.parametrize("name", ["t", "permutation", "wilcoxon", "sign", "bootstrap"])
def test_a_real_difference_is_found_more_often_than_by_chance(name):
    moved = np.random.default_rng(12).normal(0.06, 0.1, (500, 25))
    assert rejections(name, moved) > 0.5


def test_coarse_scores_do_not_make_the_permutation_test_reject_too_often():
    coarse = np.random.default_rng(13).integers(-2, 3, (EXPERIMENTS, 12)) / 5
    assert rejections("permutation", coarse) <= 0.05 + NOISE


def test_systems_that_differ_by_the_margin_are_called_equivalent_as_often_as_promised():
    normal = np.random.default_rng(14).normal(0.1, 0.1, (EXPERIMENTS, 30))
    assert share_of(tost(normal, 0.1).pvalue <= 0.05) == pytest.approx(0.05, abs=NOISE)


@pytest.mark.parametrize("method", ["t", "percentile", "basic", "bca", "studentized"])
def test_intervals_cover_the_mean_about_as_often_as_promised(method):
    normal = np.random.default_rng(15).normal(0.1, 0.1, (2000, 50))
    bounds = intervals(normal, method, samples=500, rng=np.random.default_rng(1)).bounds
    covered = share_of((bounds[:, 0] <= 0.1) & (bounds[:, 1] >= 0.1))
    assert covered == pytest.approx(0.95, abs=0.02 if method == "t" else 0.035)  # resampling is a little narrow


def test_intervals_of_effects_cover_the_truth_about_as_often_as_promised():
    rng = np.random.default_rng(16)
    topic, noise, other = rng.normal(0, 1, (3, EXPERIMENTS, 40))
    baseline, treatment = topic + noise, topic + other + 1.0  # differences have mean 1, sd √2; each score has sd √2
    found = effects(treatment, baseline)
    for name in ("d_z", "d_av"):
        bounds = found[name].bounds
        covered = share_of((bounds[:, 0] <= 1 / np.sqrt(2)) & (1 / np.sqrt(2) <= bounds[:, 1]))
        assert covered == pytest.approx(0.95, abs=NOISE + (0.005 if name == "d_av" else 0))
    delta = 0.3829249225480262  # 2 Φ(1 / √(2 + 2)) - 1
    bounds = found["cliff"].bounds
    assert share_of((bounds[:, 0] <= delta) & (delta <= bounds[:, 1])) == pytest.approx(0.95, abs=NOISE)


def test_hedges_correction_removes_the_bias_of_a_standardised_difference():
    differences = np.random.default_rng(17).normal(1, 1, (20_000, 6))
    found = effects(differences, np.zeros_like(differences))
    assert found["g_z"].value.mean() == pytest.approx(1, abs=0.02)
    assert found["d_z"].value.mean() > 1.1
