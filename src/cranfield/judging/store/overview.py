"""Counts over a whole lab, for owners: they may read all of it."""

import sqlite3
from collections import defaultdict
from statistics import median

from cranfield.judging.records import Person
from cranfield.judging.serving.summaries import DisputeLine, PersonStatus, TopicStatus
from cranfield.judging.store.items import GOLD_ALONE
from cranfield.judging.store.people import people

_TOPICS = """
SELECT t.topic, t.title, c.pairs, c.open FROM counts c JOIN topics t ON t.id = c.topic WHERE c.queue = 0 ORDER BY t.id
"""
_STATES = f"SELECT state, count(*) FROM progress WHERE item NOT IN ({GOLD_ALONE}) GROUP BY state"
_WANTED = """
SELECT coalesce(sum(needed - given), 0) FROM (
    SELECT max(m.needed) AS needed, p.judged + p.cannot AS given FROM progress p JOIN members m ON m.item = p.item
    JOIN queues q ON q.id = m.queue AND q.kind != 'repeat' WHERE p.state = 'open' GROUP BY p.item)
"""
_SINCE = """
SELECT count(*) FROM current c JOIN users u ON u.name = c.assessor JOIN events e ON e.id = c.event
WHERE c.at_ms > ? AND c.round = 0 AND c.status != 'later' AND u.counts = 1 AND e.kind != 'import'
"""
_WORK = """
SELECT assessor, sum(round = 0 AND status = 'judged'), sum(round = 0 AND status = 'cannot'),
sum(round = 0 AND status = 'later'), sum(round > 0 AND status != 'later'), sum(flag), max(at_ms)
FROM current GROUP BY assessor
"""
_ACTIVE = "SELECT actor, ms_active FROM events WHERE kind = 'judge' AND ms_active IS NOT NULL"
_GOLD = """
SELECT c.assessor, count(*), sum(c.grade = g.grade) FROM gold g JOIN current c ON c.item = g.item
WHERE c.round = 0 AND c.status = 'judged' GROUP BY c.assessor
"""
_DISPUTES = """
SELECT i.id, t.topic, t.title, d.document, d.title, p.lowest, p.highest, p.judged, p.cannot,
EXISTS(SELECT 1 FROM current c WHERE c.item = i.id AND c.assessor = ? AND c.status != 'later')
FROM progress p JOIN items i ON i.id = p.item JOIN topics t ON t.id = i.topic JOIN documents d ON d.id = i.document
WHERE p.state = 'disputed' ORDER BY t.id, d.id
"""


def topic_statuses(connection: sqlite3.Connection) -> tuple[TopicStatus, ...]:
    """How far each topic is."""
    return tuple(TopicStatus(*row) for row in connection.execute(_TOPICS))


def state_counts(connection: sqlite3.Connection) -> dict[str, int]:
    """How many pairs are open, agreed, disputed, settled; gold is none of them."""
    return dict(connection.execute(_STATES))


def judgments_wanted(connection: sqlite3.Connection) -> int:
    """How many judgments the open pairs still need."""
    return int(connection.execute(_WANTED).fetchone()[0])


def judgments_since(connection: sqlite3.Connection, at_ms: int) -> int:
    """How many judgments that count were made in the room after a time."""
    return int(connection.execute(_SINCE, (at_ms,)).fetchone()[0])


def person_statuses(connection: sqlite3.Connection) -> tuple[PersonStatus, ...]:
    """What each assessor has done."""
    work = {row[0]: row[1:] for row in connection.execute(_WORK)}
    gold = {row[0]: row[1:] for row in connection.execute(_GOLD)}
    active: defaultdict[str, list[int]] = defaultdict(list)
    for actor, ms in connection.execute(_ACTIVE):
        active[actor].append(ms)

    def status(person: Person) -> PersonStatus:
        judged, cannot, later, repeated, flagged, last_ms = work.get(person.name, (0, 0, 0, 0, 0, None))
        seen, right = gold.get(person.name, (0, 0))
        return PersonStatus(
            person=person,
            judged=judged,
            cannot=cannot,
            later=later,
            repeated=repeated,
            flagged=flagged,
            median_ms=median(active[person.name]) if active[person.name] else None,
            gold_seen=seen,
            gold_right=right,
            last_ms=last_ms,
        )

    return tuple(map(status, people(connection)))


def dispute_lines(connection: sqlite3.Connection, user: str) -> list[DisputeLine]:
    """The pairs in dispute, topic by topic."""
    return [
        DisputeLine(
            item=item,
            topic=topic,
            title=title,
            document_id=document,
            document_title=document_title,
            lowest=lowest,
            highest=highest,
            judged=judged,
            cannot=cannot,
            own=bool(own),
        )
        for item, topic, title, document, document_title, lowest, highest, judged, cannot, own in connection.execute(
            _DISPUTES, (user,)
        )
    ]
