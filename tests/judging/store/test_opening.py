"""Opening a lab: what is damaged, foreign or of a later version is refused and left alone; older ones are migrated."""

import json
import os
import platform
import sqlite3
import subprocess
import sys
from hashlib import sha256

import pytest

from cranfield.errors import DataWarning, InputError, StoreError
from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, PairRow, QueueRow
from cranfield.judging.room import Room
from cranfield.judging.store.files import network, opening
from cranfield.judging.store.files.backup import copy_lab, restore_lab
from cranfield.judging.store.files.migrations import migrate
from tests.judging.conftest import make_lab


def content(path):
    return sha256(path.read_bytes()).hexdigest(), sorted(os.listdir(path.parent))


def refused(path):
    before = content(path)
    with pytest.raises(StoreError) as caught:
        Room.open(path)
    assert content(path) == before
    return caught.value


def test_the_log_of_a_lab_that_was_deleted_does_not_enter_a_new_one(tmp_path):
    room = Room.open(make_lab(tmp_path / "lab.db").path)
    room.add_user("ann")
    log = (tmp_path / "lab.db-wal").read_bytes()
    room.close()
    (tmp_path / "lab.db").unlink()
    (tmp_path / "lab.db-wal").write_bytes(log)  # as after kill -9
    new = Room.open(make_lab(tmp_path / "lab.db").path)
    assert new.people() == []
    new.close()


def test_rel_7_a_newer_schema_is_refused_and_the_file_is_left_untouched(tmp_path):
    lab = make_lab(tmp_path / "lab.db")
    connection = sqlite3.connect(lab.path)
    connection.execute("PRAGMA user_version = 9")
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    error = refused(lab.path)
    assert (error.code, error.problem) == ("E403", "lab.db has schema 9, this version knows 1")
    assert error.hint == "upgrade cranfield; the file was not touched"


def test_rel_7_damage_is_found_at_the_start_and_the_file_is_left_untouched(tmp_path):
    lab = make_lab(tmp_path / "lab.db", topics=5, documents=100)
    data = bytearray(lab.path.read_bytes())
    for page in range(3, len(data) // 4096, 2):
        data[page * 4096 + 1 : page * 4096 + 40] = b"\xff" * 39
    lab.path.write_bytes(data)
    error = refused(lab.path)
    assert error.code == "E406"
    assert "is damaged" in error.problem


def test_rel_7_a_file_that_ends_early_is_refused(tmp_path):
    lab = make_lab(tmp_path / "lab.db", topics=5, documents=100)
    lab.path.write_bytes(lab.path.read_bytes()[:20_000])
    assert "is damaged" in refused(lab.path).problem


@pytest.mark.parametrize("data", [b"", b"no lab\n" * 1000])
def test_rel_7_a_file_that_is_no_lab_is_refused(tmp_path, data):
    path = tmp_path / "lab.db"
    path.write_bytes(data)
    assert refused(path).code == "E406"


def test_rel_7_a_database_of_another_program_is_refused(tmp_path):
    path = tmp_path / "lab.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t(a)")
    connection.close()
    assert refused(path).problem == "is not a lab"


def test_a_lab_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        Room.open(tmp_path / "lab.db")


def test_a_lab_that_exists_is_not_made_again(tmp_path):
    lab = make_lab(tmp_path / "lab.db")
    before = content(lab.path)
    with pytest.raises(StoreError, match="exists already"):
        make_lab(tmp_path / "lab.db")
    assert content(lab.path) == before


def test_a_lab_that_cannot_be_filled_leaves_no_file(tmp_path):
    with pytest.raises(StoreError, match="no topic '2'"):
        Lab.create_from_rows(tmp_path / "lab.db", [PairRow("2", "d")], [])
    assert os.listdir(tmp_path) == []


STEPS = {2: ("ALTER TABLE topics ADD COLUMN language TEXT NOT NULL DEFAULT ''",), 3: ("CREATE TABLE extra(a)",)}


def test_rel_8_a_migration_comes_after_a_verified_copy(tmp_path):
    lab = make_lab(tmp_path / "lab.db")
    copy = migrate(lab.path, 1, 0, 3, STEPS)
    assert copy == tmp_path / "lab.db.schema-1"
    assert list(Lab.open(tmp_path / "lab.db.schema-1").judgments()) == []
    with lab.reading() as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
        assert connection.execute("SELECT count(*) FROM topics WHERE language = ''").fetchone() == (2,)
        kinds = [row[0] for row in connection.execute("SELECT kind FROM events ORDER BY id")]
    assert kinds[-1] == "migrate"


def test_rel_8_a_migration_that_fails_changes_nothing(tmp_path):
    lab = make_lab(tmp_path / "lab.db")
    with pytest.raises(StoreError, match="could not be migrated to schema 3"):
        migrate(lab.path, 1, 0, 3, {**STEPS, 3: ("CREATE TABLE topics(a)",)})
    room = Room.open(lab.path)
    assert room.status().pairs == 6
    room.close()
    assert list(Lab.open(tmp_path / "lab.db.schema-1").judgments()) == []


def test_rel_8_no_migration_without_a_copy(tmp_path, monkeypatch):
    lab = make_lab(tmp_path / "lab.db")

    def fail(*_):
        raise InputError("E120", "cannot be written: no space left on device")

    monkeypatch.setattr("cranfield.judging.store.files.migrations.copy_lab", fail)
    with pytest.raises(InputError):
        migrate(lab.path, 1, 0, 3, STEPS)
    assert list(Lab.open(lab.path).judgments()) == []


def test_rel_8_a_copy_is_made_each_day_and_seven_are_kept(opened):
    here = opened()
    made = []
    for _ in range(9):
        made.append(here.room.backup_today())
        assert here.room.backup_today() is None
        here.hands.wait(24 * 3600 * 1000)
    folder = here.room.path.with_name(f"{here.room.path.name}.backups")
    assert sorted(folder.iterdir()) == sorted(made[2:])
    assert len(here.room.events(kind="backup")) == 9
    assert made[-1] is not None
    Lab.open(made[-1])


def test_rel_8_copies_are_made_while_the_lab_is_served(opened):
    here = opened()
    here.room.keep_backups(every=3600)
    work = here.room.next("ann")
    here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id="1")
    here.room.close()
    folder = here.room.path.with_name(f"{here.room.path.name}.backups")
    assert len(list(folder.iterdir())) == 1


SERVE = """
import sys
from cranfield.judging.room import Room
room = Room.open(sys.argv[1])
room.serve("http://127.0.0.1:8765")
print("open", flush=True)
sys.stdin.read()
room.close()
"""


@pytest.fixture
def server(tmp_path):
    """A lab that another process serves."""
    lab = make_lab(tmp_path / "lab.db")
    command = [sys.executable, "-c", SERVE, str(lab.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield lab, process
        if process.poll() is None:
            process.communicate()


def test_rel_11_what_writes_while_a_room_serves_is_refused_and_readers_work(server):
    lab, process = server
    with pytest.raises(StoreError) as caught:
        lab.add_rows(QueueRow("more"), [PairRow("q1", "new")])
    assert caught.value.code == "E404"
    assert f"lab.db is served by process {process.pid} since" in caught.value.problem
    assert caught.value.hint == 'stop it, or use url="http://127.0.0.1:8765" to go through it'
    with pytest.raises(StoreError, match="is served by process"):
        Room.open(lab.path)
    assert list(Lab.open(lab.path).judgments()) == []
    process.communicate()
    assert lab.add_rows(QueueRow("more"), [PairRow("q1", "new")]).pairs == 1


def test_rel_11_a_process_that_was_killed_does_not_serve_any_more(server):
    lab, process = server
    process.kill()
    process.wait()
    assert lab.add_rows(QueueRow("more"), [PairRow("q1", "new")]).pairs == 1


def test_rel_11_a_later_process_of_the_same_number_does_not_serve(tmp_path):
    lab = make_lab(tmp_path / "lab.db")
    other = {"pid": os.getppid(), "started": "not then", "host": platform.node(), "since_ms": 0, "url": ""}
    with lab.writing() as connection:
        connection.execute("INSERT INTO meta(key, value) VALUES ('served', ?)", (json.dumps(other),))
    assert lab.add_rows(QueueRow("more"), [PairRow("q1", "new")]).pairs == 1


def test_rel_13_a_network_file_system_is_warned_of(tmp_path, monkeypatch):
    lab = make_lab(tmp_path / "lab.db")
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path.resolve()} nfs4 rw 0 0\n")
    monkeypatch.setattr(network, "_MOUNTS", mounts)
    with pytest.warns(DataWarning, match=r"W132: lab.db: lies on a network file system \(nfs4\)"):
        room = Room.open(lab.path)
    room.close()


@pytest.mark.skipif(not os.path.exists("/proc/self/mounts"), reason="the platform does not tell")
def test_rel_13_a_local_disk_is_not_warned_of(tmp_path):
    assert network.network_kind(tmp_path) == ""


MAKE = """
import os, sys
from cranfield.judging.lab import Lab
from cranfield.judging.records import PairRow, TopicRow
def pairs():
    yield PairRow("1", "d1")
    os.kill(os.getpid(), 9)
Lab.create_from_rows(sys.argv[1], pairs(), [TopicRow("1", "q")])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of Unix")
def test_a_lab_is_complete_or_absent_also_if_its_making_was_killed(tmp_path):
    path = tmp_path / "lab.db"
    done = subprocess.run([sys.executable, "-c", MAKE, str(path)], check=False)
    assert done.returncode == -9
    assert not path.exists()
    make_lab(path)
    assert sorted(os.listdir(tmp_path)) == ["lab.db"]


def test_rel_11_a_lab_that_is_served_is_not_replaced(server, tmp_path):
    lab, _ = server
    copy = copy_lab(lab.path, tmp_path / "copy.db")
    with pytest.raises(StoreError, match="is served by process"):
        restore_lab(copy, lab.path, 0)


def test_rel_11_a_lab_that_may_not_be_written_can_be_read_and_says_so(tmp_path, monkeypatch):
    lab = make_lab(tmp_path / "lab.db")
    before = sorted(path.name for path in tmp_path.iterdir())
    monkeypatch.setattr(opening, "_is_writable", lambda path: False)
    assert lab.status().pairs == 6
    assert len(lab.export(tmp_path / "qrels.txt").files) == 2  # the event of the export is left out
    with pytest.raises(StoreError, match=r"E407: .*lab\.db: cannot be written: permission denied"):
        lab.add([("q1", "new")])
    names = {path.name for path in tmp_path.iterdir()} - {"qrels.txt", "qrels.txt.meta.json"}
    assert sorted(names) == before


def test_a_connection_that_could_not_be_opened_ends_in_silence(tmp_path, recwarn):
    with pytest.raises(sqlite3.OperationalError):
        opening.connect(tmp_path / "none" / "lab.db", "rw")
    assert not list(recwarn)
