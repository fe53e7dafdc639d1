"""Everything that an export tells: all pairs with all judgments, as they are at one moment."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from cranfield.judging.exporting.inclusion import Membership, included
from cranfield.judging.exporting.pairs import ExportedPair, SaidBy
from cranfield.judging.store.events import Event, all_events
from cranfield.judging.store.judgments import judgment_in

_PAIRS = """
SELECT i.id, t.topic, d.document, g.grade, p.settled_grade FROM items i
JOIN topics t ON t.id = i.topic JOIN documents d ON d.id = i.document
LEFT JOIN gold g ON g.item = i.id LEFT JOIN progress p ON p.item = i.id ORDER BY t.id, d.document
"""
_MEMBERS = """
SELECT m.item, m.queue, m.needed, m.stratum, m.inclusion_probability, q.adaptive FROM members m
JOIN queues q ON q.id = m.queue WHERE q.kind != 'repeat' ORDER BY m.queue
"""
_SAID = """
SELECT c.item, c.assessor, c.round, c.status, c.grade, c.note, c.marks, c.flag, c.reason, c.event, c.at_ms,
coalesce(u.kind, 'human'), coalesce(e.guideline, ''), coalesce(e.method, ''), e.ms_active, e.ms_away
FROM current c LEFT JOIN users u ON u.name = c.assessor LEFT JOIN events e ON e.id = c.event ORDER BY c.event
"""
_TOLD = ("login", "logout", "claim", "renew", "release", "expire", "export", "backup", "migrate", "invite", "user")


@contextmanager
def one_moment(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Reads inside see the lab as it is at one moment, whatever is written meanwhile."""
    if connection.in_transaction:
        yield connection
        return
    connection.execute("BEGIN")
    try:
        yield connection
    finally:
        connection.execute("COMMIT")


def exported_pairs(connection: sqlite3.Connection) -> list[ExportedPair]:
    """All pairs, in the order of topics and by document, with all judgments."""
    said: dict[str, list[SaidBy]] = defaultdict(list)
    for row in connection.execute(_SAID):
        said[row[0]].append(SaidBy(judgment_in(row[:11]), *row[11:]))
    members: dict[str, list[Membership]] = defaultdict(list)
    for item, queue, needed, stratum, probability, adaptive in connection.execute(_MEMBERS):
        members[item].append(Membership(queue, needed, stratum, None if adaptive else probability))
    pairs = []
    for item, topic, document, gold, settled in connection.execute(_PAIRS):
        chosen = included(members[item])
        pair = ExportedPair(
            topic=topic,
            document=document,
            said=tuple(said[item]),
            settled=settled,
            gold=gold is not None and chosen.needed == 0,
            needed=chosen.needed,
            stratum=chosen.stratum,
            probability=chosen.probability,
            queues=chosen.queues,
            item=item,
        )
        pairs.append(pair)
    return pairs


def judging_hash(connection: sqlite3.Connection) -> str:
    """The SHA-256 of all events that an export depends on: equal hashes, equal exports."""
    found = sha256()
    for event in all_events(connection):
        if event.kind not in _TOLD:
            found.update(_line(event))
    return found.hexdigest()


def _line(event: Event) -> bytes:
    cells = (event.id, event.at_ms, event.actor, event.role, event.kind, event.item, event.old, event.new)
    return (json.dumps([*cells, event.guideline], ensure_ascii=True, sort_keys=True) + "\n").encode()
