"""Laws of the tests for many systems, and the errors they make when there is nothing to find."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.several.omnibus import OMNIBUS
from cranfield.stats.several.posthoc import POSTHOC

TRIALS, SYSTEMS, TOPICS = 400, 3, 10
SHAPES = st.tuples(st.integers(2, 5), st.integers(2, 8))
MATRICES = SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.integers(0, 20).map(lambda n: n / 20)))

pytestmark = pytest.mark.filterwarnings("ignore:W113")  # an error variance of 0, which small examples often have


def numbers(result):
    return [result.statistic, result.pvalue]


@given(MATRICES, st.randoms(use_true_random=False), st.integers(-8, 8))
def test_neither_the_order_of_topics_nor_a_constant_per_topic_matters(scores, random, constant):
    topics = list(range(scores.shape[1]))
    random.shuffle(topics)
    shift = np.array([random.randrange(-16, 16) for _ in topics]) / 8 + constant
    for test in OMNIBUS.values():
        expected = pytest.approx(numbers(test(scores)), rel=1e-6, abs=1e-9, nan_ok=True)
        assert numbers(test(scores[:, topics])) == expected
        assert numbers(test(scores + shift)) == expected
    for name in ("conover", "nemenyi", "tukey"):
        wanted = POSTHOC[name](scores).pvalue
        assert POSTHOC[name](scores[:, topics]).pvalue == pytest.approx(wanted, abs=1e-7, nan_ok=True)
        assert POSTHOC[name](scores + shift).pvalue == pytest.approx(wanted, abs=1e-7, nan_ok=True)


@given(MATRICES, st.randoms(use_true_random=False))
def test_renaming_the_runs_renames_the_result(scores, random):
    runs = list(range(len(scores)))
    random.shuffle(runs)
    for test in OMNIBUS.values():
        assert numbers(test(scores[runs])) == pytest.approx(numbers(test(scores)), rel=1e-6, abs=1e-9, nan_ok=True)
    for name in ("conover", "nemenyi", "tukey"):
        expected = POSTHOC[name](scores).pvalue[np.ix_(runs, runs)]
        assert POSTHOC[name](scores[runs]).pvalue == pytest.approx(expected, abs=1e-7, nan_ok=True)


@given(MATRICES)
def test_p_is_symmetric_1_on_the_diagonal_and_1_between_identical_runs(scores):
    doubled = np.vstack([scores, scores[:1]])
    for procedure in POSTHOC.values():
        result = procedure(doubled, samples=50)
        assert np.array_equal(result.pvalue, result.pvalue.T, equal_nan=True)
        assert np.array_equal(result.statistic, -result.statistic.T)
        assert (np.diag(result.pvalue) == 1).all()
        assert result.pvalue[0, -1] == 1
        assert (((result.pvalue >= 0) & (result.pvalue <= 1)) | np.isinf(result.statistic)).all()


@given(MATRICES, st.sampled_from([0.001, 0.05, 0.3, 0.8]))
def test_every_run_is_in_a_group_and_only_runs_that_are_told_apart_share_none(scores, alpha):
    for name in ("conover", "nemenyi", "tukey"):
        result = POSTHOC[name](scores, alpha=alpha)
        together = np.zeros(result.pvalue.shape, dtype=bool)
        for group in result.groups:
            together[np.ix_(group, group)] = True
        assert np.array_equal(together, ~result.separated)


def nothing_to_find(seed):
    """Systems that differ by chance only, on topics that differ much."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(TRIALS, SYSTEMS, TOPICS)) + 3 * rng.normal(size=(TRIALS, 1, TOPICS))


def allowed(level, trials=TRIALS):
    return 4 * np.sqrt(level * (1 - level) / trials)


@pytest.mark.parametrize("name", list(OMNIBUS))
def test_a_test_of_all_finds_what_is_not_there_as_often_as_it_says(name):
    found = np.mean([OMNIBUS[name](scores).pvalue <= 0.1 for scores in nothing_to_find(1)])
    assert found == pytest.approx(0.1, abs=allowed(0.1))


@pytest.mark.parametrize(
    ("name", "least"),
    [("tukey", 0.1 - allowed(0.1)), ("tukey-randomized", 0.1 - allowed(0.1)), ("nemenyi", 0.01), ("conover", 0.01)],
)
def test_a_comparison_of_all_pairs_seldom_finds_what_is_not_there(name, least):
    rng = np.random.default_rng(7)
    found = np.mean(
        [POSTHOC[name](scores, alpha=0.1, samples=99, rng=rng).separated.any() for scores in nothing_to_find(2)]
    )
    assert least < found < 0.1 + allowed(0.1)


@pytest.mark.parametrize("name", ["holm", "bonferroni", "bh", "by"])
def test_corrected_tests_seldom_find_what_is_not_there(name):
    from scipy import stats

    scores = nothing_to_find(3)
    pairs = [(0, 1), (0, 2), (1, 2)]
    pvalues = np.stack([stats.ttest_rel(scores[:, i], scores[:, j], axis=1).pvalue for i, j in pairs], axis=1)
    raw = np.mean((pvalues <= 0.1).any(axis=1))
    found = np.mean([(CORRECTIONS[name](row) <= 0.1).any() for row in pvalues])
    assert found < 0.1 + allowed(0.1)
    assert 0 < found < raw  # uncorrected tests find more than they should
    assert raw > 0.1 + allowed(0.1)
