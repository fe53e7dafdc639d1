"""Document collections: JSON lines, id-tab-text, or a directory of files. Only positions are kept in memory."""

import json
import os
from array import array
from pathlib import Path
from typing import Any

from cranfield.errors import InputError
from cranfield.read.definition import reads
from cranfield.read.formats import jsonl
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content, as_utf8, check_lines, decoded, fetch
from cranfield.read.sources.on_disk import FileBytes, changed, file_state
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.source import Source

_ID = ("_id", "id", "doc", "docno", "doc_id", "docid", "document")
_TEXT = ("text", "contents", "body", "content")
_KINDS = {".txt": "text", ".text": "text", ".html": "html", ".htm": "html", ".md": "markdown"}


class IndexedLines:
    """Lines of a file, read again on access; a line that has changed since it was added is an error.

    A hash of each line is kept for lines that stay on disk.
    """

    def __init__(self, content: Content) -> None:
        self._content = content
        self._starts, self._sizes, self._hashes = array("q"), array("I"), array("Q")
        buffer: object = content.buffer
        self._disk = buffer if isinstance(buffer, FileBytes) else None

    def add(self, start: int) -> None:
        """Keep the position where a line begins."""
        content = self._content
        end = content.buffer.find(b"\n", start, content.size)
        end = content.size if end < 0 else end
        self._starts.append(start)
        self._sizes.append(end - start)
        if self._disk is not None:
            self._hashes.append(_hash(self._disk[start:end]))

    def __getitem__(self, place: int) -> str:
        start = self._starts[place]
        end = start + self._sizes[place]
        if self._disk is None:
            return decoded(self._content, start, self._content.buffer[start:end])
        raw = self._disk.read(start, end)
        if _hash(raw) != self._hashes[place]:
            raise self._disk.changed()
        return decoded(self._content, start, raw)


def _hash(raw: bytes) -> int:
    from hashlib import blake2b  # which takes longer to load than a small file to read

    return int.from_bytes(blake2b(raw, digest_size=8).digest(), "little")


@reads(
    "documents-jsonl",
    "documents",
    '{"_id":"d1","title":"…","text":"…","url":"…"}',
    endings=(".jsonl", ".ndjson"),
    writable=True,
)
def read_jsonl(content: Content, options: ReadOptions) -> Documents:
    """Documents as JSON lines with the keys _id, title, text, url; further keys are kept."""
    ids: list[str] = []
    lines = IndexedLines(content)
    for line, start, record in jsonl.records(content, options.max_errors, json.loads):
        ids.append(_id(content, line, record))
        lines.add(start)

    def get(place: int) -> Document:
        try:
            return _document(json.loads(lines[place].strip()))
        except RecursionError:  # where the caller is deep already
            raise InputError("E302", "not valid JSON, nested too deeply", path=content.name) from None

    return _documents(content, ids, get, "documents-jsonl")


@reads("documents-tsv", "documents", "d1\ttext", usual_endings=(".tsv", ".txt"))
def read_tsv(content: Content, options: ReadOptions) -> Documents:
    """Documents as lines of id, tab, text."""
    check_lines(content)
    buffer = content.buffer
    ids: list[str] = []
    lines = IndexedLines(content)
    start, line = 0, 0
    while start < content.size:
        end = buffer.find(b"\n", start, content.size)
        end = content.size if end < 0 else end
        line += 1
        if buffer[start:end].strip():
            tab = buffer.find(b"\t", start, end)
            if tab < 0:
                text = content.line_from(start)
                raise InputError("E105", "expected 2 columns, found 1", path=content.name, line=line, text=text)
            ids.append(decoded(content, start, buffer[start:tab]))
            decoded(content, tab, buffer[tab:end])
            lines.add(start)
        start = end + 1

    def get(place: int) -> Document:
        name, _, text = lines[place].removesuffix("\r").partition("\t")
        return Document(name, text)

    return _documents(content, ids, get, "documents-tsv")


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


def _documents(content: Content, ids: list[str], get: Any, format: str) -> Documents:
    if not ids:
        problem = "the file is empty" if content.size == 0 else "the file holds no rows"
        raise InputError("E104", problem, path=content.name)
    return Documents(tuple(ids), get, Source(content.name, format, content.fingerprint))


def _id(content: Content, line: int, record: dict[str, Any]) -> str:
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
