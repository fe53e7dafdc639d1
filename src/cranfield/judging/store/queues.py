"""Queues, and which pairs are in them."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield.errors import PolicyError
from cranfield.judging.records import QueueRow, QueueState
from cranfield.judging.store.derived import ALL

_ADD = """
INSERT INTO queues(name, kind, k, overlap, seed, threshold, gold_rate, adaptive, pool, asked, closed)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
"""
_FIELDS = "id, name, kind, k, overlap, seed, threshold, gold_rate, adaptive, pool, asked, closed"
_STATES = f"""
SELECT {_FIELDS}, (SELECT coalesce(sum(c.pairs), 0) FROM counts c WHERE c.queue = q.id),
(SELECT coalesce(sum(c.open), 0) FROM counts c WHERE c.queue = q.id),
(SELECT count(*) FROM gold g JOIN members m ON m.item = g.item AND m.queue = q.id AND m.needed = 0)
FROM queues q ORDER BY id
"""
_JOIN = """
INSERT INTO members(queue, item, topic, needed, stratum, inclusion_probability, position) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT(queue, item) DO NOTHING
"""
_END = "SELECT coalesce(max(position), -1) + 1 FROM members WHERE queue = ?"
_CLOSE = "UPDATE queues SET closed = ? WHERE id = ?"
_TOPICS = "SELECT topic FROM counts WHERE queue = ? AND open > 0 ORDER BY topic"
_OF_TOPIC = """
SELECT m.item, d.document FROM members m JOIN items i ON i.id = m.item JOIN documents d ON d.id = i.document
WHERE m.queue = ? AND m.topic = ? AND (m.needed = 0) = ? ORDER BY m.position
"""
_ALL_PAIRS = """
SELECT i.id, i.topic, t.topic, d.document FROM items i JOIN topics t ON t.id = i.topic
JOIN documents d ON d.id = i.document WHERE NOT EXISTS(SELECT 1 FROM gold g WHERE g.item = i.id) ORDER BY t.id, d.id
"""
_DUE = """
SELECT count(*) FROM (SELECT 1 FROM members m JOIN current c ON c.item = m.item JOIN users u ON u.name = c.assessor
WHERE m.queue = ? AND c.status != 'later' AND u.kind = 'human'
GROUP BY m.item, c.assessor HAVING max(c.round) < m.needed)
"""
_SERVED = f"SELECT {_FIELDS} FROM queues WHERE closed = 0 ORDER BY id"
_SHAPE = """
SELECT (SELECT coalesce(group_concat(id || ' ' || closed || ' ' || gold_rate), '') FROM queues),
(SELECT count(*) FROM gold), count(*), sum(pairs), sum(open) FROM counts
"""
_OPEN = "SELECT coalesce(sum(open), 0) FROM counts WHERE queue = ?"
_QUEUES_OF = """
SELECT q.id, q.kind, m.needed, q.closed, q.k FROM members m JOIN queues q ON q.id = m.queue WHERE m.item = ?
"""
_NAMED = "SELECT 1 FROM queues WHERE name = ?"
_RATE = "UPDATE queues SET gold_rate = ? WHERE id = ?"
_HIGHEST_RATE = "SELECT coalesce(max(gold_rate), 0) FROM queues WHERE closed = 0"


@dataclass(frozen=True)
class Member:
    """A pair in a queue, and how many judgments are wanted there."""

    item: str
    topic: int
    needed: int
    stratum: str = ""
    probability: float | None = None


@dataclass(frozen=True)
class PairInQueue:
    """A queue that a pair is in: its number and kind, the judgments wanted there (0: gold), whether it is closed."""

    queue: int
    kind: str
    needed: int
    closed: bool
    k: int  # judgments that usual pairs of the queue need

    @property
    def looks_needed(self) -> int:
        """The judgments that the pair needs as far as assessors can tell: gold looks like any other pair (BLD-1)."""
        return self.needed or self.k


def add_queue(connection: sqlite3.Connection, queue: QueueRow) -> int:
    """A new, empty queue; its number. A name that a queue has is refused."""
    if connection.execute(_NAMED, (queue.name,)).fetchone() is not None:
        raise PolicyError("E206", f"there is a queue {queue.name!r} already", hint="choose another name")
    row = (
        *(queue.name, queue.kind, queue.k, queue.overlap, queue.seed, queue.threshold, queue.gold_rate),
        *(int(queue.adaptive), json.dumps(dict(queue.pool)), json.dumps(dict(queue.asked))),
    )
    return int(connection.execute(_ADD, row).lastrowid or 0)


def add_members(connection: sqlite3.Connection, queue: int, members: Iterable[Member]) -> int:
    """Put pairs at the end of a queue; how many were not there yet. `derived.recount` comes after."""
    end = int(connection.execute(_END, (queue,)).fetchone()[0])
    before = connection.total_changes
    rows = (
        (queue, member.item, member.topic, member.needed, member.stratum, member.probability, end + place)
        for place, member in enumerate(members)
    )
    connection.executemany(_JOIN, rows)
    return connection.total_changes - before


def queue_states(connection: sqlite3.Connection) -> list[QueueState]:
    """All queues and how far they are; a queue of repeats is open where an assessor has one to judge again."""
    states = list(map(_state, connection.execute(_STATES).fetchall()))
    return [
        replace(state, open=connection.execute(_DUE, (state.id,)).fetchone()[0])
        if state.queue.kind == "repeat"
        else state
        for state in states
    ]


def queue_shape(connection: sqlite3.Connection) -> tuple[str, int, int, int, int]:
    """What changes when queues or pairs are added, closed or opened again, or other gold is mixed in."""
    row: tuple[str, int, int, int, int] = connection.execute(_SHAPE).fetchone()
    return row


def served_queues(connection: sqlite3.Connection) -> list[QueueState]:
    """The queues that are not closed; their counts are not looked up."""
    return [_state((*row, 0, 0, 0)) for row in connection.execute(_SERVED)]


def all_pairs(connection: sqlite3.Connection) -> list[tuple[str, int, str, str]]:
    """The item, topic number, topic and document of every pair that is not gold."""
    return connection.execute(_ALL_PAIRS).fetchall()


def set_closed(connection: sqlite3.Connection, queue: int, closed: bool) -> None:
    """Stop serving a queue, or serve it again."""
    connection.execute(_CLOSE, (int(closed), queue))


def open_topics(connection: sqlite3.Connection, queue: int) -> list[int]:
    """The topics of a queue with pairs that need judgments."""
    return [row[0] for row in connection.execute(_TOPICS, (queue,))]


def pairs_of_topic(
    connection: sqlite3.Connection, queue: int, topic: int, *, gold: bool = False
) -> Sequence[tuple[str, str]]:
    """The items of a topic in a queue with the ids of their documents, in the order of the pool; or those of gold."""
    return connection.execute(_OF_TOPIC, (queue, topic, int(gold))).fetchall()


def open_pairs(connection: sqlite3.Connection, queue: int = ALL) -> int:
    """How many pairs of a queue, or of all, need judgments."""
    return int(connection.execute(_OPEN, (queue,)).fetchone()[0])


def queues_of(connection: sqlite3.Connection, item: str) -> list[PairInQueue]:
    """The queues a pair is in."""
    rows = connection.execute(_QUEUES_OF, (item,))
    return [PairInQueue(number, kind, needed, bool(closed), k) for number, kind, needed, closed, k in rows]


def set_gold_rate(connection: sqlite3.Connection, queue: int, rate: float) -> None:
    """Which share of the pairs that an assessor gets from a queue are such whose grade is known."""
    connection.execute(_RATE, (rate, queue))


def highest_gold_rate(connection: sqlite3.Connection) -> float:
    """The highest such share of the queues that are served."""
    return float(connection.execute(_HIGHEST_RATE).fetchone()[0])


def _state(row: tuple[Any, ...]) -> QueueState:
    number, name, kind, k, overlap, seed, threshold, gold_rate, adaptive, pool, asked, closed, *counts = row
    queue = QueueRow(
        name=name,
        kind=kind,
        k=k,
        overlap=overlap,
        seed=seed,
        threshold=threshold,
        gold_rate=gold_rate,
        adaptive=bool(adaptive),
        pool=json.loads(pool),
        asked=json.loads(asked),
    )
    return QueueState(number, queue, bool(closed), *counts)
