"""Many assessors at once, and processes that are killed: small versions of what `scripts/storm` repeats at length."""

import os
import signal
import threading
from contextlib import closing

import pytest

from benchmarks.storm.clients import Record, RoomDesk, crowd, make_lab, race, storm, work
from benchmarks.storm.killing import end_in_a_storm, random_moment
from benchmarks.storm.served import signed_in
from cranfield.judging.lab import Lab
from cranfield.judging.room import Room
from cranfield.judging.store.events import all_events
from cranfield.judging.store.files.doctor import examine
from cranfield.judging.store.items import item_ids
from cranfield.judging.store.judgments import most_given

posix = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")


@posix
def test_rel_1_a_killed_server_loses_nothing_that_it_acknowledged_and_counts_nothing_twice(tmp_path):
    lab = make_lab(tmp_path / "lab.db", 20, 100, 50)
    seen = end_in_a_storm(lab, signed_in(lab, crowd(50)), random_moment(1, 0.5))
    assert seen.acknowledged > 0
    assert seen.fine, seen


@posix
def test_rel_10_a_server_that_is_told_to_end_in_a_storm_finishes_what_it_began(tmp_path):
    lab = make_lab(tmp_path / "lab.db", 20, 100, 20)
    seen = end_in_a_storm(lab, signed_in(lab, crowd(20)), random_moment(2, 0.5), signal.SIGTERM)
    assert (seen.code, seen.acknowledged > 0) == (0, True)
    assert seen.fine, seen
    assert not list(tmp_path.glob("lab.db-*"))  # what was logged ahead is in the file


@posix
@pytest.mark.parametrize("name", ["page limit", "file size limit", "failing commits"])
def test_rel_12_a_server_whose_disk_is_full_refuses_with_507_and_goes_on_when_it_is_not(tmp_path, name):
    from benchmarks.storm.failing import trouble_in_a_storm

    lab = make_lab(tmp_path / "lab.db", 10, 100, 10)
    seen = trouble_in_a_storm(lab, signed_in(lab, crowd(10)), name, 0.2)
    assert seen.refused > 0
    assert seen.fine, seen


def test_rel_1_commits_are_flushed_to_disk(opened):
    here = opened()
    pragmas = ("journal_mode", "synchronous")
    found = [
        here.room.write(lambda connection, name=name: connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in pragmas
    ]
    assert found == ["wal", 2]


def test_rel_2_fifty_assessors_at_once_make_no_errors(tmp_path):
    lab = make_lab(tmp_path / "lab.db", 5, 60, 50, overlap=0.2)
    with closing(Room.open(lab.path)) as room:
        seen = storm(RoomDesk(room), crowd(50), 60)
        assert seen.errors == []
        assert len(seen.acknowledged) == 360
        assert room.status().open == 0
        kept = [event.client_id for event in all_events(room.read()) if event.kind == "judge"]
    assert sorted(map(str, kept)) == sorted(seen.acknowledged)
    assert examine(lab.path).problems == ()


@pytest.mark.parametrize("k", [1, 3])
def test_rel_4_two_hundred_clients_that_race_for_ten_pairs_never_exceed_k(tmp_path, k):
    lab = make_lab(tmp_path / "lab.db", 1, 10, 200, k=k)
    with closing(Room.open(lab.path)) as room:
        seen = race(RoomDesk(room), crowd(200), item_ids(room.read()))
        assert seen.errors == []
        assert (len(seen.acknowledged), most_given(room.read())) == (10 * k, k)


def test_rel_4_clients_that_race_for_leases_never_exceed_k(tmp_path):
    lab = make_lab(tmp_path / "lab.db", 1, 10, 200, k=2)
    with closing(Room.open(lab.path)) as room:
        seen = storm(RoomDesk(room), crowd(200), 60)
        assert seen.errors == []
        assert most_given(room.read()) == 2
        assert len(seen.acknowledged) == 20


def test_rel_10_a_room_that_closes_finishes_what_it_began(tmp_path):
    lab = make_lab(tmp_path / "lab.db", 5, 100, 10)
    room = Room.open(lab.path)
    record, stop = Record(), threading.Event()
    began = threading.Event()
    threads = [
        threading.Thread(target=work, args=(RoomDesk(room), user, stop, record, lambda _: began.set()))
        for user in crowd(10)
    ]
    for thread in threads:
        thread.start()
    assert began.wait(60)
    room.close()
    for thread in threads:
        thread.join()
    assert {error.split(":")[0] for error in record.errors} <= {"NotSaved"}
    alone = tmp_path / "alone.db"
    alone.write_bytes(lab.path.read_bytes())  # all of it is in the file, nothing in the log beside it
    with Lab.open(alone).reading() as connection:
        kept = {event.client_id for event in all_events(connection)}
    assert {*record.acknowledged} <= kept
