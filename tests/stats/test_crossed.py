"""Topics × replicates: components, intervals and tests, against hand arithmetic, statsmodels and simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from benchmarks.crossed_replicates import rate
from cranfield.stats.crossed import AddedVariance, CrossedErrors, VarianceComponents
from cranfield.tables.side.replicates import Replicates

# statsmodels 0.15.0: anova_lm(ols("y ~ C(t) + C(r)").fit(), typ=2) gives the mean squares of topics, replicates and the
# rest; mixedlm("y ~ 1", groups=one, vc_formula={"t": "0 + C(t)", "r": "0 + C(r)"}).fit(reml=True) the variances of
# topics, replicates and the rest, and the standard error of the mean, to the precision of its optimizer.
STATSMODELS = [
    (
        [
            [0.6423, 0.3361, 0.6732, 0.5401, 0.4214, 0.7135],
            [0.6572, 0.3741, 0.6431, 0.2560, 0.3868, 0.5449],
            [1.0649, 0.5772, 0.8866, 0.6561, 0.6162, 0.9621],
        ],
        (0.07857696266666676, 0.1636970416666666, 0.005990386333333331),
        (0.024197561464692104, 0.02628324145911433, 0.00599021410073339),
        0.11457223515938102,
    ),
    (
        [
            [0.2743, 0.5389, 0.2958, 0.4489, 0.4351],
            [0.3096, 0.3501, 0.2330, 0.5722, 0.5437],
            [0.6209, 0.5788, 0.4041, 0.6836, 0.8251],
            [0.2782, 0.5832, 0.1899, 0.6446, 0.4314],
        ],
        (0.0688532267500001, 0.05791440066666675, 0.008957924416666666),
        (0.014972971297134274, 0.009791453633076054, 0.008958033080776518),
        0.07674867635167852,
    ),
]


def errors_of(first, second):
    """The errors of the difference of two systems from their values `[replicate, topic]`."""
    first, second = np.array(first, dtype=float), np.array(second, dtype=float)
    values = np.concatenate([first, second])[:, :, None]
    system = np.repeat([0, 1], [len(first), len(second)])
    behind = Replicates(tuple(map(str, range(len(system)))), system, values, ("mean",))
    differences = (first.mean(axis=0) - second.mean(axis=0))[None]
    return CrossedErrors.of(behind, 0, np.array([0]), np.array([1]), differences)


@pytest.mark.parametrize(("values", "squares", "mixed", "error"), STATSMODELS)
def test_components_are_those_of_statsmodels(values, squares, mixed, error):
    found = VarianceComponents.of(np.array(values))
    assert found.mean_squares == pytest.approx(squares, rel=1e-9)
    assert (found.topics, found.replicates, found.residual) == pytest.approx(mixed, rel=2e-3)
    means = np.mean(values, axis=0)
    ours, _ = found.added.with_topics(float(means.var(ddof=1)), len(means))
    assert ours == pytest.approx(error, rel=1e-3)


def test_components_by_hand():
    """Two replicates of two topics: 0.2 0.6 and 0.4 1.0."""
    found = VarianceComponents.of(np.array([[0.2, 0.6], [0.4, 1.0]]))
    assert found.mean_squares == pytest.approx((0.25, 0.09, 0.01))  # means 0.3 0.8 · 0.4 0.7 · rest ±0.05 four times
    assert (found.topics, found.replicates, found.residual) == pytest.approx((0.12, 0.04, 0.01))
    error, df = found.added.with_topics(0.125, 2)  # variance of 0.3 and 0.8
    assert error**2 == pytest.approx(0.125 / 2 + 0.04 / 2)  # = (0.25 + 0.09 - 0.01) / 4
    assert df == pytest.approx(0.0825**2 / (0.0625**2 + 0.0225**2 + 0.0025**2))  # Satterthwaite, three times one degree


def test_replicates_without_spread_give_the_paired_t_test():
    rng = np.random.default_rng(1)
    first, second = rng.random((1, 12)), rng.random((1, 12))
    for times in (1, 4):
        found = errors_of(np.repeat(first, times, axis=0), second)
        t, p = found.test()
        expected = stats.ttest_rel(first[0], second[0])
        assert (t[0], p[0]) == pytest.approx((expected.statistic, expected.pvalue))
        assert found.bounds(0.95)[0] == pytest.approx([*expected.confidence_interval(0.95)])


def test_a_spread_that_the_rest_explains_adds_nothing():
    values = np.array([[0.2, 0.8, 0.4], [0.8, 0.2, 0.4]])  # equal means
    found = VarianceComponents.of(values)
    assert found.replicates == 0.0
    assert found.added == AddedVariance()


def test_the_order_of_replicates_and_topics_changes_nothing():
    rng = np.random.default_rng(2)
    first, second = rng.random((4, 9)) + rng.random((4, 1)), rng.random((2, 9)) + rng.random((2, 1))
    topics, runs = rng.permutation(9), rng.permutation(4)
    here, there = errors_of(first, second), errors_of(first[runs][:, topics], second[:, topics])
    assert (here.error[0], here.df[0]) == pytest.approx((there.error[0], there.df[0]))
    back = errors_of(second, first)
    assert (back.mean[0], back.error[0], back.df[0]) == pytest.approx((-here.mean[0], here.error[0], here.df[0]))


def test_the_variance_of_a_difference_is_the_sum_of_its_parts():
    """With unequal numbers of replicates: the variance over topics, and that of replicates of each side."""
    rng = np.random.default_rng(3)
    first, second = rng.random((5, 8)) + 3 * rng.random((5, 1)), rng.random((3, 8)) + 3 * rng.random((3, 1))
    found = errors_of(first, second)
    differences = first.mean(axis=0) - second.mean(axis=0)
    parts = [VarianceComponents.of(side).replicates / len(side) for side in (first, second)]
    assert min(parts) > 0
    assert found.error[0] ** 2 == pytest.approx(differences.var(ddof=1) / 8 + sum(parts))


def test_one_topic_has_no_components_and_no_error():
    assert math.isnan(VarianceComponents.of(np.array([[0.5], [0.7]])).replicates)
    assert np.isnan(errors_of([[0.5], [0.7]], [[0.1]]).test()[1]).all()


def test_topics_that_a_replicate_lacks_are_left_out():
    whole = np.array([[0.2, 0.6, 0.3], [0.4, 1.0, np.nan]])
    assert VarianceComponents.of(whole) == VarianceComponents.of(whole[:, :2])


def test_equivalence_is_the_larger_of_two_one_sided_p():
    rng = np.random.default_rng(4)
    found = errors_of(rng.random((3, 10)), rng.random((1, 10)))
    expected = max(
        stats.t.sf((found.mean + 0.1) / found.error, found.df)[0],
        stats.t.cdf((found.mean - 0.1) / found.error, found.df)[0],
    )
    assert found.within(0.1)[0] == pytest.approx(expected)


@pytest.mark.parametrize("counts", [(5, 1), (3, 3), (5, 5)])
@pytest.mark.parametrize("spread", [0.0, 0.03])
def test_the_level_is_kept_and_the_interval_covers_with_three_replicates_or_more(counts, spread):
    found = rate(counts, spread, topics=30, draws=1500, rng=np.random.default_rng(5))
    assert found.crossed < 0.05 + 3.1 * math.sqrt(0.05 * 0.95 / 1500)
    assert found.covered > 0.95 - 3.1 * math.sqrt(0.05 * 0.95 / 1500)


def test_topics_alone_reject_too_often_where_replicates_differ():
    found = rate((3, 3), 0.1, topics=30, draws=1500, rng=np.random.default_rng(6))
    assert found.topics_only > 0.2
    assert found.crossed < 0.07
