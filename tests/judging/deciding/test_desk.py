"""A decide queue in a room: what it serves to several assessors, how it follows the lab, who may see what."""

import threading

import pytest

import cranfield as cf
from cranfield.judging.deciding.desks import Desks
from cranfield.judging.queue.order import shuffled
from cranfield.judging.records import AssessorAnswer, NoWork, PairRow, QueueRow, Work
from cranfield.judging.store.deciding import named_pairs
from cranfield.judging.store.events import chosen_events
from cranfield.judging.store.leases import own_leases
from cranfield.tables.run import Runs
from tests.judging.deciding.worlds import decide_lab, judged, named_runs, truth

TWO = ("lexical", "hybrid")


def answer(here, user, work, grade=None):
    """Judge as the truth has it."""
    right = truth()[work.topic][work.document_id] if grade is None else grade
    return here.room.judge(user, work.item, AssessorAnswer("judged", right), client_id=here.client())


def judge_on(here, users=("ann",), most=1000):
    """Judge in turn until nothing is served; how many judgments it took."""
    done = 0
    while done < most:
        before = done
        for user in users:
            work = here.room.next(user)
            if isinstance(work, Work) and done < most:
                answer(here, user, work)
                done += 1
        if done == before:
            break
    return done


@pytest.fixture
def here(opened, tmp_path):
    """A room with a decide queue of two runs."""
    return opened(decide_lab(tmp_path / "decide.db", TWO))


def test_the_room_serves_until_the_runs_are_decided_and_says_so(here):
    number = judge_on(here)
    state = here.room.desks.all()[0].state(here.room.read())
    assert state.now.reason in ("certain", "equal")
    assert state.now.judged == number < state.now.holes
    assert here.room.next("bob") == NoWork(finished=True)
    assert "you may stop" in state.now.sentence
    assert here.room.own_progress("ann").total == number  # what is left is not served any more
    lows, highs = [step.low for step in state.paths[0]], [step.high for step in state.paths[0]]
    assert len(lows) == number + 1
    assert lows == pytest.approx(sorted(lows))
    assert highs == pytest.approx(sorted(highs, reverse=True))
    true = cf.evaluate(truth(), Runs(tuple(named_runs(*TWO))), "P@5").means[:, 0]
    assert state.now.pairs[0].better == TWO[int(true[1] > true[0])]


def test_several_assessors_need_hardly_more_judgments_than_one(opened, tmp_path):
    one = judge_on(opened(decide_lab(tmp_path / "one.db", TWO)))
    three = judge_on(opened(decide_lab(tmp_path / "three.db", TWO)), ("ann", "bob", "cid"))
    assert abs(three - one) <= 6


def test_assessors_in_threads_never_get_the_same_document(here):
    seen, lock = [], threading.Lock()

    def assess(user):
        work = here.room.next(user)
        while isinstance(work, Work):
            with lock:
                seen.append((work.topic, work.document_id))
            answer(here, user, work)
            work = here.room.next(user, after=work.item)

    threads = [threading.Thread(target=assess, args=(user,)) for user in ("ann", "bob", "cid")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == len(set(seen))
    assert here.room.desks.all()[0].decided(here.room.read())


def test_bld_3_a_batch_is_served_topic_by_topic_in_a_random_order_of_the_assessor(here):
    here.room.next("ann")
    here.room.next("bob")
    desk = here.room.desks.all()[0]
    names = named_pairs(here.room.read())
    served = {user: desk.items(here.room.read(), user) for user in ("ann", "bob")}
    size = len(desk._batch)
    for user, items in served.items():
        topics = [names[item][0] for item in items[:size]]
        assert topics == sorted(topics, key=topics.index)  # one after the other
        for topic in set(topics):
            documents = [names[item][1] for item in items[:size] if names[item][0] == topic]
            ordered = sorted(documents)
            assert documents == [ordered[at] for at in shuffled(ordered, 0, user, topic)]
    assert set(served["ann"][:size]) == set(served["bob"][:size])


def test_what_is_known_is_found_again_from_the_events(here):
    work = here.room.next("ann")
    answer(here, "ann", work)
    here.room.undo("ann", here.client())
    judge_on(here, ("ann", "bob"), most=9)
    cannot = here.room.next("bob")
    here.room.judge("bob", cannot.item, AssessorAnswer("cannot", reason="not readable"), client_id=here.client())
    kept = here.room.desks.all()[0].state(here.room.read())
    again = Desks(here.room.read).all()[0].state(here.room.read())
    assert again == kept
    assert (kept.now.judged, kept.now.cannot) == (9, 1)


def test_an_undone_or_changed_judgment_changes_what_is_known(here):
    desk = here.room.desks.all()[0]
    before = desk.state(here.room.read())
    work = here.room.next("ann")
    saved = answer(here, "ann", work, 2)
    first = desk.state(here.room.read())
    assert first.now.judged == 1
    here.room.judge("ann", work.item, AssessorAnswer("judged", 0), client_id=here.client(), version=saved.version)
    second = desk.state(here.room.read())
    assert second.now.judged == 1
    assert second.now.pairs[0].last != first.now.pairs[0].last
    here.room.undo("ann", here.client())
    here.room.undo("ann", here.client())
    third = desk.state(here.room.read())
    assert third.now.judged == 0
    assert (third.now.pairs[0].last.low, third.now.pairs[0].last.high) == pytest.approx(
        (before.now.pairs[0].last.low, before.now.pairs[0].last.high)
    )


def test_a_document_that_is_held_only_for_the_decision_is_given_back_when_it_is_decided(here):
    held = here.room.next("bob")
    assert isinstance(held, Work)
    judge_on(here, ("ann",))
    assert here.room.next("bob") == NoWork(finished=True)
    assert own_leases(here.room.read(), "bob") == []
    assert [event.actor for event in chosen_events(here.room.read(), kind="release")] == ["room"]


def test_a_judgment_in_another_queue_counts_here_too(opened, tmp_path):
    lab = decide_lab(tmp_path / "both.db", TWO)
    topic = next(iter(truth()))
    document = next(each for each in truth()[topic] if each not in judged()[topic])
    lab.add_rows(QueueRow("list", kind="list"), [PairRow(topic, document)])
    here = opened(lab)
    work = here.room.next("ann", queue=3)
    answer(here, "ann", work)
    found = here.room.desks.all()[0].state(here.room.read())
    assert len(found.paths[0]) == 2


def test_an_owner_who_does_not_judge_sees_the_decision_from_the_beginning(here):
    here.room.add_user("olga", ("owner",))
    judge_on(here, most=3)
    shown = here.room.decisions("olga")[0]
    assert not shown.hidden
    assert shown.judged == 3
    assert len(shown.pairs[0].path) == 4
    assert "hybrid" in shown.sentence


def test_an_owner_who_judges_sees_only_how_much_is_left_until_a_reveal_or_the_end(here):
    here.room.add_user("oscar", ("owner", "assessor"))
    judge_on(here, most=3)
    shown = here.room.decisions("oscar")[0]
    assert shown.hidden
    assert (shown.pairs, shown.measure, shown.judged) == ((), "", 0)
    assert not any(name in repr(shown) for name in TWO)
    assert f"{shown.left:,}" in shown.sentence
    here.room.reveal("oscar", shown.queue)
    told = here.room.decisions("oscar")[0]
    assert not told.hidden
    assert told.revealed == ("oscar",)
    (event,) = chosen_events(here.room.read(), kind="reveal")
    assert (event.actor, event.new) == ("oscar", {"queue": shown.queue, "what": "decision"})


def test_at_the_end_every_owner_sees_the_decision(here):
    here.room.add_user("oscar", ("owner", "assessor"))
    judge_on(here)
    assert not here.room.decisions("oscar")[0].hidden


def test_bld_1_what_an_assessor_is_served_names_no_run(here):
    work = here.room.next("ann")
    text = repr(work) + repr(here.room.document("ann", work.item)) + repr(here.room.queues()[1].queue.name)
    assert not any(name in text for name in TWO)
    assert "P@5" not in text


def test_the_queue_is_marked_adaptive_and_no_probability_is_claimed(here):
    queue = next(state for state in here.room.queues() if state.queue.kind == "decide")
    assert queue.queue.adaptive
    assert queue.queue.asked["measure"] == "P@5"
    assert queue.pairs == len(here.room.desks.all()[0]._decider.documents())
