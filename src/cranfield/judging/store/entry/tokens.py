"""Tokens of setup and invite links: each works once, until a time."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.judging.store.files.connection import Connection

_ADD = "INSERT INTO tokens(token_hash, purpose, roles, made_ms, until_ms) VALUES (?, ?, ?, ?, ?)"
_ONE = "SELECT roles FROM tokens WHERE token_hash = ? AND purpose = ? AND used_ms IS NULL AND until_ms > ?"
_USE = "UPDATE tokens SET used_ms = ? WHERE token_hash = ?"
_OLD = "DELETE FROM tokens WHERE purpose = ? AND used_ms IS NULL"


@dataclass(frozen=True)
class Admission:
    """What a token grants: roles, and the account if it names one."""

    roles: tuple[str, ...]
    name: str = ""


def add_token(
    connection: Connection,
    token_hash: str,
    purpose: str,
    roles: Sequence[str],
    *,
    name: str,
    now: int,
    until: int,
) -> None:
    """Add a token that grants roles, to a named account or to a new one."""
    granted = json.dumps({"roles": list(roles), "name": name})
    connection.execute(_ADD, (token_hash, purpose, granted, now, until))


def find_token(connection: Connection, token_hash: str, purpose: str, now: int) -> Admission | None:
    """What a token grants; None if it is unknown, used or too old."""
    found = connection.execute(_ONE, (token_hash, purpose, now)).fetchone()
    if found is None:
        return None
    granted = json.loads(found[0])
    return Admission(tuple(granted["roles"]), granted["name"])


def use_token(connection: Connection, token_hash: str, now: int) -> None:
    """Let a token work no more."""
    connection.execute(_USE, (now, token_hash))


def forget_tokens(connection: Connection, purpose: str) -> None:
    """Remove the tokens of a purpose that were not used."""
    connection.execute(_OLD, (purpose,))
