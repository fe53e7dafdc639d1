"""Several assessors: k judgments for each pair, an overlap drawn by seed, disagreements, models that do not count."""

import random

import pytest

from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, Conflict, NoWork, PairRow, QueueRow, TopicRow, Work
from cranfield.judging.refusals import AnswerRefused, UnknownItem
from cranfield.judging.store.judgments import judgments_of_item
from tests.judging.life import live


def judge(opened, user, item, grade, **more):
    return opened.room.judge(user, item, AssessorAnswer("judged", grade), client_id=opened.client(), **more)


def judge_next(opened, user, grade):
    work = opened.room.next(user)
    judge(opened, user, work.item, grade, version=work.version)
    return work.item


@pytest.mark.parametrize("k", [1, 2, 3])
def test_mul_1_every_pair_gets_k_judgments_of_different_assessors(opened, k):
    here = opened(topics=2, documents=3, k=k)
    chance = random.Random(k)
    active = ["ann", "bob", "cid"]
    while active:
        user = chance.choice(active)
        if isinstance(here.room.next(user), NoWork):
            active.remove(user)
        else:
            judge_next(here, user, chance.randint(0, 2))
    judged = Lab(here.room.path).judgments()
    pairs = {(judgment.item, judgment.assessor) for judgment in judged}
    assert len(pairs) == len(judged) == 6 * k
    assert here.room.status().open == 0


def test_mul_1_the_overlap_is_drawn_by_seed(tmp_path):
    pairs = [PairRow("1", f"d{number}") for number in range(50)]

    def twice(name, seed):
        queue = QueueRow("pool", overlap=0.2, seed=seed)
        lab = Lab.create_from_rows(tmp_path / name, pairs, [TopicRow("1", "q")], queue=queue)
        with lab.reading() as connection:
            rows = connection.execute(
                "SELECT d.document FROM members m JOIN items i ON i.id = m.item JOIN documents d ON d.id = i.document"
                " WHERE m.needed = 2"
            )
            return {row[0] for row in rows}

    one, same, other = twice("a.db", 1), twice("b.db", 1), twice("c.db", 2)
    assert len(one) == len(other) == 10
    assert one == same != other


def test_mul_4_grades_apart_and_cannot_against_a_grade_are_in_dispute(opened):
    here = opened(topics=1, documents=3, k=2)
    items = [judge_next(here, "ann", 1) for _ in range(3)]
    judge(here, "bob", items[0], 1)
    judge(here, "bob", items[1], 2)
    here.room.judge("bob", items[2], AssessorAnswer("cannot", reason="empty"), client_id="x")
    assert {line.item for line in here.room.disputes("cid")} == set(items[1:])
    assert not any(line.own for line in here.room.disputes("cid"))
    assert all(line.own for line in here.room.disputes("ann"))


def test_mul_4_the_threshold_is_that_of_the_queue(opened):
    here = opened(topics=1, documents=2, k=2, threshold=2)
    items = [judge_next(here, "ann", 0) for _ in range(2)]
    judge(here, "bob", items[0], 1)
    judge(here, "bob", items[1], 2)
    assert [line.item for line in here.room.disputes("cid")] == [items[1]]


def disputed(here):
    item = judge_next(here, "ann", 0)
    judge(here, "bob", item, 2)
    return item


def test_mul_5_a_decision_is_a_separate_event_and_the_judgments_stay(opened):
    here = opened(topics=1, documents=1, k=2)
    item = disputed(here)
    saved = here.room.adjudicate("cid", item, 1, "c1")
    assert here.room.adjudicate("cid", item, 1, "c1") == saved
    assert here.room.disputes("cid") == []
    dispute = here.room.dispute("cid", item)
    assert (dispute.settled_grade, dispute.settled_by) == (1, "cid")
    assert [judgment.answer.grade for judgment in dispute.judgments] == [0, 2]
    assert len(here.room.events(kind="adjudicate")) == 1


def test_mul_5_an_adjudicator_does_not_settle_what_they_judged_unless_the_owner_allows_it(opened):
    here = opened(topics=1, documents=1, k=2)
    item = disputed(here)
    with pytest.raises(AnswerRefused, match="you judged this pair yourself"):
        here.room.adjudicate("ann", item, 1, "c1")
    here.room.may_settle_own("owner", True)
    here.room.adjudicate("ann", item, 1, "c2")
    assert here.room.dispute("ann", item).settled_grade == 1


def test_mul_5_a_pair_can_be_left_open_and_settled_later(opened):
    here = opened(topics=1, documents=1, k=2)
    item = disputed(here)
    left = here.room.adjudicate("cid", item, None, "c1")
    assert [line.item for line in here.room.disputes("cid")] == [item]
    here.room.adjudicate("cid", item, 2, "c2", version=left.version)
    assert here.room.dispute("cid", item).settled_grade == 2


def test_mul_5_two_adjudicators_at_once_conflict(opened):
    here = opened(topics=1, documents=1, k=2)
    here.room.add_user("dan", ["adjudicator"])
    item = disputed(here)
    first = here.room.adjudicate("cid", item, 1, "c1")
    second = here.room.adjudicate("dan", item, 2, "d1")
    assert isinstance(second, Conflict)
    assert (second.mine.grade, second.theirs.answer.grade, second.version) == (2, 1, first.version)


def test_only_pairs_in_dispute_can_be_settled(opened):
    here = opened(topics=1, documents=1)
    work = here.room.next("ann")
    with pytest.raises(UnknownItem):
        here.room.adjudicate("cid", work.item, 1, "c1")


def test_mul_6_a_model_does_not_count_unless_the_owner_says_so(opened):
    here = opened(topics=1, documents=1, k=2)
    here.room.add_user("model", [], kind="llm")
    item = judge_next(here, "ann", 1)
    judge(here, "model", item, 0)
    assert here.room.status().open == 1
    assert here.room.next("bob").item == item
    here.room.release("owner", item, "bob")
    here.room.set_counts("owner", "model", True)
    assert [line.item for line in here.room.disputes("cid")] == [item]
    assert here.room.next("bob") == NoWork(True)
    here.room.set_counts("owner", "model", False)
    assert here.room.status().open == 1


def test_pairs_added_to_another_queue_are_judged_as_often_as_that_asks(opened):
    here = opened(topics=1, documents=1)
    item = judge_next(here, "ann", 1)
    assert here.room.next("bob") == NoWork(True)
    here.room.close()
    lab = Lab(here.room.path)
    filled = lab.add_rows(QueueRow("again", kind="list", k=2), [PairRow("q1", "q1-d1")])
    assert (filled.pairs, filled.skipped) == (1, 0)
    again = type(here.room).open(lab.path)
    work = again.next("bob")
    assert isinstance(work, Work)
    assert work.item == item
    assert judgments_of_item(again.read(), item)[0].assessor == "ann"
    again.close()


def test_pairs_that_are_there_are_skipped_and_counted(opened):
    here = opened(topics=1, documents=2)
    here.room.close()
    rows = [PairRow("q1", "q1-d1"), PairRow("q1", "new"), PairRow("q1", "new")]
    filled = Lab(here.room.path).add_rows(QueueRow("pool"), rows, number=1)
    assert (filled.pairs, filled.skipped) == (1, 1)


def test_a_person_who_is_shut_out_gives_back_what_they_hold(opened):
    here = opened(topics=1, documents=1)
    work = here.room.next("ann")
    here.room.disable("owner", "ann")
    assert here.room.next("bob").item == work.item
    with pytest.raises(UnknownItem):
        here.room.next("ann")


@pytest.mark.parametrize("seed", range(5))
def test_rel_4_whatever_people_do_no_pair_gets_more_than_k_judgments(opened, seed):
    here = opened(topics=2, documents=3, k=1 + seed % 2, overlap=0.5)
    here.room.may_settle_own("owner", True)
    live(here, seed, model=False)
    too_many = here.room.read().execute(
        "SELECT count(*) FROM progress p JOIN members m ON m.item = p.item WHERE p.judged + p.cannot > m.needed"
    )
    assert too_many.fetchone() == (0,)


def test_rel_4_undo_does_not_restore_a_judgment_that_others_replaced(opened):
    here = opened(topics=1, documents=1)
    item = judge_next(here, "ann", 1)
    version = here.room.work("ann", item).version
    here.room.judge("ann", item, AssessorAnswer("later"), client_id="later", version=version)
    judge_next(here, "bob", 2)
    undone = here.room.undo("ann", "undo")
    assert (undone.item, undone.version) == (item, None)
    assert [judgment.assessor for judgment in Lab(here.room.path).judgments()] == ["bob"]
