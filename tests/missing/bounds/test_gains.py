"""Gains that are shares of the highest judged one, which may belong to another topic."""

import pytest

import cranfield as cf

QRELS = {"1": {"a": 1, "b": 0}, "2": {"e": 2, "f": 0}}
RUNS = {"new": {"1": ["a", "b"], "2": ["f", "y"]}, "old": {"1": ["b", "a"], "2": ["f", "e"]}}


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize(
    "name", ["RBP(gains={1:1,2:10})", "INSQ(gains={1:5,2:1})", "SDCG(gains={1:1,2:9})@2", "INST(gains={1:1,2:10})"]
)
def test_the_range_holds_every_completion_where_gains_are_shares_of_the_highest_judged_one(name):
    ranges = cf.holes(QRELS, RUNS, name).bounds()
    for grade in (0, 1, 2):
        full = {"1": QRELS["1"], "2": QRELS["2"] | {"y": grade}}
        for value, low, high in zip(
            cf.evaluate(full, RUNS, name).means[:, 0], ranges["lowest"], ranges["highest"], strict=True
        ):
            assert low - 1e-9 <= value <= high + 1e-9
