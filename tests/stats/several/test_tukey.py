"""Tukey's test, classical and randomised: the worked example, exhaustive counts, two systems."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from cranfield.errors import PolicyError
from cranfield.stats.several import tukey_randomized as randomized
from cranfield.stats.several.anova import anova
from cranfield.stats.several.posthoc import POSTHOC
from cranfield.stats.several.tukey import tukey
from cranfield.stats.several.tukey_randomized import tukey_randomized
from tests.stats.worked import PAIRS, A, D, X, told_apart

EXACT = [0.763758, 0.578259, 0.006622, 0.995252, 0.226323, 0.388313]


def counted_one_by_one(scores):
    """The share of all permutations within topics whose range of means reaches each difference."""
    b = scores.shape[1]
    columns = [[np.array(order) for order in permutations(column)] for column in scores.T]
    ranges = np.array([np.ptp(sum(choice)) / b for choice in product(*columns)])
    means = scores.mean(axis=1)
    return np.array([[(ranges >= abs(x - y) - 1e-9).mean() for y in means] for x in means]), ranges


def test_the_worked_example_is_reproduced():
    result = tukey(X)
    assert result.critical == pytest.approx(0.048735, abs=5.1e-7)
    assert result.critical / np.sqrt(anova(X).mse / 6) == pytest.approx(4.075974, abs=5.1e-7)
    expected = [0.529929, 0.322891, 0.00637, 0.978451, 0.089924, 0.177009]
    assert result.pvalue[PAIRS] == pytest.approx(expected, abs=5.1e-7)
    assert told_apart(result) == {("D", "A")}


def test_the_worked_example_is_reproduced_by_all_permutations():
    result = tukey_randomized(X, exact=True)
    assert result.samples == 24**6
    assert result.pvalue[PAIRS] == pytest.approx(EXACT, abs=5.1e-7)
    assert result.critical == pytest.approx(0.055, abs=1e-9)


def test_the_worked_example_is_reproduced_by_a_sample():
    result = tukey_randomized(X, rng=np.random.default_rng(42), samples=100_000)
    printed = [0.763, 0.576, 0.0067, 0.995, 0.225, 0.386]
    assert result.pvalue[PAIRS] == pytest.approx(printed, abs=0.005)
    assert result.pvalue[PAIRS] == pytest.approx(EXACT, abs=5 * 0.5 / np.sqrt(100_000))
    assert result.critical == pytest.approx(0.055, abs=1e-9)
    assert told_apart(result) == {("D", "A")}


@pytest.mark.parametrize(("shape", "decimals"), [((3, 4), 6), ((3, 4), 1), ((4, 3), 2), ((2, 6), 1)])
def test_all_permutations_are_counted_as_one_by_one(shape, decimals):
    scores = np.random.default_rng(sum(shape)).random(shape).round(decimals)
    result = tukey_randomized(scores)
    expected, ranges = counted_one_by_one(scores)
    assert result.pvalue == pytest.approx(expected, abs=1e-12)
    assert result.critical == pytest.approx(np.quantile(ranges, 0.95, method="inverted_cdf"))
    assert result.samples == len(ranges)
    assert "all permutations" in result.method


def test_a_sample_is_near_the_count_of_all():
    scores = np.random.default_rng(8).random((3, 5))
    whole, drawn = tukey_randomized(scores), tukey_randomized(scores, exact=False, samples=20_000)
    assert drawn.pvalue == pytest.approx(whole.pvalue, abs=5 * 0.5 / np.sqrt(20_000))
    assert drawn.samples == 20_000


def test_a_p_value_of_a_sample_is_never_0():
    scores = np.array([[0.0] * 30, [1.0] * 30, [2.0] * 30]) + np.random.default_rng(1).random((3, 30)) / 100
    result = tukey_randomized(scores, samples=99)
    assert result.pvalue[0, 1:] == pytest.approx(1 / 100)
    assert (np.diag(result.pvalue) == 1).all()


def test_a_sample_repeats_with_its_seed_and_does_not_depend_on_the_size_of_a_block(monkeypatch):
    scores = np.random.default_rng(3).random((6, 20))

    def drawn(seed):
        return tukey_randomized(scores, samples=300, rng=np.random.default_rng(seed)).pvalue

    first, again, other = drawn(1), drawn(1), drawn(2)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    monkeypatch.setattr(randomized, "_CELLS", 7 * scores.size)
    assert np.array_equal(drawn(1), first)


def test_for_two_systems_tukey_is_the_paired_t_test():
    rng = np.random.default_rng(6)
    for n in (2, 3, 10, 50):
        scores = rng.random((2, n))
        assert tukey(scores).pvalue[0, 1] == pytest.approx(stats.ttest_rel(*scores).pvalue, rel=1e-9)


def test_for_two_systems_the_randomised_test_flips_signs():
    result = tukey_randomized(X[[A, D]])
    assert result.pvalue[0, 1] == 2 / 64  # the exact permutation test of D - A


def test_scipy_finds_the_same_from_the_same_error():
    scores = np.random.default_rng(7).random((6, 15))
    q = np.abs(np.subtract.outer(*[scores.mean(axis=1)] * 2)) / np.sqrt(anova(scores).mse / 15)
    pairs = np.triu_indices(6, 1)
    expected = stats.studentized_range.sf(q[pairs], 6, 5 * 14)
    assert tukey(scores).pvalue[pairs] == pytest.approx(expected, abs=1e-8)


def test_without_error_a_difference_has_no_p_and_no_difference_is_none():
    topics = np.array([0.1, 0.35, 0.7, 0.2])
    result = tukey([topics, topics + 0.1, topics])
    gap = np.nan
    assert np.array_equal(result.pvalue, [[1, gap, 1], [gap, 1, gap], [1, gap, 1]], equal_nan=True)
    assert not result.separated.any()
    assert result.critical == 0
    assert "error variance is 0" in result.note


@pytest.mark.parametrize("name", list(POSTHOC))
def test_identical_runs_have_p_1_and_a_critical_difference_of_a_number(name):
    topics = [0.1, 0.5, 0.5, 0.2]
    result = POSTHOC[name]([topics] * 3)
    assert (result.pvalue == 1).all()
    assert np.isfinite(result.critical)
    assert [group.tolist() for group in result.groups] == [[0, 1, 2]]


@pytest.mark.parametrize("name", list(POSTHOC))
@pytest.mark.parametrize(("scores", "code"), [([[0.1, 0.2, 0.3]], "E207"), ([[0.1], [0.2]], "E208")])
def test_one_run_or_one_topic_is_refused(name, scores, code):
    with pytest.raises(PolicyError) as caught:
        POSTHOC[name](scores)
    assert caught.value.code == code


@pytest.mark.parametrize("name", list(POSTHOC))
def test_a_topic_without_all_scores_is_left_out_and_counted(name):
    holed = np.insert(X, 3, np.nan, axis=1)
    result, whole = POSTHOC[name](holed, samples=500), POSTHOC[name](X, samples=500)
    assert (result.n, result.dropped) == (6, 1)
    assert np.array_equal(result.pvalue, whole.pvalue)


def test_what_cannot_be_counted_is_refused():
    with pytest.raises(PolicyError, match="too many to count"):
        tukey_randomized(np.random.default_rng(0).random((20, 9)), exact=True)
    with pytest.raises(PolicyError, match="too many to count"):
        tukey_randomized(np.random.default_rng(0).random((5, 9)), exact=True)
    with pytest.raises(PolicyError, match="samples=0 must be at least 1"):
        tukey_randomized(np.random.default_rng(0).random((20, 9)), samples=0)


def test_a_hundred_and_twenty_nine_systems_are_compared_at_once():
    rng = np.random.default_rng(12)
    scores = rng.random((129, 50)) * 0.3 + rng.random(50) * 0.5 + rng.normal(0, 0.05, (129, 1))
    for name, procedure in POSTHOC.items():
        result = procedure(scores, samples=200)
        assert result.pvalue.shape == (129, 129)
        assert np.array_equal(result.pvalue, result.pvalue.T), name
        assert (np.diag(result.pvalue) == 1).all()
        assert 0 < result.separated.mean() < 1
        gaps = np.abs(result.difference)[np.triu_indices(129, 1)]
        order = np.argsort(gaps)
        assert (np.diff(result.pvalue[np.triu_indices(129, 1)][order]) <= 1e-10).all()  # larger gap, smaller p
