"""The state of pairs for one assessor: judgments given, leases of others, the own judgment."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from cranfield.judging.queue.serving import Candidate


@dataclass(frozen=True)
class RepeatDue:
    """A pair to judge again: the round, and how many judgments of the assessor came after the last one of the pair."""

    item: str
    topic: int
    document: str
    round: int
    since: int


_STAND = """
SELECT m.item, m.needed, p.judged + p.cannot,
(SELECT count(*) FROM leases l WHERE l.item = m.item AND l.assessor != :assessor AND l.round = 0),
(SELECT min(l.until_ms) FROM leases l WHERE l.item = m.item AND l.assessor != :assessor AND l.round = 0),
c.status, EXISTS(SELECT 1 FROM leases l WHERE l.item = m.item AND l.assessor = :assessor),
EXISTS(SELECT 1 FROM gold g WHERE g.item = m.item), p.state
FROM json_each(:items) j JOIN members m ON m.queue = :queue AND m.item = j.value JOIN progress p ON p.item = m.item
LEFT JOIN current c ON c.item = m.item AND c.assessor = :assessor AND c.round = 0 ORDER BY j.key
"""
_LATER = """
SELECT c.item, m.queue FROM current c JOIN members m ON m.item = c.item JOIN queues q ON q.id = m.queue
WHERE c.assessor = ? AND c.status = 'later' AND c.round = 0 AND q.closed = 0 AND q.kind != 'repeat' ORDER BY c.event
"""
_REPEATS = """
SELECT m.item, m.topic, d.document, max(c.round) + 1,
(SELECT count(*) FROM current o WHERE o.assessor = :assessor AND o.status != 'later' AND o.event > max(c.event))
FROM members m JOIN current c ON c.item = m.item JOIN items i ON i.id = m.item JOIN documents d ON d.id = i.document
WHERE m.queue = :queue AND c.assessor = :assessor AND c.status != 'later'
GROUP BY m.item HAVING max(c.round) < m.needed
"""
_OPEN_TO = """
SELECT DISTINCT m.queue FROM members m JOIN queues q ON q.id = m.queue JOIN progress p ON p.item = m.item
WHERE q.closed = 0 AND q.kind != 'repeat' AND p.state = 'open' AND NOT EXISTS(SELECT 1 FROM current c
WHERE c.item = m.item AND c.assessor = :assessor AND c.round = 0 AND c.status != 'later')
UNION SELECT m.queue FROM members m JOIN queues q ON q.id = m.queue JOIN current c ON c.item = m.item
WHERE q.closed = 0 AND q.kind = 'repeat' AND c.assessor = :assessor AND c.status != 'later'
GROUP BY m.queue, m.item HAVING max(c.round) < m.needed
"""
_HAD = """
SELECT (SELECT count(*) FROM current c WHERE c.assessor = :assessor AND c.round = 0 AND c.status != 'later')
+ (SELECT count(*) FROM leases l WHERE l.assessor = :assessor AND l.round = 0)
"""
_GOLD_HAD = """
SELECT count(*) FROM gold g JOIN (
    SELECT item FROM (
        SELECT l.item AS item, 1 AS held, l.claim AS event FROM leases l WHERE l.assessor = :assessor AND l.round = 0
        UNION ALL SELECT c.item, 0, c.event FROM current c
        WHERE c.assessor = :assessor AND c.round = 0 AND c.status != 'later'
    ) ORDER BY held DESC, event DESC LIMIT :last
) had ON had.item = g.item
"""


def candidates(connection: sqlite3.Connection, assessor: str, queue: int, items: Iterable[str]) -> list[Candidate]:
    """The state of some items of a queue for an assessor, in the order given; leases that ended do not count."""
    rows = connection.execute(_STAND, {"assessor": assessor, "queue": queue, "items": json.dumps(list(items))})
    return [
        Candidate(
            item=item,
            needed=needed,
            given=needed if state == "settled" else given,
            held=held,
            free_ms=free_ms,
            mine=mine,
            own_lease=bool(own),
            gold=bool(gold),
        )
        for item, needed, given, held, free_ms, mine, own, gold, state in rows
    ]


def put_off(connection: sqlite3.Connection, assessor: str) -> list[tuple[str, int]]:
    """The items that an assessor wants to judge later, and a queue of each, in the order they were put off."""
    return connection.execute(_LATER, (assessor,)).fetchall()


def repeats_due(connection: sqlite3.Connection, queue: int, assessor: str) -> list[RepeatDue]:
    """The pairs that an assessor judged and should judge again."""
    return [RepeatDue(*row) for row in connection.execute(_REPEATS, {"queue": queue, "assessor": assessor})]


def queues_open_to(connection: sqlite3.Connection, assessor: str) -> set[int]:
    """The queues in which an assessor may still get pairs."""
    return {row[0] for row in connection.execute(_OPEN_TO, {"assessor": assessor})}


def pairs_had(connection: sqlite3.Connection, assessor: str) -> int:
    """How many pairs an assessor has judged or holds."""
    return int(connection.execute(_HAD, {"assessor": assessor}).fetchone()[0])


def gold_had(connection: sqlite3.Connection, assessor: str, last: int = -1) -> int:
    """How many of the last pairs that an assessor has judged or holds are gold; -1: of all."""
    return int(connection.execute(_GOLD_HAD, {"assessor": assessor, "last": last}).fetchone()[0])
