"""What a decide queue reads: runs that are kept, names of pairs, answers since an event, what is held, who looked."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_PAIRS = """
SELECT i.id, t.topic, d.document FROM items i JOIN topics t ON t.id = i.topic JOIN documents d ON d.id = i.document
"""
_ANSWERS = """
SELECT e.id, e.kind, e.item, e.actor, e.new FROM events e LEFT JOIN users u ON u.name = e.actor
WHERE e.id > ? AND e.id <= ? AND e.item IS NOT NULL AND coalesce(u.kind, '') != 'llm'
AND e.kind IN ('judge', 'revise', 'cannot', 'later', 'flag', 'note', 'mark', 'import', 'undo', 'adjudicate')
ORDER BY e.id
"""
_HELD = "SELECT item, count(*) FROM leases WHERE round = 0 GROUP BY item"
_QUEUES = "SELECT id FROM queues WHERE kind = 'decide' ORDER BY id"
_REVEALS = "SELECT actor, new FROM events WHERE kind = 'reveal' ORDER BY id"
_KEEP = "INSERT INTO runs(name, lists) VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET lists = excluded.lists"
_KEPT = "SELECT name, lists FROM runs ORDER BY name"
_MOOT = """
SELECT count(*) FROM progress p WHERE p.state = 'open'
AND EXISTS (SELECT 1 FROM members m JOIN json_each(:decided) j ON m.queue = j.value WHERE m.item = p.item)
AND NOT EXISTS (SELECT 1 FROM members m JOIN queues q ON q.id = m.queue WHERE m.item = p.item AND q.closed = 0
AND q.kind != 'repeat' AND m.queue NOT IN (SELECT value FROM json_each(:decided)))
"""
NO_END = 2**62


@dataclass(frozen=True)
class AnswerEvent:
    """What an assessor said about a pair, or took back (no status); or the grade of an adjudicator."""

    id: int
    item: str
    assessor: str
    status: str | None
    grade: int | None
    adjudicated: bool


def named_pairs(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    """Topic and document of each item of the lab."""
    return {item: (topic, document) for item, topic, document in connection.execute(_PAIRS)}


def answers_after(connection: sqlite3.Connection, after: int, last: int = NO_END) -> Iterator[AnswerEvent]:
    """The answers of people after one event up to another, oldest first; models' labels and repeats are left out."""
    for number, kind, item, actor, new in connection.execute(_ANSWERS, (after, last)).fetchall():
        data = json.loads(new or "{}")
        if kind == "adjudicate":
            yield AnswerEvent(number, item, actor, None, data.get("grade"), adjudicated=True)
        elif data.get("round", 0) == 0:
            yield AnswerEvent(number, item, actor, data.get("status"), data.get("grade"), adjudicated=False)


def held_items(connection: sqlite3.Connection) -> dict[str, int]:
    """How many assessors hold each item now."""
    return dict(connection.execute(_HELD))


def decide_queues(connection: sqlite3.Connection) -> list[int]:
    """The numbers of all decide queues."""
    return [row[0] for row in connection.execute(_QUEUES)]


def moot_pairs(connection: sqlite3.Connection, decided: Sequence[int]) -> int:
    """How many pairs are open that only queues hold which are decided: they are not served any more."""
    return int(connection.execute(_MOOT, {"decided": json.dumps(list(decided))}).fetchone()[0]) if decided else 0


def reveals(connection: sqlite3.Connection, queue: int) -> tuple[str, ...]:
    """Who looked at what a queue decides while judging there, in order."""
    rows = connection.execute(_REVEALS)
    return tuple(dict.fromkeys(actor for actor, new in rows if json.loads(new or "{}").get("queue") == queue))


def keep_runs(connection: sqlite3.Connection, runs: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Keep the lists of runs (topic -> documents, best first); a run of the same name is replaced."""
    connection.executemany(_KEEP, [(name, json.dumps(lists, ensure_ascii=False)) for name, lists in runs.items()])


def kept_runs(connection: sqlite3.Connection) -> dict[str, dict[str, list[str]]]:
    """The runs that are kept, by name."""
    return {name: json.loads(lists) for name, lists in connection.execute(_KEPT)}
