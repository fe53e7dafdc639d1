"""Storms while nothing can be written: the server refuses, people try again, and each judgment is there once.

Troubles are: no more pages than the file has, a limit on the size of files of the process, and commits that fail at
random. They begin and end while the server runs.
"""

import resource
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from benchmarks.storm.clients import Desk, Given, Record, work
from benchmarks.storm.killing import judge_events
from benchmarks.storm.served import HttpDesk, NoSpace, ServerProcess, Session
from cranfield.judging.lab import Lab
from cranfield.judging.store.files.doctor import examine
from cranfield.judging.store.judgments import most_given

T = TypeVar("T")
PAGES = """
import os
from cranfield.judging.store.files.writer import StoreWriter
commit = StoreWriter._commit
def limited(self, batch):
    self._connection.execute(f"PRAGMA max_page_count = {{1 if os.path.exists({flag!r}) else 1 << 30}}")
    return commit(self, batch)
StoreWriter._commit = limited
"""
COMMITS = """
import os, random, sqlite3
from cranfield.judging.store.files import opening
class Failing(opening._Ending):
    def execute(self, statement, *values):
        if statement == "COMMIT" and os.path.exists({flag!r}) and random.random() < 0.5:
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(statement, *values)
opening._Ending = Failing
"""
TROUBLES = {"page limit": PAGES, "file size limit": "", "failing commits": COMMITS}


@dataclass(frozen=True)
class Survived:
    """What is left after a trouble: requests refused, judgments acknowledged, those lost, those too many, problems."""

    refused: int
    acknowledged: int
    lost: int
    too_many: int
    most: int
    errors: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def fine(self) -> bool:
        """Whether nothing is lost, half-written or there twice, and the server met the trouble and went on."""
        nothing = (self.lost, self.too_many, self.errors, self.problems) == (0, 0, (), ())
        return nothing and self.refused > 0 and self.most <= 1


@dataclass
class InsistentDesk:
    """A desk at which people try again until what they send is saved, as the page does."""

    desk: Desk
    refused: int = 0
    met: threading.Event | None = None

    def next(self, user: str, after: str | None) -> Given | None:
        """The next pair, or None."""
        return self._until_it_works(lambda: self.desk.next(user, after))

    def judge(self, user: str, given: Given, grade: int, client_id: str) -> bool:
        """Save a judgment, with the same id in each attempt."""
        return self._until_it_works(lambda: self.desk.judge(user, given, grade, client_id))

    def _until_it_works(self, ask: Callable[[], T]) -> T:
        while True:
            try:
                return ask()
            except NoSpace:
                self.refused += 1
                if self.met is not None:
                    self.met.set()
                time.sleep(0.05)


def trouble_in_a_storm(lab: Lab, people: Mapping[str, Session], name: str, seconds: float) -> Survived:
    """Let people judge over HTTP, make trouble for some seconds after it is first met, and let them go on as long."""
    before, flag = judge_events(lab.path), lab.path.with_suffix(".trouble")
    record, stop, begun, met = Record(), threading.Event(), threading.Event(), threading.Event()
    server = ServerProcess(lab.path, TROUBLES[name].format(flag=str(flag)))
    desk = HttpDesk(server.address, people, note="n" * 5000)
    insistent = InsistentDesk(desk, met=met)
    threads = [
        threading.Thread(target=work, args=(insistent, user, stop, record, lambda _: begun.set())) for user in people
    ]
    for thread in threads:
        thread.start()
    begun.wait(60)
    with trouble(server.process.pid, name, flag):
        met.wait(60)
        time.sleep(seconds)
    time.sleep(seconds)
    stop.set()
    for thread in threads:
        thread.join()
    desk.close()
    server.end()
    kept, acknowledged = judge_events(lab.path) - before, set(record.acknowledged)
    with lab.reading() as connection:
        most = most_given(connection)
    return Survived(
        refused=insistent.refused,
        acknowledged=len(acknowledged),
        lost=len(acknowledged - kept),
        too_many=len(kept - acknowledged),
        most=most,
        errors=tuple(record.errors),
        problems=tuple(examine(lab.path).problems),
    )


@contextmanager
def trouble(process: int, name: str, flag: Path) -> Iterator[None]:
    """A trouble of a process, for a while."""
    size = name == "file size limit"
    soft, hard = resource.prlimit(process, resource.RLIMIT_FSIZE)
    if size:
        resource.prlimit(process, resource.RLIMIT_FSIZE, (4096, hard))
    flag.touch()
    try:
        yield
    finally:
        flag.unlink()
        if size:
            resource.prlimit(process, resource.RLIMIT_FSIZE, (soft, hard))
