"""The bytes of an input: from a file, standard input or an open file; unpacked, fingerprinted, checked to be UTF-8."""

import codecs
import io
import os
import sys
from contextlib import suppress
from functools import cached_property, partial
from typing import IO, Any, TypeAlias

import numpy as np

from cranfield.arrays import Bytes
from cranfield.arrays.memory import Memory, memory
from cranfield.errors import Error, InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.read.sources import compressed
from cranfield.read.sources.devices import refuse_device
from cranfield.read.sources.encodings import encoding_of
from cranfield.read.sources.fingerprints import Fingerprint, sha256_of
from cranfield.tables.source import Source
from cranfield.tables.text import SPARE

MAX_LINE = 64 << 20
PIECE = 1 << 20
STDIN = "<stdin>"
INNER_MARK = b"\n" + codecs.BOM_UTF8
_LATIN = f"try {setting('encoding', 'latin-1')}"
UTF8 = ("utf-8", "utf-8-sig", "ascii")
Buffer: TypeAlias = bytes | Memory
Readable: TypeAlias = str | os.PathLike[str] | IO[Any]  # text or binary files, in whatever way they were opened


class Content:
    """The content of a file: `buffer` holds its unpacked bytes, and eight spare bytes that the columns need."""

    def __init__(
        self,
        name: str,
        buffer: Buffer,
        fingerprint: "str | Fingerprint",
        encoding: str = "utf-8",
        max_size: int | None = None,
    ) -> None:
        self.name = name
        self.buffer = buffer
        self.fingerprint = fingerprint
        self.encoding = encoding  # what the file is written in; the buffer is UTF-8
        self.max_size = max_size  # bytes that it may decode to; by default what the machine can hold

    def with_buffer(self, buffer: Buffer, encoding: str | None = None) -> "Content":
        """The same file with other bytes, and the encoding that they were decoded from."""
        return Content(self.name, buffer, self.fingerprint, encoding or self.encoding, self.max_size)

    @property
    def size(self) -> int:
        """Number of bytes."""
        return len(self.buffer) - len(SPARE)

    @property
    def sha256(self) -> str | None:
        """The fingerprint of the file as it was read, before unpacking."""
        return self.fingerprint if isinstance(self.fingerprint, str) else self.fingerprint()

    @cached_property
    def array(self) -> Bytes:
        """The buffer as numbers, spare bytes included."""
        return np.frombuffer(self.buffer, dtype=np.uint8)

    def head(self, count: int) -> bytes:
        """The first bytes."""
        return bytes(self.buffer[: min(count, self.size)])

    def text(self) -> str:
        """The whole content as a string."""
        return str(memoryview(self.buffer)[: self.size], "utf-8")

    def line_at(self, line: int) -> str:
        """The text of a line by its number, for messages."""
        start = 0
        for _ in range(line - 1):
            start = self.buffer.find(b"\n", start) + 1
        return self.line_from(start)

    def line_from(self, start: int) -> str:
        """The line that begins at a byte position, for messages: cut after some thousand bytes."""
        end = self.buffer.find(b"\n", start, self.size)
        end = min(self.size if end < 0 else end, start + 4096)
        return self.buffer[start:end].decode("utf-8", "replace").rstrip("\r")

    def source(self, format: str, *, lines: bool = True, assessors: bool = False) -> Source:
        """Where a table of this content came from."""
        again = None if isinstance(self.fingerprint, str) else partial(_line_of, self.fingerprint, self.encoding)
        return Source(self.name, format, self.fingerprint, lines, assessors=assessors, line_at=again)


class OnDisk(Content):
    """A file that stays on disk; its text is decoded, and checked, line by line."""

    @property
    def size(self) -> int:
        return len(self.buffer)


def decoded(content: Content, start: int, raw: bytes | bytearray) -> str:
    """The text of a line that begins at a position; a byte-order mark at the head of the file is left out."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as reason:
        raise _wrong_byte(content, start + reason.start, "UTF-8", _LATIN) from None
    return text.removeprefix("\ufeff") if start == 0 and isinstance(content, OnDisk) else text


def fetch(source: Readable, max_size: int | None = None) -> Content:
    """The content of a path, of standard input (`-`) or of an open file, unpacked but not yet decoded."""
    name, raw, fingerprint = _raw(source, max_size)
    content = memoryview(raw)[: -len(SPARE)]
    if how := compressed.kind(bytes(content[:8])):
        from cranfield.read.sources.unpacking import unpack

        raw = unpack(content, how, name, max_size)
        raw += SPARE
    return Content(name, raw, fingerprint or sha256_of(content), max_size=max_size)


def as_utf8(content: Content, encoding: str = "utf-8") -> Content:
    """The same content as UTF-8 without byte-order mark; an error names the place of bytes that are not text.

    `encoding` may name one for each file: see `encodings`.
    """
    codec = codec_name(encoding_of(encoding, content.name))
    if codec not in UTF8:
        return _recoded(content, codec)
    if content.head(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):  # no UTF-8 begins so
        return _recoded(content, "utf-32" if content.head(4) == codecs.BOM_UTF32_LE else "utf-16")
    buffer = content.buffer
    if content.head(3) == codecs.BOM_UTF8:
        content = content.with_buffer(buffer[3:])
        buffer = content.buffer
    if content.array.max(initial=0) > 127:
        _check_utf8(content)
        _refuse_inner_mark(content)
    if (zero := buffer.find(b"\0", 0, content.size)) >= 0:
        raise _wrong_byte(
            content, zero, "text", f"is this a binary file, or UTF-16? then try {setting('encoding', 'utf-16')}"
        )
    return content


def _refuse_inner_mark(content: Content) -> None:
    """Refuse a byte-order mark at the head of a later line: it shows that two files were joined."""
    if (at := content.buffer.find(INNER_MARK, 0, content.size)) >= 0:
        line, text = line_number(content, at + 1), content.line_from(at + 1)
        hint = "two files were joined: remove the mark, or join them again without it"
        raise InputError(
            "E111", "a byte-order mark inside the file", path=content.name, line=line, text=text, hint=hint
        )


def codec_name(encoding: str) -> str:
    """The normal name of an encoding."""
    try:
        return codecs.lookup(encoding).name
    except (LookupError, ValueError, UnicodeError):
        raise PolicyError("E213", f"{setting('encoding', encoding)} is unknown", hint="utf-8, latin-1 …") from None


def check_lines(content: Content) -> None:
    """Refuse a line longer than 64 MiB, for formats made of lines."""
    start = 0
    while content.size - start > MAX_LINE:
        newline = content.buffer.rfind(b"\n", start, start + MAX_LINE + 1)
        if newline < 0:
            line = line_number(content, start)
            hint = "is this JSONL? a JSON array must be split first"
            raise InputError("E305", "line is longer than 64 MiB", path=content.name, line=line, hint=hint)
        start = newline + 1


def _raw(source: Readable, max_size: int | None) -> tuple[str, Buffer, Fingerprint | None]:
    """The name of a source, its bytes with the spare ones, and its fingerprint if it can be read again."""
    if not isinstance(source, str | os.PathLike):
        return *_from_open_file(source, max_size), None
    if source == "-":
        if (stdin := getattr(sys.stdin, "buffer", sys.stdin)) is None:
            raise InputError("E120", "there is no standard input")
        return STDIN, _from_open_file(stdin, max_size)[1], None
    name = os.fspath(source)
    if "\0" in name:
        raise InputError("E101", f"{source!r} is not the name of a file")
    try:
        if os.path.isdir(name):
            hint = f"use '{name.rstrip('/')}/*' to read every file in it"
            raise InputError("E102", "is a directory, expected a file", path=name, hint=hint)
        with open(name, "rb", buffering=0) as file:
            refuse_device(file.fileno(), name)
            size = os.fstat(file.fileno()).st_size
            if not compressed.fits(size, max_size):
                raise compressed.too_large(name, max_size)
            fingerprint = Fingerprint(name, file.fileno()) if os.path.isfile(name) else None
            return name, _all(file, name, max_size, size), fingerprint
    except FileNotFoundError:
        from cranfield.read.sources.missing_files import missing

        raise missing(name) from None
    except OSError as reason:
        problem = f"cannot be read: {reason.strerror or reason}"
        raise InputError("E120", problem, path=name) from None


def _all(file: io.FileIO, name: str, max_size: int | None, size: int) -> Buffer:
    """The whole file, read in one piece if its size is known."""
    whole = memory(size + len(SPARE))
    filled = 0
    with memoryview(whole) as view:
        while filled < size and (count := file.readinto(view[filled:size])):
            filled += count
    piece = file.read(PIECE)
    if filled == size and not piece:
        return whole
    rest = bytearray(whole[:filled])  # pipes, and files that grow or shrink
    most = compressed.held(max_size)
    while piece:
        rest += piece
        if len(rest) > most:
            raise compressed.too_large(name, max_size)
        piece = file.read(PIECE)
    rest += SPARE
    return rest


def _from_open_file(file: IO[Any], max_size: int | None) -> tuple[str, Buffer]:  # either kind of open file
    if not hasattr(file, "read"):
        raise InputError("E121", f"cannot read from {type(file).__name__}", hint="give a path, '-', or an open file")
    name = str(getattr(file, "name", "<file>"))
    with suppress(OSError, AttributeError):  # not every file has a number
        refuse_device(file.fileno(), name)
    most = compressed.held(max_size)
    raw = bytearray()
    while piece := file.read(PIECE):
        raw += piece.encode("utf-8", "surrogateescape") if isinstance(piece, str) else piece
        if len(raw) > most:
            raise compressed.too_large(name, max_size)
    raw += SPARE
    return name, raw


def _recoded(content: Content, codec: str) -> Content:
    raw = content.buffer[: content.size]
    try:
        text = raw.decode(codec)
    except UnicodeDecodeError as reason:
        line = raw[: reason.start].decode(codec, "replace").count("\n") + 1
        problem = f"byte 0x{raw[reason.start]:02X} is not {codec}"
        text = raw.decode(codec, "replace").split("\n")[line - 1][:4096].rstrip("\r")
        hint = _LATIN
        raise InputError("E111", problem, path=content.name, line=line, text=text, hint=hint) from None
    except (LookupError, TypeError, UnicodeError) as reason:  # codecs that are no text encodings
        raise PolicyError("E213", f"{setting('encoding', codec)}: {reason}", path=content.name) from None
    recoded = bytearray(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass") + SPARE)
    checked = as_utf8(content.with_buffer(recoded))
    return checked.with_buffer(checked.buffer, codec)


def _check_utf8(content: Content) -> None:
    view = memoryview(content.buffer)[: content.size]
    start = 0
    while start < content.size:
        end = start + (16 << 20)
        if end < content.size:
            end = content.buffer.rfind(b"\n", start, end) + 1 or content.size
        try:
            str(view[start:end], "utf-8")
        except UnicodeDecodeError as reason:
            at = start + reason.start
            raise _wrong_byte(content, at, "UTF-8", _LATIN) from None
        start = end


def _wrong_byte(content: Content, at: int, expected: str, hint: str) -> InputError:
    line_start = content.buffer.rfind(b"\n", 0, at) + 1
    column = len(content.buffer[line_start:at].decode("utf-8", "replace")) + 1
    problem = f"byte 0x{content.buffer[at]:02X} at column {column} is not {expected}"
    line, text = line_number(content, at), content.line_from(line_start)
    return InputError("E111", problem, path=content.name, line=line, text=text, hint=hint)


def _line_of(fingerprint: Fingerprint, encoding: str, line: int) -> str | None:
    """A line of a file that was read before, if the file has not changed."""
    try:
        content = fetch(fingerprint.path)
        return as_utf8(content, encoding).line_at(line) if fingerprint.same_as(content.fingerprint) else None
    except Error:
        return None


def line_number(content: Content, position: int) -> int:
    """The number of the line that holds a position."""
    pieces = (content.buffer[start : min(start + PIECE, position)] for start in range(0, position, PIECE))
    return sum(piece.count(b"\n") for piece in pieces) + 1
