"""Current judgments: what each assessor says now about each pair."""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

from cranfield.judging.records import AssessorAnswer, Judgment, OwnJudgment
from cranfield.judging.store.items import GOLD_ALONE

_FIELDS = "c.item, c.assessor, c.round, c.status, c.grade, c.note, c.marks, c.flag, c.reason, c.event, c.at_ms"
_ONE = f"SELECT {_FIELDS} FROM current c WHERE c.item = ? AND c.assessor = ? AND c.round = ?"
_OF_ITEM = f"SELECT {_FIELDS} FROM current c WHERE c.item = ? ORDER BY c.event"
_ALL = f"SELECT {_FIELDS} FROM current c ORDER BY c.event"
_LAST = f"""
SELECT {_FIELDS}, t.topic, d.document, d.title FROM current c JOIN items i ON i.id = c.item
JOIN topics t ON t.id = i.topic JOIN documents d ON d.id = i.document
WHERE c.assessor = ? ORDER BY c.event DESC LIMIT ?
"""
_ROUNDS = "SELECT round FROM current WHERE item = ? AND assessor = ?"
_PROGRESS = "SELECT state, settled_grade FROM progress WHERE item = ?"
_WANTED = """
SELECT 1 FROM members m JOIN queues q ON q.id = m.queue JOIN progress p ON p.item = m.item
WHERE m.item = ? AND q.kind != 'repeat' AND p.state != 'settled' AND (m.needed = 0 OR m.needed > p.judged + p.cannot)
"""
_MOST = "SELECT coalesce(max(judged + cannot), 0) FROM progress"
_GIVEN = "SELECT judged + cannot FROM progress WHERE item = ?"
_DONE = "SELECT count(*) FROM current WHERE assessor = ? AND round = 0 AND status != 'later'"
_DONE_OPEN = """
SELECT count(*) FROM current c JOIN progress p ON p.item = c.item
WHERE c.assessor = ? AND c.round = 0 AND c.status != 'later' AND p.state = 'open'
"""
_DONE_GOLD = f"""
SELECT count(*) FROM current c WHERE c.assessor = ? AND c.round = 0 AND c.status != 'later' AND c.item IN ({GOLD_ALONE})
"""
_TIMES = "SELECT at_ms FROM current WHERE assessor = ? AND status != 'later' ORDER BY event DESC LIMIT ?"
_OF_TOPIC = """
SELECT c.status, c.grade, count(*) FROM current c JOIN items i ON i.id = c.item
WHERE c.assessor = ? AND c.round = 0 AND i.topic = ? GROUP BY c.status, c.grade ORDER BY c.grade
"""


def judgment_of(connection: sqlite3.Connection, item: str, assessor: str, round: int = 0) -> Judgment | None:
    """What an assessor says about a pair, if anything."""
    found = connection.execute(_ONE, (item, assessor, round)).fetchone()
    return None if found is None else judgment_in(found)


def judgments_of_item(connection: sqlite3.Connection, item: str) -> list[Judgment]:
    """What all assessors say about a pair."""
    return list(map(judgment_in, connection.execute(_OF_ITEM, (item,))))


def all_judgments(connection: sqlite3.Connection) -> Iterator[Judgment]:
    """What all assessors say about all pairs, oldest first."""
    return map(judgment_in, connection.execute(_ALL))


def rounds_of(connection: sqlite3.Connection, item: str, assessor: str) -> list[int]:
    """The rounds in which an assessor said something about a pair."""
    return [row[0] for row in connection.execute(_ROUNDS, (item, assessor))]


def progress_of(connection: sqlite3.Connection, item: str) -> tuple[str, int | None] | None:
    """How far a pair is, and the grade it was settled with."""
    found = connection.execute(_PROGRESS, (item,)).fetchone()
    return None if found is None else (found[0], found[1])


def still_wanted(connection: sqlite3.Connection, item: str) -> bool:
    """Whether a queue wants further judgments of a pair."""
    return connection.execute(_WANTED, (item,)).fetchone() is not None


def given_to(connection: sqlite3.Connection, item: str) -> int:
    """How many judgments that count a pair has."""
    found = connection.execute(_GIVEN, (item,)).fetchone()
    return 0 if found is None else int(found[0])


def most_given(connection: sqlite3.Connection) -> int:
    """The largest number of judgments that count of any pair."""
    return int(connection.execute(_MOST).fetchone()[0])


def last_judgments(connection: sqlite3.Connection, assessor: str, count: int) -> list[OwnJudgment]:
    """The last judgments of an assessor, newest first."""
    rows = connection.execute(_LAST, (assessor, count)).fetchall()
    return [OwnJudgment(judgment_in(row[:11]), row[11], row[12], row[13]) for row in rows]


def done_by(connection: sqlite3.Connection, assessor: str) -> tuple[int, int, int]:
    """How many pairs an assessor has done, how many of these still need other assessors, and how many are gold."""
    done = connection.execute(_DONE, (assessor,)).fetchone()[0]
    waiting = connection.execute(_DONE_OPEN, (assessor,)).fetchone()[0]
    return int(done), int(waiting), int(connection.execute(_DONE_GOLD, (assessor,)).fetchone()[0])


def answers_of_topic(connection: sqlite3.Connection, assessor: str, topic: int) -> list[tuple[str, int | None, int]]:
    """Status, grade and number of the answers of an assessor in the topic of a number."""
    return connection.execute(_OF_TOPIC, (assessor, topic)).fetchall()


def last_times(connection: sqlite3.Connection, assessor: str, count: int) -> list[int]:
    """When an assessor made the last judgments, newest first."""
    return [row[0] for row in connection.execute(_TIMES, (assessor, count))]


def judgment_in(row: tuple[Any, ...]) -> Judgment:
    """A judgment in a row of `current`: item, assessor, round, the answer, event and time."""
    item, assessor, round_, status, grade, note, marks, flag, reason, event, at_ms = row
    passages = tuple((start, end) for start, end in json.loads(marks))
    answer = AssessorAnswer(status, grade, note, passages, bool(flag), reason)
    return Judgment(item, assessor, round_, answer, event, at_ms)
