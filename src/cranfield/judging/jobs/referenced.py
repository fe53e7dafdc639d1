"""Read the text of a document from its file, and show it only if it is still the one that was pooled."""

import os
from contextlib import suppress
from hashlib import sha256

from cranfield.errors import Error
from cranfield.judging.records import DocumentRow, SourceRow
from cranfield.read.definition import record_reader
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
    found, read = None, record_reader(source.format)
    with suppress(Error, ValueError, LookupError, AttributeError, TypeError, StopIteration, RecursionError):
        found = read(raw.decode(source.encoding)) if read else None
    if found is None:
        return f"The record of this document in {name} cannot be read. {_AGAIN}"
    if found.id != row.document:
        return f"{name} has another document in the place of this one. {_AGAIN}"
    return found
