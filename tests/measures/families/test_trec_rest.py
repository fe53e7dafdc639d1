"""Worked numbers of the measures that only trec_eval prints."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.measures.grammar import parse
from tests.laws.worlds import hits_of
from tests.measures.worked import FOUR, LISTS, SIX, value

FOUND, MISSED = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0], [1, 1, 1]  # the example of Järvelin and Kekäläinen
NONE = None  # an unjudged document


def close(actual, expected, tolerance=SIX):
    assert actual == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [("binG", 0.651762), ("Yaap", 0.87724), ("Utility", 2.0), ("SetRelativeP", 1.0), ("set_relative_P", 1.0)],
)
def test_ranking_a_of_the_lecture_notes(measure, expected):
    close(value(measure, LISTS["A"]), expected, tolerance=5.1e-6)


@pytest.mark.parametrize(
    ("measure", "expected"), [("nDCG", 0.833613), ("NDCGRel", 0.836923), ("Rndcg", 0.811635), ("G", 0.498637)]
)
def test_the_example_with_ten_relevant_documents(measure, expected):
    # the judged nonrelevant documents of the example play no part
    close(value(measure, FOUND, MISSED), expected)


def test_rndcg_is_the_mean_at_three_six_and_ten_documents():
    points = [value(f"nDCG@{k}", FOUND, MISSED) for k in (3, 6, 10)]
    close(points, [0.901306, 0.699987, 0.833613])
    close(value("Rndcg", FOUND, MISSED), sum(points) / 3, 1e-12)


@pytest.mark.parametrize(("retrieved", "expected"), [(3, 0.8992), (4, 0.8992), (5, 0.9115)])
def test_rndcg_is_also_measured_at_the_end_of_lists_longer_than_r_plus_one(retrieved, expected):
    found = [2, NONE, 1, 1, NONE][:retrieved]
    missed = [1] if retrieved == 3 else []
    close(value("Rndcg", found, missed), expected, FOUR)


def test_relative_precision_divides_by_what_is_possible():
    assert value("RelativeP@5", [1, 0, 1, 0, 0], [1]) == pytest.approx(2 / 3)
    assert value("relative_P_2", [1, 0, 1, 0, 0], [1]) == 1 / 2


def test_a_multiple_of_r_is_rounded_as_trec_eval_does():
    ranking = [1, 0, 1, 1, 0, 1]
    assert value("RprecMult@0.2", ranking) == 1  # int(0.8 + 0.9) = 1 document
    assert value("Rprec_mult_0.40", ranking) == 1 / 2  # int(1.6 + 0.9) = 2 documents
    assert value("RprecMult@1.5", ranking) == 4 / 6
    assert value("RprecMult", ranking) == value("Rprec", ranking)


def test_utility_prices_the_four_cells():
    ranking, missed = [1, NONE, 1, 0, NONE], [1]
    assert value("Utility(a=2, b=-1, c=-0.5, d=0.1, collection=100)", ranking, missed) == pytest.approx(9.9)
    assert math.isnan(value("Utility(d=1)", ranking, missed))


def test_nonrelevant_judged_documents_are_counted_and_unjudged_ones_are_not():
    assert value("NumNonrelJudgedRet", [1, 0, NONE, 0, -1], [0]) == 2
    assert value("num_nonrel_judged_ret(rel=2)", [1, 0, NONE, 0, 2], [0]) == 3


def test_the_ideal_dcg_is_the_divisor_of_ndcg():
    hits = hits_of(FOUND, MISSED)
    dcg, ideal, ndcg = (parse(name)(hits)[0] for name in ("DCG", "IdealDCG", "nDCG"))
    assert dcg / ideal == pytest.approx(ndcg, rel=1e-12)


@pytest.mark.parametrize("measure", ["binG", "G", "NDCGRel", "Rndcg", "RelativeP@5", "RprecMult@0.5", "SetRelativeP"])
def test_without_relevant_documents_a_value_is_undefined(measure):
    assert math.isnan(value(measure, [0, NONE, 0]))


def test_an_empty_list_has_a_value():
    empty = {name: value(name, [], [1, 1]) for name in ("binG", "G", "NDCGRel", "Rndcg", "SetRelativeP", "Utility")}
    assert set(empty.values()) == {0.0}
    assert value("Yaap", [], [1, 1]) == pytest.approx(-math.log(3))


graded = st.lists(st.sampled_from([NONE, -1, 0, 1, 2, 3]), max_size=12)


@given(graded, st.lists(st.integers(0, 3), max_size=5))
def test_chosen_gains_count_like_grades(found, missed):
    tripled = {1: 3, 2: 6, 3: 9}
    raised = [None if grade is None else tripled.get(grade, grade) for grade in found]
    others = [tripled.get(grade, grade) for grade in missed]
    for name in ("G", "NDCGRel", "Rndcg", "IdealDCG"):
        chosen = value(f"{name}(gains={tripled})", found, missed)
        np.testing.assert_allclose(chosen, value(name, raised, others), rtol=1e-12)


@given(graded, st.lists(st.integers(0, 3), max_size=5))
def test_sums_over_documents_are_those_of_a_loop(found, missed):
    ideal = sorted((grade for grade in [*found, *missed] if grade is not None and grade > 0), reverse=True)
    if not ideal:
        return
    gains = [max(grade or 0, 0) for grade in found]
    cost = result = expected = 0.0
    for place, gain in enumerate(gains):
        cost += max(ideal[place], 1) if place < len(ideal) else 1
        result += gain
        expected += gain / math.log2(2 + cost - result)
    np.testing.assert_allclose(value("G", found, missed), expected / sum(ideal), rtol=1e-12)
    at_each = [value(f"nDCG@{place + 1}", found, missed) for place, gain in enumerate(gains) if gain]
    at_end = [value("nDCG", found, missed)] * (len(ideal) - len(at_each))
    np.testing.assert_allclose(value("NDCGRel", found, missed), np.mean(at_each + at_end), rtol=1e-9)
