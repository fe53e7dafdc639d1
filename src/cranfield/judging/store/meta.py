"""Facts about a lab by name: its grades, its seed, the order of serving …"""

import json
import sqlite3

_ALL = "SELECT key, value FROM meta"
_ONE = "SELECT value FROM meta WHERE key = ?"
_SET = "INSERT INTO meta(key, value) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value"
_DROP = "DELETE FROM meta WHERE key = ?"


def read_meta(connection: sqlite3.Connection) -> dict[str, str]:
    """All facts."""
    return dict(connection.execute(_ALL))


def get_meta(connection: sqlite3.Connection, key: str, default: str = "") -> str:
    """One fact."""
    found = connection.execute(_ONE, (key,)).fetchone()
    return default if found is None else str(found[0])


def set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Write one fact."""
    connection.execute(_SET, (key, value))


def drop_meta(connection: sqlite3.Connection, key: str) -> None:
    """Remove one fact."""
    connection.execute(_DROP, (key,))


def grade_labels(connection: sqlite3.Connection) -> dict[int, str]:
    """The grades of the lab and their labels, lowest first."""
    return {int(grade): str(label) for grade, label in json.loads(get_meta(connection, "grades", "[]"))}
