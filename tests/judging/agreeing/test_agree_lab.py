"""`cranfield agree LAB.db` and `cf.agree(lab)`: a lab is a source of judgments."""

import pytest

import cranfield as cf
from cranfield.judging.records import PairRow, QueueRow
from tests.judging.exporting.labs import judge, make_lab

ANN = {"q1": {"d1": 2, "d2": 0, "d3": 1, "d4": 0}, "q2": {"d1": 1, "d2": 0}}
BOB = {"q1": {"d1": 2, "d2": 1, "d3": 1, "d4": 0}, "q2": {"d1": 0, "d2": 0}}


def said_by(assessor, grades):
    return [(assessor, topic, document, grade) for topic, row in grades.items() for document, grade in row.items()]


@pytest.fixture
def lab(tmp_path):
    made = make_lab(tmp_path)
    judge(made, *said_by("ann", ANN), *said_by("bob", BOB))
    return made


def coefficients(found):
    return {statistic.id: statistic.value for statistic in found.statistics}


def test_a_lab_gives_the_agreement_of_its_judgments(lab):
    expected = cf.agree({"ann": ANN, "bob": BOB})
    for source in (lab, lab.path, str(lab.path)):
        found = cf.agree(source)
        assert coefficients(found) == pytest.approx(coefficients(expected), nan_ok=True)
        assert found.confusion.tolist() == expected.confusion.tolist()
        assert [assessor.name for assessor in found.assessors] == ["ann", "bob"]


def test_runs_tell_whether_it_changes_the_order_of_systems(lab):
    runs = {"r1": {"q1": ["d1", "d2"], "q2": ["d2", "d1"]}, "r2": {"q1": ["d2", "d1"], "q2": ["d1"]}}
    (consequence,) = cf.agree(lab, runs=runs, measures="nDCG@10").consequences
    (expected,) = cf.agree({"ann": ANN, "bob": BOB}, runs=runs, measures="nDCG@10").consequences
    assert consequence.means.tolist() == expected.means.tolist()


def test_cannot_and_later_are_no_grades(lab):
    judge(
        lab, ("ann", "q2", "d3", "cannot"), ("bob", "q2", "d3", 1), ("ann", "q2", "d4", "later"), ("bob", "q2", "d4", 0)
    )
    assert cf.agree(lab).pairs == 6


def test_repeats_do_not_touch_the_agreement_between_assessors_and_are_the_whole_of_self(lab):
    lab.add_rows(QueueRow("again", kind="repeat"), [PairRow("q1", "d1"), PairRow("q1", "d2")])
    before = coefficients(cf.agree(lab))
    judge(lab, ("ann", "q1", "d1", 2, 1), ("ann", "q1", "d2", 1, 1))
    assert coefficients(cf.agree(lab)) == pytest.approx(before, nan_ok=True)
    own = cf.agree(lab, itself=True)
    assert (own.mode, own.pairs, [assessor.name for assessor in own.assessors]) == ("within", 2, ["ann"])
    assert own["raw"].value == 0.5
    assert own.confusion.tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 1]]  # first 0 then 1; 2 both times


def test_gold_items_are_left_out(lab):
    lab.add_rows(QueueRow("gold", k=2), [PairRow("q1", "g1", grade=2)])
    judge(lab, ("ann", "q1", "g1", 2), ("bob", "q1", "g1", 2))
    assert cf.agree(lab).pairs == 6


def test_the_audit_names_the_lab(lab):
    (given,) = cf.agree(lab).audit.inputs
    assert given["name"] == str(lab.path)
    assert len(given["sha256"]) == 64
