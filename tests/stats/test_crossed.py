"""Topics × replicates: components, intervals and tests, against hand arithmetic, statsmodels and simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from benchmarks.crossed_replicates import SimulatedDesign
from cranfield.stats.crossed import CrossedErrors, VarianceComponents, difference_errors
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
    return difference_errors(behind, 0, np.array([0]), np.array([1]), differences)


def error_of(values):
    """The error of the mean of one system from its values `[replicate, topic]`."""
    share = VarianceComponents.of(np.array(values)).share
    return CrossedErrors.of(np.mean(values, axis=0)[None], [[share]])


@pytest.mark.parametrize(("values", "squares", "mixed", "error"), STATSMODELS)
def test_components_are_those_of_statsmodels(values, squares, mixed, error):
    found = VarianceComponents.of(np.array(values))
    assert found.mean_squares == pytest.approx(squares, rel=1e-9)
    assert (found.topics, found.replicates, found.residual) == pytest.approx(mixed, rel=2e-3)
    assert error_of(values).error[0] == pytest.approx(error, rel=1e-3)


def test_components_by_hand():
    """Two replicates of two topics: 0.2 0.6 and 0.4 1.0."""
    found = VarianceComponents.of(np.array([[0.2, 0.6], [0.4, 1.0]]))
    assert found.mean_squares == pytest.approx((0.25, 0.09, 0.01))  # means 0.3 0.8 · 0.4 0.7 · rest ±0.05 four times
    assert (found.topics, found.replicates, found.residual) == pytest.approx((0.12, 0.04, 0.01))
    parts = error_of([[0.2, 0.6], [0.4, 1.0]])  # topics: variance 0.125 of 0.3 and 0.8, over 2, less 0.01 / 4
    assert parts.variance[0] == pytest.approx([0.125 / 2 - 0.0025, 0.09 / 4])
    assert parts.error[0] ** 2 == pytest.approx(0.125 / 2 + 0.04 / 2)  # = (0.25 + 0.09 - 0.01) / 4
    assert parts.df.tolist() == [[1, 1]]
    reach = math.tan(0.45 * math.pi) * math.sqrt(0.0825)  # t with one degree of freedom is a tangent
    assert parts.bounds(0.9)[0] == pytest.approx([0.55 - reach, 0.55 + reach])


def test_replicates_without_spread_give_the_paired_t_test():
    rng = np.random.default_rng(1)
    first, second = rng.random((1, 12)), rng.random((1, 12))
    for times in (1, 4):
        found = errors_of(np.repeat(first, times, axis=0), second)
        t, p = found.test()
        expected = stats.ttest_rel(first[0], second[0])
        assert (t[0], p[0]) == pytest.approx((expected.statistic, expected.pvalue))
        assert found.bounds(0.95)[0] == pytest.approx([*expected.confidence_interval(0.95)])


def test_a_spread_smaller_than_the_rest_explains_leaves_its_degrees_of_freedom():
    """The old rule took the paired t test on means as soon as an estimate was negative, and so p was too small."""
    first = np.array([[0.2, 0.8, 0.4, 0.3], [0.79, 0.2, 0.4, 0.32]])  # means nearly equal
    found = VarianceComponents.of(first)
    assert found.replicates == 0.0
    assert found.share.df == 1
    assert found.share.variance == pytest.approx(0.0025**2 / 4, rel=1e-9)


def test_where_topics_add_nothing_it_is_the_t_test_of_means_over_topics():
    """Runs that differ by a constant on every topic, against a fixed run: t with replicates - 1 degrees of freedom."""
    levels = np.array([0.1, 0.13, 0.18])
    base = np.array([0.2, 0.5, 0.7, 0.1])
    found = errors_of(base + levels[:, None], base[None])
    expected = stats.ttest_1samp(levels, 0.0)
    assert (found.test()[0][0], found.test()[1][0]) == pytest.approx((expected.statistic, expected.pvalue))
    assert found.bounds(0.9)[0] == pytest.approx([*expected.confidence_interval(0.9)])


def test_the_interval_of_one_minus_p_ends_at_zero():
    rng = np.random.default_rng(7)
    found = errors_of(rng.random((3, 10)) + 0.3, rng.random((2, 10)))
    low, high = found.bounds(1 - found.test()[1][0])[0]
    assert min(abs(low), abs(high)) == pytest.approx(0, abs=1e-9)


def test_two_parts_are_what_integration_over_their_distributions_allows():
    """The chance of |mean| beyond the interval, integrated for one estimated part beside a known one."""
    chances = (np.arange(4000) + 0.5) / 4000
    for df in (1, 2, 4):
        for ratio in np.geomspace(0.01, 1000, 15):
            part = ratio * stats.chi2.ppf(chances, df) / df
            variance = np.column_stack([np.ones(4000), part])
            degrees = np.column_stack([np.full(4000, 1e9), np.full(4000, df)])
            reach = CrossedErrors(np.zeros(4000), variance, degrees).bounds(0.95)[:, 1]
            assert np.mean(2 * stats.norm.sf(reach / math.sqrt(1 + ratio))) < 0.0501


def test_the_order_of_replicates_and_topics_changes_nothing():
    rng = np.random.default_rng(2)
    first, second = rng.random((4, 9)) + rng.random((4, 1)), rng.random((2, 9)) + rng.random((2, 1))
    topics, runs = rng.permutation(9), rng.permutation(4)
    here, there = errors_of(first, second), errors_of(first[runs][:, topics], second[:, topics])
    assert (here.error[0], here.test()[1][0]) == pytest.approx((there.error[0], there.test()[1][0]))
    back = errors_of(second, first)
    assert (back.mean[0], back.error[0]) == pytest.approx((-here.mean[0], here.error[0]))
    assert back.test()[1][0] == pytest.approx(here.test()[1][0])


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
    values = rng.random((2, 10))
    found = errors_of(values[:1], values[1:])  # one run each: two one-sided t tests
    error, mean = found.error[0], found.mean[0]
    for margin in (abs(mean) / 2, abs(mean) * 3):
        expected = max(stats.t.sf((mean + margin) / error, 9), stats.t.cdf((mean - margin) / error, 9))
        assert found.within(margin)[0] == pytest.approx(expected)


def share_of_rejections(counts, spread, topics, draws, rng):
    """From scores drawn in full: intervals without 0, and the paired t test on means over replicates."""
    found = np.zeros((draws, 2), dtype=bool)
    for draw in range(draws):
        topic = rng.normal(0, 0.15, topics)
        sides = [
            topic + rng.normal(0, spread if count > 1 else 0.0, (count, 1)) + rng.normal(0, 0.08, (count, topics))
            for count in counts
        ]
        low, high = errors_of(*sides).bounds(0.95)[0]
        first, second = (side.mean(axis=0) for side in sides)
        found[draw] = not low <= 0 <= high, stats.ttest_rel(first, second).pvalue < 0.05
    return found.mean(axis=0)


def test_two_replicates_that_differ_much_are_not_called_significant_too_often():
    """With Satterthwaite's degrees of freedom this was 10.7 %."""
    found, alone = share_of_rejections((2, 1), 0.1, topics=30, draws=800, rng=np.random.default_rng(6))
    assert found < 0.05 + 3.1 * math.sqrt(0.05 * 0.95 / 800)
    assert alone > 0.2


def test_drawn_mean_squares_reject_as_often_as_drawn_scores():
    found, _ = share_of_rejections((3, 3), 0.03, topics=20, draws=1000, rng=np.random.default_rng(8))
    drawn = SimulatedDesign((3, 3), 20, 0.0, (0.03, 0.03)).levels(40_000, np.random.default_rng(9))[0]
    assert found == pytest.approx(drawn, abs=3.5 * math.sqrt(drawn / 1000))


@pytest.mark.parametrize("counts", [(2, 1), (3, 1), (5, 1), (2, 2), (3, 3), (5, 5), (10, 2), (10, 3)])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_the_level_is_kept_whatever_the_ratios_of_the_variances(counts, alpha):
    rng, draws = np.random.default_rng(5), 4000
    for topics in (10, 50):
        for interaction in (0.0, 0.08, 0.3):
            for spread in ((0.0, 0.0), (0.02, 0.02), (0.1, 0.1), (0.1, 0.0), (0.0, 0.1)):
                design = SimulatedDesign(counts, topics, interaction, spread)
                found = design.levels(draws, rng, (alpha,))[0]
                assert found < alpha + 4 * math.sqrt(alpha * (1 - alpha) / draws), design


def test_five_replicates_of_usual_scores_keep_most_of_the_level():
    """Careful, and yet a test: topics × systems 0.15, the rest 0.08, replicates 0.01 apart."""
    found = SimulatedDesign((5, 5), 50, 0.15, (0.01, 0.01)).levels(10_000, np.random.default_rng(5))[0]
    assert 0.03 < found < 0.056
