"""A full disk or a failing one: the request is refused, nothing is lost or half-written, and the room goes on."""

import sqlite3
import subprocess
import sys
import threading

import pytest

from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, SavedJudgment
from cranfield.judging.refusals import NotSaved
from cranfield.judging.store.files.doctor import examine
from cranfield.judging.store.files.writer import StoreWriter
from tests.judging.conftest import make_lab


def fill_up(here):
    """Allow no more pages than there are."""
    pages = here.room.write(lambda connection: connection.execute("PRAGMA page_count").fetchone()[0])
    here.room.write(lambda connection: connection.execute("PRAGMA max_page_count = 1").fetchone())
    return pages


def make_space(here):
    here.room._writer.do(lambda connection: connection.execute("PRAGMA max_page_count = 1000000").fetchone())


def test_rel_12_a_full_disk_refuses_and_the_room_goes_on_without_a_restart(opened):
    here = opened(topics=1, documents=3)
    works = [here.room.next("ann")]
    works += [here.room.work("ann", item) for item in here.room.ahead("ann", works[0].item)]
    here.room.judge("ann", works[0].item, AssessorAnswer("judged", 1), client_id="0")
    saved = list(Lab(here.room.path).judgments())
    fill_up(here)
    long = AssessorAnswer("judged", 2, note="n" * 10_000)

    def go_on():  # pages may have room for some
        for attempt in range(20):
            here.room.judge("ann", works[1].item, long, client_id=f"a{attempt}", version=None)
            here.room.undo("ann", f"u{attempt}")

    with pytest.raises(NotSaved, match="E407: not saved: database or disk is full"):
        go_on()
    kept = [judgment for judgment in Lab(here.room.path).judgments() if judgment.item == works[0].item]
    assert kept == saved
    make_space(here)
    again = here.room.judge("ann", works[1].item, long, client_id="same request")
    assert isinstance(again, SavedJudgment)
    assert examine(here.room.path).problems == ()


LIMITED = """
import resource, signal, sys
from cranfield.judging.records import AssessorAnswer
from cranfield.judging.refusals import NotSaved
from cranfield.judging.room import Room
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
room = Room.open(sys.argv[1])
room.add_user("ann")
work = room.next("ann")
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
answer = AssessorAnswer("judged", 1, note="n" * 10000)
for attempt in range(3):
    try:
        room.judge("ann", work.item, answer, client_id="1")
        print("saved")
    except NotSaved as error:
        print("refused", error.code)
    if attempt == 1:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
room.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are those of Unix")
def test_rel_12_a_limit_of_the_file_size_refuses_and_is_recovered_from(tmp_path):
    lab = make_lab(tmp_path / "lab.db")
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(lab.path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split("\n")[:3] == ["refused E407", "refused E407", "saved"]
    assert len(Lab.open(lab.path).judgments()) == 1
    assert examine(lab.path).problems == ()


class Failing(sqlite3.Connection):
    """A connection whose next statement of a kind fails."""

    fails = ""

    def execute(self, statement, *values):
        if self.fails and statement.lstrip().startswith(self.fails):
            self.fails = ""
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(statement, *values)


@pytest.fixture
def failing(tmp_path):
    connection = sqlite3.connect(tmp_path / "f.db", factory=Failing, isolation_level=None, check_same_thread=False)
    connection.execute("CREATE TABLE t(a UNIQUE)")
    writer = StoreWriter(connection)
    yield writer, connection
    writer.close()


def add(value):
    return lambda connection: connection.execute("INSERT INTO t VALUES (?)", (value,)).lastrowid


def rows(connection):
    return [row[0] for row in connection.execute("SELECT a FROM t ORDER BY a")]


@pytest.mark.parametrize("statement", ["BEGIN", "INSERT", "COMMIT", "SAVEPOINT", "RELEASE"])
def test_rel_12_an_error_of_the_disk_at_any_statement_refuses_one_request(failing, statement):
    writer, connection = failing
    writer.do(add(1))
    connection.fails = statement
    with pytest.raises(NotSaved, match="disk I/O error"):
        writer.do(add(2))
    assert writer.do(rows) == [1]
    writer.do(add(3))
    assert writer.do(rows) == [1, 3]


def together(writer, jobs):
    """Send jobs that wait for the writer at the same time; their results or errors, in order."""
    gate, entered = threading.Event(), threading.Event()

    def hold(connection):
        entered.set()
        gate.wait(30)

    results: list[object] = [None] * len(jobs)

    def send(place):
        try:
            results[place] = writer.do(jobs[place])
        except Exception as error:
            results[place] = error

    threads = [threading.Thread(target=writer.do, args=(hold,))]
    threads[0].start()
    entered.wait(30)
    waiting = writer.waiting()
    for place in range(len(jobs)):
        threads.append(threading.Thread(target=send, args=(place,)))
        threads[-1].start()
        while writer.waiting() == waiting:
            pass
        waiting = writer.waiting()
    gate.set()
    for thread in threads:
        thread.join()
    return results


def test_rel_12_jobs_of_a_batch_that_could_not_be_committed_are_done_one_by_one(failing):
    writer, _ = failing

    def breaks(connection):
        raise sqlite3.OperationalError("database or disk is full")

    results = together(writer, [add(1), breaks, add(2)])
    assert isinstance(results[1], NotSaved)
    assert not isinstance(results[0], Exception)
    assert writer.do(rows) == [1, 2]


def test_an_error_of_one_job_leaves_the_others_of_its_batch(failing):
    writer, _ = failing

    def halfway(connection):
        add(5)(connection)
        raise ValueError("of the caller")

    results = together(writer, [add(1), add(1), halfway, add(2)])
    assert isinstance(results[1], sqlite3.IntegrityError)
    assert isinstance(results[2], ValueError)
    assert writer.do(rows) == [1, 2]


def test_a_writer_that_closes_finishes_what_waits_and_refuses_what_comes(failing):
    writer, _ = failing
    writer.do(add(1))
    writer.close()
    with pytest.raises(NotSaved, match="closing"):
        writer.do(add(2))


def test_rel_12_the_writer_outlives_a_rollback_that_fails(failing, monkeypatch):
    writer, connection = failing
    writer.do(add(1))
    connection.fails = "COMMIT"
    rolled = []

    def fail_once():
        rolled.append(1)
        if len(rolled) == 1:
            raise sqlite3.OperationalError("disk I/O error")
        sqlite3.Connection.rollback(connection)

    monkeypatch.setattr(connection, "rollback", fail_once, raising=False)
    with pytest.raises(NotSaved):
        writer.do(add(2))
    with pytest.raises(NotSaved):  # the transaction that could not be ended is ended now
        writer.do(add(3))
    assert writer.do(add(4))
    assert writer.do(rows) == [1, 4]


def test_a_job_that_ends_its_thread_does_not_end_the_writer(failing):
    writer, _ = failing

    def leave(connection):
        raise SystemExit

    with pytest.raises(SystemExit):
        writer.do(leave)
    assert writer.do(add(1)) == 1
