"""Pairs that assessors judge again, outside of k."""

from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, NoWork, Work
from cranfield.judging.store.files.doctor import examine


def judge_all(opened, user, grade=1):
    """Judge what is served until nothing is; the work in order."""
    works = []
    while isinstance(work := opened.room.next(user), Work):
        works.append(work)
        answer = AssessorAnswer("judged", grade)
        opened.room.judge(user, work.item, answer, client_id=opened.client(), version=work.version, round=work.round)
    return works


def test_the_same_assessor_judges_a_share_of_the_pairs_again_outside_of_k(opened):
    here = opened(topics=2, documents=5)
    here.room.add_repeats("owner", 0.4, seed=3)
    works = judge_all(here, "ann", 1)
    again = [work for work in works if work.round == 1]
    assert [work.round for work in works] == [0] * 10 + [1] * 4
    assert {work.item for work in again} < {work.item for work in works[:10]}
    assert all(work.mine is None for work in again)  # the first grade is not shown
    assert here.room.next("bob") == NoWork(True)
    status = here.room.status()
    assert (status.open, status.agreed) == (0, 10)
    own = next(person for person in status.people if person.person.name == "ann")
    assert (own.judged, own.repeated) == (10, 4)
    assert here.room.own_progress("ann").done == 10


def test_repeats_come_among_the_pairs_of_their_topic_after_a_distance(opened):
    here = opened(topics=2, documents=12)
    here.room.add_repeats("owner", 0.5, seed=3, distance=4)
    works, after = [], None
    while isinstance(work := here.room.next("ann", after), Work):
        works.append(work)
        answer = AssessorAnswer("judged", 1)
        here.room.judge("ann", work.item, answer, client_id=here.client(), version=work.version, round=work.round)
        after = work.item
    rounds = [work.round for work in works]
    assert (rounds.count(0), rounds.count(1)) == (24, 12)
    last = max(place for place, round in enumerate(rounds) if round == 0)
    mixed = [place for place in range(last) if rounds[place] == 1]
    assert len(mixed) > 4
    places = {(work.item, work.round): place for place, work in enumerate(works)}
    for place in mixed:
        assert place - places[works[place].item, 0] > 4
        assert works[place].topic == works[place - 1].topic
    topics = [work.topic for work in works[: last + 1]]
    assert topics == sorted(topics)  # still grouped


def test_repeats_are_marked_by_their_round_and_do_not_make_disputes(opened):
    here = opened(topics=1, documents=2)
    here.room.add_repeats("owner", 1.0)
    for grade in (0, 1, 2, 2):
        work = here.room.next("ann")
        here.room.judge("ann", work.item, AssessorAnswer("judged", grade), client_id=here.client(), round=work.round)
    assert sorted(judgment.round for judgment in Lab(here.room.path).judgments()) == [0, 0, 1, 1]
    assert here.room.disputes("cid") == []
    assert [queue.open for queue in here.room.queues()] == [0, 0]
    assert examine(here.room.path).problems == ()


def test_the_repeat_queue_says_how_many_are_due(opened):
    here = opened(topics=1, documents=4, k=2)
    here.room.add_repeats("owner", 0.5)
    first = here.room.next("ann", queue=1)
    assert here.room.next("ann", queue=2).item == first.item  # what is held comes first
    while isinstance(work := here.room.next("ann", queue=1), Work) and work.round == 0:
        here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id=here.client())
    assert here.room.queues()[1].open == 2


def test_a_repeat_can_be_undone(opened):
    here = opened(topics=1, documents=1)
    here.room.add_repeats("owner", 1.0)
    works = judge_all(here, "ann")
    undone = here.room.undo("ann", "u1")
    assert (undone.item, undone.round, undone.version) == (works[0].item, 1, None)
    assert here.room.next("ann").round == 1
    assert len(Lab(here.room.path).judgments()) == 1
