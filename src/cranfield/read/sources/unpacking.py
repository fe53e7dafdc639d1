"""Compressed data, unpacked in pieces; imported where there are such data."""

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

from cranfield.errors import InputError
from cranfield.errors.extras import need
from cranfield.errors.wording import setting
from cranfield.read.sources.compressed import too_large

PIECE = 1 << 20
_DAMAGE = (zlib.error, OSError, lzma.LZMAError, ValueError)


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """zlib's gzip decompressor with the interface of the other two."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


_UNPACKERS: dict[str, Callable[[], _Unpacker]] = {
    "gz": _Gzip,
    "bz2": bz2.BZ2Decompressor,
    "xz": lzma.LZMADecompressor,
}


def unpack(raw: bytes | bytearray, how: str, name: str, max_size: int) -> bytearray:
    """The content of compressed data; data that end early or are damaged are an error that says where."""
    whole = bytearray()
    problem = "compressed data end early"
    try:
        for piece in _zst(raw, name) if how == "zst" else _pieces(raw, _UNPACKERS[how]):
            whole += piece
            if len(whole) > max_size:
                raise too_large(name, max_size)
        return whole
    except EOFError:
        pass
    except _DAMAGE as reason:
        if "utf8" in str(reason):
            raise InputError(
                "E111",
                "the unpacked text is not UTF-8",
                path=name,
                hint=f"unpack it first (zstd -d), then {setting('encoding')}",
            ) from None
        if "incomplete" not in str(reason):
            problem = "compressed data are damaged"
    lines = whole.count(b"\n")
    hint = "copy the file again; nothing was evaluated"
    raise InputError("E301", f"{problem}, after line {lines:,}", path=name, hint=hint)


def _pieces(raw: bytes | bytearray, new: Callable[[], _Unpacker]) -> Iterator[bytes]:
    """Unpacked pieces; several compressed streams one after the other are one content."""
    view = memoryview(raw)
    at, waiting, unpacker = 0, b"", new()
    while True:
        if unpacker.eof:
            waiting = unpacker.unused_data.lstrip(b"\0")  # tapes and disks pad with zeros
            if not waiting and not bytes(view[at:]).strip(b"\0"):
                return
            unpacker = new()
        if unpacker.needs_input and not waiting:
            waiting = bytes(view[at : at + PIECE])
            at += PIECE
            if not waiting:
                raise EOFError
        yield unpacker.decompress(waiting, PIECE)
        waiting = b""


def _zst(raw: bytes | bytearray, name: str) -> Iterator[bytes]:
    """Zstandard is not in the standard library of every Python; polars reads the lines of such files."""
    need("polars", "a .zst file", path=name)
    import polars as pl

    try:
        for batch in pl.scan_lines(bytes(raw)).collect_batches(maintain_order=True):
            yield "".join(f"{line}\n" for line in batch.to_series()).encode()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as reason:
        raise ValueError(str(reason)) from None
