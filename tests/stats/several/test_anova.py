"""Two-way analysis of variance: the worked example, another program, and what has no variance."""

import warnings

import numpy as np
import pytest
from scipy import stats

from cranfield.errors import DataWarning, PolicyError
from cranfield.stats.several.anova import anova
from cranfield.stats.several.omnibus import OMNIBUS
from tests.stats.worked import A, D, X


def test_the_worked_example_is_reproduced():
    result = anova(X)
    sources = (result.systems, result.topics, result.error, result.total)
    assert [source.ss for source in sources] == pytest.approx([0.013733, 0.411933, 0.012867, 0.438533], abs=5.1e-7)
    assert [source.df for source in sources] == [3, 5, 15, 23]
    assert result.systems.ms == pytest.approx(0.004578, abs=5.1e-7)
    assert result.topics.ms == pytest.approx(0.082387, abs=5.1e-7)
    assert result.mse == pytest.approx(0.00085778, abs=5.1e-9)
    assert result.statistic == pytest.approx(5.336788, abs=5.1e-7)
    assert result.pvalue == pytest.approx(0.010566, abs=5.1e-7)
    assert result.topic_statistic == pytest.approx(96.046632, abs=5.1e-7)
    assert result.omega2 == pytest.approx(0.025399, abs=5.1e-7)
    assert result.partial_eta2 == pytest.approx(0.516291, abs=5.1e-7)
    assert (result.n, result.dropped) == (6, 0)


@pytest.mark.parametrize("shape", [(2, 2), (3, 7), (8, 20)])
def test_another_program_finds_the_same(shape):
    import pandas as pd
    from statsmodels.stats import anova as rm

    scores = np.random.default_rng(shape[0]).random(shape)
    system, topic = np.indices(shape)
    frame = pd.DataFrame({"y": scores.ravel(), "system": system.ravel(), "topic": topic.ravel()})
    table = rm.AnovaRM(frame, "y", "topic", within=["system"]).fit().anova_table
    result = anova(scores)
    assert result.statistic == pytest.approx(table["F Value"].iloc[0], rel=1e-9)
    assert result.pvalue == pytest.approx(table["Pr > F"].iloc[0], rel=1e-9)
    assert (result.systems.df, result.error.df) == (table["Num DF"].iloc[0], table["Den DF"].iloc[0])


def test_the_f_of_topics_is_that_of_systems_when_both_change_places():
    scores = np.random.default_rng(5).random((4, 9))
    one, other = anova(scores), anova(scores.T)
    assert one.topic_statistic == pytest.approx(other.statistic)
    assert one.topic_pvalue == pytest.approx(other.pvalue)


def test_for_two_systems_it_is_the_paired_t_test():
    result = anova(X[[A, D]])
    expected = stats.ttest_rel(X[D], X[A])
    assert result.statistic == pytest.approx(expected.statistic**2)
    assert result.pvalue == pytest.approx(expected.pvalue)


def test_a_topic_without_all_scores_is_left_out_and_counted():
    holed = np.insert(X, [1, 4], np.nan, axis=1)
    holed[1:, 1] = 0.7
    result = anova(holed)
    assert (result.n, result.dropped) == (6, 2)
    assert result.statistic == anova(X).statistic


def test_constant_differences_have_an_infinite_f_and_a_warning():
    scores = np.array([0.1, 0.35, 0.7, 0.2]) + np.array([[0.0], [0.1], [0.3]])
    with pytest.warns(DataWarning, match="W113"):
        result = anova(scores)
    assert (result.statistic, result.pvalue, result.mse) == (np.inf, 0.0, 0.0)
    assert result.partial_eta2 == 1
    assert "error variance is 0" in result.note


@pytest.mark.parametrize("topics", [[0.3, 0.3, 0.3], [0.1, 0.7, 0.2]])
def test_equal_runs_have_no_f(topics):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = anova([topics, topics, topics])
    assert np.isnan(result.statistic)
    assert np.isnan(result.pvalue)


@pytest.mark.parametrize("name", list(OMNIBUS))
@pytest.mark.parametrize(
    ("scores", "code"),
    [([[0.1, 0.2, 0.3]], "E207"), ([[0.1], [0.2]], "E208"), ([[0.1, np.nan], [0.2, 0.1]], "E208"), ([0.1], "E241")],
)
def test_one_run_or_one_topic_is_refused(name, scores, code):
    with pytest.raises(PolicyError) as caught:
        OMNIBUS[name](scores)
    assert caught.value.code == code


@pytest.mark.parametrize("name", list(OMNIBUS))
def test_every_test_says_what_it_is(name):
    result = OMNIBUS[name](X)
    assert result.method
    assert "assumes" in result.note
    assert 0 < result.pvalue < 0.05 < result.statistic
    assert (result.n, result.dropped) == (6, 0)
