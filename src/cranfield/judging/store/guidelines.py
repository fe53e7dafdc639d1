"""Guidelines by the hash of their text: every version that a judgment names is kept."""

import sqlite3
from hashlib import sha256

from cranfield.judging.records import Guidelines
from cranfield.judging.store.meta import get_meta, set_meta

_ADD = "INSERT INTO guidelines(hash, text) VALUES (?, ?) ON CONFLICT(hash) DO NOTHING"
_ONE = "SELECT hash, text FROM guidelines WHERE hash = ?"


def put_guidelines(connection: sqlite3.Connection, text: str) -> Guidelines:
    """Keep a text, and make it the one in force."""
    found = Guidelines(sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), text)
    connection.execute(_ADD, (found.hash, text))
    set_meta(connection, "guideline", found.hash)
    return found


def guidelines_in_force(connection: sqlite3.Connection) -> Guidelines:
    """The guidelines that judgments are made under now."""
    return guidelines_of(connection, get_meta(connection, "guideline")) or Guidelines("", "")


def guideline_hash(connection: sqlite3.Connection) -> str:
    """The hash of the guidelines in force, which each judgment records."""
    return get_meta(connection, "guideline")


def guidelines_of(connection: sqlite3.Connection, hash: str) -> Guidelines | None:
    """The version of a hash."""
    found = connection.execute(_ONE, (hash,)).fetchone()
    return None if found is None else Guidelines(*found)
