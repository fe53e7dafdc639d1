"""Requests: opaque ids under which pairs are given to outside labellers, and the map back."""

import secrets
import sqlite3
from collections.abc import Iterable

_KNOWN = "SELECT item, opaque FROM requests"
_ADD = "INSERT INTO requests(opaque, item) VALUES (?, ?)"
_MAP = """
SELECT r.opaque, t.topic, d.document FROM requests r JOIN items i ON i.id = r.item
JOIN topics t ON t.id = i.topic JOIN documents d ON d.id = i.document
"""
_ITEMS = """
SELECT t.topic, d.document, i.id FROM items i JOIN topics t ON t.id = i.topic JOIN documents d ON d.id = i.document
"""


def request_ids(connection: sqlite3.Connection, items: Iterable[str]) -> dict[str, str]:
    """The opaque id of each item: the one it has, or a new one of 128 random bits."""
    known = dict(connection.execute(_KNOWN).fetchall())
    wanted = list(items)
    new = {item: secrets.token_hex(16) for item in wanted if item not in known}
    connection.executemany(_ADD, ((opaque, item) for item, opaque in new.items()))
    return {item: known.get(item) or new[item] for item in wanted}


def request_map(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    """Topic and document of each opaque id."""
    return {opaque: (topic, document) for opaque, topic, document in connection.execute(_MAP)}


def items_by_pair(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """The item of each pair of topic and document."""
    return {(topic, document): item for topic, document, item in connection.execute(_ITEMS)}
