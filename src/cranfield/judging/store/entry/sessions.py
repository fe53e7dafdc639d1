"""Sessions: made at sign-in, noted at use, ended at sign-out; old ones are kept out, and removed in time."""

from dataclasses import dataclass

from cranfield.judging.store.files.connection import Connection

_ADD = "INSERT INTO sessions(token_hash, user, csrf, made_ms, seen_ms) VALUES (?, ?, ?, ?, ?)"
_ONE = "SELECT token_hash, user, csrf, made_ms, seen_ms, ended_ms FROM sessions WHERE token_hash = ?"
_SEEN = "UPDATE sessions SET seen_ms = max(seen_ms, ?) WHERE token_hash = ?"
_END = "UPDATE sessions SET ended_ms = ? WHERE token_hash = ? AND ended_ms IS NULL"
_END_ALL = "UPDATE sessions SET ended_ms = ? WHERE user = ? AND ended_ms IS NULL"
_CLEAN = "DELETE FROM sessions WHERE made_ms < ?"


@dataclass(frozen=True)
class SessionRow:
    """One session of a person; times in UTC milliseconds."""

    token_hash: str
    user: str
    csrf: str
    made_ms: int
    seen_ms: int
    ended_ms: int | None


def begin_session(connection: Connection, token_hash: str, user: str, csrf: str, now: int) -> None:
    """Add a session."""
    connection.execute(_ADD, (token_hash, user, csrf, now, now))


def find_session(connection: Connection, token_hash: str) -> SessionRow | None:
    """The session of a token, living or not."""
    found = connection.execute(_ONE, (token_hash,)).fetchone()
    if found is None:
        return None
    made, seen, ended = found[3:]
    return SessionRow(found[0], found[1], found[2], made_ms=made, seen_ms=seen, ended_ms=ended)


def note_session(connection: Connection, token_hash: str, now: int) -> None:
    """Note that a session is in use."""
    connection.execute(_SEEN, (now, token_hash))


def end_session(connection: Connection, token_hash: str, now: int) -> None:
    """End one session."""
    connection.execute(_END, (now, token_hash))


def end_sessions(connection: Connection, user: str, now: int) -> None:
    """End all sessions of a person."""
    connection.execute(_END_ALL, (now, user))


def remove_sessions(connection: Connection, made_before: int) -> None:
    """Remove what can be no session any more."""
    connection.execute(_CLEAN, (made_before,))
