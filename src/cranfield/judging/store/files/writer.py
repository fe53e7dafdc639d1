"""The one thread that writes to a lab: jobs that wait together are committed together."""

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

from cranfield.judging.refusals import NotSaved

T = TypeVar("T")
MOST = 256  # jobs of one transaction


class _Stop:
    """What ends the thread, after all jobs before it."""


class _Job:
    """A function to run inside a transaction, and the answer that its caller waits for."""

    def __init__(self, work: Callable[[sqlite3.Connection], Any]) -> None:  # Any: the result of any job
        self.work = work
        self.answer: Future[Any] = Future()
        self.outcome: tuple[bool, Any] = (False, None)  # whether it succeeded; its result or its error


class StoreWriter:
    """Runs jobs in the order they come, each in a savepoint, many in one transaction; answers after the commit."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._jobs: SimpleQueue[_Job | _Stop] = SimpleQueue()
        self._closed = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="cranfield-writer", daemon=True)
        self._thread.start()

    def do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """The result of a job, once it is on disk; its error, if it raised one or could not be saved."""
        return self.begin(work).result()

    def begin(self, work: Callable[[sqlite3.Connection], T]) -> "Future[T]":
        """A job that is done after those before it; the caller may wait for its result, or not."""
        job = _Job(work)
        with self._lock:
            if self._closed:
                raise NotSaved("E407", "the room is closing", hint="try again when it is open")
            self._jobs.put(job)
        return job.answer

    def waiting(self) -> int:
        """How many jobs wait for the transaction that runs."""
        return self._jobs.qsize()

    def close(self) -> None:
        """Do the jobs that wait, then end the thread and the connection."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._jobs.put(_Stop())
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            first = self._jobs.get()
            batch: list[_Job] = []
            while isinstance(first, _Job):
                batch.append(first)
                if len(batch) == MOST or self._jobs.empty():
                    break
                first = self._jobs.get()
            going = not isinstance(first, _Stop)
            if batch and not self._commit(batch) and len(batch) > 1:
                for job in batch:  # alone: one that is too large for the disk does not take the others with it
                    self._commit([job])
            for job in batch:
                succeeded, value = job.outcome
                if succeeded:
                    job.answer.set_result(value)
                else:
                    job.answer.set_exception(value)
        with suppress(sqlite3.Error):  # what cannot be done now is done when the lab is opened again
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()

    def _commit(self, batch: list[_Job]) -> bool:
        """Run the jobs in one transaction; whether it could be committed."""
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            for job in batch:
                self._attempt(job)
            connection.execute("COMMIT")
        except (sqlite3.Error, OSError, MemoryError) as error:
            self._roll_back()
            for job in batch:
                job.outcome = (False, NotSaved.because(error))
            return False
        return True

    def _roll_back(self) -> None:
        """End a transaction that failed; if even that fails, SQLite ends it when the next one begins."""
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.rollback()

    def _attempt(self, job: _Job) -> None:
        """Run one job; what it did is undone if it raises. An error of the disk ends the whole transaction."""
        connection = self._connection
        connection.execute("SAVEPOINT job")
        try:
            job.outcome = (True, job.work(connection))
        except (sqlite3.OperationalError, sqlite3.DatabaseError, OSError, MemoryError) as error:
            if not isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):
                raise
            job.outcome = (False, error)
        except BaseException as error:  # of the caller, who gets it; this thread goes on
            job.outcome = (False, error)
        if not job.outcome[0]:
            connection.execute("ROLLBACK TO job")
        connection.execute("RELEASE job")
