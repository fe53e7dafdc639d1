"""Read a large run file in pieces of whole topics, so that memory does not grow with the file.

Only regular files are read this way: TREC columns, plain UTF-8, the rows of a topic together. The reader of whole files
reads all others, and words the errors.
"""

import io
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from cranfield import kernel
from cranfield.errors import Error
from cranfield.read.definition import named
from cranfield.read.formats.trec import MSMARCO, RUN, decoded, fits, kinds_of, name_of
from cranfield.read.guess import guess
from cranfield.read.options import ReadOptions
from cranfield.read.sources import compressed
from cranfield.read.sources.content import INNER_MARK, MAX_LINE, Content, codec_name
from cranfield.read.sources.encodings import encoding_of
from cranfield.read.sources.fingerprints import Fingerprint
from cranfield.tables.run import Run
from cranfield.tables.source import Source
from cranfield.tables.text import SPARE, Text

PIECE = 2 << 20
Arrays: TypeAlias = dict[object, Any]  # what is scanned into
_FREE: list[tuple[bytearray, Arrays]] = []  # memory of files read before: touching new memory costs as much as reading
_HEAD = 1 << 18  # bytes that show how a file is written
_LAYOUTS = {"run-trec": RUN, "run-msmarco": MSMARCO}


class Irregular(Exception):
    """The file has to be read as a whole."""


def in_pieces(path: str | os.PathLike[str], options: ReadOptions) -> Iterator[Run]:
    """The run in a file, some topics at a time; the next piece overwrites the one before.

    Pieces have no rank column and no lines.

    Raises:
        Irregular: at any piece, the file cannot be read in pieces.
    """
    name = os.fspath(path)
    if codec_name(encoding_of(options.encoding, name)) != "utf-8" or not os.path.isfile(name):
        raise Irregular
    try:
        with open(name, "rb", buffering=0) as file:
            if os.fstat(file.fileno()).st_size > compressed.streamed(options.max_size):
                raise Irregular
            yield from _checked(whole_topics(file, _Parser(name, Fingerprint(name, file.fileno()), options)))
    except OSError:
        raise Irregular from None


def whole_topics(file: io.FileIO, parse: Callable[[bytearray, int, Arrays], Run]) -> Iterator[Run]:
    """The runs that `parse` makes from the first bytes of a buffer and from arrays that are used again.

    The next piece, or another file, overwrites a run. `parse` must refuse a topic whose rows are not together.
    """
    needed = min(PIECE, os.fstat(file.fileno()).st_size + 1) + len(SPARE)
    try:
        buffer, arrays = _FREE.pop()
    except IndexError:
        buffer, arrays = bytearray(), {}
    if not needed <= len(buffer) <= PIECE + len(SPARE):
        buffer = bytearray(needed)
    try:
        yield from _whole_topics(file, buffer, lambda buffer, size: parse(buffer, size, arrays))
    finally:
        _FREE.append((buffer, {key: array for key, array in arrays.items() if array.nbytes <= PIECE}))


def _whole_topics(file: io.FileIO, buffer: bytearray, parse: Callable[[bytearray, int], Run]) -> Iterator[Run]:
    held = 0  # bytes of a topic whose end has not been read yet
    while True:
        filled, ended = _fill(file, buffer, held)
        run = parse(buffer, filled if ended else buffer.rfind(b"\n", 0, filled) + 1)
        if ended:
            yield run
            return
        whole = int(np.searchsorted(run.topic, len(run.topics) - 1))  # rows of all topics but the last
        position = 0
        if whole:
            yield _first(run, whole)
            position = buffer.rfind(b"\n", 0, int(run.document.start[whole])) + 1
        elif len(buffer) > MAX_LINE:
            raise Irregular
        rest = buffer[position:filled]
        del run  # it looks into the buffer
        if not whole:
            buffer = bytearray(2 * len(buffer))  # a topic longer than a piece
        held = len(rest)
        buffer[:held] = rest


def _fill(file: io.FileIO, buffer: bytearray, held: int) -> tuple[int, bool]:
    """Fill the rest of the buffer; return how far it is filled, and whether the file has ended."""
    filled, room = held, len(buffer) - len(SPARE)
    with memoryview(buffer) as view:
        while filled < room:
            count = file.readinto(view[filled:room])
            if not count:
                view[filled : filled + len(SPARE)] = SPARE
                return filled, True
            filled += count
    return filled, False


class _Parser:
    """Parses the pieces of a file into runs."""

    def __init__(self, name: str, fingerprint: Fingerprint, options: ReadOptions) -> None:
        self.name, self.options = name, options
        self.roles: tuple[str, ...] = ()  # of its columns, known with the first piece
        self.kinds: list[int] = []
        self.source = Source(name, fingerprint=fingerprint)

    def __call__(self, buffer: bytearray, size: int, arrays: Arrays) -> Run:
        array = np.frombuffer(buffer, dtype=np.uint8)
        if not self.roles:
            self._look(Content(self.name, bytes(buffer[: min(size, _HEAD)]) + SPARE, ""))
        found = kernel.scan(array, size, self.kinds, arrays)
        if found is None:
            raise Irregular
        topics, topic, made, _, any_long, plain, together = found
        if not together or not (plain or _is_text(buffer, size)):
            raise Irregular
        columns = dict(zip(self.roles, made, strict=True))
        start, length, hash_ = columns["doc"]
        score = columns["score"] if "score" in columns else -columns["rank"]
        if "score" not in columns and not fits("rank", score, whole=True):
            raise Irregular
        tag = columns.get("run")
        return Run(
            name_of(None if tag is None else decoded(tag), self.name, self.options),
            tuple(map(decoded, topics)),
            topic,
            Text(array, start, length).hashed(hash_, any_long),
            score,
            source=self.source,
        )

    def _look(self, piece: Content) -> None:
        """Find out the layout of the file from its first lines."""
        if compressed.kind(piece.head(8)) or piece.head(3) == b"\xef\xbb\xbf" or piece.head(1) == b"#":
            raise Irregular
        try:
            format = named(self.options.format, "run") if self.options.format else guess(piece, "run", self.options)
        except Error:
            raise Irregular from None
        if format.name not in _LAYOUTS or self.options.names:
            raise Irregular
        roles = tuple(self.options.positions or _LAYOUTS[format.name])
        kinds = kinds_of(roles)
        if kinds is None or not {"topic", "doc"} <= {*roles} or not {"score", "rank"} & {*roles}:
            raise Irregular
        self.roles, self.kinds, self.source = roles, kinds, self.source._replace(format=format.name)


def _is_text(buffer: bytearray, size: int) -> bool:
    """Whether bytes are UTF-8 without zeros."""
    try:
        str(memoryview(buffer)[:size], "utf-8")
    except UnicodeDecodeError:
        return False
    return buffer.find(b"\0", 0, size) < 0 and buffer.find(INNER_MARK, 0, size) < 0


def _first(run: Run, rows: int) -> Run:
    """The rows of all topics but the last."""
    kept = slice(rows)
    return replace(
        run, topics=run.topics[:-1], topic=run.topic[kept], document=run.document.take(kept), score=run.score[kept]
    )


def _checked(pieces: Iterator[Run]) -> Iterator[Run]:
    """The same run; raises `Irregular` if a topic occurs again later, or if the tag changes."""
    seen: set[str] = set()
    name = None
    for run in pieces:
        if not seen.isdisjoint(run.topics) or name not in (None, run.name):
            raise Irregular
        seen.update(run.topics)
        name = run.name
        yield run
