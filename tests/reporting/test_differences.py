"""V2, V3 and V12: the matrix of differences, the differences by topic, and the curve of achieved levels."""

import numpy as np
import pytest

import cranfield as cf
from tests.reporting.drawn import rows_with

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")
TOPICS = [f"q{n}" for n in range(1, 13)]
QRELS = {topic: {"a": 1, "b": 0} for topic in TOPICS}
RUNS = {
    "new": {topic: ["a", "b"] for topic in TOPICS},
    "old": {topic: ["b", "a"] if at % 4 else ["x", "b"] for at, topic in enumerate(TOPICS)},
    "odd": {topic: ["x", "a"] if at % 2 else ["a", "b"] for at, topic in enumerate(TOPICS)},
}


@pytest.fixture(scope="module")
def ranged():
    return cf.with_ranges(cf.compare(QRELS, RUNS, "RR"), cf.holes(QRELS, RUNS, "RR"))


def test_v2_a_cell_is_the_pair_of_the_comparison_and_dashed_if_holes_could_flip_it(ranged):
    figure = ranged.plot("matrix")
    found = {(row["run"], row["baseline"]): row for row in rows_with(figure, "run", "open")}
    assert len(found) == 6  # both directions of three pairs
    for (run, baseline), row in found.items():
        pair = ranged.pair(run, baseline)
        assert row["delta"] == pytest.approx(pair.difference, abs=1e-6)
        assert row["open"] == (pair.flip in ("yes", "unresolved"))
        assert row["star"].startswith("*") == pair.significant
    left = sum(pair.flip != "no" for pair in ranged.pairs())
    assert 0 < left < 3
    assert f"Missing judgments could reverse {left} pair" in figure.description


def test_v2_a_comparison_without_holes_has_no_dashed_cell():
    figure = cf.compare(QRELS, RUNS, "RR").plot("matrix")
    assert not any(row["open"] for row in rows_with(figure, "run", "open"))
    assert "dashed" not in figure.description
    assert "strokeDash" not in figure.to_json()


def test_v3_the_whisker_of_a_topic_is_the_range_of_its_difference(ranged):
    figure = ranged.plot("deltas", run="odd", baseline="old")
    for row in figure.table.records():
        at = TOPICS.index(row["topic"])
        hole, known = RUNS["odd"][row["topic"]][0] == "x", RUNS["old"][row["topic"]][0] != "x"
        if hole and known:  # x may be relevant in odd alone: 1/2 or 1, minus 1/2 or 0
            assert row["highest Δ"] - row["lowest Δ"] == pytest.approx(0.5), at
        if not hole and known:  # everything was judged
            assert row["lowest Δ"] == row["highest Δ"] == row["Δ"]
    assert "whisker" in figure.description
    assert "lowest Δ" not in cf.compare(QRELS, RUNS, "RR").plot("deltas").table.records()[0]


def test_v12_levels_are_the_p_values_of_the_pairs_from_the_largest_one():
    comparison = cf.compare(QRELS, RUNS, ["RR", "P@1"])
    rows = comparison.plot("significance").table.records()
    for measure in ("RR", "P@1"):
        levels = [row["p"] for row in rows if row["measure"] == measure]
        known = [float(pair.p_raw) for pair in comparison.pairs(measure) if not np.isnan(pair.p_raw)]
        assert levels == sorted(known, reverse=True)
    assert comparison.plot("significance", measure="RR").table.records() == [
        row for row in rows if row["measure"] == "RR"
    ]
    below = sum(pair.p_raw < 0.05 for pair in comparison.pairs("RR"))
    assert f"RR {below} of " in comparison.plot("significance").description
