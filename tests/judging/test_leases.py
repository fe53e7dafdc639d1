"""A claim is a lease: it ends on time, is renewed by activity, and counts toward the judgments that a pair needs."""

import pytest

from cranfield.judging.jobs.commands import perform
from cranfield.judging.jobs.leasing import LEASE_MS
from cranfield.judging.records import AssessorAnswer, NoWork, PairRow, QueueRow, Work
from cranfield.judging.refusals import AnswerRefused, UnknownItem
from cranfield.judging.store.events import Event, all_events, append, time_for
from cranfield.judging.store.files.doctor import examine
from tests.judging.conftest import make_lab


def test_mul_2_a_lease_is_ten_minutes(opened):
    here = opened()
    assert LEASE_MS == 600_000
    assert here.room.next("ann").until_ms == here.hands.wall + LEASE_MS


def test_rel_5_a_pair_of_a_vanished_client_is_served_again(opened):
    here = opened(topics=1, documents=1)
    work = here.room.next("ann")
    here.hands.wait(LEASE_MS - 1)
    assert here.room.next("bob") == NoWork(False, 1, work.until_ms)
    here.hands.wait(1)
    assert here.room.next("bob").item == work.item
    assert [event.actor for event in here.room.events(kind="expire")] == ["room"]


def test_mul_2_activity_renews_a_lease(opened):
    here = opened(topics=1, documents=1)
    work = here.room.next("ann")
    here.hands.wait(LEASE_MS - 1)
    assert here.room.renew("ann", work.item) == here.hands.wall + LEASE_MS
    here.hands.wait(LEASE_MS - 1)
    assert here.room.next("bob") == NoWork(False, 1, here.hands.wall + 1)
    assert here.room.next("ann").until_ms == here.hands.wall + LEASE_MS


def test_mul_2_a_lease_that_ended_cannot_be_renewed(opened):
    here = opened(topics=1, documents=1)
    work = here.room.next("ann")
    here.hands.wait(LEASE_MS)
    assert here.room.renew("ann", work.item) is None


def test_mul_2_a_judgment_after_the_lease_is_saved_if_the_pair_is_free(opened):
    here = opened(topics=1, documents=1)
    work = here.room.next("ann")
    here.hands.wait(LEASE_MS + 1)
    saved = here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id="1")
    assert saved.version == saved.event
    assert here.room.leases() == []


def test_mul_3_no_work_says_how_much_others_hold_and_until_when(opened):
    here = opened(topics=1, documents=2)
    first = here.room.next("ann")
    here.hands.wait(1000)
    here.room.next("bob")
    assert here.room.next("cid") == NoWork(False, 2, first.until_ms)


def test_mul_3_finished_is_said_when_nothing_is_left_for_this_assessor(opened):
    here = opened(topics=1, documents=1, k=2)
    work = here.room.next("ann")
    here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id="1")
    assert here.room.next("ann") == NoWork(True)
    assert isinstance(here.room.next("bob"), Work)


def test_mul_3_work_that_was_taken_back_is_found_again(opened):
    here = opened(topics=2, documents=2)
    while isinstance(work := here.room.next("ann"), Work):
        here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id=here.client())
    assert here.room.next("bob") == NoWork(True)
    undone = here.room.undo("ann", "undo")
    here.room.release("owner", undone.item, "ann")
    assert here.room.next("bob").item == undone.item


def test_an_owner_takes_a_pair_back(opened):
    here = opened(topics=1, documents=1)
    work = here.room.next("ann")
    assert [lease.assessor for lease in here.room.leases()] == ["ann"]
    assert here.room.release("owner", work.item, "ann")
    assert not here.room.release("owner", work.item, "ann")
    assert here.room.next("bob").item == work.item


def test_leases_outlive_the_room(opened):
    here = opened(topics=1, documents=1)
    work = here.room.next("ann")
    again = type(here.room).open(here.room.path, here.hands.clock())
    assert again.next("bob") == NoWork(False, 1, work.until_ms)
    again.close()


def test_rel_14_a_clock_set_back_neither_orders_events_anew_nor_stops_leases(opened):
    here = opened(topics=1, documents=1)
    here.room.next("ann")
    here.hands.wall -= 3_600_000
    for _ in range(2):
        here.hands.elapsed += LEASE_MS // 2
        here.room.next("bob")
    assert [lease.assessor for lease in here.room.leases()] == ["bob"]
    events = here.room.events(limit=1000)
    assert [event.id for event in events] == sorted((event.id for event in events), reverse=True)
    assert [event.at_ms for event in events] == sorted((event.at_ms for event in events), reverse=True)


def test_rel_14_a_room_that_opens_with_an_earlier_clock_goes_on_after_the_last_event(opened):
    here = opened(topics=1, documents=2)
    here.room.next("ann")
    last = here.room.events(limit=1)[0]
    here.hands.wall -= 3_600_000
    again = type(here.room).open(here.room.path, here.hands.clock())
    again.next("bob")
    newest = again.events(limit=1)[0]
    assert newest.id > last.id
    assert newest.at_ms >= last.at_ms
    again.close()


def test_rel_14_a_copy_that_takes_a_while_is_noted_at_its_end(opened, monkeypatch):
    here = opened(topics=1, documents=1)

    def slow(path, now):
        here.hands.wall += 5_000
        here.room.next("ann")  # an event while the copy is made
        return path.with_suffix(".copy")

    monkeypatch.setattr("cranfield.judging.serving.served.daily_copy", slow)
    here.room.backup_today()
    assert [event.kind for event in here.room.events(limit=2)] == ["backup", "claim"]
    assert examine(here.room.path).problems == ()


def test_rel_14_a_command_with_an_earlier_clock_goes_on_after_the_last_event(tmp_path):
    lab = make_lab(tmp_path / "lab.db")
    with lab.writing() as connection:
        append(connection, Event("login", "ann", "", time_for(connection) + 3_600_000))  # the clock was ahead
    perform(lab, "invite", {"roles": ["assessor"]})
    lab.add_rows(QueueRow("more"), [PairRow("q1", "new")])
    lab.export(tmp_path / "qrels.txt")
    with lab.reading() as connection:
        assert [event.kind for event in all_events(connection)][-4:] == ["login", "invite", "queue", "export"]
    assert examine(lab.path).problems == ()


def test_a_pair_that_is_reassigned_is_held_for_the_other_and_comes_next(opened):
    here = opened(topics=1, documents=3)
    work = here.room.next("ann")
    here.room.next("bob")
    here.room.reassign("owner", work.item, "ann", "cid")
    assert here.room.next("cid").item == work.item
    assert here.room.next("ann").item != work.item
    event = here.room.events(kind="release")[0]
    assert (event.actor, event.old, event.new) == ("owner", {"assessor": "ann"}, {"assessor": "cid"})


def test_a_pair_is_not_reassigned_to_who_judged_it_or_cannot_judge(opened):
    here = opened(topics=1, documents=1, k=2)
    work = here.room.next("ann")
    here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id="1")
    here.room.next("bob")
    here.room.add_user("vic", ["viewer"])
    for name, why in (
        ("ann", "judged or holds this pair already"),
        ("vic", "is no assessor"),
        ("who", "is no assessor"),
    ):
        with pytest.raises(AnswerRefused, match=why):
            here.room.reassign("owner", work.item, "bob", name)
    assert [lease.assessor for lease in here.room.leases()] == ["bob"]
    with pytest.raises(UnknownItem):
        here.room.reassign("owner", work.item, "cid", "bob")
