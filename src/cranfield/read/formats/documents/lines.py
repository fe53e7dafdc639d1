"""Document collections: JSON lines, id-tab-text, or a directory of files. Only positions are kept in memory."""

import json
import os
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

from cranfield.errors import InputError
from cranfield.read.definition import reads
from cranfield.read.formats import jsonl
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content, as_utf8, check_lines, decoded, fetch
from cranfield.read.sources.lines import lines
from cranfield.read.sources.on_disk import FileBytes, changed, file_state
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.source import Source

_ID = ("_id", "id", "doc", "docno", "doc_id", "docid", "document")
_TEXT = ("text", "contents", "body", "content")
_KINDS = {".txt": "text", ".text": "text", ".html": "html", ".htm": "html", ".md": "markdown"}


class IndexedRecords:
    """Records of a file, read again on access; a record that has changed since it was added is an error.

    A hash of each record is kept for records that stay on disk.
    """

    def __init__(self, content: Content) -> None:
        self._content = content
        self._starts, self._sizes, self._hashes = array("q"), array("I"), array("I")
        buffer: object = content.buffer
        self._disk = buffer if isinstance(buffer, FileBytes) else None

    def add(self, start: int, raw: bytes) -> None:
        """Keep the position of a record, and the hash of its bytes."""
        self._starts.append(start)
        self._sizes.append(len(raw))
        if self._disk is not None:
            self._hashes.append(crc32(raw))

    def span(self, place: int) -> tuple[int, int]:
        """Where a record stands: its first byte and its length."""
        return self._starts[place], self._sizes[place]

    def __getitem__(self, place: int) -> str:
        start = self._starts[place]
        end = start + self._sizes[place]
        if self._disk is None:
            return decoded(self._content, start, self._content.buffer[start:end])
        raw = self._disk.read(start, end)
        if crc32(raw) != self._hashes[place]:
            raise self._disk.changed()
        return decoded(self._content, start, raw)


def of_json(record: str) -> Document:
    """A document from a line of JSON.

    >>> of_json('{"_id": "d1", "text": "Far away.", "price": 3}')
    Document(id='d1', text='Far away.', title='', url='', kind='text', fields={'price': 3})
    """
    return _document(json.loads(record.strip()))


def of_line(record: str) -> Document:
    r"""A document from a line of id, tab, text.

    >>> of_line("d1\tFar away.\r").text
    'Far away.'
    """
    name, _, text = record.removesuffix("\r").partition("\t")
    return Document(name, text)


@reads(
    "documents-jsonl",
    "documents",
    '{"_id":"d1","title":"…","text":"…","url":"…"}',
    endings=(".jsonl", ".ndjson"),
    writable=True,
    record=of_json,
)
def read_jsonl(content: Content, options: ReadOptions) -> Documents:
    """Documents as JSON lines with the keys _id, title, text, url; further keys are kept."""
    ids: list[str] = []
    records = IndexedRecords(content)
    for line, placed, record in jsonl.records(content, options.max_errors, json.loads):
        ids.append(_id(content, line, record))
        records.add(*placed)

    def get(place: int) -> Document:
        try:
            return of_json(records[place])
        except RecursionError:  # where the caller is deep already
            raise InputError("E302", "not valid JSON, nested too deeply", path=content.name) from None

    return indexed(content, ids, get, records, "documents-jsonl")


@reads("documents-tsv", "documents", "d1\ttext", usual_endings=(".tsv", ".txt"), record=of_line)
def read_tsv(content: Content, options: ReadOptions) -> Documents:
    """Documents as lines of id, tab, text."""
    check_lines(content)
    ids: list[str] = []
    records = IndexedRecords(content)
    for number, (start, raw) in enumerate(lines(content), 1):
        if raw.strip():
            name, tab, text = raw.partition(b"\t")
            if not tab:
                shown = content.line_from(start)
                raise InputError("E105", "expected 2 columns, found 1", path=content.name, line=number, text=shown)
            ids.append(decoded(content, start, name))
            decoded(content, start + len(name) + 1, text)
            records.add(start, raw)

    def get(place: int) -> Document:
        return of_line(records[place])

    return indexed(content, ids, get, records, "documents-tsv")


@reads("documents-directory", "documents", "docs/d1.html", guessed=False)
def refuse_file(content: Content, options: ReadOptions) -> Documents:
    """Documents as the files of a directory (.txt, .html, .md); the name without ending is the id."""
    raise InputError("E118", "documents-directory names a directory, this is a file", path=content.name)


def read_directory(folder: "str | os.PathLike[str]", options: ReadOptions) -> Documents:
    """Documents as the files of a directory (`.txt`, `.html`, `.md`); the name without ending is the id."""
    try:
        files = sorted(path for path in Path(folder).iterdir() if path.suffix.lower() in _KINDS and path.is_file())
    except OSError as reason:
        problem = f"cannot be read: {reason.strerror or reason}"
        raise InputError("E120", problem, path=os.fspath(folder)) from None
    if not files:
        hint = f"expected files ending in {', '.join(_KINDS)}"
        raise InputError("E104", "the directory holds no documents", path=os.fspath(folder), hint=hint)

    states = [file_state(path) for path in files]

    def get(place: int) -> Document:
        path = files[place]
        if not path.exists() or file_state(path) != states[place]:
            raise changed(str(path))
        text = as_utf8(fetch(path, options.max_size), options.encoding).text()
        return Document(path.stem, text, kind=_KINDS[path.suffix.lower()])

    return Documents(tuple(path.stem for path in files), get, Source(os.fspath(folder), "documents-directory"))


def indexed(
    content: Content,
    ids: list[str],
    get: Callable[[int], Document],
    records: IndexedRecords,
    format: str,
    lacking: str = "rows",
) -> Documents:
    """Documents by their position; one whose id is not the one that was indexed is an error."""
    if not ids:
        problem = "the file is empty" if content.size == 0 else f"the file holds no {lacking}"
        raise InputError("E104", problem, path=content.name)

    def checked(place: int) -> Document:
        found = get(place)
        if found.id != ids[place]:
            raise changed(content.name)
        return found

    return Documents(tuple(ids), checked, Source(content.name, format, content.fingerprint), records.span)


def _id(content: Content, line: int, record: dict[str, Any]) -> str:
    name = record.get("_id")
    if name is None:
        name = next((record[key] for key in _ID if key in record), None)
    if name is None:
        found = ", ".join(record)
        raise InputError("E303", f"no document id; found: {found}", path=content.name, line=line, hint="name it _id")
    if type(name) is int:
        return str(name)
    if not isinstance(name, str) or not name or not jsonl.valid(name):
        raise InputError("E119", f"document id {name!r} is not text", path=content.name, line=line)
    return name


def _document(record: dict[str, Any]) -> Document:
    name = next(record.pop(key) for key in _ID if key in record)
    parts = {"text": next((record.pop(key) for key in _TEXT if key in record), "")}
    parts |= {key: record.pop(key, "") for key in ("title", "url")}
    if record.get("kind") in _KINDS.values():
        parts["kind"] = record.pop("kind")
    plain = {key: value if isinstance(value, str) else json.dumps(value) for key, value in parts.items()}
    return Document(str(name), **plain, fields=record)
