"""The desk of one decide queue: it follows the lab, says what to judge next, and what is known."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.judging.deciding.answers import PairAnswers
from cranfield.judging.deciding.asking import AskedQuestion
from cranfield.judging.deciding.beginning import begin
from cranfield.judging.queue.order import shuffled
from cranfield.judging.records import QueueState
from cranfield.judging.store.deciding import AnswerEvent, answers_after, held_items, named_pairs
from cranfield.judging.store.files.connection import Connection
from cranfield.missing.next.deciding.decider import Decider
from cranfield.missing.next.deciding.state import DecisionState
from cranfield.missing.next.deciding.steps import DecisionStep

MORE = 3  # batches that are looked at beyond the one being served


@dataclass(frozen=True)
class DeskState:
    """What is known of a decide queue, and how it came to be.

    Attributes:
        now: what is known.
        paths: of each pair of runs, what was known after each judgment.
        disputed: documents whose assessors differ, without a majority, which wait for an adjudicator.
    """

    now: DecisionState
    paths: tuple[tuple[DecisionStep, ...], ...]
    disputed: int


class DecideDesk:
    """The state of one decide queue, kept in memory and found again from the events; threads may share it."""

    def __init__(self, connection: Connection, state: QueueState, grades: Sequence[int]) -> None:
        self.queue: int = state.id
        self.asked: AskedQuestion = AskedQuestion.read(state.queue.asked)
        self.assessors: int = state.queue.k  # whose answers a pair of the queue needs
        self._lock = threading.RLock()
        self._names: dict[str, tuple[str, str]] = {}
        self._items: dict[tuple[str, str], str] = {}
        self._batch: list[str] = []
        self._learn(connection)
        begun = begin(connection, self.asked, self._names, grades)
        self._answers: PairAnswers = begun.answers
        self._decider: Decider = begun.decider
        self._seen = self.asked.after
        self._own = {self._items[pair] for pair in self._decider.documents() if pair in self._items}
        self.follow(connection)

    def follow(self, connection: Connection) -> None:
        """Enter what was judged, changed or taken back since the last time."""
        with self._lock:
            for event in answers_after(connection, self._seen):
                self._seen = event.id
                self._enter(connection, event)
            self._decider.ordered  # noqa: B018  # found once, here and not by the thread that writes

    def items(self, connection: Connection, assessor: str) -> list[str]:
        """The items to try for an assessor: the batch being served in a random order of theirs, then further ones.

        Inside a batch the documents of a topic come together, in an order of seed, assessor and topic (BLD-3). What
        others hold comes last, so that a room can say how long it takes.
        """
        with self._lock:
            self.follow(connection)
            if self._decider.reason is not None:
                return []
            held = [item for item, number in held_items(connection).items() if self._is_full(item, number)]
            busy = [*held, *self._disputed()]
            self._batch = [item for item in self._batch if item not in busy and not self._answered(item)]
            if not self._batch:
                self._batch = self._next(self.asked.batch, busy)
            more = self._next(self.asked.batch * MORE, [*busy, *self._batch], apart=False)
            return [*self._mixed(self._batch, assessor), *self._mixed(more, assessor), *held]

    def wants(self, connection: Connection, item: str) -> bool:
        """Whether the judgment of an item can still help to decide."""
        with self._lock:
            self.follow(connection)
            return self._decider.reason is None and item in self._own

    def state(self, connection: Connection) -> DeskState:
        """What is known now."""
        with self._lock:
            self.follow(connection)
            paths = tuple(tuple(path) for path in self._decider.steps)
            return DeskState(self._decider.state(), paths, len(self._disputed()))

    def decided(self, connection: Connection) -> bool:
        """Whether judging may stop."""
        with self._lock:
            self.follow(connection)
            return self._decider.reason is not None

    def _enter(self, connection: Connection, event: AnswerEvent) -> None:
        self._answers.enter(event)
        if event.item not in self._names:
            self._learn(connection)
        pair = self._names.get(event.item)
        if pair is None:
            return
        if self._answered(event.item):
            grade = self._answers.grade(event.item, self._needed(event.item))
            self._decider.enter(*pair, self._counted(grade))
        else:
            self._decider.take_back(*pair)

    def _needed(self, item: str) -> int:
        """Whose answers a pair needs: those of `assessors` in this queue; of others, any answer is taken."""
        return self.assessors if item in self._own else 1

    def _answered(self, item: str) -> bool:
        return self._answers.answered(item, self._needed(item))

    def _is_full(self, item: str, held: int) -> bool:
        """Whether as many assessors as needed have answered, or hold the pair of this queue."""
        return item in self._own and self._answers.count(item) + held >= self.assessors

    def _disputed(self) -> list[str]:
        """Pairs of the queue that have all answers, but no grade that most of them gave."""
        if self.assessors == 1:
            return []
        complete = (item for item in self._own if self._answers.complete(item, self.assessors))
        return [item for item in complete if not self._answered(item)]

    def _counted(self, grade: int | None) -> int | None:
        """A negative grade is no judgment."""
        return None if grade is None or grade < 0 else grade

    def _next(self, number: int, held: Sequence[str], *, apart: bool = True) -> list[str]:
        pairs = self._decider.batch(number, held=[self._names[item] for item in held], apart=apart)
        return [self._items[pair] for pair in pairs if pair in self._items]

    def _mixed(self, items: Sequence[str], assessor: str) -> list[str]:
        topics = sorted({self._names[item][0] for item in items})
        found: list[str] = []
        for place in shuffled(topics, self.asked.seed, assessor, "topics"):
            own = [item for item in items if self._names[item][0] == topics[place]]
            names = [self._names[item][1] for item in own]
            found += [own[at] for at in shuffled(names, self.asked.seed, assessor, topics[place])]
        return found

    def _learn(self, connection: Connection) -> None:
        """Read the pairs of the lab."""
        self._names = named_pairs(connection)
        self._items = {pair: item for item, pair in self._names.items()}
