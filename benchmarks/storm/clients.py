"""Simulated assessors at a desk: they ask for pairs, judge them, and note what was acknowledged and how quickly."""

import threading
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, DocumentRow, PairRow, QueueRow, SavedJudgment, TopicRow, Work
from cranfield.judging.refusals import PairTaken
from cranfield.judging.room import Room


@dataclass(frozen=True)
class Given:
    """A pair that a desk gave to an assessor."""

    item: str
    version: int | None = None
    round: int = 0


class Desk(Protocol):
    """Where simulated assessors work: the room itself, or its pages over HTTP."""

    def next(self, user: str, after: str | None) -> Given | None:
        """The next pair, or None."""
        ...

    def judge(self, user: str, given: Given, grade: int, client_id: str) -> bool:
        """Save a judgment: True once it is on disk, False if other assessors have the pair now."""
        ...


@dataclass(frozen=True)
class RoomDesk:
    """The room itself."""

    room: Room

    def next(self, user: str, after: str | None) -> Given | None:
        """The next pair, or None."""
        work = self.room.next(user, after)
        return Given(work.item, work.version, work.round) if isinstance(work, Work) else None

    def judge(self, user: str, given: Given, grade: int, client_id: str) -> bool:
        """Save a judgment."""
        answer = AssessorAnswer("judged", grade)
        try:
            saved = self.room.judge(
                user, given.item, answer, client_id=client_id, version=given.version, round=given.round
            )
        except PairTaken:
            return False
        if not isinstance(saved, SavedJudgment):
            raise TypeError(saved)
        return True


@dataclass(frozen=True)
class SentJudgment:
    """A judgment that was sent; with the same id, it can be sent again."""

    user: str
    given: Given
    grade: int
    client_id: str


@dataclass
class Record:
    """What simulated assessors did: acknowledged requests, errors, and the milliseconds of each step."""

    acknowledged: list[str] = field(default_factory=list)
    unanswered: list[SentJudgment] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    next_ms: list[float] = field(default_factory=list)
    judge_ms: list[float] = field(default_factory=list)

    def quantile(self, share: float) -> float:
        """The milliseconds from a judgment to the next pair that a share of all stays below."""
        both = sorted(one + other for one, other in zip(self.judge_ms, self.next_ms, strict=False))
        return both[min(int(share * len(both)), len(both) - 1)] if both else float("nan")


def work(
    desk: Desk, user: str, stop: threading.Event, record: Record, tell: Callable[[str], None] | None = None
) -> None:
    """Judge whatever comes until there is no more, or until told to stop."""
    after: str | None = None
    while not stop.is_set():
        sent: SentJudgment | None = None
        try:
            began = time.perf_counter()
            given = desk.next(user, after)
            if given is None:
                return
            asked = time.perf_counter()
            client_id = uuid.uuid4().hex
            sent = SentJudgment(user, given, int(client_id[0], 16) % 3, client_id)
            if desk.judge(user, given, sent.grade, client_id):
                done = time.perf_counter()
                if tell is not None:
                    tell(client_id)
                record.acknowledged.append(client_id)
                record.next_ms.append((asked - began) * 1000)
                record.judge_ms.append((done - asked) * 1000)
            after = given.item
        except Exception as error:
            record.errors.append(f"{type(error).__name__}: {error}")
            if sent is not None:
                record.unanswered.append(sent)
            return


def storm(desk: Desk, users: Iterable[str], seconds: float) -> Record:
    """Let all users work at once for some seconds, or until nothing is left."""
    record, stop = Record(), threading.Event()
    threads = [threading.Thread(target=work, args=(desk, user, stop, record)) for user in users]
    for thread in threads:
        thread.start()
    timer = threading.Timer(seconds, stop.set)
    timer.start()
    for thread in threads:
        thread.join()
    timer.cancel()
    return record


def race(desk: Desk, users: Sequence[str], items: Sequence[str]) -> Record:
    """Let all users send a judgment of every pair at the same moment, whether they hold it or not."""
    record, start = Record(), threading.Barrier(len(users))

    def run(user: str) -> None:
        start.wait()
        for item in items:
            client_id = uuid.uuid4().hex
            try:
                if desk.judge(user, Given(item), 1, client_id):
                    record.acknowledged.append(client_id)
            except Exception as error:
                record.errors.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=run, args=(user,)) for user in users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return record


def crowd(count: int) -> list[str]:
    """Names of assessors."""
    return [f"assessor{number:03}" for number in range(count)]


def make_lab(path: Path, topics: int, documents: int, people: int, **queue: int | float) -> Lab:
    """A lab with pairs to judge and assessors to judge them."""
    names = [f"q{number}" for number in range(topics)]
    pairs = [PairRow(name, f"{name}-{number}") for name in names for number in range(documents)]
    texts = [DocumentRow(pair.document, title=pair.document, body=f"text of {pair.document}\n" * 40) for pair in pairs]
    row = QueueRow("pool", k=int(queue.get("k", 1)), overlap=float(queue.get("overlap", 0.0)))
    lab = Lab.create_from_rows(path, pairs, [TopicRow(name, name) for name in names], texts, range(3), queue=row)
    room = Room.open(path)
    for user in crowd(people):
        room.add_user(user)
    room.close()
    return lab
