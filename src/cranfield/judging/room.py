"""A room: a lab that is being served. Pages and simulated assessors call nothing else."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from cranfield.judging.jobs.claiming import Claiming, Supplier
from cranfield.judging.jobs.leasing import release, renew
from cranfield.judging.jobs.places import Places
from cranfield.judging.jobs.saving import Circumstances, save
from cranfield.judging.jobs.showing import own_topic, shown_document, work_of
from cranfield.judging.jobs.undoing import undo
from cranfield.judging.queue.pace import per_minute
from cranfield.judging.records import (
    AssessorAnswer,
    Conflict,
    Guidelines,
    Lease,
    NoWork,
    OwnJudgment,
    OwnProgress,
    OwnTopic,
    Person,
    QueueState,
    SavedJudgment,
    ShownDocument,
    Work,
)
from cranfield.judging.refusals import UnknownItem
from cranfield.judging.store.events import Event, append, last_event
from cranfield.judging.store.files.clock import Clock
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.files.opening import check_file, open_for_reading, open_for_writing
from cranfield.judging.store.files.writer import StoreWriter
from cranfield.judging.store.guidelines import guidelines_in_force, put_guidelines
from cranfield.judging.store.items import item_text
from cranfield.judging.store.judgments import done_by, last_judgments, last_times
from cranfield.judging.store.leases import leases_after
from cranfield.judging.store.meta import grade_labels
from cranfield.judging.store.people import add_person, people, person
from cranfield.judging.store.queues import open_pairs, queue_states

T = TypeVar("T")
PACE = 20  # judgments that the pace is measured on


class Room:
    """A lab that is being served: one thread writes, and each thread that reads has its own connection."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path
        self.clock = clock
        self.suppliers: dict[int, Supplier] = {}
        self._places = Places()
        self._readers: list[Connection] = []
        self._local = threading.local()
        connection = open_for_writing(path)
        clock.not_before(last_event(connection)[1])
        self._writer = StoreWriter(connection)

    @classmethod
    def open(cls, path: "str | os.PathLike[str]", clock: Clock | None = None) -> "Room":
        """Open a lab for serving; one that is damaged or newer is refused and left as it is."""
        place = Path(path)
        check_file(place)
        return cls(place, clock or Clock())

    def close(self) -> None:
        """Finish what waits to be written, and close all connections."""
        self._writer.close()
        for connection in self._readers:
            with suppress(Exception):
                connection.close()
        self._readers.clear()

    def write(self, job: Callable[[Connection], T]) -> T:
        """Run a job of `jobs` or functions of the store in the writer's transaction."""
        return self._writer.do(job)

    def read(self) -> Connection:
        """The connection of this thread; it can only read."""
        if getattr(self._local, "connection", None) is None:
            self._local.connection = open_for_reading(self.path)
            self._readers.append(self._local.connection)
        connection: Connection = self._local.connection
        return connection

    # what assessors do

    def next(self, user: str, after: str | None = None, queue: int | None = None) -> Work | NoWork:
        """The next pair for an assessor, held for ten minutes; or why there is none."""

        def job(connection: Connection) -> Work | NoWork:
            found = self._claiming(connection, user).next(after, queue)
            return found if isinstance(found, NoWork) else work_of(connection, found)

        return self.write(job)

    def ahead(self, user: str, item: str, n: int = 2) -> tuple[str, ...]:
        """The items that come next, held too, so that pages can fetch them before."""
        return self.write(lambda connection: self._claiming(connection, user).ahead(item, n))

    def work(self, user: str, item: str) -> Work:
        """One pair by its link: one's own judgment, what one holds, or what is free."""
        return self.write(lambda connection: self._claiming(connection, user).one(item))

    def document(self, user: str, item: str) -> ShownDocument:
        """The document of a pair, or why it cannot be shown."""
        return shown_document(self.read(), user, item)

    def judge(
        self,
        user: str,
        item: str,
        answer: AssessorAnswer,
        *,
        client_id: str,
        version: int | None = None,
        method: str | None = None,
        ms_active: int | None = None,
        ms_away: int | None = None,
        round: int = 0,
    ) -> SavedJudgment | Conflict:
        """Save a judgment. The same `client_id` again gives the same answer; an old `version` gives a Conflict."""
        how = Circumstances(client_id, version, method, ms_active, ms_away, round)

        def job(connection: Connection) -> SavedJudgment | Conflict:
            if answer.status == "later":
                self._reopen(connection, item)
            return save(connection, user, item, answer, how, self.clock.now())

        return self.write(job)

    def undo(self, user: str, client_id: str) -> SavedJudgment | None:
        """Take back the last own judgment that stands."""

        def job(connection: Connection) -> SavedJudgment | None:
            found = undo(connection, user, client_id, self.clock.now())
            if found is not None:
                self._reopen(connection, found.item)
            return found

        return self.write(job)

    def renew(self, user: str, item: str) -> int | None:
        """Hold a pair for ten minutes from now: until when; None, if it is not held any more."""
        lease = self.write(lambda connection: renew(connection, user, item, self.clock.now()))
        return None if lease is None else lease.until_ms

    def last_ten(self, user: str) -> list[OwnJudgment]:
        """The last ten judgments of an assessor, newest first."""
        return last_judgments(self.read(), user, 10)

    def own_progress(self, user: str) -> OwnProgress:
        """How far an assessor is."""
        connection = self.read()
        done, waiting = done_by(connection, user)
        total = done + open_pairs(connection) - waiting
        return OwnProgress(done, total, per_minute(last_times(connection, user, PACE)))

    def own_topic(self, user: str, item: str) -> OwnTopic:
        """What an assessor did in the topic of a pair."""
        return own_topic(self.read(), user, item)

    # what owners see and do

    def grades(self) -> dict[int, str]:
        """The grades and their labels, lowest first."""
        return grade_labels(self.read())

    def guidelines(self) -> Guidelines:
        """The guidelines in force."""
        return guidelines_in_force(self.read())

    def set_guidelines(self, user: str, text: str) -> Guidelines:
        """New guidelines; judgments made from now on name them."""

        def job(connection: Connection) -> Guidelines:
            old = {"hash": guidelines_in_force(connection).hash}
            new = put_guidelines(connection, text)
            append(connection, Event("guideline", user, "owner", self.clock.now(), old=old, new={"hash": new.hash}))
            return new

        return self.write(job)

    def queues(self) -> list[QueueState]:
        """All queues and how far they are."""
        return queue_states(self.read())

    def people(self) -> list[Person]:
        """All accounts and other assessors."""
        return people(self.read())

    def person(self, name: str) -> Person:
        """One account."""
        found = person(self.read(), name)
        if found is None:
            raise UnknownItem.named("user", name)
        return found

    def add_user(self, name: str, roles: tuple[str, ...] = ("assessor",), *, by: str = "owner") -> Person:
        """A new account."""

        def job(connection: Connection) -> Person:
            new = {"name": name, "roles": list(roles), "what": "added"}
            append(connection, Event("user", by, "owner", self.clock.now(), new=new))
            return add_person(connection, name, roles)

        return self.write(job)

    def leases(self) -> list[Lease]:
        """Which pairs are held, by whom, since when."""
        return leases_after(self.read(), self.clock.now())

    def release(self, owner: str, item: str, assessor: str) -> bool:
        """Take a pair back from an assessor; whether it was held."""
        return self.write(lambda connection: release(connection, owner, item, assessor, self.clock.now()))

    def _claiming(self, connection: Connection, user: str) -> Claiming:
        assessor = person(connection, user)
        if assessor is None or assessor.disabled:
            raise UnknownItem.named("user", user)
        return Claiming(connection, self._places, self.suppliers, user, self.clock.now())

    def _reopen(self, connection: Connection, item: str) -> None:
        text = item_text(connection, item)
        if text is not None:
            self._places.reopen(text.topic_place)
