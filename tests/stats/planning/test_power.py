"""Power and the number of topics: printed figures, other programs, simulation."""

import numpy as np
import pytest
from scipy import stats

from cranfield.errors import PolicyError
from cranfield.stats.planning.power import expected_width, power_anova, power_paired
from cranfield.stats.planning.topics import (
    DESIGNS,
    minimum_detectable,
    pilot,
    topic_set_size,
    topics_needed,
    topics_needed_anova,
    topics_needed_width,
)
from cranfield.stats.several.anova import anova
from tests.stats.worked import A, D, X


def test_the_printed_powers_of_the_paired_t_test_are_reproduced():
    found = [power_paired(50, 1 / 3), power_paired(73, 1 / 3), power_paired(72, 1 / 3)]
    assert found == pytest.approx([0.637094, 0.802299, 0.796735], abs=5.1e-7)


def test_the_printed_numbers_of_topics_are_reproduced():
    assert [topics_needed(0.05, sd=0.15), topics_needed(0.03, sd=0.15)] == [73, 199]
    assert [topics_needed(d) for d in (0.2, 0.5, 0.8)] == [199, 34, 15]


@pytest.mark.parametrize(
    ("systems", "difference", "variance", "expected"),
    [(2, 0.1, 0.03, (49, 50)), (10, 0.1, 0.03, (95, 95)), (10, 0.05, 0.0225, (283, 283))],
)
def test_the_printed_designs_of_anova_are_reproduced(systems, difference, variance, expected):
    found = [topics_needed_anova(systems, difference, variance, blocked=blocked) for blocked in (False, True)]
    assert tuple(found) == expected


def test_the_printed_design_by_width_is_reproduced():
    assert topics_needed_width(0.1, 0.03) == 95


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_another_program_finds_the_same_power_of_the_t_test(alpha):
    from statsmodels.stats.power import TTestPower

    theirs = TTestPower()
    for n in (3, 10, 50, 100):
        for d in (0.05, 0.3, 0.5):
            assert power_paired(n, d, alpha) == pytest.approx(theirs.power(d, n, alpha), abs=1e-9)


def test_another_program_finds_the_same_power_of_a_one_way_anova():
    from statsmodels.stats.power import FTestAnovaPower

    theirs = FTestAnovaPower()
    for systems in (2, 5, 20):
        for n in (3, 20, 100):
            effect = np.sqrt(0.1**2 / (2 * 0.03 * systems))  # λ = effect² × all scores
            expected = theirs.power(effect, n * systems, 0.05, systems)
            assert power_anova(n, systems, 0.1, 0.03) == pytest.approx(expected, abs=1e-9)


def test_a_simulation_has_the_power_of_the_blocked_design():
    rng, means, trials = np.random.default_rng(1), np.array([[-0.4], [0.4], [0.0]]), 1000
    found = np.mean(
        [anova(means + rng.normal(size=(3, 15)) + rng.normal(size=15)).pvalue <= 0.05 for _ in range(trials)]
    )
    expected = power_anova(15, 3, 0.8, 1.0, blocked=True)
    assert found == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / trials))


def test_for_two_systems_a_blocked_anova_is_the_paired_t_test():
    for n in (2, 10, 40):
        assert power_anova(n, 2, 0.1, 0.03, blocked=True) == pytest.approx(
            power_paired(n, 0.1 / np.sqrt(0.06)), abs=1e-9
        )


@pytest.mark.parametrize("n", [2, 3, 10, 101])
def test_power_grows_from_alpha_to_1_without_gaps(n):
    effects = np.concatenate(([0.0], np.geomspace(1e-3, 1e4, 200)))
    paired = [power_paired(n, d) for d in effects]
    between = [power_anova(n, 7, d, 0.5) for d in effects]
    for powers in (paired, between):
        assert powers[0] == pytest.approx(0.05)
        assert powers[-1] == pytest.approx(1.0)
        assert (np.diff(powers) >= -1e-7).all()


def test_with_very_many_topics_the_t_test_is_one_of_the_normal_distribution():
    expected = stats.norm.sf(1.959964 - 2.8) + stats.norm.cdf(-1.959964 - 2.8)
    assert power_paired(10**8, 2.8e-4) == pytest.approx(expected, abs=1e-6)
    assert topics_needed(1e-3) == pytest.approx((1.959964 + 0.841621) ** 2 * 1e6, rel=1e-4)


def test_the_expected_width_uses_the_mean_of_the_standard_deviation():
    for n, c4 in ((2, 0.797885), (5, 0.939986), (10, 0.972659)):  # tables of quality control
        known = 2 * stats.t.isf(0.025, n - 1) * np.sqrt(2 * 0.03 / n)
        assert expected_width(n, 0.03) / known == pytest.approx(c4, abs=5.1e-7)


@pytest.mark.parametrize("n", [2, 5, 50, 400])
def test_the_smallest_detectable_difference_is_found_with_just_that_power(n):
    found = minimum_detectable(n, sd=0.2, power=0.9, alpha=0.01)
    assert power_paired(n, found / 0.2, 0.01) == pytest.approx(0.9, abs=1e-8)
    assert topics_needed(found * (1 + 1e-9), sd=0.2, power=0.9, alpha=0.01) == n


def test_a_power_no_larger_than_alpha_needs_no_difference():
    assert minimum_detectable(10, power=0.05) == 0
    assert topics_needed(0.1, power=0.04) == 2


def test_a_pilot_gives_the_variances_of_the_analysis_and_of_the_pairs():
    found, table = pilot(X), anova(X)
    assert found.variance == pytest.approx(table.mse)
    assert found.variance_within == pytest.approx((table.topics.ss + table.error.ss) / (4 * 5))
    for i in range(4):
        for j in range(4):
            assert found.sds[i, j] == pytest.approx(np.std(X[i] - X[j], ddof=1), abs=1e-9)
    pairs = np.triu_indices(4, 1)
    assert found.sd == pytest.approx(np.sqrt((found.sds[pairs] ** 2).mean()))
    assert (found.systems, found.n, found.dropped) == (4, 6, 0)
    wanted = minimum_detectable(40, sd=float(np.std(X[D] - X[A], ddof=1)))
    assert found.detectable(40)[A, D] == pytest.approx(wanted)
    assert found.detectable()[A, D] == pytest.approx(wanted / minimum_detectable(40) * minimum_detectable(6))


@pytest.mark.parametrize(
    ("design", "variance"),
    [("paired", "variance"), ("anova", "variance_within"), ("anova-blocked", "variance"), ("width", "variance")],
)
def test_a_plan_is_the_smallest_that_is_enough(design, variance):
    plan = topic_set_size(0.03, design, scores=X)
    assumed = getattr(pilot(X), variance)
    again = topic_set_size(0.03, design, variance=assumed, systems=4)
    assert plan.n == again.n
    assert plan.systems == 4
    assert plan.variance == assumed
    assert DESIGNS[design] in plan.note
    if design == "width":
        assert plan.power is None
        assert plan.width == expected_width(plan.n, assumed) <= 0.03 < expected_width(plan.n - 1, assumed)
    else:
        power = {
            "paired": lambda n: power_paired(n, 0.03 / np.sqrt(2 * assumed)),
            "anova": lambda n: power_anova(n, 4, 0.03, assumed),
            "anova-blocked": lambda n: power_anova(n, 4, 0.03, assumed, blocked=True),
        }[design]
        assert plan.width is None
        assert plan.power == power(plan.n) >= 0.8 > power(plan.n - 1)


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda: power_paired(1, 0.5), "n=1 is too few"),
        (lambda: power_paired(10, 0.5, 1.5), "alpha=1.5 is no share"),
        (lambda: power_anova(10, 1, 0.5, 1), "systems=1 is too few"),
        (lambda: topics_needed(0), "difference=0 is no amount"),
        (lambda: topics_needed(0.1, sd=0), "sd=0 is no amount"),
        (lambda: topics_needed(0.1, power=1), "power=1 is no share"),
        (lambda: topics_needed(1e-7), "more than 1,000,000,000 topics"),
        (lambda: topics_needed_width(0.1, -1), "variance=-1 is no amount"),
        (lambda: topic_set_size(0.1), "from a pilot or is given"),
        (lambda: topic_set_size(0.1, scores=X, variance=1), "from a pilot or is given"),
        (lambda: topic_set_size(0.1, "latin", variance=1), 'design="latin" is unknown'),  # type: ignore[arg-type]  # what a person might write
        (lambda: topic_set_size(0.1, scores=[[0.1, 0.2], [0.1, 0.2]]), r"variance=0(\.0)? is no amount"),
    ],
)
def test_what_cannot_be_planned_is_refused(call, problem):
    with pytest.raises(PolicyError, match=problem):
        call()
