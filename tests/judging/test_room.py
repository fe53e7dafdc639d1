"""A room serves pairs, saves judgments and takes them back."""

import pytest

from cranfield.judging.records import AssessorAnswer, Conflict, NoWork, SavedJudgment, Work
from cranfield.judging.refusals import AnswerRefused, PairTaken, UnknownItem


def judge_all(opened, user, grade=1):
    """Judge what is served until nothing is; the items in order."""
    items = []
    work = opened.room.next(user)
    while isinstance(work, Work):
        items.append(work.item)
        opened.room.judge(user, work.item, AssessorAnswer("judged", grade), client_id=opened.client())
        work = opened.room.next(user, after=work.item)
    return items, work


def test_an_assessor_gets_every_pair_once_topic_by_topic(opened):
    here = opened(topics=3, documents=4)
    topics = []
    work = here.room.next("ann")
    while isinstance(work, Work):
        topics.append(work.topic)
        here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id=here.client())
        work = here.room.next("ann", after=work.item)
    assert topics == ["q1"] * 4 + ["q2"] * 4 + ["q3"] * 4
    assert work == NoWork(finished=True)
    assert here.room.own_progress("ann").done == 12


def test_work_shows_the_topic_and_the_document(opened):
    work = opened(topics=2).room.next("ann")
    assert (work.topic, work.topic_number, work.topics, work.title) == ("q1", 1, 2, "query q1")
    assert work.document_title == f"title of {work.document_id}"
    assert work.mine is None
    assert work.version is None


def test_a_document_shows_its_text(opened):
    here = opened()
    work = here.room.next("ann")
    shown = here.room.document("ann", work.item)
    assert (shown.text, shown.problem) == (f"text of {work.document_id}", "")


def test_own_progress_counts_what_is_done_and_open(opened):
    here = opened(topics=1, documents=4)
    assert (here.room.own_progress("ann").done, here.room.own_progress("ann").total) == (0, 4)
    work = here.room.next("ann")
    here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id="a")
    assert (here.room.own_progress("ann").done, here.room.own_progress("ann").total) == (1, 4)
    assert here.room.own_progress("bob").total == 3


def test_the_last_ten_are_newest_first(opened):
    here = opened(topics=1, documents=12)
    items, _ = judge_all(here, "ann")
    assert [own.judgment.item for own in here.room.last_ten("ann")] == items[:1:-1]


def test_rel_3_a_request_that_is_repeated_makes_one_event(opened):
    here = opened()
    work = here.room.next("ann")
    answers = [here.room.judge("ann", work.item, AssessorAnswer("judged", 2), client_id="x") for _ in range(5)]
    assert len(set(answers)) == 1
    assert isinstance(answers[0], SavedJudgment)


def test_rel_3_an_old_version_gives_both_values(opened):
    here = opened()
    work = here.room.next("ann")
    first = here.room.judge("ann", work.item, AssessorAnswer("judged", 2), client_id="one tab")
    other = here.room.judge("ann", work.item, AssessorAnswer("judged", 0), client_id="other tab", version=None)
    assert isinstance(other, Conflict)
    assert (other.mine.grade, other.theirs.answer.grade, other.version) == (0, 2, first.version)
    again = here.room.judge("ann", work.item, AssessorAnswer("judged", 0), client_id="third", version=other.version)
    assert isinstance(again, SavedJudgment)


def test_mul_2_two_browsers_of_one_person_make_one_judgment(opened):
    here = opened()
    work = here.room.next("ann")
    first = here.room.judge("ann", work.item, AssessorAnswer("judged", 2), client_id="one")
    second = here.room.judge("ann", work.item, AssessorAnswer("judged", 2), client_id="two")
    assert second.event == first.event


def test_app_3_undo_goes_back_as_far_as_there_is_something(opened):
    here = opened(topics=1, documents=3)
    items, _ = judge_all(here, "ann")
    undone = [here.room.undo("ann", here.client()) for _ in range(4)]
    assert [None if saved is None else saved.item for saved in undone] == [*reversed(items), None]
    assert here.room.own_progress("ann").done == 0
    assert sorted(judge_all(here, "ann")[0]) == sorted(items)


def test_app_3_undo_restores_the_judgment_before(opened):
    here = opened()
    work = here.room.next("ann")
    first = here.room.judge("ann", work.item, AssessorAnswer("judged", 2, note="good"), client_id="1")
    here.room.judge("ann", work.item, AssessorAnswer("judged", 0), client_id="2", version=first.version)
    undone = here.room.undo("ann", "3")
    shown = here.room.work("ann", work.item)
    assert (shown.mine.answer, shown.version) == (AssessorAnswer("judged", 2, note="good"), undone.version)
    assert here.room.undo("ann", "3") == undone


def test_a_grade_that_the_lab_does_not_have_is_refused(opened):
    here = opened()
    work = here.room.next("ann")
    with pytest.raises(AnswerRefused, match="E410: the lab has no grade 7"):
        here.room.judge("ann", work.item, AssessorAnswer("judged", 7), client_id="1")


def test_unknown_items_and_people_are_refused(opened):
    here = opened()
    for ask in (
        lambda: here.room.next("eve"),
        lambda: here.room.work("ann", "0" * 32),
        lambda: here.room.document("ann", "0" * 32),
        lambda: here.room.judge("ann", "0" * 32, AssessorAnswer("judged", 1), client_id="1"),
    ):
        with pytest.raises(UnknownItem):
            ask()


def test_app_4_the_same_place_on_another_device(opened):
    here = opened()
    work = here.room.next("ann")
    assert here.room.next("ann").item == work.item
    assert here.room.work("ann", work.item).item == work.item
    with pytest.raises(UnknownItem):
        here.room.work("bob", work.item)


def test_rel_4_a_judgment_too_many_is_refused(opened):
    here = opened(topics=1, documents=1)
    work = here.room.next("ann")
    with pytest.raises(PairTaken, match="E409"):
        here.room.judge("bob", work.item, AssessorAnswer("judged", 1), client_id="b")


def test_what_is_put_off_comes_again_at_the_end(opened):
    here = opened(topics=1, documents=3)
    first = here.room.next("ann")
    here.room.judge("ann", first.item, AssessorAnswer("later"), client_id="later")
    items, rest = [], here.room.next("ann", after=first.item)
    while isinstance(rest, Work):
        items.append(rest.item)
        here.room.judge("ann", rest.item, AssessorAnswer("judged", 0), client_id=here.client(), version=rest.version)
        rest = here.room.next("ann", after=rest.item)
    assert items[-1] == first.item
    assert len(items) == 3


def test_bld_2_pairs_fetched_ahead_are_those_that_come_next(opened):
    here = opened(topics=1, documents=5)
    work = here.room.next("ann")
    ahead = here.room.ahead("ann", work.item)
    here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id="1")
    second = here.room.next("ann", after=work.item)
    third = here.room.next("ann", after=second.item)
    assert ahead == (second.item, third.item)


def test_a_document_is_shown_to_assessors_who_were_given_the_pair(opened):
    here = opened()
    work = here.room.next("ann")
    with pytest.raises(UnknownItem):
        here.room.document("bob", work.item)
    here.room.set_roles("owner", "bob", ["adjudicator"])
    assert here.room.document("bob", work.item).text
