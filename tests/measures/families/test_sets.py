"""Worked numbers of set measures and counts."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.measures.grammar import parse
from tests.laws.worlds import hits_of
from tests.measures.worked import FOUR, LISTS, value


@pytest.mark.parametrize(("name", "expected"), [("SetP", 0.6), ("SetR", 1), ("SetF", 0.75), ("SetAP", 0.6)])
def test_ranking_a_as_a_set(name, expected):
    assert value(name, LISTS["A"]) == pytest.approx(expected)


@pytest.mark.parametrize(("precision", "recall", "expected"), [(94, 26, 0.4073), (99, 92, 0.9537)])
def test_f_of_the_precisions_and_recalls_of_the_lecture(precision, recall, expected):
    found, both = precision * recall, 100 * recall  # hundreds of documents that have exactly these shares
    hits = hits_of([1] * found + [0] * (both - found), [1] * (100 * precision - found))
    assert parse("SetP")(hits)[0] == pytest.approx(precision / 100)
    assert parse("SetR")(hits)[0] == pytest.approx(recall / 100)
    assert parse("SetF")(hits)[0] == pytest.approx(expected, abs=FOUR)


@pytest.mark.parametrize("x", [0.25, 0.5, 4])
def test_the_parameter_of_set_f_in_trec_eval_is_the_square_of_beta(x):
    precision, recall = value("SetP", LISTS["C"], [1, 1]), value("SetR", LISTS["C"], [1, 1])
    trec = (x + 1) * precision * recall / (x * precision + recall)
    assert value(f"SetF(beta={x**0.5})", LISTS["C"], [1, 1]) == pytest.approx(trec)


@pytest.mark.parametrize("name", ["SetP", "SetP(relative=True)", "SetR", "SetF", "SetAP", "NumRet", "NumRelRet"])
def test_an_empty_result_scores_zero(name):
    assert value(name, [], [1, 0]) == 0


@pytest.mark.parametrize(
    ("name", "expected"), [("SetP", 0.0), ("SetP(relative=True)", np.nan), ("SetR", np.nan), ("SetF", np.nan)]
)
def test_without_relevant_documents_recall_is_undefined_and_precision_is_zero(name, expected):
    np.testing.assert_equal(value(name, [0, None]), expected)


def test_relative_precision_divides_by_what_could_have_been_found():
    assert value("SetP(relative=True)", [1, 0, None, None], [1]) == pytest.approx(1 / 2)
    assert value("SetP(relative=True)", [1, 0], [1, 1, 1]) == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("NumQ", 1),
        ("NumRet", 5),
        ("NumRet(rel=1)", 2),
        ("NumRet(rel=2)", 1),
        ("NumRel", 4),
        ("NumRel(rel=2)", 2),
        ("NumRelRet", 2),
        ("NumRelRet(rel=2)", 1),
    ],
)
def test_counts(name, expected):
    assert value(name, [1, None, 2, 0, None], [1, 2, 0]) == expected
    assert parse(name).definition.average == "sum"


@pytest.mark.parametrize("beta", [10**15, 1e15])
@pytest.mark.parametrize("average", ["macro", "micro"])
def test_a_huge_beta_gives_recall(beta, average):
    names = f"SetF(beta={beta}) F(beta={beta})@1"
    scores = cf.evaluate({"q": {"a": 1, "b": 1}}, {"q": {"a": 2.0}}, names, average=average)
    assert scores.values[0, 0].tolist() == [0.5, 0.5]
