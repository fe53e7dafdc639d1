"""Friedman's test with Conover's and Nemenyi's comparisons: the worked example, SciPy, ties."""

import numpy as np
import pytest
from scipy import stats

from cranfield.stats.several.friedman import conover, friedman, nemenyi
from tests.stats.worked import PAIRS, A, D, X, told_apart


def test_the_worked_example_is_reproduced():
    result = friedman(X)
    assert result.rank_sums.tolist() == [8, 14, 16, 22]
    assert result.mean_ranks == pytest.approx([1.3333, 2.3333, 2.6667, 3.6667], abs=5.1e-5)
    assert (result.t1, result.t1_pvalue) == pytest.approx((10.0, 0.018566), abs=5.1e-7)
    assert (result.t2, result.t2_pvalue) == pytest.approx((6.25, 0.005768), abs=5.1e-7)
    assert result.w == pytest.approx(0.555556, abs=5.1e-7)
    assert (result.statistic, result.pvalue) == (result.t2, result.t2_pvalue)


def test_conover_separates_three_pairs_of_the_worked_example():
    result = conover(X)
    assert result.critical == pytest.approx(6.9613, abs=5.1e-5)
    assert told_apart(result) == {("D", "A"), ("D", "B"), ("C", "A")}
    gaps = np.abs(result.difference)
    assert np.array_equal(gaps > result.critical, result.pvalue < 0.05)
    assert result.permitted


def test_nemenyi_separates_one_pair_of_the_worked_example():
    result = nemenyi(X)
    assert result.critical == pytest.approx(1.914843, abs=5.1e-7)
    assert result.critical / np.sqrt(4 * 5 / (6 * 6)) == pytest.approx(2.569032, abs=5.1e-7)
    assert told_apart(result) == {("D", "A")}
    assert result.pvalue[A, D] == pytest.approx(0.009453, abs=5.1e-7)


@pytest.mark.parametrize("decimals", [1, 6])
@pytest.mark.parametrize("shape", [(3, 4), (5, 12), (10, 30)])
def test_scipy_finds_the_same_with_and_without_ties(shape, decimals):
    scores = np.random.default_rng(shape[0]).random(shape).round(decimals)
    result, expected = friedman(scores), stats.friedmanchisquare(*scores)
    assert result.t1 == pytest.approx(expected.statistic)
    assert result.t1_pvalue == pytest.approx(expected.pvalue)


def test_the_f_form_is_an_analysis_of_variance_of_the_ranks():
    from cranfield.stats.several.anova import anova

    scores = np.random.default_rng(2).random((5, 12)).round(1)
    expected = anova(stats.rankdata(scores, axis=0))
    assert friedman(scores).t2 == pytest.approx(expected.statistic)
    assert friedman(scores).t2_pvalue == pytest.approx(expected.pvalue)


def test_conover_compares_ranks_with_the_error_of_that_analysis():
    from cranfield.stats.several.anova import anova

    scores = np.random.default_rng(3).random((4, 10)).round(1)
    ranks = stats.rankdata(scores, axis=0)
    t = (ranks.mean(axis=1)[:, None] - ranks.mean(axis=1)) / np.sqrt(2 * anova(ranks).mse / 10)
    assert conover(scores).pvalue == pytest.approx(2 * stats.t.sf(np.abs(t), 27))


def test_nemenyi_uses_the_studentised_range_of_scipy():
    scores = np.random.default_rng(4).random((5, 12))
    result = nemenyi(scores)
    q = np.abs(result.difference) / np.sqrt(5 * 6 / (12 * 12))
    expected = stats.studentized_range.sf(q[np.triu_indices(5, 1)], 5, np.inf)
    assert result.pvalue[np.triu_indices(5, 1)] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("shift", [0.0, 0.1])
def test_scores_that_differ_by_rounding_are_tied(shift):
    one = np.array([0.1, 0.5, 0.3])
    other = (one * 3) / 3 + shift * 1e-15
    assert np.isnan(friedman([one, other, one]).t1)


def test_where_all_is_tied_nothing_is_defined_and_nothing_separated():
    scores = np.tile([0.1, 0.5, 0.5, 0.2], (3, 1))
    result = friedman(scores)
    assert np.isnan([result.t1, result.t1_pvalue, result.t2, result.t2_pvalue, result.w]).all()
    assert "tied" in result.note
    for procedure in (conover, nemenyi):
        assert (procedure(scores).pvalue == 1).all()
        assert not procedure(scores).separated.any()


def test_one_order_on_every_topic_is_as_likely_as_that():
    scores = np.random.default_rng(1).random(5) + np.array([[0.0], [2.0], [4.0]])
    result = friedman(scores)
    assert (result.t1, result.w) == (10.0, 1.0)  # b (k - 1)
    assert result.t2 == np.inf
    assert result.t2_pvalue == pytest.approx((1 / 6) ** 4)  # the last four topics as the first, of 3! orders each
    pairs = conover(scores)
    assert np.isnan(pairs.pvalue[~np.eye(3, dtype=bool)]).all()  # t is infinite
    assert (np.diag(pairs.pvalue) == 1).all()


def test_one_order_with_a_tie_on_every_topic_is_more_likely():
    result = friedman(np.tile([[0.1], [0.1], [0.4]], 3))
    assert result.t2_pvalue == pytest.approx((1 / 3) ** 2)  # 3! / 2! orders


def test_two_topics_are_never_enough_for_two_systems():
    pairs = conover([[0.1, 0.2], [0.4, 0.3]])
    assert friedman([[0.1, 0.2], [0.4, 0.3]]).pvalue == 0.5
    assert np.isnan(pairs.pvalue[0, 1])
    assert not pairs.separated.any()


def test_conover_concludes_nothing_without_a_significant_test():
    scores = np.random.default_rng(0).random((20, 6))
    result = conover(scores)
    assert friedman(scores).pvalue > 0.05
    assert (result.pvalue < 0.05).any()  # what the protection is there for
    assert not result.permitted
    assert not result.separated.any()
    assert "nothing may be concluded" in result.note


def test_alpha_moves_the_critical_differences():
    for procedure in (conover, nemenyi):
        wide, narrow = procedure(X, alpha=0.01), procedure(X, alpha=0.1)
        assert wide.critical > narrow.critical
        assert np.array_equal(wide.pvalue[PAIRS], narrow.pvalue[PAIRS])
