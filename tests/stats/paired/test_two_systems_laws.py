"""What must hold for any two systems."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.effects import effects, tally
from cranfield.stats.paired.equivalence import tost
from cranfield.stats.paired.intervals import INTERVALS, intervals
from cranfield.stats.paired.posterior import posterior
from cranfield.stats.paired.risk import urisk

NAMES = tuple(TESTS)
COUNTED = ("t", "wilcoxon", "sign")  # no chance enters, whatever the number of topics
HUNDREDTHS = st.one_of(st.integers(-100, 100).map(lambda k: k / 100), st.just(float("nan")))


def outcome(name, differences, **options):
    options.setdefault("rng", np.random.default_rng(7))
    return TESTS[name].function(differences, samples=200, **options)


def tables(most=30):
    return shapes(most).flatmap(lambda shape: arrays(np.float64, shape, elements=HUNDREDTHS))


def constant(differences):
    """Whether the differences of each pair are all equal: t and the bootstraps have no p then, unless they are 0."""
    return np.array([len(set(row[~np.isnan(row)].tolist())) <= 1 for row in differences], dtype=bool)


def shapes(most=30):
    return st.tuples(st.integers(1, 4), st.integers(1, most))


def two_tables():
    return shapes().flatmap(lambda shape: arrays(np.float64, (2, *shape), elements=HUNDREDTHS))


@given(tables(), st.randoms(use_true_random=False))
def test_permuting_topics_changes_no_digit(differences, random):
    order = list(range(differences.shape[1]))
    random.shuffle(order)
    few = np.count_nonzero(~np.isnan(differences), axis=1) <= 20
    for name in (*COUNTED, "permutation"):
        first, again = outcome(name, differences), outcome(name, differences[:, order])
        assert np.array_equal(first.statistic, again.statistic, equal_nan=True)
        same = few if name == "permutation" else few | True
        assert np.array_equal(first.pvalue[same], again.pvalue[same], equal_nan=True)
    assert np.array_equal(intervals(differences).bounds, intervals(differences[:, order]).bounds, equal_nan=True)
    assert np.array_equal(urisk(differences), urisk(differences[:, order]), equal_nan=True)


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_pairs_changes_no_digit(differences, random):
    order = list(range(len(differences)))
    random.shuffle(order)
    for name in NAMES:
        first, again = outcome(name, differences), outcome(name, differences[order])
        assert np.array_equal(first.pvalue[order], again.pvalue, equal_nan=True)


@given(tables())
def test_swapping_the_systems_changes_no_p_value(differences):
    for name in NAMES:
        there, back = outcome(name, differences), outcome(name, -differences)
        assert np.array_equal(there.pvalue, back.pvalue, equal_nan=True)
        greater, less = (
            outcome(name, table, alternative=side) for table, side in ((differences, "greater"), (-differences, "less"))
        )
        assert np.array_equal(greater.pvalue, less.pvalue, equal_nan=True)
    there, back = tally(differences), tally(-differences)
    assert np.array_equal(there.wins, back.losses)
    assert np.array_equal(tost(differences, 0.1).pvalue, tost(-differences, 0.1).pvalue, equal_nan=True)
    for method in INTERVALS:
        here, mirrored = (
            intervals(table, method, samples=200, rng=np.random.default_rng(1)).bounds
            for table in (differences, -differences)
        )
        assert -mirrored[:, ::-1] == pytest.approx(here, nan_ok=True, abs=1e-12)


@given(two_tables(), st.integers(0, 10**6))
def test_adding_a_topic_constant_changes_nothing(scores, seed):
    treatment, baseline = scores
    constant = np.random.default_rng(seed).integers(-1000, 1000, treatment.shape[1]) / 1000
    for name in NAMES:
        first = outcome(name, treatment - baseline)
        again = outcome(name, (treatment + constant) - (baseline + constant))
        assert np.array_equal(first.pvalue, again.pvalue, equal_nan=True)


@given(tables(), st.sampled_from([0.5, 2.0, 10.0]))
def test_scaling_changes_no_p_value(differences, factor):
    for name in NAMES:
        first, again = outcome(name, differences), outcome(name, differences * factor)
        assert again.pvalue == pytest.approx(first.pvalue, nan_ok=True)


@given(tables())
def test_p_values_lie_in_their_range_and_tails_belong_together(differences):
    several = np.count_nonzero(~np.isnan(differences), axis=1) > 1
    for name in NAMES:
        both, greater, less = (
            outcome(name, differences, alternative=side).pvalue[several] for side in ("two-sided", "greater", "less")
        )
        for pvalue in (both, greater, less):
            assert (((pvalue >= 0) & (pvalue <= 1)) | np.isnan(pvalue)).all()
        assert not np.isnan(both[~constant(differences)[several]]).any()
        if name in COUNTED or (name == "permutation" and differences.shape[1] <= 20):
            assert both == pytest.approx(np.minimum(2 * np.minimum(greater, less), 1), nan_ok=True)


@given(tables(), st.sampled_from(list(INTERVALS)), st.sampled_from([0.5, 0.9, 0.95]))
def test_a_wider_interval_contains_a_narrower_one(differences, method, level):
    narrow, wide = (
        intervals(differences, method, level=asked, samples=99, rng=np.random.default_rng(1)).bounds
        for asked in (level, level + 0.04)
    )
    several = ~np.isnan(narrow[:, 0])
    known = (np.count_nonzero(~np.isnan(differences), axis=1) > 1).tolist()
    assert several.tolist() == known or (method == "studentized" and not (several & ~np.array(known)).any())
    several &= ~np.isnan(wide[:, 0])  # where the quantile of the wider one falls among resamples without variance
    assert (wide[several, 0] <= narrow[several, 0] + 1e-12).all()
    assert (narrow[several, 1] <= wide[several, 1] + 1e-12).all()


@given(tables(), st.floats(0, 0.5))
def test_the_posterior_shares_are_a_distribution(differences, rope):
    found = posterior(differences, rope)
    few = np.count_nonzero(~np.isnan(differences), axis=1) < 2
    for share in (found.below, found.inside, found.above, found.positive):
        assert np.isnan(share).tolist() == few.tolist()
        assert ((share >= 0) & (share <= 1))[~few].all()
    assert (found.below + found.inside + found.above)[~few] == pytest.approx(1)


@given(two_tables())
def test_effects_lie_inside_their_intervals_and_turn_with_the_systems(scores):
    treatment, baseline = scores
    there, back = effects(treatment, baseline), effects(baseline, treatment)
    for name in ("difference", "d_z", "d_av", "g_z", "cliff"):
        effect = there[name]
        known = ~np.isnan(effect.bounds[:, 0]) & ~np.isnan(effect.value)
        assert (effect.bounds[known, 0] <= effect.value[known] + 1e-9).all()
        assert (effect.value[known] <= effect.bounds[known, 1] + 1e-9).all()
        assert back[name].value == pytest.approx(-effect.value, nan_ok=True)
        assert -back[name].bounds[:, ::-1] == pytest.approx(effect.bounds, nan_ok=True, abs=1e-9)
    cliff = there["cliff"].bounds
    assert (np.abs(cliff[~np.isnan(cliff)]) <= 1 + 1e-12).all()
