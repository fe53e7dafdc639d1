"""Threads: reading, sorting and joining release the interpreter, so that several runs are scored at once."""

import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from cranfield.errors import DataWarning
from cranfield.errors.warning import kept, warn

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

_PATIENCE = 0.2  # seconds between two checks for Ctrl-C, where a waiting thread cannot be woken


@dataclass(frozen=True)
class Threads:
    """Work on several threads; `together` bounds the total size of the pieces in work (one piece is always allowed)."""

    jobs: int = 1
    together: int | None = None
    away: bool = False

    def map(
        self, function: Callable[[S, T], R], shared: S, pieces: Sequence[T], sizes: Sequence[int]
    ) -> Generator[R, None, None]:
        """`function(shared, piece)` for each piece, in order; warnings are shown in that order too."""
        if min(self.jobs, len(pieces)) < 2:
            for piece in pieces:
                yield function(shared, piece)
            return
        pool = _ThreadsAtWork(lambda piece: function(shared, piece), pieces, sizes, self.together)
        threads = [threading.Thread(target=pool.work, daemon=True) for _ in range(min(self.jobs, len(pieces)))]
        try:
            for thread in threads:
                thread.start()
            for number in range(len(pieces)):
                outcome = pool.outcome(number)
                for note in outcome.notes:
                    warn(note)
                if outcome.error is not None:
                    raise outcome.error
                yield outcome.result  # type: ignore[misc]  # there is one where there is no error
        finally:
            pool.stop()  # daemons: the process does not wait for the pieces that are still at work


@dataclass
class _Outcome(Generic[R]):
    result: R | None = None
    error: BaseException | None = None
    notes: list[DataWarning] = field(default_factory=list)


class _ThreadsAtWork(Generic[T, R]):
    """Pieces are taken in order; after an error no further ones, so that the first error is always the same."""

    def __init__(
        self, function: Callable[[T], R], pieces: Sequence[T], sizes: Sequence[int], together: int | None
    ) -> None:
        self._function, self._pieces, self._sizes, self._together = function, pieces, sizes, together
        self._changed = threading.Condition()
        self._outcomes: dict[int, _Outcome[R]] = {}
        self._next = self._at_work = self._load = 0
        self._last = len(pieces)

    def outcome(self, number: int) -> _Outcome[R]:
        """The outcome of a piece; waits until it is known."""
        with self._changed:
            while number not in self._outcomes:
                self._changed.wait(_PATIENCE)
            return self._outcomes.pop(number)

    def stop(self) -> None:
        """Take no further piece."""
        with self._changed:
            self._last = 0
            self._changed.notify_all()

    def work(self) -> None:
        """Do pieces until there are no more: what each thread runs."""
        while (number := self._take()) is not None:
            outcome = _Outcome[R]()
            with kept() as outcome.notes:
                try:
                    outcome.result = self._function(self._pieces[number])
                except BaseException as error:  # raised again where the results are asked for
                    outcome.error = error
            self._put(number, outcome)

    def _take(self) -> int | None:
        with self._changed:
            while self._next < self._last and not self._fits(self._sizes[self._next]):
                self._changed.wait()
            if self._next >= self._last:
                return None
            self._at_work += 1
            self._load += self._sizes[self._next]
            self._next += 1
            return self._next - 1

    def _fits(self, size: int) -> bool:
        return self._at_work == 0 or self._together is None or self._load + size <= self._together

    def _put(self, number: int, outcome: _Outcome[R]) -> None:
        with self._changed:
            self._at_work -= 1
            self._load -= self._sizes[number]
            self._outcomes[number] = outcome
            if outcome.error is not None:
                self._last = min(self._last, number)
            self._changed.notify_all()
