"""A lab that is open: one thread writes, and each thread that reads has its own connection."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeVar

from cranfield.judging.jobs.places import Places
from cranfield.judging.refusals import UnknownItem
from cranfield.judging.store.events import last_event
from cranfield.judging.store.files.clock import Clock
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.files.opening import check_file, open_for_reading, open_for_writing
from cranfield.judging.store.files.writer import StoreWriter
from cranfield.judging.store.people import person

T = TypeVar("T")


class ServedLab:
    """An open lab: `write` runs jobs in the writer's thread, `read` gives a connection to read with."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path
        self.clock = clock
        self._places = Places()
        self._readers: list[Connection] = []
        self._local = threading.local()
        connection = open_for_writing(path)
        clock.not_before(last_event(connection)[1])
        self._writer = StoreWriter(connection)

    @classmethod
    def open(cls, path: "str | os.PathLike[str]", clock: Clock | None = None) -> Self:
        """Open a lab for serving; one that is damaged or newer is refused and left as it is."""
        place = Path(path)
        check_file(place)
        return cls(place, clock or Clock())

    def close(self) -> None:
        """Finish what waits to be written, and close all connections."""
        self._writer.close()
        for connection in self._readers:
            connection.close()
        self._readers.clear()

    def write(self, job: Callable[[Connection], T]) -> T:
        """The result of a job of `jobs`, or of functions of the store, once it is on disk."""

        def work(connection: Connection) -> T:
            self._places.forget()
            return job(connection)

        return self._writer.do(work)

    def read(self) -> Connection:
        """The connection of this thread; it can only read."""
        if getattr(self._local, "connection", None) is None:
            self._local.connection = open_for_reading(self.path)
            self._readers.append(self._local.connection)
        connection: Connection = self._local.connection
        return connection

    def _known(self, connection: Connection, user: str) -> None:
        """Refuse a person without an account, or whose account is shut."""
        found = person(connection, user)
        if found is None or found.disabled:
            raise UnknownItem.named("user", user)
