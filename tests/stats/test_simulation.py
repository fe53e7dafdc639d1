"""Simulated scores whose truth is known: every registered test keeps its promise, within the error of simulation."""

import numpy as np
import pytest

from benchmarks.marked_pages import BEGIN, END, written
from benchmarks.tests_under_the_null import (
    ALPHA,
    FAIR,
    PAGE,
    TOGETHER,
    WORLDS,
    Rate,
    coverage_rates,
    effect,
    paired_rates,
    several_rates,
    table,
)
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.intervals import INTERVALS
from cranfield.stats.planning.power import power_paired
from cranfield.stats.several.omnibus import OMNIBUS
from cranfield.stats.several.posthoc import POSTHOC

SEED = 20
UNPROTECTED = {"t, none"}  # no correction, for comparison


def limit(level, replicates):
    """What a rate of that level stays below in 999 of 1000 simulations."""
    return level + 3.1 * np.sqrt(level * (1 - level) / replicates)


def unmarked(rate):
    """The share of replicates with a star that nothing is said against."""
    return rate.unmarked / rate.replicates


@pytest.mark.parametrize("topics", [10, 25])
@pytest.mark.parametrize("world", FAIR)
def test_no_test_of_two_systems_finds_too_much_where_there_is_nothing(world, topics):
    rates = paired_rates(world, topics, 600, SEED, draws=499)
    assert rates.keys() == set(TESTS)
    too_many = {name for name, rate in rates.items() if unmarked(rate) > limit(ALPHA, 600)}
    assert too_many == set()


@pytest.mark.parametrize("topics", [2, 3, 5, 6, 8, 50])
@pytest.mark.parametrize("world", FAIR)
def test_with_any_number_of_topics_no_test_finds_too_much_without_a_warning(world, topics):
    rates = paired_rates(world, topics, 1000, SEED + 1, draws=199)
    assert {name for name, rate in rates.items() if unmarked(rate) > limit(ALPHA, 1000)} == set()


@pytest.mark.parametrize(("test", "world", "topics"), [("bootstrap-t", "binary", 10), ("bootstrap-t", "binary", 12)])
def test_without_its_warning_a_test_finds_too_much(test, world, topics):
    rate = paired_rates(world, topics, 1000, SEED, draws=199)[test]
    assert rate.share > limit(ALPHA, 1000)
    assert unmarked(rate) == 0


@pytest.mark.parametrize(("world", "topics"), [("normal", 3), ("discrete", 5), ("binary", 8)])
def test_no_procedure_for_several_systems_finds_too_much_without_a_warning(world, topics):
    rates = several_rates(world, topics, 150, SEED, draws=99)
    stars = {name: rate for name, rate in rates.items() if name not in OMNIBUS}
    assert {name for name, rate in stars.items() if unmarked(rate) > limit(ALPHA, 150)} <= UNPROTECTED


@pytest.mark.parametrize(("world", "topics"), [("normal", 10), ("discrete", 25)])
def test_no_procedure_for_several_systems_finds_too_much_where_there_is_nothing(world, topics):
    rates = several_rates(world, topics, 120, SEED, draws=199)
    assert rates.keys() == {*OMNIBUS, *POSTHOC, *(f"t, {name}" for name in CORRECTIONS)}
    too_many = {name for name, rate in rates.items() if rate.share > limit(ALPHA, 120)}
    assert too_many == UNPROTECTED


def test_the_t_test_is_exact_on_normal_scores_and_has_the_power_that_is_computed():
    null, power = (paired_rates("normal", 25, 1000, SEED, better=better, draws=19)["t"] for better in (False, True))
    assert abs(null.share - ALPHA) < 3.1 * null.error
    assert abs(power.share - power_paired(25, WORLDS["normal"].gain / (0.1 * np.sqrt(2)))) < 3.1 * power.error


@pytest.mark.parametrize("topics", [10, 25])
def test_the_t_interval_holds_the_truth_as_often_as_it_says(topics):
    rates = coverage_rates("normal", topics, 600, SEED, draws=199)
    assert rates.keys() == set(INTERVALS)
    assert abs(rates["t"].share - 0.95) < 3.1 * rates["t"].error
    assert all(0.87 < rate.share < limit(0.95, 600) for rate in rates.values())  # resampling few topics: too narrow


def test_tests_of_the_median_find_a_difference_where_the_means_are_equal():
    rates = paired_rates("lopsided", 50, 400, SEED, draws=99)
    assert {name for name, rate in rates.items() if rate.share > 0.14} == {
        name for name, test in TESTS.items() if test.tests == "median"
    }


@pytest.mark.parametrize("world", WORLDS)
def test_the_better_system_is_half_a_deviation_better_and_the_others_are_equal(world):
    assert effect(world) == pytest.approx(0.5, abs=0.01)
    scores = WORLDS[world].scores(np.random.default_rng(1), 4000, 3, 25, better=False)
    means = scores.mean(axis=(0, 2))
    assert means == pytest.approx([means.mean()] * 3, abs=0.003)


def test_a_simulation_repeats_and_its_batches_differ():
    first, again = (paired_rates("discrete", 10, TOGETHER + 50, 3, draws=19) for _ in range(2))
    assert first == again
    assert first != paired_rates("discrete", 10, TOGETHER + 50, 4, draws=19)
    assert first["t"].replicates == TOGETHER + 50


def test_a_table_says_its_error():
    text = table("test", {"normal 10": {"t": Rate(50, 1000), "sign": Rate(20, 1000)}})
    assert text.splitlines() == [
        "| test | normal 10 |",
        "|---|---:|",
        "| `t` | 5.0 |",
        "| `sign` | 2.0 |",
        "| *standard error, at most* | *0.7* |",  # √(.05 · .95 / 1000)
    ]


def test_only_what_stands_between_the_marks_is_replaced():
    page = f"above\n{BEGIN}\nold\n{END}\nbelow\n"
    assert written(page, "new") == f"above\n{BEGIN}\n\nnew\n\n{END}\nbelow\n"
    with pytest.raises(SystemExit, match="lacks the lines"):
        written("no marks", "new")


def test_every_test_is_in_the_tables_of_the_page():
    page = PAGE.read_text(encoding="utf-8")
    shown = page.partition(BEGIN)[2].partition(END)[0]
    told = page.replace(shown, "") + PAGE.with_name("choosing-a-test.md").read_text(encoding="utf-8")
    names = {*TESTS, *OMNIBUS, *POSTHOC, *(f"t, {name}" for name in CORRECTIONS), *INTERVALS}
    assert [name for name in sorted(names) if f"\n| `{name}` |" not in shown] == []
    assert [name for name in sorted({*TESTS, *POSTHOC, *OMNIBUS}) if f"`{name}`" not in told] == []
