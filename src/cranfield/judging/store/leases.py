"""Leases: pairs that assessors hold for some minutes."""

import sqlite3

from cranfield.judging.records import Lease

_FIELDS = "item, assessor, round, since_ms, until_ms, claim"
_HOLD = """
INSERT INTO leases(item, assessor, round, since_ms, until_ms, claim) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT(item, assessor) DO UPDATE SET round = excluded.round, until_ms = excluded.until_ms
"""
_DROP = "DELETE FROM leases WHERE item = ? AND assessor = ?"
_ONE = f"SELECT {_FIELDS} FROM leases WHERE item = ? AND assessor = ?"
_OWN = f"SELECT {_FIELDS} FROM leases WHERE assessor = ? ORDER BY claim"
_ALL = f"SELECT {_FIELDS} FROM leases WHERE until_ms > ? ORDER BY claim"
_ENDED = f"SELECT {_FIELDS} FROM leases WHERE until_ms <= ? ORDER BY until_ms, claim"
_OTHERS = "SELECT count(*) FROM leases WHERE item = ? AND assessor != ? AND round = 0"


def hold(connection: sqlite3.Connection, lease: Lease) -> None:
    """Hold a pair, or hold it longer."""
    row = (lease.item, lease.assessor, lease.round, lease.since_ms, lease.until_ms, lease.claim)
    connection.execute(_HOLD, row)


def drop_lease(connection: sqlite3.Connection, item: str, assessor: str) -> bool:
    """Give a pair back; whether it was held."""
    return connection.execute(_DROP, (item, assessor)).rowcount > 0


def lease_of(connection: sqlite3.Connection, item: str, assessor: str) -> Lease | None:
    """The lease of an assessor on a pair, ended or not."""
    found = connection.execute(_ONE, (item, assessor)).fetchone()
    return None if found is None else Lease(*found)


def leases_after(connection: sqlite3.Connection, now: int) -> list[Lease]:
    """The leases that still run, oldest first."""
    return [Lease(*row) for row in connection.execute(_ALL, (now,))]


def ended_leases(connection: sqlite3.Connection, now: int) -> list[Lease]:
    """The leases whose time is over."""
    return [Lease(*row) for row in connection.execute(_ENDED, (now,))]


def own_leases(connection: sqlite3.Connection, assessor: str) -> list[Lease]:
    """The leases of an assessor, in the order they were made."""
    return [Lease(*row) for row in connection.execute(_OWN, (assessor,))]


def held_by_others(connection: sqlite3.Connection, item: str, assessor: str) -> int:
    """How many other assessors hold a pair to judge it for the first time; leases that ended are gone before."""
    return int(connection.execute(_OTHERS, (item, assessor)).fetchone()[0])
