"""Many assessors at once, and processes that are killed: small versions of what `scripts/storm` repeats at length."""

import threading
from contextlib import closing

import pytest

from benchmarks.storm.clients import Record, RoomDesk, crowd, make_lab, race, storm, work
from benchmarks.storm.killing import kill_in_a_storm, random_moment
from cranfield.judging.lab import Lab
from cranfield.judging.room import Room
from cranfield.judging.store.events import all_events
from cranfield.judging.store.files.doctor import examine
from cranfield.judging.store.items import item_ids
from cranfield.judging.store.judgments import most_given


@pytest.mark.parametrize("seed", range(2))
def test_rel_1_a_killed_process_loses_nothing_that_it_acknowledged(tmp_path, seed):
    lab = make_lab(tmp_path / "lab.db", 20, 100, 50)
    seen = kill_in_a_storm(lab.path, 50, random_moment(seed, 0.5))
    assert seen.acknowledged > 0
    assert (seen.lost, seen.problems) == (0, ())


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
