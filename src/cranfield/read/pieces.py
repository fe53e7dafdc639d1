"""A large run file in pieces of whole topics, so that neither memory nor its cost grows with the file.

Only regular files are read so: TREC columns, plain UTF-8, the rows of a topic together. Whatever else there is, or is
wrong, is left to the reader of whole files, which also words the errors.
"""

import hashlib
import io
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield import kernel
from cranfield.errors import Error
from cranfield.read import compressed
from cranfield.read.content import MAX_LINE, Content, codec_name
from cranfield.read.formats import named
from cranfield.read.guess import guess
from cranfield.read.options import Options
from cranfield.read.trec import MSMARCO, RUN, as_run, quickly
from cranfield.tables.run import Run
from cranfield.tables.text import SPARE

PIECE = 8 << 20
_LAYOUTS = {"run-trec": RUN, "run-msmarco": MSMARCO}


class Irregular(Exception):
    """The file has to be read as a whole."""


class _Piece(Content):
    """The filled part of a buffer that is used again and again."""

    filled = 0

    @property
    def size(self) -> int:
        return self.filled


def in_pieces(path: str | os.PathLike[str], options: Options) -> Iterator[Run]:
    """The run in a file, some topics at a time; each piece is gone when the next is asked for.

    The fingerprint of the file is known with the last piece. Pieces have no rank column and no lines.

    Raises:
        Irregular: at any piece, the file cannot be read so.
    """
    name = os.fspath(path)
    if kernel.compiled is None or codec_name(options.encoding) != "utf-8" or not os.path.isfile(name):
        raise Irregular
    with open(name, "rb", buffering=0) as file:
        if os.fstat(file.fileno()).st_size > options.max_size:
            raise Irregular
        yield from _checked(_read(file, name, options))


def _read(file: io.FileIO, name: str, options: Options) -> Iterator[Run]:
    buffer, digest = bytearray(min(PIECE, os.fstat(file.fileno()).st_size + 1) + len(SPARE)), hashlib.sha256()
    room: dict[object, Any] = {}  # arrays that every piece is scanned into
    held = 0  # bytes of a topic whose end has not been read yet
    layout = None
    while True:
        filled, ended = _fill(file, buffer, held)
        digest.update(memoryview(buffer)[held:filled])
        piece = _Piece(name, buffer, digest.hexdigest() if ended else "", os.path.abspath(name))
        object.__setattr__(piece, "filled", filled if ended else buffer.rfind(b"\n", 0, filled) + 1)
        layout = layout or _layout(piece, options)
        run = _run(piece, layout, options, room)
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
        del run, piece  # they look into the buffer
        if not whole:
            buffer = bytearray(2 * len(buffer))  # a topic longer than a piece
        held = len(rest)
        buffer[:held] = rest


def _fill(file: io.FileIO, buffer: bytearray, held: int) -> tuple[int, bool]:
    """Fill the buffer behind what it holds; how far it is filled, and whether the file has ended."""
    filled, room = held, len(buffer) - len(SPARE)
    with memoryview(buffer) as view:
        while filled < room:
            count = file.readinto(view[filled:room])
            if not count:
                view[filled : filled + len(SPARE)] = SPARE
                return filled, True
            filled += count
    return filled, False


def _layout(piece: _Piece, options: Options) -> tuple[str, tuple[str, ...]]:
    """The format and its columns."""
    if compressed.kind(piece.head(8)) or piece.head(3) == b"\xef\xbb\xbf" or piece.head(1) == b"#":
        raise Irregular
    try:
        format = named(options.format, "run") if options.format else guess(piece, "run", options)
    except Error:
        raise Irregular from None
    if format.name not in _LAYOUTS or options.names:
        raise Irregular
    return format.name, tuple(options.positions or _LAYOUTS[format.name])


def _run(piece: _Piece, layout: tuple[str, tuple[str, ...]], options: Options, room: dict[object, Any]) -> Run:
    """The piece as a run."""
    format, roles = layout
    if piece.array[: piece.size].max(initial=0) > 127:
        try:
            str(memoryview(piece.buffer)[: piece.size], "utf-8")
        except UnicodeDecodeError:
            raise Irregular from None
    if (
        piece.buffer.find(b"\0", 0, piece.size) >= 0
        or not {"topic", "doc"} <= {*roles}
        or not {"score", "rank"} & {*roles}
    ):
        raise Irregular
    columns = quickly(piece, options, roles, room)
    if columns is None:
        raise Irregular
    run = as_run(columns, options, format)
    if (run.topic[1:] < run.topic[:-1]).any():
        raise Irregular
    return replace(run, rank=None, line=None, source=replace(run.source, sha256=piece.sha256 or None, line_at=None))


def _first(run: Run, rows: int) -> Run:
    """The first rows, which are those of all topics but the last."""
    kept = slice(rows)
    return replace(
        run, topics=run.topics[:-1], topic=run.topic[kept], document=run.document.take(kept), score=run.score[kept]
    )


def _checked(pieces: Iterator[Run]) -> Iterator[Run]:
    """The same; a topic that comes back, or another run's tag, cannot be read so."""
    seen: set[str] = set()
    name = None
    for run in pieces:
        if not seen.isdisjoint(run.topics) or name not in (None, run.name):
            raise Irregular
        seen.update(run.topics)
        name = run.name
        yield run
