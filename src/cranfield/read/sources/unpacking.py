"""Unpack compressed data in pieces; imported only if there are such data."""

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

from cranfield.errors import InputError
from cranfield.errors.extras import need
from cranfield.read.sources.compressed import held, kind, too_large

PIECE = 1 << 20
_DAMAGE: tuple[type[Exception], ...] = (zlib.error, OSError, lzma.LZMAError, ValueError)
FIRST = 1 << 12  # bytes that a stream is given first: a file may consist of very many very small ones


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


def unpack(raw: bytes | memoryview, how: str, name: str, max_size: int | None) -> bytearray:
    """The content of compressed data; an error names the place where data end early or are damaged."""
    new, damage = _zst(name) if how == "zst" else (_UNPACKERS[how], _DAMAGE)
    most = held(max_size)
    whole = bytearray()
    problem = "compressed data end early"
    try:
        for piece in _pieces(memoryview(raw), new):
            whole += piece
            if len(whole) > most:
                raise too_large(name, max_size)
    except EOFError:
        pass
    except damage:
        problem = "compressed data are damaged"
    else:
        return _unpacked(whole, how, name)
    lines = whole.count(b"\n")
    hint = "copy the file again; nothing was evaluated"
    raise InputError("E301", f"{problem}, after line {lines:,}", path=name, hint=hint)


def _unpacked(whole: bytearray, how: str, name: str) -> bytearray:
    """The same content; an error if it is compressed a second time."""
    if inner := kind(whole[:8]):
        hint = f"unpack it once, to a file that ends in .{inner}"
        raise InputError("E118", f"is compressed twice: {inner} inside {how}", path=name, hint=hint)
    return whole


def _pieces(view: memoryview, new: Callable[[], _Unpacker]) -> Iterator[bytes]:
    """Unpacked pieces; several compressed streams one after the other are one content."""
    at, unpacker, count = 0, new(), FIRST
    while True:
        if unpacker.eof:
            at = _past_zeros(view, at - len(unpacker.unused_data))  # tapes and disks pad with zeros
            if at == len(view):
                return
            unpacker, count = new(), FIRST
        given = b""
        if unpacker.needs_input:
            given = bytes(view[at : at + count])
            if not given:
                raise EOFError
            at, count = at + len(given), min(8 * count, PIECE)
        yield unpacker.decompress(given, PIECE)


def _past_zeros(view: memoryview, at: int) -> int:
    """The position of the first byte that is not zero."""
    while at < len(view):
        rest = bytes(view[at : at + FIRST])
        if kept := rest.lstrip(b"\0"):
            return at + len(rest) - len(kept)
        at += len(rest)
    return at


def _zst(name: str) -> tuple[Callable[[], _Unpacker], tuple[type[Exception], ...]]:
    """Zstandard: in the standard library since Python 3.14, before that in a package of the same interface."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        need("backports.zstd", "a .zst file", path=name)
        from backports import zstd
    return zstd.ZstdDecompressor, (*_DAMAGE, zstd.ZstdError)
