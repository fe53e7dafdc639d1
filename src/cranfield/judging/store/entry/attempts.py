"""Failed attempts to sign in, by account and by address; they outlive a restart of the server."""

from collections.abc import Iterable

from cranfield.judging.store.files.connection import Connection

_ADD = "INSERT INTO attempts(key, at_ms) VALUES (?, ?)"
_SINCE = "SELECT at_ms FROM attempts WHERE key = ? AND at_ms > ? ORDER BY at_ms"
_CLEAN = "DELETE FROM attempts WHERE at_ms <= ?"
_FORGIVE = "DELETE FROM attempts WHERE key = ?"


def add_attempt(connection: Connection, keys: Iterable[str], now: int) -> None:
    """Note a failure under each key."""
    connection.executemany(_ADD, [(key, now) for key in keys])


def attempts_since(connection: Connection, key: str, since: int) -> list[int]:
    """When it failed lately."""
    return [int(at) for (at,) in connection.execute(_SINCE, (key, since))]


def forget_attempts(connection: Connection, key: str) -> None:
    """Forget the failures of one key: the password was right at last, or was changed."""
    connection.execute(_FORGIVE, (key,))


def remove_attempts(connection: Connection, until: int) -> None:
    """Remove what is too old to count."""
    connection.execute(_CLEAN, (until,))
