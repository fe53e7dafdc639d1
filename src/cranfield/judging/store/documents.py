"""Documents: text that is kept, or the place in a file where it is read."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from cranfield.judging.records import DocumentRow, SourceRow

_ADD_SOURCE = """
INSERT INTO sources(path, format, encoding, size, modified_ns) VALUES (?, ?, ?, ?, ?)
ON CONFLICT(path) DO UPDATE SET format = excluded.format, encoding = excluded.encoding, size = excluded.size,
modified_ns = excluded.modified_ns
"""
_SOURCE_ID = "SELECT id FROM sources WHERE path = ?"
_ADD = """
INSERT INTO documents(document, title, format, body, fields, source, offset, length, hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(document) DO UPDATE SET title = excluded.title, format = excluded.format,
body = excluded.body, fields = excluded.fields, source = excluded.source, offset = excluded.offset,
length = excluded.length, hash = excluded.hash WHERE body IS NULL AND source IS NULL AND fields = '{}'
AND (excluded.body IS NOT NULL OR excluded.source IS NOT NULL OR excluded.fields != '{}')
"""
_IDS = "SELECT document, id FROM documents"
_BARE = "SELECT document FROM documents WHERE body IS NULL AND source IS NULL AND fields = '{}'"
_OF_ITEM = """
SELECT d.document, d.title, d.format, d.body, d.fields, d.offset, d.length, d.hash,
s.path, s.format, s.encoding, s.size, s.modified_ns
FROM items i JOIN documents d ON d.id = i.document LEFT JOIN sources s ON s.id = d.source WHERE i.id = ?
"""


def add_documents(connection: sqlite3.Connection, documents: Iterable[DocumentRow]) -> int:
    """Documents that are not there yet, or had no text; how many were added."""
    sources: dict[SourceRow, int] = {}
    before = connection.total_changes
    for row in documents:
        source = None
        if row.source is not None:
            source = sources.get(row.source)
            if source is None:
                source = sources[row.source] = _add_source(connection, row.source)
        fields = json.dumps(dict(row.fields), ensure_ascii=False)
        values = (row.document, row.title, row.format, row.body, fields, source, row.offset, row.length, row.hash)
        connection.execute(_ADD, values)
    return connection.total_changes - before - len(sources)


def document_places(connection: sqlite3.Connection) -> dict[str, int]:
    """The number of each document."""
    return dict(connection.execute(_IDS))


def documents_without_text(connection: sqlite3.Connection) -> set[str]:
    """The documents of which assessors see the id alone."""
    return {str(row[0]) for row in connection.execute(_BARE)}


def document_of(connection: sqlite3.Connection, item: str) -> DocumentRow | None:
    """The document of a pair."""
    found = connection.execute(_OF_ITEM, (item,)).fetchone()
    return None if found is None else _document(found)


def _add_source(connection: sqlite3.Connection, source: SourceRow) -> int:
    row = (source.path, source.format, source.encoding, source.size, source.modified_ns)
    connection.execute(_ADD_SOURCE, row)
    return int(connection.execute(_SOURCE_ID, (source.path,)).fetchone()[0])


def _document(row: tuple[Any, ...]) -> DocumentRow:
    name, title, format, body, fields, offset, length, hash, *source = row
    return DocumentRow(
        document=name,
        title=title,
        format=format,
        body=body,
        fields=json.loads(fields),
        source=None if source[0] is None else SourceRow(*source),
        offset=offset,
        length=length,
        hash=hash,
    )
