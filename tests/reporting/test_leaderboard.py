"""V1 and V4: the leaderboard and the distribution of scores over topics."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.reporting.style import PALETTE
from tests.reporting.drawn import rows_with

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")
QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 1, "d": 0}, "3": {"a": 1}}
RUNS = {
    "low": {"1": ["b", "x"], "2": ["d", "c"], "3": ["y", "a"]},
    "best": {"1": ["a", "x"], "2": ["c", "z"], "3": ["a", "u"]},
}


def test_v1_the_leaderboard_has_the_means_and_intervals_of_the_scores_best_run_first():
    scores = cf.with_intervals(cf.evaluate(QRELS, RUNS, ["AP", "P@2"]), "t")
    figure = scores.plot("leaderboard", measure="P@2")
    found = {row["run"]: row for row in figure.table.records()}
    assert list(found) == ["best", "low"]
    for row in scores.to_records():
        if row["measure"] == "P@2":
            drawn = found[row["run"]]
            assert (drawn["as judged"], drawn["ci_low"], drawn["ci_high"]) == (
                row["mean"],
                row["ci_low"],
                row["ci_high"],
            )
    assert "highest" not in found["best"]  # scores alone know no range
    assert "range" not in figure.description


def test_v1_scores_without_intervals_get_student_s():
    plain = cf.evaluate(QRELS, RUNS, "P@2")
    assert plain.plot().table.records() == cf.with_intervals(plain, "t").plot("leaderboard").table.records()


def test_v1_less_is_better_where_the_measure_says_so():
    assert [row["run"] for row in cf.evaluate(QRELS, RUNS, "ESL").plot().table.records()] == ["best", "low"]


def test_v1_with_holes_the_ring_and_the_bar_are_those_of_the_bounds():
    holes = cf.holes(QRELS, RUNS, "P@2")
    found = {row["run"]: row for row in holes.plot("ranges").table.records()}
    for row in holes.bounds().iter_rows(named=True):
        for column, name in (("lowest", "lowest"), ("highest", "highest"), ("condensed", "condensed")):
            assert found[row["run"]][name] == pytest.approx(row[column])
    ring = holes.plot("ranges").spec["layer"][2]["mark"]
    assert (ring["filled"], "strokeDash" in ring) == (False, True)  # REP-7: hollow and dashed


def test_v4_the_box_is_that_of_the_quartiles_of_the_topics():
    scores = cf.evaluate(QRELS, RUNS, "AP")
    for row in scores.plot("distribution", topic="2").table.records():
        values = scores[str(row["run"]), "AP"]
        assert [row["quartile_1"], row["median"], row["quartile_3"]] == pytest.approx(
            np.quantile(values, [0.25, 0.5, 0.75])
        )
        assert row["topic 2"] == values[scores.topics.index("2")]


def test_v4_every_topic_with_a_value_is_a_point():
    scores = cf.evaluate(QRELS, RUNS, "AP")
    points = rows_with(scores.plot("distribution"), "topic", "value")
    assert {(row["run"], row["topic"]): row["value"] for row in points} == {
        (run, topic): pytest.approx(scores[run, "AP"][at], abs=1e-6)
        for run in RUNS
        for at, topic in enumerate(scores.topics)
    }


def test_an_unknown_topic_or_measure_is_refused_with_the_known_ones():
    scores = cf.evaluate(QRELS, RUNS, "AP")
    with pytest.raises(cf.UnknownNameError, match="'9'"):
        scores.plot("distribution", topic="9")
    with pytest.raises(cf.UnknownNameError, match="'RR'"):
        scores.plot("leaderboard", measure="RR")


def test_no_two_colours_of_the_palette_are_equal():
    for ground in (0, 1):
        assert len({colours[ground] for colours in PALETTE.values()}) == len(PALETTE)
