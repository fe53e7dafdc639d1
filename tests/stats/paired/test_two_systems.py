"""Two systems: the worked example, and what happens at the edges."""

import warnings

import numpy as np
import pytest
from scipy import stats

from cranfield.errors import PolicyError
from cranfield.registry import registered
from cranfield.stats.paired.bootstrap import exceedances
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.effects import effects, hedges, tally
from cranfield.stats.paired.equivalence import tost
from cranfield.stats.paired.intervals import INTERVALS, _drawn, bca_levels, intervals
from cranfield.stats.paired.posterior import posterior
from cranfield.stats.paired.ranks import wilcoxon
from cranfield.stats.paired.risk import trisk, urisk
from tests.stats.worked import PAIRS, A, B, D, X

DIFFERENCE = X[[D]] - X[[A]]
SIX = 5.1e-7  # half a unit of the sixth decimal
NAMES = ["t", "permutation", "bootstrap", "bootstrap-t", "wilcoxon", "sign"]


def outcome(name, differences, **options):
    options.setdefault("rng", np.random.default_rng(7))
    return TESTS[name].function(np.asarray(differences, dtype=np.float64), **options)


def test_the_registry_says_of_each_test_what_it_assumes_and_who_published_it():
    assert {registered("test", name, TESTS) for name in ("randomization", "Randomisation")} == {"permutation"}
    assert all(test.note and test.cites and test.title for test in TESTS.values())
    assert [name for name in NAMES if TESTS[name].tests == "median"] == ["wilcoxon", "sign"]
    assert [name for name in NAMES if TESTS[name].random] == ["permutation", "bootstrap", "bootstrap-t"]


def test_an_unknown_test_is_refused_with_a_guess():
    with pytest.raises(PolicyError, match="did you mean bootstrap"):
        registered("test", "bootstap", TESTS)


@pytest.mark.parametrize(
    ("name", "statistic", "pvalue"),
    [("t", 5.096472, 0.003781), ("permutation", 0.066667, 2 / 64), ("wilcoxon", 0, 2 / 64), ("sign", 6, 2 / 64)],
)
def test_the_worked_example_is_reproduced(name, statistic, pvalue):
    found = outcome(name, DIFFERENCE)
    assert found.statistic == pytest.approx(statistic, abs=SIX)
    assert found.pvalue == pytest.approx(pvalue, abs=SIX)
    assert found.n.tolist() == [6]


def test_the_shifted_bootstrap_of_all_resamples_is_that_of_the_worked_example():
    found = exceedances(DIFFERENCE, exact=True)
    assert (found.beyond.tolist(), found.unvaried.tolist(), found.samples.tolist()) == ([794.0], [130], [46656.0])
    assert found.asl == pytest.approx(0.017018, abs=SIX)
    assert found.above == 657, "65 of those without variance lie on the side of D"


@pytest.mark.parametrize(
    ("name", "wins", "topics", "pvalue"),
    [
        ("bootstrap", 1, 2, 0.5),
        ("bootstrap", 2, 50, 0.144),  # no win drawn: (48/50)^50 = .130; six or more: .014
        ("bootstrap-t", 1, 2, 0.5),
        ("bootstrap-t", 2, 50, 0.029),  # the upper tail alone, doubled
    ],
)
def test_resamples_without_variance_count_as_extreme(name, wins, topics, pvalue):
    won = np.concatenate((np.ones(wins), np.zeros(topics - wins)))[None]
    found = outcome(name, won, samples=20_000)
    assert found.pvalue[0] == pytest.approx(pvalue, abs=0.015)
    losing = outcome(name, -won, samples=20_000, alternative="greater").pvalue[0]
    assert losing > 0.7, "an infinite t on the other side does not count"


def test_a_resample_of_nothing_but_the_mean_is_not_extreme():
    found = exceedances(np.array([[0.1, 0.2, 0.3]]), exact=True)  # t = 3.46; shifted -.1 0 .1: 3 of 27 without variance
    assert (found.unvaried.tolist(), found.beyond.tolist(), found.above.tolist()) == ([3], [2], [1])


def test_the_sampled_bootstrap_is_near_that_of_all_resamples():
    found = outcome("bootstrap", DIFFERENCE, samples=20_000)
    assert found.pvalue == pytest.approx(0.017018, abs=4 * np.sqrt(0.017 / 20_000))
    assert found.unvaried == pytest.approx(130 / 46656 * 20_000, abs=4 * np.sqrt(130 / 46656 * 20_000))


@pytest.mark.parametrize(
    ("method", "bounds"),
    [
        ("t", [0.033041, 0.100292]),
        ("percentile", [0.043333, 0.088333]),
        ("basic", [0.045, 0.09]),
        ("bca", [0.04, 0.088333]),
        ("studentized", [0.032656, 0.097408]),
    ],
)
def test_the_intervals_of_the_worked_example_are_reproduced(method, bounds):
    found = intervals(DIFFERENCE, method, exact=True)
    assert found.bounds[0] == pytest.approx(bounds, abs=SIX)
    assert found.dropped.tolist() == [130 if method == "studentized" else 0]


def test_the_parts_of_the_bca_interval_are_those_of_the_worked_example():
    bias, acceleration, levels = bca_levels(_drawn(np.round(DIFFERENCE, 12), 0, None, spread=False), 0.95)
    assert bias == pytest.approx(-0.017999, abs=SIX)
    assert acceleration == pytest.approx(-0.015609, abs=SIX)
    assert levels[0] == pytest.approx([0.019748, 0.969038], abs=SIX)


@pytest.mark.parametrize("method", [name for name in INTERVALS if name != "t"])
def test_sampled_intervals_are_near_those_of_all_resamples(method):
    found = intervals(DIFFERENCE, method, samples=20_000, rng=np.random.default_rng(3))
    assert found.bounds == pytest.approx(intervals(DIFFERENCE, method, exact=True).bounds, abs=0.004)  # a step is 1/300


def test_the_effect_sizes_of_the_worked_example_are_reproduced():
    found = effects(X[[D]], X[[A]])
    expected = {
        "difference": 0.066667,
        "d_z": 2.080626,
        "d_av": 0.443199,
        "g": 0.40896,
        "g_z": 1.749284,
        "glass": 0.419739,
        "cliff": 0.25,
        "A12": 0.625,
    }
    assert {name: found[name].value[0] for name in expected} == pytest.approx(expected, abs=SIX)
    assert found["percent"].value == pytest.approx(100 * 0.4 / 1.9)
    (low, high), y = found["percent"].bounds[0] / 100, X[A]
    for end in (low, high):  # where the t test of d - r y is just significant
        assert stats.ttest_1samp(DIFFERENCE[0] - end * y, 0).pvalue == pytest.approx(0.05)
    assert low < 0.4 / 1.9 < high
    assert hedges(np.array([10, 5])) == pytest.approx([0.922746, 0.840749], abs=SIX)
    counts = tally(DIFFERENCE)
    assert [int(side[0]) for side in (counts.wins, counts.ties, counts.losses)] == [6, 0, 0]


def test_the_risk_of_the_worked_example_is_reproduced():
    difference = X[[B]] - X[[A]]
    assert urisk(difference, alpha=1) == pytest.approx(0.011667, abs=SIX)
    assert trisk(difference, alpha=1) == pytest.approx(0.415227, abs=SIX)


def test_the_central_interval_of_the_posterior_is_students():
    differences = X[PAIRS[0]] - X[PAIRS[1]]
    found = posterior(differences, 0.02)
    assert found.bounds == pytest.approx(intervals(differences, "t").bounds)
    assert found.below + found.inside + found.above == pytest.approx(1)
    assert found.positive == pytest.approx(1 - outcome("t", differences, alternative="greater").pvalue)


def test_equivalence_is_shown_only_when_the_interval_lies_inside_the_margin():
    interval = intervals(DIFFERENCE, "t", level=0.90).bounds[0]
    assert tost(DIFFERENCE, interval[1] + 1e-9).pvalue[0] < 0.05 < tost(DIFFERENCE, interval[1] - 1e-9).pvalue[0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("topics", [2, 6, 25])
def test_identical_runs_give_p_1_and_statistic_0(name, alternative, topics):
    found = outcome(name, np.zeros((2, topics)), alternative=alternative)
    assert found.pvalue.tolist() == [1, 1]
    assert found.statistic.tolist() == [0, 0]


@pytest.mark.parametrize("name", NAMES)
def test_differences_of_rounding_alone_count_as_none(name):
    scores = np.random.default_rng(1).random((1, 30))
    assert outcome(name, (scores + 0.1) - (scores + 0.3 - 0.2)).pvalue.tolist() == [1]


@pytest.mark.parametrize(
    ("name", "statistic", "pvalue"),
    [
        ("t", np.inf, np.nan),
        ("permutation", 0.1, 2 / 64),
        ("bootstrap", np.inf, np.nan),
        ("bootstrap-t", np.inf, np.nan),
        ("wilcoxon", 0, 2 / 64),
        ("sign", 6, 2 / 64),
    ],
)
def test_constant_differences_have_a_p_only_where_the_statistic_is_finite(name, statistic, pvalue):
    found = outcome(name, np.full((1, 6), 0.1), samples=1000)
    assert found.statistic == pytest.approx(statistic)
    assert found.pvalue == pytest.approx(pvalue, nan_ok=True)
    swapped = outcome(name, np.full((1, 6), -0.1), samples=1000)
    assert np.array_equal(swapped.pvalue, found.pvalue, equal_nan=True)


@pytest.mark.parametrize("method", list(INTERVALS))
@pytest.mark.parametrize("constant", [0.0, 0.1])
def test_the_interval_of_constant_differences_is_a_point_or_none(method, constant):
    found = intervals(np.full((1, 5), constant), method, rng=np.random.default_rng(1), samples=100)
    without = method == "studentized" and constant != 0
    assert found.bounds[0] == pytest.approx([np.nan if without else constant] * 2, nan_ok=True)
    assert found.dropped[0] == (100 if method == "studentized" else 0)


def test_a_studentised_interval_is_not_made_from_the_few_resamples_that_vary():
    won = np.zeros((2, 50))
    won[0, :2], won[1, :20] = 1.0, 1.0  # (48/50)^50 = 13 % of the resamples of the first draw no win
    found = intervals(won, "studentized", samples=2000, rng=np.random.default_rng(1))
    assert np.isnan(found.bounds).tolist() == [[True, True], [False, False]]
    assert intervals(won, "studentized", level=0.5, samples=2000, rng=np.random.default_rng(1)).bounds[0, 0] < 0.04


def test_effects_without_spread_are_undefined_unless_nothing_differs():
    flat = np.array([[0.2, 0.2, 0.2]])
    apart, alike = effects(flat + 0.1, flat), effects(flat, flat)
    for name in ("d_z", "d_av", "g", "g_z", "glass"):
        assert np.isnan(apart[name].value).all()
        assert alike[name].value.tolist() == [0]
    assert np.isnan(effects(flat, flat * 0)["percent"].value).all()
    assert (apart["cliff"].value.tolist(), alike["cliff"].value.tolist()) == ([1], [0])
    assert apart["cliff"].bounds[0, 1] == 1


def test_what_is_certain_has_no_doubtful_probabilities():
    constant = np.array([[0.1] * 4, [-0.1] * 4, [0.0] * 4, [0.02] * 4])
    found = posterior(constant, rope=0.02)
    assert found.positive.tolist() == [1, 0, 0.5, 1]
    assert (found.below.tolist(), found.above.tolist()) == ([0, 1, 0, 0], [1, 0, 0, 0])
    assert tost(constant, 0.05).pvalue.tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize("name", NAMES)
def test_fewer_than_two_topics_have_no_p_value(name):
    found = outcome(name, [[0.1, np.nan, np.nan], [np.nan] * 3, [0.1, 0.2, np.nan]])
    assert np.isnan(found.pvalue).tolist() == [True, True, False]
    assert found.n.tolist() == [1, 0, 2]
    assert outcome(name, np.empty((0, 5))).pvalue.shape == (0,)
    assert np.isnan(outcome(name, np.empty((2, 0))).pvalue).all()


def test_fewer_than_two_topics_have_no_interval_or_effect():
    lone = np.array([[0.1, np.nan], [np.nan, np.nan]])
    for method in INTERVALS:
        assert np.isnan(intervals(lone, method, rng=np.random.default_rng(1), samples=10).bounds).all()
    assert np.isnan(tost(lone, 0.1).pvalue).all()
    assert np.isnan(posterior(lone, 0.1).inside).all()
    found = effects(lone, lone * 2)
    assert all(np.isnan(found[name].bounds).all() for name in found)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_topic_is_dropped_for_its_pair_alone(name):
    rng = np.random.default_rng(2)
    whole = np.round(rng.normal(0.05, 0.1, (4, 26)), 3)
    holed = whole.copy()
    holed[1, 3], holed[2, [5, 20]], holed[3, 2:8] = np.nan, np.nan, np.inf
    found = outcome(name, holed, samples=500)
    assert found.n.tolist() == [26, 25, 24, 20]
    for row in range(4):
        alone = outcome(name, holed[[row]][:, np.isfinite(holed[row])], samples=500)
        assert alone.pvalue[0] == found.pvalue[row]
        assert alone.statistic[0] == found.statistic[row]


@pytest.mark.parametrize("name", NAMES)
def test_the_other_pairs_do_not_matter(name):
    differences = np.random.default_rng(4).normal(0.03, 0.1, (300, 30))
    found = outcome(name, differences, samples=20_000 if name == "permutation" else 2_000)
    alone = outcome(name, differences[[17]], samples=20_000 if name == "permutation" else 2_000)
    assert found.pvalue[17] == alone.pvalue[0]


def test_sampled_p_values_are_never_0():
    far = np.random.default_rng(1).normal(5, 0.1, (1, 30))
    for name in ("permutation", "bootstrap", "bootstrap-t"):
        pvalue = outcome(name, far, samples=99).pvalue[0]
        assert pvalue == pytest.approx(0.02 if name == "bootstrap-t" else 0.01)


@pytest.mark.parametrize(
    ("differing", "sides"), [(0, (1, 1, 1)), (1, (1, 0.5, 1)), (2, (0.5, 0.25, 1)), (20, (2**-19, 2**-20, 1))]
)
def test_the_permutation_test_is_exact_where_few_topics_differ(differing, sides):
    wins = np.zeros((2, 50))
    wins[0, :differing] = 1.0
    wins[1] = np.random.default_rng(1).normal(size=50)  # a pair whose flips have to be drawn
    for side, pvalue in zip(("two-sided", "greater", "less"), sides, strict=True):
        found = outcome("permutation", wins, samples=500, alternative=side)
        assert found.pvalue[0] == pvalue
        assert found.method == "sign-flip permutation test, 500 draws, exact up to 20 topics that differ"
        assert found.pvalue[1] == outcome("permutation", wins[[1]], samples=500, alternative=side).pvalue[0]
    assert outcome("permutation", wins[[0]]).method == "sign-flip permutation test, exact"


def test_zeros_can_be_ranked_before_they_are_dropped():
    differences = np.array([[0.0, 0.0, 0.1, -0.2, 0.3, 0.4]])
    # drop: ranks 1 -2 3 4; Pratt: ranks 3 -4 5 6; in both, 2 of 16 sign flips reach W- of at most that, doubled
    assert wilcoxon(differences, alternative="greater").statistic == 8
    assert wilcoxon(differences, alternative="greater", zeros="pratt").statistic == 14
    assert wilcoxon(differences).pvalue == pytest.approx(2 * 3 / 16)
    assert wilcoxon(differences, zeros="pratt").pvalue == pytest.approx(2 * 3 / 16)


@pytest.mark.parametrize(
    "call",
    [
        lambda: tost(DIFFERENCE, 0.0),
        lambda: tost(DIFFERENCE, float("nan")),
        lambda: posterior(DIFFERENCE, -0.1),
        lambda: urisk(DIFFERENCE, -1),
        lambda: intervals(DIFFERENCE, "normal"),
        lambda: intervals(DIFFERENCE, level=1.0),
        lambda: intervals(np.ones((1, 7)), "bca", exact=True),
        lambda: exceedances(np.ones((1, 7)), exact=True),
    ],
)
def test_values_that_make_no_sense_are_refused(call):
    with pytest.raises(PolicyError):
        call()


@pytest.mark.parametrize("call", [lambda: intervals(DIFFERENCE, "bca"), lambda: exceedances(DIFFERENCE)])
def test_chance_needs_an_explicit_generator(call):
    with pytest.raises(ValueError, match="rng"):
        call()


def test_a_single_row_is_not_taken_for_a_table():
    with pytest.raises(ValueError, match="shape"):
        outcome("t", DIFFERENCE[0])


def test_nothing_warns_on_awkward_tables():
    tables = [
        np.array([[0.0, 0, 0, 1], [1, 1, 1, 1], [np.nan, np.nan, 1, 2], [0, 1e-13, 0, 0], [1e9, -1e9, 3, np.inf]]),
        np.zeros((1, 0)),
        np.zeros((0, 3)),
        np.full((1, 3), np.nan),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for table in tables:
            for name in NAMES:
                outcome(name, table, samples=200)
            for method in INTERVALS:
                intervals(table, method, rng=np.random.default_rng(1), samples=200)
            effects(table, table[::-1])
            tost(table, 0.1)
            posterior(table, 0.1)
            trisk(table)
