"""Small labs, rooms whose clock a test moves, and assessors."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from cranfield.judging.lab import Lab
from cranfield.judging.records import DocumentRow, PairRow, QueueRow, TopicRow
from cranfield.judging.room import Room
from cranfield.judging.store.files.clock import Clock

START = 4_000_000_000_000  # later than the making of any lab


@dataclass
class Hands:
    """A clock that a test moves."""

    wall: int = START
    elapsed: int = 0

    def clock(self) -> Clock:
        return Clock(lambda: self.wall, lambda: self.elapsed)

    def wait(self, ms: int) -> None:
        self.wall += ms
        self.elapsed += ms


def make_lab(path: Path, topics: int = 2, documents: int = 3, **queue: Any) -> Lab:
    """A lab of some topics with some documents each, grades 0 to 2."""
    names = [f"q{number}" for number in range(1, topics + 1)]
    pairs = [PairRow(topic, f"{topic}-d{number}") for topic in names for number in range(1, documents + 1)]
    rows = [
        DocumentRow(pair.document, title=f"title of {pair.document}", body=f"text of {pair.document}") for pair in pairs
    ]
    made = [TopicRow(name, f"query {name}", f"description {name}") for name in names]
    return Lab.create_from_rows(path, pairs, made, rows, grades=range(3), queue=QueueRow("pool", **queue))


@dataclass
class Opened:
    """A room, the hands of its clock, and ids for requests."""

    room: Room
    hands: Hands
    _ids: Iterator[int] = field(default_factory=count)

    def client(self) -> str:
        return f"client-{next(self._ids)}"


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Make a lab and open it; the assessors are ann, bob and cid."""
    rooms: list[Room] = []

    def open_(lab: Lab | None = None, **shape: Any) -> Opened:
        hands = Hands()
        made = lab or make_lab(tmp_path / f"lab{len(rooms)}.db", **shape)
        room = Room.open(made.path, hands.clock())
        rooms.append(room)
        for name in ("ann", "bob", "cid"):
            room.add_user(name)
        return Opened(room, hands)

    yield open_
    for room in rooms:
        room.close()
