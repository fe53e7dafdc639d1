"""Processes of this machine: for work that would hold the interpreter, and so gains nothing from threads."""

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from cranfield.errors import Error
from cranfield.errors.wording import setting

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

ATTEMPTS = 3  # how often a piece is done again because its process was lost
_ENDING = 5  # seconds that a process whose connection has ended may take to end itself
# a copy of this process has everything in memory already; elsewhere that is not safe, and what is needed is handed over
_METHOD = "fork" if sys.platform.startswith("linux") else "spawn"


@dataclass(frozen=True)
class Processes:
    """Work on several processes; with one, the work is done in this process."""

    jobs: int = 1
    away: bool = False

    def map(
        self, function: Callable[[S, T], R], shared: S, pieces: Sequence[T], sizes: Sequence[int]
    ) -> Generator[R, None, None]:
        """`function(shared, piece)` for each piece, in order; the first error in that order is raised.

        A piece whose process is lost is done again by another one.
        """
        if min(self.jobs, len(pieces)) < 2:
            for piece in pieces:
                yield function(shared, piece)
            return
        crew = _Crew(function, shared, pieces)
        try:
            crew.hire(min(self.jobs, len(pieces)))
            yield from crew.results()
        finally:
            crew.dismiss()


class _Worker:
    """A process, the connection to it, and the piece it works on."""

    def __init__(self, function: Callable[..., Any], shared: object) -> None:
        context: Any = multiprocessing.get_context(_METHOD)  # the stubs know the members of each kind only
        self.line, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, function, shared), daemon=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of a copy of a process with threads: it uses none
            self.process.start()
        theirs.close()
        self.at: int | None = None

    def give(self, number: int, piece: object) -> None:
        """Have it do a piece."""
        self.at = number
        self.line.send((number, piece))

    def end(self) -> None:
        """Stop it at once: its work leaves nothing behind."""
        self.process.kill()
        self.process.join()
        self.line.close()


class _Crew:
    """Workers, the pieces that wait for them, and the results that wait for their turn."""

    def __init__(self, function: Callable[..., Any], shared: object, pieces: Sequence[Any]) -> None:
        self._function, self._shared, self._pieces = function, shared, pieces
        self._waiting = deque(range(len(pieces)))
        self._workers: list[_Worker] = []
        self._done: dict[int, tuple[bool, Any]] = {}
        self._lost = 0

    def hire(self, count: int) -> None:
        """Start more workers, each with a piece."""
        for _ in range(count):
            worker = _Worker(self._function, self._shared)
            self._workers.append(worker)
            self._occupy(worker)

    def results(self) -> Generator[Any, None, None]:
        """The results in the order of the pieces."""
        for number in range(len(self._pieces)):
            while number not in self._done:
                self._listen()
            fine, outcome = self._done.pop(number)
            if not fine:
                raise outcome
            yield outcome

    def dismiss(self) -> None:
        """End all workers."""
        while self._workers:
            self._workers.pop().end()

    def _occupy(self, worker: _Worker) -> None:
        worker.at = None
        if self._waiting:
            number = self._waiting.popleft()
            worker.give(number, self._pieces[number])

    def _listen(self) -> None:
        busy = [worker for worker in self._workers if worker.at is not None]
        ready = wait([worker.line for worker in busy] + [worker.process.sentinel for worker in busy])
        for worker in busy:
            if worker.line in ready:
                try:
                    number, fine, outcome = worker.line.recv()
                except (EOFError, OSError):
                    self._replace(worker)
                    continue
                self._done[number] = fine, outcome
                self._occupy(worker)
            elif worker.process.sentinel in ready:
                self._replace(worker)

    def _replace(self, worker: _Worker) -> None:
        self._lost += 1
        worker.process.join(_ENDING)  # the connection may end before the process does
        code = worker.process.exitcode
        self._workers.remove(worker)
        worker.end()
        if self._lost > ATTEMPTS:
            hint = f"{setting('jobs', 1)} works without further processes; memory may be short"
            raise Error("E234", f"processes ended before their work was done (exit code {code})", hint=hint)
        assert worker.at is not None
        self._waiting.appendleft(worker.at)
        self.hire(1)


def _serve(line: Connection, function: Callable[..., Any], shared: object) -> None:
    """The loop of each process: do pieces until it is stopped, or until the process that started it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started it
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    while True:
        number, piece = line.recv()
        try:
            outcome = number, True, function(shared, piece)
        except Exception as error:  # raised again where the results are asked for
            outcome = number, False, error
        line.send(outcome)


def _end_with(parent: Any) -> None:  # a process that offers nothing but `join`
    parent.join()
    os._exit(1)
