"""A lab that is open: one thread writes, and each thread that reads has its own connection."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self, TypeVar

from cranfield.errors import Error, StoreError
from cranfield.judging.jobs.places import Places
from cranfield.judging.refusals import NotSaved, UnknownItem
from cranfield.judging.store.events import Event, append, last_event
from cranfield.judging.store.files.backup import daily_copy
from cranfield.judging.store.files.clock import Clock
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.files.holder import forget_holder, note_holder, refuse_if_served
from cranfield.judging.store.files.migrations import prepared
from cranfield.judging.store.files.network import warn_of_network
from cranfield.judging.store.files.opening import open_for_reading, open_for_writing
from cranfield.judging.store.files.writer import StoreWriter
from cranfield.judging.store.people import person
from cranfield.judging.store.queues import queue_shape

T = TypeVar("T")


class ServedLab:
    """An open lab: `write` runs jobs in the writer's thread, `read` gives a connection to read with."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path
        self.clock = clock
        self._places = Places()
        self._local = threading.local()
        self._ended = threading.Event()
        self._daily: threading.Thread | None = None
        connection = open_for_writing(path)
        clock.not_before(last_event(connection)[1])
        self._writer = StoreWriter(connection)

    @classmethod
    def open(cls, path: "str | os.PathLike[str]", clock: Clock | None = None) -> Self:
        """Open a lab for serving; one that is damaged, newer, or served by another process is refused, unchanged."""
        place, timed = Path(path), clock or Clock()
        warn_of_network(prepared(place, timed.now()))
        opened = cls(place, timed)
        try:
            opened.serve("")
        except BaseException:
            opened._writer.close()
            raise
        return opened

    def serve(self, url: str) -> None:
        """Note that this process serves the lab at an address, for commands that want to write."""

        def job(connection: Connection) -> None:
            refuse_if_served(connection, self.path)
            note_holder(connection, self.clock.now(), url)

        self._writer.do(job)

    def keep_backups(self, every: float = 3600.0) -> None:
        """Copy the lab once a day while it is served, and keep seven copies; look every so many seconds."""

        def work() -> None:
            while not self._ended.is_set():
                with suppress(Error):  # the disk is full: try again later
                    self.backup_today()
                self._ended.wait(every)

        self._daily = threading.Thread(target=work, name="cranfield-backup", daemon=True)
        self._daily.start()

    def backup_today(self) -> Path | None:
        """Today's copy, if there is none yet."""
        made = daily_copy(self.path, self.clock.now())
        if made is not None:
            new = {"file": made.name}  # copying took a while: events have the time at which they are added
            self._writer.do(
                lambda connection: append(connection, Event("backup", "room", "room", self.clock.now(), new=new))
            )
        return made

    def close(self) -> None:
        """Finish what waits to be written, and close all connections; what was logged ahead goes into the file."""
        self._ended.set()
        if self._daily is not None:
            self._daily.join()
        with suppress(StoreError):
            self._writer.do(forget_holder)
        self._writer.close()
        if (own := getattr(self._local, "connection", None)) is not None:
            own.close()  # other threads may be reading; their connections end with them

    def write(self, job: Callable[[Connection], T]) -> T:
        """The result of a job of `jobs`, or of functions of the store, once it is on disk."""

        def work(connection: Connection) -> T:
            before = queue_shape(connection)
            result = job(connection)
            if queue_shape(connection) != before:
                self._places.forget()
            return result

        return self._writer.do(work)

    def note(self, job: Callable[[Connection], object]) -> None:
        """Begin a job without waiting for its result; a room that is closing does not do it."""
        with suppress(StoreError):  # the room is closing
            self._writer.begin(job)

    def read(self) -> Connection:
        """The connection of this thread; it can only read."""
        if self._ended.is_set():
            raise NotSaved("E407", "the room is closing", hint="try again when it is open")
        if getattr(self._local, "connection", None) is None:
            self._local.connection = open_for_reading(self.path)
        connection: Connection = self._local.connection
        return connection

    def _known(self, connection: Connection, user: str) -> None:
        """Refuse a person without an account, or whose account is shut."""
        found = person(connection, user)
        if found is None or found.disabled:
            raise UnknownItem.named("user", user)
