"""Disagreements sorted by what they change about the systems; who may see agreement (BLD-4)."""

from itertools import combinations

import numpy as np
import pytest

import cranfield as cf
from cranfield.judging.agreeing.disagreements import disagreements
from cranfield.judging.agreeing.effects import GradeChange, effects
from cranfield.judging.agreeing.view import agreement_view, may_see_agreement, visible_to
from cranfield.judging.exporting.export import exported_qrels
from cranfield.judging.records import AssessorAnswer, PairRow, QueueRow
from cranfield.judging.room import Room
from cranfield.read.objects import as_runs
from tests.judging.agreeing.test_agree_lab import ANN, BOB, said_by
from tests.judging.exporting.labs import judge, make_lab

RUNS = {
    "r1": {"q1": ["d1", "d2", "d3"], "q2": ["d2", "d1"]},
    "r2": {"q1": ["d2", "d4", "d1"], "q2": ["d1"]},
    "r3": {"q1": ["d3", "d1", "d2", "d4"], "q2": ["d3", "d2", "d1"]},
}


@pytest.fixture
def lab(tmp_path):
    made = make_lab(tmp_path)
    judge(made, *said_by("ann", ANN), *said_by("bob", BOB))
    return made


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "P@1", "Bpref", "RBP(p=0.8)"])
def test_an_effect_is_the_movement_that_two_whole_evaluations_show(measure):
    rng = np.random.default_rng(5)
    documents = [f"d{n}" for n in range(8)]
    grades = {topic: {d: int(rng.integers(0, 3)) for d in documents[:6]} for topic in ("1", "2", "3")}
    runs = {f"r{n}": {topic: list(rng.permutation(documents)[:5]) for topic in grades} for n in range(4)}
    changes = [GradeChange(topic, d, 0, 2) for topic in grades for d in documents[:6]]
    rows = [(topic, d, g) for topic, row in grades.items() for d, g in row.items()]
    qrels = cf.Qrels.of(*zip(*rows, strict=True))
    found = effects(qrels, as_runs(runs), measure, changes)
    for change, effect in zip(changes, found, strict=True):
        means = []
        for grade in (change.low, change.high):
            other = {
                t: {d: grade if (t, d) == (change.topic, change.document) else g for d, g in row.items()}
                for t, row in grades.items()
            }
            means.append(cf.evaluate(other, runs, measure).means[:, 0])
        pairs = list(combinations(range(len(runs)), 2))
        moves = [abs((means[1][a] - means[1][b]) - (means[0][a] - means[0][b])) for a, b in pairs]
        assert effect.size == pytest.approx(max(moves), abs=1e-12)
        signs = [np.sign(np.round([m[a] - m[b] for m in means], 12)) for a, b in pairs]
        assert effect.turns == sum(one != other for one, other in signs)


def test_disagreements_come_in_the_order_of_their_effect(lab):
    found = disagreements(lab.snapshot().pairs, RUNS, "nDCG@10")
    assert {(each.topic, each.document) for each in found} == {("q1", "d2"), ("q2", "d1")}
    sizes = [each.effect.size for each in found if each.effect is not None]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 0
    assert [(given.assessor, given.grade) for given in found[0].given] == [("ann", 1), ("bob", 0)]


def test_without_runs_the_largest_distance_comes_first(lab):
    judge(lab, ("ann", "q2", "d3", 0), ("bob", "q2", "d3", 2))
    found = disagreements(lab.snapshot().pairs)
    assert [(each.topic, each.document, each.apart) for each in found] == [
        ("q2", "d3", 2),
        ("q1", "d2", 1),
        ("q2", "d1", 1),
    ]
    assert all(each.effect is None for each in found)
    assert len(disagreements(lab.snapshot().pairs, threshold=2)) == 1


def test_mul_4_a_grade_against_cannot_judge_is_a_disagreement(lab):
    judge(lab, ("ann", "q2", "d4", "cannot"), ("bob", "q2", "d4", 1))
    found = disagreements(lab.snapshot().pairs, RUNS)
    (each,) = [each for each in found if each.document == "d4"]
    assert [given.grade for given in each.given] == [None, 1]


def test_what_is_settled_comes_last(lab):
    room = Room.open(lab.path)
    room.add_user("eve", ["adjudicator"])
    first = disagreements(lab.snapshot().pairs, RUNS)[0]
    room.adjudicate("eve", first.item, 1, "client")
    room.close()
    assert disagreements(lab.snapshot().pairs, RUNS)[-1].item == first.item
    assert disagreements(lab.snapshot().pairs, RUNS)[-1].settled == 1
    assert exported_qrels(lab.snapshot(), "adjudicated").grade.tolist()


def test_the_view_has_people_and_says_why_a_part_is_missing(lab):
    view = agreement_view(lab.snapshot(), RUNS, "nDCG@10", samples=50)
    assert view.people is not None
    assert view.people.pairs == 6
    assert view.people.consequences[0].tau == view.people.consequences[0].tau  # is a number
    assert (view.why_not, view.model, view.itself) == ("", None, None)
    assert len(view.disagreements) == 2


def test_the_view_of_a_new_lab_says_that_nothing_was_judged(tmp_path):
    view = agreement_view(make_lab(tmp_path).snapshot())
    assert (view.people, view.why_not) == (None, "no pair has been judged")


def test_bld_4_an_assessor_sees_no_agreement_while_pairs_are_open_to_them(tmp_path):
    lab = make_lab(tmp_path)
    room = Room.open(lab.path)
    room.add_user("ann")
    room.add_user("bob", ["assessor", "owner"])
    room.add_user("eve", ["adjudicator"])
    room.add_user("vic", ["viewer"])
    assert [may_see_agreement(room, name) for name in ("ann", "bob", "eve", "vic")] == [False, False, True, False]
    for name in ("ann", "bob"):
        for pair in lab.snapshot().pairs:
            assert not may_see_agreement(room, name)
            room.judge(name, pair.item, AssessorAnswer("judged", 0), client_id=f"{name}{pair.item}")
    assert [may_see_agreement(room, name) for name in ("ann", "bob", "eve", "vic")] == [False, True, True, False]
    room.close()


def test_bld_4_an_owner_who_judges_in_one_queue_sees_the_agreement_of_others(tmp_path):
    lab = make_lab(tmp_path)
    lab.add_rows(QueueRow("more", k=2), [PairRow("q1", "new")])
    room = Room.open(lab.path)
    for name in ("ann", "bob"):
        room.add_user(name, ["assessor", "owner"])
    first = [pair for pair in lab.snapshot().pairs if pair.document != "new"]
    new = next(pair for pair in lab.snapshot().pairs if pair.document == "new")
    for name in ("ann", "bob"):
        for pair in first:
            room.judge(name, pair.item, AssessorAnswer("judged", 0), client_id=f"{name}{pair.item}")
    room.judge("ann", new.item, AssessorAnswer("judged", 0), client_id="ann")
    everything = {pair.item for pair in lab.snapshot().pairs}

    def seen(name):
        shown = visible_to(room, name)
        return set() if shown is None else {pair.item for pair in shown.pairs}

    assert seen("bob") == everything - {new.item}
    assert seen("ann") == everything  # nothing there is open to ann
    room.close_queue("bob", 2)
    assert seen("bob") == everything
    room.close()
