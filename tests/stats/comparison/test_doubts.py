"""Pairs without p, and stars that something speaks against: nothing is called significant that no test can show."""

import csv
import io
import json

import numpy as np
import pytest

from cranfield.stats.comparison.compare import compare
from cranfield.stats.paired.signflips import too_few
from tests.stats.scored import draw, scored

STUDENTISED = ["t", "bootstrap", "bootstrap-t"]


def wins(topics, won, runs=("new", "old")):
    """A run that finds what the other does not, on some of the topics."""
    ours = np.where(np.arange(topics) < won, 1.0, 0.0)
    return scored([ours, np.zeros(topics)], runs=runs, measures=["P@1"])


@pytest.mark.parametrize("test", [*STUDENTISED, "tukey"])
@pytest.mark.parametrize(("topics", "flips"), [(2, "0.5"), (3, "0.25"), (5, "0.062")])
def test_equal_differences_have_no_p_but_a_reason_and_that_of_the_permutation_test(test, topics, flips):
    how = {"adjust": "tukey"} if test == "tukey" else {"test": test, "samples": 100}
    comparison = compare(wins(topics, topics), baseline="old", **how)
    pair = comparison.pair("new", "old")
    assert np.isnan([pair.p, pair.p_raw, *pair.ci]).all()
    assert not pair.significant
    assert pair.reason == (
        f"its {topics} differences are all equal, so no statistic is finite; the permutation test gives p = {flips}"
    )
    text = comparison.sheet().text()
    assert f" new – old: no p; {pair.reason}.\n" in text
    assert "*\n" not in text
    assert "<0.0001" not in text
    (shown,) = json.loads(comparison.to_json())["result"]["pairs"]
    assert (shown["p"], shown["p_raw"], shown["statistic"], shown["reason"]) == (None, None, None, pair.reason)
    (row,) = csv.DictReader(io.StringIO(comparison.to_csv()))
    assert (row["p"], row["significant"], row["reason"]) == ("", "False", pair.reason)
    assert "no p" in comparison.brief()


@pytest.mark.parametrize(("test", "p"), [("permutation", 0.25), ("sign", 0.25), ("wilcoxon", 0.25)])
def test_equal_differences_have_the_p_of_tests_that_count(test, p):
    comparison = compare(wins(3, 3), baseline="old", test=test)
    pair = comparison.pair("new", "old")
    assert (pair.p, pair.reason) == (p, "")
    assert any("without an interval: all differences of each are equal" in note for note in comparison.of().notes)


def test_a_pair_without_p_stays_in_the_family():
    base = draw(2, runs=1, topics=12)[0, :, 0]
    noise = np.random.default_rng(3).normal(0.05, 0.05, 12)
    both = compare(scored([base, base + noise, base + 0.25], runs="abc"), baseline="a", adjust="bonferroni")
    alone = compare(scored([base, base + noise], runs="ab"), baseline="a", adjust="bonferroni")
    assert np.isnan(both.pair("c", "a").p)
    assert both.pair("b", "a").p == pytest.approx(2 * alone.pair("b", "a").p)
    assert both.of().family == 2


def test_every_row_without_p_has_that_of_the_permutation_test_however_many_there_are():
    steps = np.arange(5)[:, None] * 0.1 + draw(1, runs=1, topics=6)[:, :, 0] / 2
    comparison = compare(scored(steps))
    said = (
        "10 pairs without p: all differences of each are equal, so no statistic is finite; "
        "the permutation test (perm.) gives p = 0.031, not corrected"
    )
    text = comparison.sheet().text()
    assert text.count("  perm. 0.031  ") == 10
    assert f" {said}.\n" in text
    assert f"; {said};" in comparison.sheet().latex()
    assert {pair["permutation_p"] for pair in json.loads(comparison.to_json())["result"]["pairs"]} == {2 / 2**6}
    assert {row["permutation_p"] for row in csv.DictReader(io.StringIO(comparison.to_csv()))} == {"0.03125"}
    assert "no p perm. 0.031" in comparison.brief()
    assert "perm. 0.031" in compare(scored(steps), baseline="run1").sheet().latex()


def test_runs_that_every_topic_ranks_alike_have_no_p_by_conover():
    steps = np.arange(5)[:, None] * np.linspace(0.1, 0.2, 3)
    comparison = compare(scored(steps), adjust="conover", omnibus="friedman")
    assert comparison.significant() == []
    assert {pair.reason for pair in comparison.pairs()} == {
        "all 3 topics rank the runs alike, so no statistic is finite; the permutation test gives p = 0.25"
    }
    assert {pair.permutation_p for pair in comparison.pairs()} == {0.25}
    text = comparison.sheet().text()
    assert "*" not in text
    assert "10 pairs without p: all topics rank the runs alike, so no statistic is finite" in text
    assert "Friedman: all topics rank the runs alike, so F is not finite; the chance of that is p < 0.0001" in text
    flips = compare(scored(steps), test="permutation", adjust="none")
    assert {pair.p for pair in flips.pairs()} == {0.25}


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"averages": ["sum"]}, "a sum over topics has no test"),
        ({"values": [[0.1, np.nan, 0.3], [0.2, 0.1, np.nan], [0.3, 0.3, 0.4]]}, "fewer than 2 common topics"),
    ],
)
def test_every_missing_p_has_its_reason(how, why):
    values = how.pop("values", draw(1, runs=2)[:, :, 0])
    reasons = {pair.reason for pair in compare(scored(values, **how)).pairs() if np.isnan(pair.p)}
    assert reasons == {why}
    assert {pair.reason for pair in compare(scored(values, **how), test="none").pairs()} == {""}


@pytest.mark.parametrize(("differing", "alpha", "few"), [(5, 0.05, True), (6, 0.05, False), (7, 0.01, True)])
def test_a_star_with_too_few_differences_is_marked(differing, alpha, few):
    values = np.zeros((2, 40))
    values[0, :differing] = 0.5 + 0.01 * np.arange(differing)
    assert too_few(np.array([differing]), alpha) == [few]
    assert 2 / 2**differing >= alpha if few else 2 / 2**differing < alpha
    comparison = compare(scored(values, runs=["new", "old"]), baseline="old", alpha=alpha, adjust="none")
    pair = comparison.pair("new", "old")
    assert pair.significant or alpha < 0.05
    if pair.significant:
        said = f"only {differing} topics differ: no sign-flip test of so few can be significant at {alpha:g}"
        assert pair.warning == (said if few else "")
        assert (f"† new – old: {said}." in comparison.sheet().text()) == few
        assert ("*†" in comparison.sheet().text()) == few
        assert ("†" in comparison.sheet().latex()) == few
        assert json.loads(comparison.to_json())["result"]["pairs"][0]["warning"] == pair.warning
        assert ("†" in comparison.brief()) == few


def test_letters_of_doubtful_differences_are_marked():
    values = np.zeros((3, 40))
    values[0, :5] = 0.5 + 0.01 * np.arange(5)
    comparison = compare(scored(values, runs="abc"), adjust="none")
    lines = comparison.sheet().text().splitlines()
    assert lines[3].split()[:4] == ["a", "a", "0.0650", "bc†"]
    assert r"\textsuperscript{bc\textdagger{}}" in comparison.sheet().latex()
    assert " † a – b, a – c: only 5 topics differ" in comparison.sheet().text()


def test_a_procedure_for_all_pairs_is_judged_by_the_topics_that_it_uses():
    values = np.full((3, 12), 0.1)
    values[0] += 0.5 + 0.01 * np.arange(12)
    assert {pair.warning for pair in compare(scored(values), adjust="tukey").significant()} == {""}
    values[2, 5:] = np.nan  # five topics are left
    warned = {pair.warning for pair in compare(scored(values), adjust="tukey").significant()}
    assert warned == {"only 5 topics differ: no sign-flip test of so few can be significant at 0.05"}


def test_only_stars_are_warned_about():
    assert {pair.warning for pair in compare(wins(40, 5), test="permutation").pairs()} == {""}


def test_the_studentised_bootstrap_is_marked_unless_topics_are_many():
    few, many = (
        compare(scored(draw(3, runs=2, topics=n), runs=["new", "old"]), test="bootstrap-t", samples=500, alpha=0.5)
        for n in (30, 60)
    )
    assert [next(few.pairs()).significant, next(many.pairs()).significant] == [True, True]
    assert next(few.pairs()).warning == (
        "30 topics, 30 of them with a difference: bootstrap-t rejects too often with fewer than 50, "
        "or 15 with a difference"
    )
    assert next(many.pairs()).warning == ""


@pytest.mark.parametrize("test", ["t", "permutation", "bootstrap", "bootstrap-t", "wilcoxon", "sign"])
def test_two_wins_of_fifty_are_not_significant_without_a_warning(test):
    pair = compare(wins(50, 2), baseline="old", test=test).pair("new", "old")
    assert not pair.significant or pair.warning


def test_a_studentised_interval_that_cannot_be_made_is_said():
    comparison = compare(wins(50, 2), baseline="old", interval="studentized")
    assert np.isnan(comparison.pair("new", "old").ci).all()
    assert "1 pair without an interval: too few resamples vary." in comparison.of().notes


def test_a_star_between_runs_judged_to_other_shares_is_marked():
    values = np.zeros((3, 40))
    values[0] = 0.5 + 0.01 * np.arange(40)
    values[2, :20] = 0.0001
    scores = scored(
        values, runs=["new", "old", "same"], measures=["AP"], judged=(0.5, 0.9, 0.55), looks_at=["whole list"]
    )
    comparison = compare(scores, baseline="new")
    said = "old 90.0 % judged, new 50.0 %: a difference may come from unjudged documents"
    assert comparison.pair("old", "new").warning == comparison.pair("new", "old").warning == said
    assert (comparison.pair("same", "new").significant, comparison.pair("same", "new").warning) == (True, "")
    text = comparison.sheet().text()
    assert text.count("*‡") == 1
    assert f"‡ {said}." in text
    assert f"‡ {said}" in comparison.sheet().latex().replace(r"\%", "%").replace(r"\textdaggerdbl{}", "‡")
    assert json.loads(comparison.to_json())["result"]["pairs"][0]["warning"] in (said, "")
    assert said in comparison.to_csv()
    assert "‡" in comparison.brief()
    assert r"b\textdaggerdbl{}" in compare(scores).sheet().latex() or "‡" in compare(scores).sheet().text()


def test_judged_shares_are_not_spoken_of_without_a_star():
    values = draw(5, runs=2, topics=30)[:, :, 0]
    values[1] = values[0] + np.tile([0.01, -0.01], 15)
    scores = scored(values, runs=["new", "old"], judged=(0.5, 0.9), looks_at=["whole list"])
    comparison = compare(scores, baseline="old")
    assert comparison.significant() == []
    assert "unjudged documents" not in comparison.sheet().text()


def test_both_warnings_stand_beside_one_star():
    values = np.zeros((2, 40))
    values[0, :5] = 0.5 + 0.01 * np.arange(5)
    scores = scored(values, runs=["new", "old"], judged=(0.5, 0.9), looks_at=["whole list"])
    comparison = compare(scores, baseline="old", adjust="none")
    text = comparison.sheet().text()
    assert "*†‡" in text
    assert "† new – old: only 5 topics differ" in text
    assert "‡ new 50.0 % judged, old 90.0 %: a difference" in text


@pytest.mark.parametrize("adjust", ["tukey", "conover", "nemenyi"])
def test_intervals_beside_a_procedure_for_all_pairs_are_named(adjust):
    comparison = compare(scored(draw(1, runs=3)), adjust=adjust)
    assert f" 95 % intervals: paired t, not {adjust}.\n" in comparison.sheet().text()
    latex = compare(scored(draw(1, runs=3)), adjust=adjust, baseline="run0").sheet().latex()
    assert "intervals: paired t, not" in latex
    assert "intervals:" not in compare(scored(draw(1, runs=3))).sheet().text()


def test_friedman_with_few_topics_is_marked():
    few, enough = (compare(scored(draw(2, runs=4, topics=n)), omnibus="friedman").of().omnibus_line for n in (3, 5))
    assert few.endswith("3 topics. † 3 topics: it rejects too often with fewer than 5.")
    assert "†, Kendall's W" in few
    assert "†" not in enough
