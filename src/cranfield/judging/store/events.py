"""Events: the truth of a lab. Each is added once, and none is ever changed or removed."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cranfield.judging.store.files.clock import Clock

JUDGING = ("judge", "revise", "cannot", "later", "flag", "note", "mark", "import")  # they set a judgment
KINDS = (
    *JUDGING,
    *("undo", "claim", "renew", "release", "expire", "adjudicate", "export", "login", "logout", "invite", "user"),
    *("guideline", "queue", "reveal", "backup", "migrate"),
)
Data = dict[str, Any]  # what a JSON object holds

_ADD = """
INSERT INTO events(
at_ms, actor, role, kind, item, old, new, client_id, method, ms_active, ms_away, guideline, app_version)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_FIELDS = "id, at_ms, actor, role, kind, item, old, new, client_id, method, ms_active, ms_away, guideline, app_version"
_ALL = f"SELECT {_FIELDS} FROM events ORDER BY id"
_BY_CLIENT = f"SELECT {_FIELDS} FROM events WHERE actor = ? AND client_id = ?"
_BY_ID = f"SELECT {_FIELDS} FROM events WHERE id = ?"
_CHOSEN = f"""
SELECT {_FIELDS} FROM events WHERE id < :top AND (:actor IS NULL OR actor = :actor) AND (:item IS NULL OR item = :item)
AND (:kind IS NULL OR kind = :kind) ORDER BY id DESC LIMIT :limit
"""
_OF_ITEM = f"SELECT {_FIELDS} FROM events WHERE item = ? AND kind = ? ORDER BY id DESC LIMIT 1"
_GIVEN = "SELECT 1 FROM events WHERE item = ? AND actor = ? LIMIT 1"
_OWN = f"""
SELECT {_FIELDS} FROM events WHERE actor = ? AND kind IN ('judge','revise','cannot','later','flag','note','mark','undo')
ORDER BY id DESC
"""
_LAST = "SELECT id, at_ms FROM events ORDER BY id DESC LIMIT 1"


@dataclass(frozen=True)
class Event:
    """Something that happened: at which time, by whom and in which role, to which item, from what to what."""

    kind: str
    actor: str
    role: str
    at_ms: int
    item: str | None = None
    old: Data | None = None
    new: Data | None = None
    client_id: str | None = None
    method: str | None = None
    ms_active: int | None = None
    ms_away: int | None = None
    guideline: str | None = None
    app_version: str = ""
    id: int = 0


def append(connection: sqlite3.Connection, event: Event) -> int:
    """Add an event; its id, which is larger than all before."""
    if event.kind not in KINDS:
        raise ValueError(event.kind)
    row = (
        *(event.at_ms, event.actor, event.role, event.kind, event.item, _text(event.old), _text(event.new)),
        *(event.client_id, event.method, event.ms_active, event.ms_away, event.guideline),
        event.app_version or _version(),
    )
    return int(connection.execute(_ADD, row).lastrowid or 0)


def all_events(connection: sqlite3.Connection) -> Iterator[Event]:
    """Every event, oldest first."""
    return map(_event, connection.execute(_ALL))


def event_of(connection: sqlite3.Connection, number: int) -> Event | None:
    """The event of a number."""
    return _one(connection.execute(_BY_ID, (number,)))


def event_of_client(connection: sqlite3.Connection, actor: str, client_id: str) -> Event | None:
    """The event that a client made under this id, if the request has come before."""
    return _one(connection.execute(_BY_CLIENT, (actor, client_id)))


def chosen_events(
    connection: sqlite3.Connection,
    *,
    actor: str | None = None,
    item: str | None = None,
    kind: str | None = None,
    before: int | None = None,
    limit: int = 100,
) -> list[Event]:
    """The last events of a person, a pair or a kind, newest first; `before` an id, to page on."""
    top = 2**62 if before is None else before
    return list(
        map(
            _event,
            connection.execute(_CHOSEN, {"top": top, "actor": actor, "item": item, "kind": kind, "limit": limit}),
        )
    )


def last_of_item(connection: sqlite3.Connection, item: str, kind: str) -> Event | None:
    """The last event of a kind about a pair."""
    return _one(connection.execute(_OF_ITEM, (item, kind)))


def was_given(connection: sqlite3.Connection, actor: str, item: str) -> bool:
    """Whether a pair was ever served to an assessor."""
    return connection.execute(_GIVEN, (item, actor)).fetchone() is not None


def last_to_undo(connection: sqlite3.Connection, actor: str) -> Event | None:
    """The last judging event of an assessor that has not been undone."""
    undone: set[int] = set()
    for event in map(_event, connection.execute(_OWN, (actor,))):
        if event.kind == "undo":
            undone.add((event.old or {})["event"])
        elif event.id not in undone:
            return event
    return None


def last_event(connection: sqlite3.Connection) -> tuple[int, int]:
    """The id and the time of the last event; zeros, if there is none."""
    found = connection.execute(_LAST).fetchone()
    return (0, 0) if found is None else (int(found[0]), int(found[1]))


def time_for(connection: sqlite3.Connection) -> int:
    """The time of an event that is added now: never before the last one, also if the clock was set back."""
    clock = Clock()
    clock.not_before(last_event(connection)[1])
    return clock.now()


def _one(cursor: sqlite3.Cursor) -> Event | None:
    found = cursor.fetchone()
    return None if found is None else _event(found)


def _event(row: tuple[Any, ...]) -> Event:
    number, at_ms, actor, role, kind, item, old, new, client_id, method, active, away, guideline, version = row
    return Event(
        kind=kind,
        actor=actor,
        role=role,
        at_ms=at_ms,
        item=item,
        old=_data(old),
        new=_data(new),
        client_id=client_id,
        method=method,
        ms_active=active,
        ms_away=away,
        guideline=guideline,
        app_version=version,
        id=number,
    )


def _text(data: Data | None) -> str | None:
    return None if data is None else json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _data(text: str | None) -> Data | None:
    return None if text is None else json.loads(text)


def _version() -> str:
    import cranfield

    return cranfield.__version__
