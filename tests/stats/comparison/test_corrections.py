"""Corrections for many tests."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cranfield.stats.comparison.corrections import CORRECTIONS

P = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216]
PRINTED = {
    "holm": [0.01, 0.072, *[0.312] * 5, *[0.615] * 3],
    "bh": [0.01, 0.04, 0.084, 0.084, 0.084, 0.1, 0.105714, 0.216, 0.216, 0.216],
    "by": [0.02929, 0.117159, *[0.246033] * 3, 0.292897, 0.309634, *[0.632657] * 3],
    "bonferroni": [0.01, 0.08, 0.39, 0.41, 0.42, 0.6, 0.74, 1, 1, 1],
    "none": P,
}
SEVERAL = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.parametrize("name", list(CORRECTIONS))
def test_the_worked_example_is_reproduced_in_any_order(name):
    assert CORRECTIONS[name](P) == pytest.approx(PRINTED[name], abs=5.1e-7)
    order = np.random.default_rng(1).permutation(10)
    assert CORRECTIONS[name](np.array(P)[order]) == pytest.approx(np.array(PRINTED[name])[order], abs=5.1e-7)


@given(SEVERAL)
def test_scipy_finds_the_same_false_discovery_rates(pvalues):
    for name in ("bh", "by"):
        expected = stats.false_discovery_control(pvalues, method=name)
        assert CORRECTIONS[name](pvalues) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "theirs"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh"), ("by", "fdr_by")]
)
def test_another_program_finds_the_same(name, theirs):
    from statsmodels.stats import multitest

    rng = np.random.default_rng(4)
    for size in (1, 2, 17, 200):
        pvalues = rng.random(size) ** 3
        assert CORRECTIONS[name](pvalues) == pytest.approx(multitest.multipletests(pvalues, method=theirs)[1])


@given(SEVERAL)
def test_raw_is_below_bh_below_holm_below_bonferroni_below_1(pvalues):
    raw, bh, holm, bonferroni = (CORRECTIONS[name](pvalues) for name in ("none", "bh", "holm", "bonferroni"))
    close = 1e-12
    assert (raw <= bh + close).all()
    assert (bh <= holm + close).all()
    assert (holm <= bonferroni + close).all()
    assert (bonferroni <= 1).all()


@given(SEVERAL, st.randoms(use_true_random=False))
def test_equal_p_values_stay_equal_and_the_order_is_kept(pvalues, random):
    doubled = [*pvalues, *pvalues]
    random.shuffle(doubled)
    for rule in CORRECTIONS.values():
        adjusted = rule(doubled)
        order = np.argsort(doubled, kind="stable")
        assert (np.diff(adjusted[order]) >= -1e-12).all()
        for value in pvalues:
            assert len(set(adjusted[np.array(doubled) == value].round(12))) == 1


@given(st.lists(st.floats(0, 1) | st.just(np.nan), max_size=20))
def test_what_was_not_tested_is_not_counted(pvalues):
    given_ = np.array(pvalues, dtype=float)
    known = ~np.isnan(given_)
    for rule in CORRECTIONS.values():
        adjusted = rule(given_)
        assert np.array_equal(np.isnan(adjusted), ~known)
        assert np.array_equal(adjusted[known], rule(given_[known]))


@pytest.mark.parametrize(
    ("alias", "name"), [("fdr", "bh"), ("Benjamini-Hochberg", "bh"), ("HOLM", "holm"), ("benjamini-yekutieli", "by")]
)
def test_a_correction_is_found_by_its_other_names(alias, name):
    assert CORRECTIONS.find(alias) is CORRECTIONS[name]
