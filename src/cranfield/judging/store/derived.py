"""Tables that follow from the events: `current` judgments, `progress` of pairs, `counts` by queue and topic, `gold`."""

import json
import sqlite3
from collections.abc import Iterable

from cranfield.judging.queue.progress import PairTally, tally
from cranfield.judging.store.events import JUDGING, Data, Event, all_events
from cranfield.judging.store.items import GOLD_ALONE, forget_gold, set_gold

ALL = 0  # the queue of `counts` that stands for all of them: each pair once

_KEEP = """
INSERT INTO current(item, assessor, round, status, grade, note, marks, flag, reason, event, at_ms)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(item, assessor, round) DO UPDATE SET
status = excluded.status, grade = excluded.grade, note = excluded.note, marks = excluded.marks, flag = excluded.flag,
reason = excluded.reason, event = excluded.event, at_ms = excluded.at_ms
"""
_TAKE_BACK = "DELETE FROM current WHERE item = ? AND assessor = ? AND round = ?"
_COUNTED = """
SELECT c.status, c.grade FROM current c JOIN users u ON u.name = c.assessor
WHERE c.item = ? AND c.round = 0 AND c.status != 'later' AND u.counts = 1
"""
_WANTED = """
SELECT coalesce(max(m.needed), 0), coalesce(min(q.threshold), 1) FROM members m JOIN queues q ON q.id = m.queue
WHERE m.item = ? AND q.kind != 'repeat'
"""
_BEFORE = "SELECT state, settled_grade FROM progress WHERE item = ?"
_PROGRESS = """
INSERT INTO progress(item, judged, cannot, lowest, highest, state, settled_grade) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT(item) DO UPDATE SET judged = excluded.judged, cannot = excluded.cannot, lowest = excluded.lowest,
highest = excluded.highest, state = excluded.state, settled_grade = excluded.settled_grade
"""
_SHIFT = "UPDATE counts SET open = open + ? WHERE topic = (SELECT topic FROM items WHERE id = ?) AND queue = ?"
_QUEUES_OF = "SELECT m.queue FROM members m JOIN queues q ON q.id = m.queue WHERE m.item = ? AND q.kind != 'repeat'"
_EMPTY = ("DELETE FROM counts", "DELETE FROM progress", "DELETE FROM current")
_DROP_COUNTS = "DELETE FROM counts"
_COUNT_QUEUES = """
INSERT INTO counts(queue, topic, pairs, open)
SELECT m.queue, m.topic, sum(m.needed > 0), sum(p.state = 'open' AND q.kind != 'repeat')
FROM members m JOIN progress p ON p.item = m.item JOIN queues q ON q.id = m.queue GROUP BY m.queue, m.topic
"""
_COUNT_ALL = f"""
INSERT INTO counts(queue, topic, pairs, open)
SELECT 0, i.topic, count(*) - count(a.item), sum(p.state = 'open') FROM items i JOIN progress p ON p.item = i.id
LEFT JOIN ({GOLD_ALONE}) a ON a.item = i.id GROUP BY i.topic
"""
_JUDGED_ITEMS = "SELECT DISTINCT item FROM current"
_FRESH = """
INSERT INTO progress(item, judged, cannot, lowest, highest, state, settled_grade)
SELECT i.id, 0, 0, NULL, NULL, CASE WHEN EXISTS(SELECT 1 FROM members m JOIN queues q ON q.id = m.queue
WHERE m.item = i.id AND m.needed > 0 AND q.kind != 'repeat') THEN 'open' ELSE 'agreed' END, NULL
FROM items i WHERE NOT EXISTS(SELECT 1 FROM progress p WHERE p.item = i.id)
"""
_SETTLE = "UPDATE progress SET settled_grade = ? WHERE item = ?"
_JUDGED_BY = "SELECT item FROM current WHERE assessor = ? AND round = 0"


def apply(connection: sqlite3.Connection, event: Event, number: int) -> None:
    """Bring the derived tables in step with an event that was just added under a number."""
    if event.kind in JUDGING or event.kind == "undo":
        _set_judgment(connection, event, number)
    elif event.kind == "adjudicate":
        connection.execute(_SETTLE, ((event.new or {}).get("grade"), event.item))
    else:
        return
    refresh(connection, str(event.item))


def refresh(connection: sqlite3.Connection, item: str) -> None:
    """Work out anew how far a pair is, and correct the counts of its queues."""
    before = connection.execute(_BEFORE, (item,)).fetchone()
    after = _write_progress(connection, item, None if before is None else before[1])
    shift = (after.state == "open") - (before is not None and before[0] == "open")
    if before is not None and shift:
        queues = [row[0] for row in connection.execute(_QUEUES_OF, (item,))]
        connection.executemany(_SHIFT, [(shift, item, queue) for queue in (ALL, *queues)])


def recount(connection: sqlite3.Connection, items: Iterable[str]) -> None:
    """After pairs or queues were added: the progress of these items, and all counts."""
    for item in items:
        before = connection.execute(_BEFORE, (item,)).fetchone()
        if before is not None:
            _write_progress(connection, item, before[1])
    connection.execute(_FRESH)
    _write_counts(connection)


def recount_person(connection: sqlite3.Connection, name: str) -> None:
    """After an assessor began or ceased to count: the progress of the pairs they judged."""
    recount(connection, [row[0] for row in connection.execute(_JUDGED_BY, (name,)).fetchall()])


def rebuild(connection: sqlite3.Connection) -> None:
    """Empty the derived tables and fill them again from the events."""
    for statement in _EMPTY:
        connection.execute(statement)
    forget_gold(connection)
    settled: dict[str, int | None] = {}
    for event in all_events(connection):
        if event.kind in JUDGING or event.kind == "undo":
            _set_judgment(connection, event, event.id)
        elif event.kind == "adjudicate":
            settled[str(event.item)] = (event.new or {}).get("grade")
        elif event.kind == "queue":
            set_gold(connection, (event.new or {}).get("gold", {}))
    touched = {row[0] for row in connection.execute(_JUDGED_ITEMS)}
    for item in sorted(touched | {*settled}):
        _write_progress(connection, item, settled.get(item))
    connection.execute(_FRESH)
    _write_counts(connection)


def _set_judgment(connection: sqlite3.Connection, event: Event, number: int) -> None:
    new: Data = event.new or {}
    if new["status"] is None:  # taken back
        connection.execute(_TAKE_BACK, (event.item, event.actor, new["round"]))
        return
    row = (
        *(event.item, event.actor, new["round"], new["status"], new["grade"], new["note"], json.dumps(new["marks"])),
        *(int(new["flag"]), new["reason"], number, event.at_ms),
    )
    connection.execute(_KEEP, row)


def _write_progress(connection: sqlite3.Connection, item: str, settled: int | None) -> PairTally:
    rows = connection.execute(_COUNTED, (item,)).fetchall()
    needed, threshold = connection.execute(_WANTED, (item,)).fetchone()
    grades = [grade for status, grade in rows if status == "judged"]
    found = tally(grades, len(rows) - len(grades), needed, threshold, settled)
    row = (item, found.judged, found.cannot, found.lowest, found.highest, found.state, settled)
    connection.execute(_PROGRESS, row)
    return found


def _write_counts(connection: sqlite3.Connection) -> None:
    connection.execute(_DROP_COUNTS)
    connection.execute(_COUNT_QUEUES)
    connection.execute(_COUNT_ALL)
