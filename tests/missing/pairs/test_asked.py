"""Which pairs are asked about."""

import numpy as np
import pytest

from cranfield.errors import PolicyError, UnknownNameError
from cranfield.missing.pairs.asked import asked_pairs, pairs_asked

RUNS = ["low", "high", "middle", "none"]
MEANS = np.array([0.1, 0.9, 0.5, np.nan])


def named(**choices):
    first, second = asked_pairs(RUNS, MEANS, **choices)
    return [(RUNS[a], RUNS[b]) for a, b in zip(first, second, strict=True)]


def test_all_pairs_have_the_better_run_first():
    assert named() == [
        ("high", "middle"),
        ("high", "low"),
        ("high", "none"),
        ("middle", "low"),
        ("middle", "none"),
        ("low", "none"),
    ]


def test_neighbours_in_the_order_of_scores():
    assert named(pairs="adjacent") == [("high", "middle"), ("middle", "low"), ("low", "none")]
    assert named(pairs="adjacent", smaller=True)[0] == ("low", "middle")


def test_every_run_against_each_baseline_and_two_baselines_once():
    assert named(baselines=["low"]) == [("high", "low"), ("middle", "low"), ("none", "low")]
    assert named(baselines=["low", "high", "low"]) == [
        ("high", "low"),
        ("middle", "low"),
        ("none", "low"),
        ("middle", "high"),
        ("none", "high"),
    ]


@pytest.mark.parametrize("pairs", ["all", "adjacent", None])
def test_one_run_has_no_pair(pairs):
    first, second = asked_pairs(["a"], np.array([0.5]), pairs=pairs)
    assert (len(first), len(second)) == (0, 0)


def test_many_runs_are_asked_about_as_neighbours_unless_all_are_wanted():
    runs = [f"r{n}" for n in range(11)]
    assert (pairs_asked(runs, None, []), pairs_asked(runs, "all", [])) == ("adjacent", "all")
    assert pairs_asked(runs[:10], None, []) == "all"


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(PolicyError, match="needs a baseline"):
        named(pairs="baseline")
    with pytest.raises(PolicyError, match="has no effect with"):
        named(pairs="all", baselines=["low"])
    with pytest.raises(UnknownNameError, match="there is no run 'lwo'"):
        named(baselines=["lwo"])
    with pytest.raises(PolicyError, match='pairs="some" is unknown'):
        named(pairs="some")
