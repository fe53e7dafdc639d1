"""Worked numbers of rank-biased precision and its residual."""

import pytest

from cranfield.measures.grammar import parse
from tests.laws.worlds import hits_of, world_of
from tests.measures.worked import FOUR, LISTS, SIX, value


@pytest.mark.parametrize(
    ("p", "values"),
    [(0.5, [0.5, 0.9990, 1, 1]), (0.8, [0.2, 0.8926, 1, 1]), (0.95, [0.05, 0.4013, 0.9941, 1])],
)
def test_the_ideal_binary_list_gets_what_its_length_allows(p, values):
    for relevant, expected in zip([1, 10, 100, 1000], values, strict=True):
        assert value(f"RBP(p={p})", [1] * relevant) == pytest.approx(expected, abs=FOUR)


def test_base_and_residual_of_a_list_with_holes():
    found = [1, None, 0, 1, None]
    base, residual = value("RBP", found), value("RBPResidual", found)
    assert base == pytest.approx(0.3024, abs=FOUR)
    assert residual == pytest.approx(0.2419 + 0.3277, abs=2 * FOUR)
    assert value("RBPResidual@5", found) == pytest.approx(0.2419, abs=FOUR)
    assert base + residual == pytest.approx(0.8720, abs=FOUR)


def test_the_residual_of_an_empty_list_is_everything():
    assert value("RBPResidual", [], [1]) == 1
    assert value("RBPResidual(p=0.5)@2", [], [1]) == pytest.approx(0.75)


def test_the_residual_of_a_fully_judged_list_is_the_weight_of_what_follows():
    assert value("rbp_resid", [1, 0, 0]) == pytest.approx(0.8**3)
    assert value("RBPResidual@3", [1, 0, 0]) == pytest.approx(0)


def test_rank_biased_precision_of_ranking_a_and_of_the_preference_list():
    assert value("RBP", LISTS["A"]) == pytest.approx(0.604700, abs=SIX)
    assert value("RBP", [1, 0, 0, 1, 0, 1, 0, 0], [1, 0, 0]) == pytest.approx(0.3679, abs=FOUR)


@pytest.mark.parametrize(("name", "expected"), [("RBP(p=0.95)", 0.0761), ("RBP'(p=0.95)", 0.0776)])
def test_graded_gains_are_shares_of_the_highest_grade(name, expected):
    assert value(name, [0, 3, None, 2], [3, 3, 2, 2, 1, 1, 1, 1]) == pytest.approx(expected, abs=FOUR)


def test_the_highest_grade_is_that_of_the_collection_unless_it_is_given():
    hits = world_of(([2], []), ([4], [])).hits()
    assert parse("RBP(p=0.5)")(hits).tolist() == [0.25, 0.5]
    assert parse("RBP(p=0.5, max_rel=2)")(hits).tolist() == [0.5, 0.5]
    assert parse("RBP(p=0.5, rel=3)")(hits).tolist() == [0, 0.5]


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_one_relevant_document_weighs_as_much_as_its_rank(p):
    for rank in (1, 2, 3, 10, 11, 20):
        assert value(f"RBP(p={p})", [0] * (rank - 1) + [1], [1] * 9) == pytest.approx((1 - p) * p ** (rank - 1))


def test_without_relevant_documents_rbp_is_zero():
    assert value("RBP", [0, None]) == 0
    assert value("RBP", [None]) == 0


def test_a_cutoff_drops_the_ranks_after_it():
    assert value("RBP(p=0.5)@2", [1, 0, 1]) == 0.5
    assert hits_of([1, 0, 1]).top(2).count[0] == 2
