"""Examine a lab, and make its derived tables again from its events."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from cranfield.judging.store.derived import rebuild
from cranfield.judging.store.files.connection import transaction
from cranfield.judging.store.files.holder import refuse_if_served
from cranfield.judging.store.files.opening import damaged, open_for_reading, open_for_writing

_ROWS = {
    "current": "SELECT * FROM current ORDER BY item, assessor, round",
    "progress": "SELECT * FROM progress ORDER BY item",
    "counts": "SELECT * FROM counts ORDER BY queue, topic",
    "gold": "SELECT * FROM gold ORDER BY item",
}
_ORDER = """
SELECT count(*) FROM (SELECT at_ms, lag(at_ms) OVER (ORDER BY id) AS before FROM events) WHERE at_ms < before
"""


@dataclass(frozen=True)
class Examination:
    """What was found wrong with a lab, in words; nothing, if it is well."""

    problems: tuple[str, ...]
    events: int
    rebuilt: bool = False


def digests(connection: sqlite3.Connection) -> dict[str, str]:
    """The SHA-256 of the rows of each derived table."""
    return {table: _digest(connection, statement) for table, statement in _ROWS.items()}


def examine(path: Path) -> Examination:
    """Check the file, its references, the times of events, and that derived tables follow from the events."""
    try:
        return _examined(path)
    except sqlite3.DatabaseError as error:
        raise damaged(path, str(error)) from None


def _examined(path: Path) -> Examination:
    with closing(open_for_reading(path)) as connection, closing(sqlite3.connect(":memory:")) as copy:
        problems = [row[0] for row in connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"]
        connection.backup(copy)
        copy.isolation_level = None
        lost = len(copy.execute("PRAGMA foreign_key_check").fetchall())
        if lost:
            problems.append(f"{lost} rows refer to rows that do not exist")
        if late := copy.execute(_ORDER).fetchone()[0]:
            problems.append(f"{late} events are earlier than the one before")
        before = digests(copy)
        rebuild(copy)
        after = digests(copy)
        problems += [
            f"the table {name} does not follow from the events" for name in _ROWS if before[name] != after[name]
        ]
        events = int(copy.execute("SELECT count(*) FROM events").fetchone()[0])
    return Examination(tuple(problems), events)


def repair(path: Path) -> Examination:
    """Make the derived tables again from the events; the problems are those that were there before."""
    found = examine(path)
    with closing(open_for_writing(path)) as connection:
        refuse_if_served(connection, path)
        with transaction(connection):
            rebuild(connection)
    return Examination(found.problems, found.events, rebuilt=True)


def _digest(connection: sqlite3.Connection, statement: str) -> str:
    found = sha256()
    for row in connection.execute(statement):
        found.update(json.dumps(row).encode() + b"\n")
    return found.hexdigest()
