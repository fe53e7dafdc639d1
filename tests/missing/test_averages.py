"""Ranges of medians and of ratios of sums, against all completions."""

from itertools import product

import numpy as np
import pytest

import cranfield as cf
from cranfield.arrays import Floats
from cranfield.errors import PolicyError
from cranfield.tables.averages import Averaging

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of unjudged documents
QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "c": 1, "d": 0}, "3": {"a": 0, "b": 1}}
RUNS = {
    "x": {"1": ["a", "u"], "2": ["c", "v"], "3": ["w", "b"]},
    "y": {"1": ["b", "u"], "2": ["d", "a"], "3": ["a", "z"]},
}
HOLES = [("1", "u"), ("2", "v"), ("3", "w"), ("3", "z")]


def completions(measure: str, average: Averaging) -> Floats:
    """The average of each run in every completion."""
    found = []
    for grades in product((0, 1), repeat=len(HOLES)):
        qrels = {topic: dict(judged) for topic, judged in QRELS.items()}
        for (topic, document), grade in zip(HOLES, grades, strict=True):
            qrels[topic][document] = grade
        found.append(cf.evaluate(qrels, RUNS, measure, average=average).means[:, 0])
    return np.array(found)


@pytest.mark.parametrize("measure", ["P@2", "R@2", "nDCG@2", "AP"])
def test_ranges_of_medians_are_attained(measure):
    every = completions(measure, "median")
    found = cf.holes(QRELS, RUNS, measure, average="median")
    rows = found.bounds().to_dicts()
    assert [row["lowest"] for row in rows] == pytest.approx(every.min(axis=0).tolist())
    assert [row["highest"] for row in rows] == pytest.approx(every.max(axis=0).tolist())
    judged = cf.evaluate(QRELS, RUNS, measure, average="median").means[:, 0]
    assert [row["as_judged"] for row in rows] == judged.tolist()
    assert all(row["exact"] for row in rows)
    assert "· median over the topics" in str(found)
    assert found.result()["measures"][0]["average"] == found.audit.policies["average"] == "median"


@pytest.mark.parametrize("average", ["median", "micro"])
@pytest.mark.parametrize("measure", ["P@2", "R@2"])
def test_no_completion_leaves_the_range_of_a_difference_or_reverses_what_is_certain(measure, average):
    every = completions(measure, average)
    found = cf.holes(QRELS, RUNS, measure, average=average)
    rows = found.bounds().to_dicts()
    for number, row in enumerate(rows):
        assert row["lowest"] - 1e-9 <= every[:, number].min()
        assert every[:, number].max() <= row["highest"] + 1e-9
    verdict, gap = found.verdict("x", "y"), every[:, 0] - every[:, 1]
    assert verdict.delta == pytest.approx(gap[0])
    assert verdict.low - 1e-9 <= gap.min()
    assert gap.max() <= verdict.high + 1e-9
    assert verdict.status != "certain" or (gap > 0).all() or (gap < 0).all()
    assert verdict.status != "open" or ((gap <= 1e-9).any() and (gap >= -1e-9).any())


def test_a_ratio_of_sums_has_outer_bounds_and_no_flipping_set():
    found = cf.holes(QRELS, RUNS, "R@2", average="micro")
    assert not any(row["exact"] for row in found.bounds().to_dicts())
    assert found.verdict("x", "y").flips is None
    assert "ratio of the sums over the topics" in str(found)
    assert "can fall although" not in str(found)  # an outer bound does not say that it can
    with pytest.raises(PolicyError, match="needs a ratio, and RR is none"):
        cf.holes(QRELS, RUNS, "RR", average="micro")


def test_estimates_and_what_to_judge_next_are_of_means():
    found = cf.holes(QRELS, RUNS, "P@2", average="median")
    with pytest.raises(PolicyError, match='means over topics decide pairs, not average="median"'):
        found.next(3)
    with pytest.raises(PolicyError, match='estimates are of arithmetic means over topics, not average="median"'):
        found.estimate(draws=10)
