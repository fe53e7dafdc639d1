"""People and other assessors: accounts, and names under which judgments were imported."""

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from cranfield.judging.records import Person, PersonKind

_ADD = """
INSERT INTO users(name, kind, roles, password_hash, disabled, settings, counts) VALUES (?, ?, ?, ?, 0, '{}', ?)
"""
_ONE = "SELECT name, kind, roles, disabled, counts FROM users WHERE name = ?"
_ALL = "SELECT name, kind, roles, disabled, counts FROM users ORDER BY id"
_ROLES = "UPDATE users SET roles = ? WHERE name = ?"
_DISABLED = "UPDATE users SET disabled = ? WHERE name = ?"
_COUNTS = "UPDATE users SET counts = ? WHERE name = ?"
_PASSWORD = "SELECT password_hash FROM users WHERE name = ?"
_SET_PASSWORD = "UPDATE users SET password_hash = ? WHERE name = ?"
_SETTINGS = "SELECT settings FROM users WHERE name = ?"
_SET_SETTINGS = "UPDATE users SET settings = ? WHERE name = ?"


def add_person(
    connection: sqlite3.Connection,
    name: str,
    roles: Sequence[str] = ("assessor",),
    *,
    kind: PersonKind = "human",
    password_hash: str | None = None,
) -> Person:
    """A new account; only people count toward the k of a pair."""
    connection.execute(_ADD, (name, kind, json.dumps(list(roles)), password_hash, int(kind == "human")))
    return Person(name, kind, tuple(roles), False, kind == "human")


def person(connection: sqlite3.Connection, name: str) -> Person | None:
    """The account of a name."""
    found = connection.execute(_ONE, (name,)).fetchone()
    return None if found is None else _person(found)


def people(connection: sqlite3.Connection) -> list[Person]:
    """All accounts, oldest first."""
    return list(map(_person, connection.execute(_ALL)))


def set_roles(connection: sqlite3.Connection, name: str, roles: Sequence[str]) -> None:
    """What a person may do."""
    connection.execute(_ROLES, (json.dumps(list(roles)), name))


def set_disabled(connection: sqlite3.Connection, name: str, disabled: bool) -> None:
    """Shut a person out, or let them in again; their judgments stay."""
    connection.execute(_DISABLED, (int(disabled), name))


def set_counts(connection: sqlite3.Connection, name: str, counts: bool) -> None:
    """Whether the judgments of an assessor count toward the k of a pair; `derived.recount_person` comes after."""
    connection.execute(_COUNTS, (int(counts), name))


def password_hash(connection: sqlite3.Connection, name: str) -> str | None:
    """The hash of a person's password, if there is one."""
    found = connection.execute(_PASSWORD, (name,)).fetchone()
    return None if found is None else found[0]


def set_password_hash(connection: sqlite3.Connection, name: str, hashed: str | None) -> None:
    """Keep the hash of a new password."""
    connection.execute(_SET_PASSWORD, (hashed, name))


def settings_of(connection: sqlite3.Connection, name: str) -> dict[str, Any]:
    """What a person chose for the pages: keys, text size …"""
    found = connection.execute(_SETTINGS, (name,)).fetchone()
    return {} if found is None else dict(json.loads(found[0]))


def set_settings(connection: sqlite3.Connection, name: str, settings: dict[str, Any]) -> None:
    """Keep what a person chose."""
    connection.execute(_SET_SETTINGS, (json.dumps(settings, ensure_ascii=False), name))


def _person(row: tuple[Any, ...]) -> Person:
    name, kind, roles, disabled, counts = row
    return Person(name, kind, tuple(json.loads(roles)), bool(disabled), bool(counts))
