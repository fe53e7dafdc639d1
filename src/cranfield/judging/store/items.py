"""Topics, and pairs of a topic and a document under random ids."""

import secrets
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cranfield.judging.records import TopicRow

_ADD_TOPIC = (
    "INSERT INTO topics(topic, title, description, narrative) VALUES (?, ?, ?, ?) ON CONFLICT(topic) DO NOTHING"
)
_TOPIC_IDS = "SELECT topic, id FROM topics"
_ADD = "INSERT INTO items(id, topic, document) VALUES (?, ?, ?) ON CONFLICT(topic, document) DO NOTHING"
_FIND = "SELECT id FROM items WHERE topic = ? AND document = ?"
_TEXTS = """
SELECT t.topic, t.id, t.title, t.description, t.narrative, d.document, d.title FROM items i
JOIN topics t ON t.id = i.topic JOIN documents d ON d.id = i.document WHERE i.id = ?
"""
_GOLD = "INSERT INTO gold(item, grade) VALUES (?, ?) ON CONFLICT(item) DO UPDATE SET grade = excluded.grade"
GOLD_ALONE = """
SELECT g.item FROM gold g WHERE NOT EXISTS(SELECT 1 FROM members m JOIN queues q ON q.id = m.queue
WHERE m.item = g.item AND m.needed > 0 AND q.kind != 'repeat')
"""  # pairs that no queue wants judged for their own sake
_KNOWN = "SELECT item, grade FROM gold"
_FORGET = "DELETE FROM gold"
_IDS = "SELECT id FROM items ORDER BY topic, document"
_COUNT = "SELECT count(*) FROM topics"
_TOPIC_NAME = "SELECT topic FROM topics WHERE id = ?"


@dataclass(frozen=True)
class ItemText:
    """What may be shown of a pair: its topic in words, and the id and title of its document."""

    topic: str
    topic_place: int
    title: str
    description: str
    narrative: str
    document_id: str
    document_title: str


def add_topics(connection: sqlite3.Connection, topics: Iterable[TopicRow]) -> None:
    """Topics in order; those that are there already stay as they are."""
    rows = ((row.topic, row.title, row.description, row.narrative) for row in topics)
    connection.executemany(_ADD_TOPIC, rows)


def topic_places(connection: sqlite3.Connection) -> dict[str, int]:
    """The number of each topic."""
    return dict(connection.execute(_TOPIC_IDS))


def count_topics(connection: sqlite3.Connection) -> int:
    """How many topics there are."""
    return int(connection.execute(_COUNT).fetchone()[0])


def add_items(connection: sqlite3.Connection, pairs: Sequence[tuple[int, int]]) -> tuple[list[str], int]:
    """The items of pairs of topic and document, in order, and how many of them are new: ids of 128 random bits."""
    before = connection.total_changes
    connection.executemany(_ADD, ((secrets.token_hex(16), topic, document) for topic, document in pairs))
    added = connection.total_changes - before
    return [str(connection.execute(_FIND, pair).fetchone()[0]) for pair in pairs], added


def item_ids(connection: sqlite3.Connection) -> list[str]:
    """The ids of all items, topic by topic."""
    return [row[0] for row in connection.execute(_IDS)]


def item_text(connection: sqlite3.Connection, item: str) -> ItemText | None:
    """What may be shown of a pair; None, if there is no such item."""
    found = connection.execute(_TEXTS, (item,)).fetchone()
    return None if found is None else ItemText(*found)


def set_gold(connection: sqlite3.Connection, grades: Mapping[str, int]) -> None:
    """The known grades of pairs that test assessors."""
    connection.executemany(_GOLD, grades.items())


def gold_grades(connection: sqlite3.Connection) -> dict[str, int]:
    """The known grade of each pair that is gold."""
    return dict(connection.execute(_KNOWN))


def forget_gold(connection: sqlite3.Connection) -> None:
    """No grade is known any more."""
    connection.execute(_FORGET)


def topic_name(connection: sqlite3.Connection, topic: int) -> str:
    """The id of the topic of a number."""
    return str(connection.execute(_TOPIC_NAME, (topic,)).fetchone()[0])
