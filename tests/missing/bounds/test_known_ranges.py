"""Ranges worked out by hand or published, and what holds for all bounds of AP and RBP."""

import numpy as np
import pytest

import cranfield as cf
from tests.missing.small_cases import random_case

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")


def one_list(marks, relevant):
    """A run and the judgments of its documents (None: unjudged); as many relevant documents as said exist."""
    names = [f"d{number}" for number in range(len(marks))]
    judged = {name: mark for name, mark in zip(names, marks, strict=True) if mark is not None}
    missed = {f"m{number}": 1 for number in range(relevant - sum(judged.values()))}
    return {"1": judged | missed}, {"a": {"1": names}}


def ends(found):
    return found.bounds().select("lowest", "highest").row(0)


def test_shared_documents_cancel_in_the_difference_of_two_sums():
    runs = {"A": {"1": ["a", "b", "c", "d"]}, "B": {"1": ["b", "e", "a", "f"]}}
    found = cf.holes({"1": {"a": 1, "c": 0}}, runs, "RBP(p=0.8)")
    verdict = found.verdict("A", "B")
    assert (verdict.low, verdict.delta, verdict.high) == pytest.approx((-0.2304, 0.072, 0.1744))
    low, high = (found.bounds()[name].to_list() for name in ("lowest", "highest"))
    assert (low[0] - high[1], high[0] - low[1]) == pytest.approx((-0.3904, 0.3344))


def test_the_highest_average_precision_need_not_have_all_holes_relevant():
    qrels, runs = one_list([None, None, 0, 0, 1, 0, 0, None, None], relevant=2)
    found = cf.holes(qrels, runs, "AP")
    assert found.scores.means[0, 0] == pytest.approx(0.1)
    every = {"1": qrels["1"] | {name: 1 for name in runs["a"]["1"] if name not in qrels["1"]}}
    assert cf.evaluate(every, runs, "AP").means[0, 0] == pytest.approx(0.6093, abs=5e-5)
    assert ends(found)[1] == pytest.approx(0.65)


def test_the_range_of_average_precision_is_wider_than_all_or_nothing():
    qrels, runs = one_list([1, None, 0, None, 1, None], relevant=2)
    assert ends(cf.holes(qrels, runs, "AP")) == pytest.approx((0.6333, 0.8875), abs=5e-5)
    assert cf.evaluate(qrels, runs, "AP").means[0, 0] == pytest.approx(0.7)
    assert cf.evaluate(qrels, runs, "AP'").means[0, 0] == pytest.approx(0.8333, abs=5e-5)


def test_the_score_of_a_condensed_list_can_be_one_that_no_completion_gives():
    qrels, runs = one_list([1, 1, 0, None, 0, None, 1, 1, 0], relevant=4)
    low, high = ends(cf.holes(qrels, runs, "AP"))
    assert (low, high) == pytest.approx((0.7321, 0.8135), abs=5e-5)
    assert cf.evaluate(qrels, runs, "AP'").means[0, 0] == pytest.approx(0.8167, abs=5e-5)
    assert cf.evaluate(qrels, runs, "AP'").means[0, 0] > high


@pytest.mark.parametrize("name", ["AP", "nDCG@3", "RBP(p=0.8)", "P@3", "Q", "ERR"])
def test_a_range_without_holes_is_the_score(name):
    rng = np.random.default_rng(5)
    for _ in range(20):
        qrels, runs = random_case(rng)
        listed = {document for lists in runs.values() for document in lists["1"]}
        full = {"1": dict.fromkeys(sorted(listed), 0) | qrels["1"]}
        found = cf.holes(full, runs, name)
        assert found.situations[found.measures[0]].holes == 0
        table = found.bounds()
        for column in ("lowest", "highest"):
            assert table[column].to_list() == pytest.approx(found.scores.means[:, 0].tolist())


def test_documents_that_no_run_retrieved_lower_the_minimum_of_average_precision_and_not_its_maximum():
    rng = np.random.default_rng(6)
    for _ in range(30):
        qrels, runs = random_case(rng, levels=2)
        tables = [cf.holes(qrels, runs, "AP", universe=universe).bounds() for universe in ("runs", "open:1", "open:3")]
        lows = np.array([table["lowest"].to_list() for table in tables])
        highs = np.array([table["highest"].to_list() for table in tables])
        assert (np.diff(lows, axis=0) <= 1e-12).all()
        assert np.ptp(highs, axis=0) == pytest.approx(0)


def test_the_residual_of_rbp_is_what_unjudged_documents_and_the_end_of_the_list_could_add():
    rng = np.random.default_rng(8)
    for _ in range(30):
        qrels, runs = random_case(rng, levels=2)
        scores = cf.evaluate(qrels, runs, ["RBP(p=0.8)", "RBPResidual(p=0.8)"])
        base, residual = scores.means.T
        assert (residual >= 0).all()
        assert (base + residual <= 1 + 1e-12).all()
        hole = next((name for name in runs["a"]["1"] if name not in qrels["1"]), None)
        if hole is None:
            continue
        for grade in (0, 1):  # judging moves weight from the residual to the base, or drops it
            after = cf.evaluate({"1": qrels["1"] | {hole: grade}}, runs, ["RBP(p=0.8)", "RBPResidual(p=0.8)"]).means[0]
            assert after[1] < residual[0]
            moved = residual[0] - after[1] if grade else 0.0
            assert after[0] - base[0] == pytest.approx(moved)


def test_the_end_of_the_list_is_no_part_of_the_range_of_rbp():
    found = cf.holes({"1": {"a": 1}}, {"r": {"1": ["a", "x"]}}, ["RBP(p=0.5)", "RBPResidual(p=0.5)"])
    table = found.bounds()
    assert table["highest"][0] == pytest.approx(0.75)  # the tail of 0.25 is printed apart, as residual
    assert found.scores.means[0, 1] == pytest.approx(0.5)


def test_a_better_document_lowers_err_where_the_highest_grade_is_that_of_the_topic():
    runs = {"a": {"1": ["a"], "2": ["c"]}, "b": {"1": ["x"], "2": ["c"]}}
    found = cf.holes({"1": {"a": 1}, "2": {"c": 2}}, runs, "ERR(highest='topic')").topic_bounds()
    assert found.select("lowest", "highest").row(0) == pytest.approx((0.25, 0.5))
