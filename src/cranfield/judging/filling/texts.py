"""The texts of the pooled documents: kept in the lab, or a place in their file that is read at each access.

A document that is referenced is found by file, first byte and length, with the hash of its bytes; a file that has
changed is noticed. Only plain UTF-8 files of records can be referenced.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.judging.records import DocumentRow, SourceRow
from cranfield.read import read_documents
from cranfield.read.definition import record_reader
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.words import counted


@dataclass(frozen=True)
class FoundTexts:
    """The rows of the pooled documents; `missing` are those that no file has."""

    rows: tuple[DocumentRow, ...]
    missing: tuple[str, ...]

    @property
    def found(self) -> int:
        """How many have a text."""
        return len(self.rows) - len(self.missing)


def document_rows(
    path: str | None, wanted: Sequence[str], *, allow_missing: bool = False, keep: bool = True, encoding: str = "utf-8"
) -> FoundTexts:
    """The rows of the wanted documents; a missing one is an error unless allowed."""
    if path is None:
        return FoundTexts(tuple(map(DocumentRow, wanted)), tuple(wanted))
    documents = read_documents(path, encoding=encoding)
    missing = tuple(name for name in wanted if name not in documents)
    if missing and not allow_missing:
        share = f"{len(missing):,} of {counted(len(wanted), 'pooled document')}"
        are = "is" if len(missing) == 1 else "are"
        problem = f"{share} {are} not in {path} (first: {missing[0]})"
        raise InputError("E405", problem, hint=f"{setting('allow_missing_docs', True)} shows their ids only")
    without = set(missing)
    if keep:
        rows = [DocumentRow(name) if name in without else _kept(documents[name]) for name in wanted]
    else:
        rows = _referenced(documents, wanted, without)
    return FoundTexts(tuple(rows), missing)


def _kept(document: Document) -> DocumentRow:
    fields = _fields(document)
    return DocumentRow(
        document=document.id,
        title=document.title,
        format="fields" if fields and not document.text else document.kind,
        body=document.text,
        fields=fields,
        hash=sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest(),
    )


def _fields(document: Document) -> Mapping[str, Any]:  # values of a JSON record
    return {**({"url": document.url} if document.url else {}), **document.fields}


def _referenced(documents: Documents, wanted: Sequence[str], without: set[str]) -> list[DocumentRow]:
    """Rows with places in the file; each record is read once, to check that it is there."""
    if documents.span is None or record_reader(documents.source.format) is None:
        raise _cannot(documents.source.name)
    path = os.path.abspath(documents.source.name)
    try:
        status = os.stat(path)
    except OSError:
        raise _cannot(documents.source.name) from None
    source = SourceRow(path, documents.source.format, "utf-8", size=status.st_size, modified_ns=status.st_mtime_ns)
    places = {name: place for place, name in enumerate(documents.ids)}
    rows = []
    with open(path, "rb") as file:
        for name in wanted:
            if name in without:
                rows.append(DocumentRow(name))
                continue
            offset, length = documents.span(places[name])
            file.seek(offset)
            raw = file.read(length)
            document = documents[name]
            if name.encode() not in raw:
                raise _cannot(documents.source.name)
            rows.append(
                DocumentRow(
                    document=name,
                    title=document.title,
                    format="fields" if document.fields and not document.text else document.kind,
                    source=source,
                    offset=offset,
                    length=length,
                    hash=sha256(raw).hexdigest(),
                )
            )
    return rows


def _cannot(name: str) -> PolicyError:
    hint = "records of a plain UTF-8 file can be read where they are; others have to be kept in the lab"
    return PolicyError("E242", f"{name}: its documents cannot be read in place", hint=hint)
