"""A decide queue whose documents are judged by several assessors each: the grade of most of them decides."""

import pytest

from cranfield.judging.deciding.answers import PairAnswers
from cranfield.judging.records import AssessorAnswer, NoWork, Work
from cranfield.judging.store.deciding import AnswerEvent
from tests.judging.deciding.test_desk import TWO, answer, judge_on
from tests.judging.deciding.worlds import decide_lab


def said(*events):
    answers = PairAnswers()
    for number, (assessor, grade) in enumerate(events):
        status = "cannot" if grade is None else "judged"
        answers.enter(AnswerEvent(number, "x", assessor, status, grade, adjudicated=False))
    return answers


@pytest.mark.parametrize(
    ("events", "needed", "known", "grade"),
    [
        ([("a", 1)], 1, True, 1),
        ([("a", 1)], 2, False, None),
        ([("a", 1), ("b", 1)], 2, True, 1),
        ([("a", 1), ("b", 2)], 2, False, None),
        ([("a", 1), ("b", 2), ("c", 2)], 3, True, 2),
        ([("a", 1), ("b", 2), ("c", 0)], 3, False, None),
        ([("a", None), ("b", 2)], 2, False, None),
        ([("a", None), ("b", None)], 2, True, None),
    ],
)
def test_mul_1_a_grade_counts_once_all_have_answered_and_most_agree(events, needed, known, grade):
    answers = said(*events)
    assert answers.answered("x", needed) is known
    if known:
        assert answers.grade("x", needed) == grade
    settled = said(*events)
    settled.enter(AnswerEvent(9, "x", "cid", None, 0, adjudicated=True))
    assert settled.answered("x", needed)
    assert settled.grade("x", needed) == 0


def test_mul_1_each_document_is_judged_by_two_and_never_by_three(opened, tmp_path):
    here = opened(decide_lab(tmp_path / "lab.db", assessors=2))
    done = judge_on(here, ("ann", "bob", "cid"))
    shown = here.room.decision("ann", 2)
    assert shown.reason == "certain"
    counts = [row[0] for row in here.room.read().execute("SELECT judged FROM progress WHERE judged > 0")]
    assert set(counts) <= {1, 2}
    assert sum(counts) == done
    assert counts.count(1) <= 3  # begun when it was decided
    alone = opened(decide_lab(tmp_path / "alone.db"))
    assert judge_on(alone, ("ann",)) < done


def test_one_of_two_answers_decides_nothing(opened, tmp_path):
    here = opened(decide_lab(tmp_path / "lab.db", assessors=2))
    here.room.add_user("boss", ("owner",))
    before = here.room.decision("boss", 2)
    work = here.room.next("ann")
    answer(here, "ann", work)
    assert here.room.decision("boss", 2).pairs[0].low == before.pairs[0].low
    assert here.room.decision("boss", 2).judged == 0
    here.room.judge("bob", work.item, AssessorAnswer("judged", 0), client_id=here.client())
    assert "Each document needs 2 assessors." in here.room.decision("boss", 2).sentence


def test_mul_4_what_has_no_majority_waits_for_an_adjudicator_and_others_are_served(opened, tmp_path):
    here = opened(decide_lab(tmp_path / "lab.db", assessors=2, batch=1))
    here.room.add_user("boss", ("owner",))
    disputed = []
    for _ in range(25):  # more than are looked at in one go
        work = here.room.next("ann")
        assert isinstance(work, Work)
        for name, grade in (("ann", 0), ("bob", 2)):
            here.room.judge(name, work.item, AssessorAnswer("judged", grade), client_id=here.client())
        disputed.append(work.item)
    assert len(set(disputed)) == 25
    shown = here.room.decision("boss", 2)
    assert (shown.judged, shown.disputed) == (0, 25)
    assert "25 documents without a majority wait for an adjudicator." in shown.sentence
    here.room.adjudicate("boss", disputed[0], 2, "settled")
    shown = here.room.decision("boss", 2)
    assert (shown.judged, shown.disputed) == (1, 24)


def test_a_room_with_nothing_but_disputes_says_that_assessors_are_done(opened, tmp_path):
    here = opened(decide_lab(tmp_path / "lab.db", assessors=2))
    while isinstance(work := here.room.next("ann"), Work):
        for name, grade in (("ann", 0), ("bob", 2)):
            here.room.judge(name, work.item, AssessorAnswer("judged", grade), client_id=here.client())
    assert here.room.next("bob") == NoWork(True)


def test_the_desk_is_found_again_from_the_events(opened, tmp_path):
    here = opened(decide_lab(tmp_path / "lab.db", TWO, assessors=2))
    here.room.add_user("boss", ("owner",))
    judge_on(here, ("ann", "bob"), most=21)
    before = here.room.decision("boss", 2)
    here.room.desks._made.clear()
    assert here.room.decision("boss", 2) == before
