"""Read the text of a document from the file it stands in, and show it only if it is still the one that was pooled."""

import os
from collections.abc import Callable
from hashlib import sha256

from cranfield.errors import Error
from cranfield.judging.records import DocumentRow, SourceRow
from cranfield.tables.side.documents import Document

_AGAIN = "Its text is not shown; please tell the owner of the lab."


def read_in_place(row: DocumentRow, source: SourceRow) -> Document | str:
    """The document of a row, or in words why it cannot be shown: size, bytes and id are checked each time."""
    name = os.path.basename(source.path)
    try:
        size = os.stat(source.path).st_size
        if size != source.size:
            return f"The file {name} has changed: it had {source.size:,} bytes, now it has {size:,}. {_AGAIN}"
        with open(source.path, "rb") as file:
            file.seek(row.offset)
            raw = file.read(row.length)
    except OSError as error:
        return f"The file {name} cannot be read: {(error.strerror or str(error)).lower()}. {_AGAIN}"
    if len(raw) != row.length or sha256(raw).hexdigest() != row.hash:
        return f"The file {name} has changed where this document stood. {_AGAIN}"
    try:
        found = _reader(source.format)(raw.decode(source.encoding))
    except (Error, ValueError, LookupError, AttributeError, TypeError, StopIteration, RecursionError):
        return f"The record of this document in {name} cannot be read. {_AGAIN}"
    if found.id != row.document:
        return f"Another document stands in {name} where this one stood. {_AGAIN}"
    return found


def _reader(format: str) -> Callable[[str], Document]:
    """What makes a document of one record."""
    from cranfield.read.formats.documents import of_json, of_line
    from cranfield.read.formats.trec_documents import of_element

    return {"documents-jsonl": of_json, "documents-tsv": of_line, "documents-trec": of_element}[format]
