"""Files that stay on disk: bytes are read on access, and a file that has changed is an error."""

import io
import os
from typing import Any, overload

from cranfield.errors import InputError
from cranfield.read.sources import compressed
from cranfield.read.sources.content import UTF8, Content, OnDisk, Readable, as_utf8, codec_name, fetch
from cranfield.read.sources.encodings import encoding_of
from cranfield.read.sources.fingerprints import Fingerprint

WINDOW = 1 << 20  # bytes of a file that are held while its lines are found; smaller files are read whole
_AGAIN = "read the documents again"


class FileBytes:
    """The bytes of a file, read piece by piece, with the methods of `bytes` that readers use.

    The file is opened for every piece. It must be the file that was opened first, with the same size and time of
    change. It is never mapped into memory, because reading a mapped file that was truncated kills the process.
    """

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        self.name: str = os.fspath(path)
        self.path: str = os.path.abspath(path)
        with open(self.path, "rb", buffering=0) as file:
            self.fingerprint: Fingerprint = Fingerprint(self.name, file.fileno())
            self.state: tuple[int, ...] = file_state(file.fileno())
        self.size: int = self.state[0]
        self._begin = 0  # of the piece that is held
        self._held = b""

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, key: int) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> bytes: ...
    def __getitem__(self, key: int | slice) -> int | bytes:
        if isinstance(key, int):
            return self._between(key, key + 1)[0]
        begin, end, _ = key.indices(self.size)
        return self._between(begin, max(begin, end))  # a slice that ends before it begins is empty

    def find(self, mark: bytes, start: int = 0, end: int | None = None) -> int:
        """The first position of a byte, or -1."""
        end = self.size if end is None else min(end, self.size)
        while start < end:
            if not self._begin <= start < self._begin + len(self._held):
                self._begin, self._held = start, self.read(start, min(start + WINDOW, self.size))
            found = self._held.find(mark, start - self._begin, end - self._begin)
            if found >= 0:
                return self._begin + found
            start = self._begin + len(self._held)
        return -1

    def rfind(self, mark: bytes, start: int = 0, end: int | None = None) -> int:
        """The last position of a byte, or -1."""
        end = self.size if end is None else min(end, self.size)
        while start < end:
            begin = max(start, end - WINDOW)
            if (found := self._between(begin, end).rfind(mark)) >= 0:
                return begin + found
            end = begin
        return -1

    def read(self, begin: int, end: int) -> bytes:
        """A piece as it is on disk now."""
        try:
            with open(self.path, "rb", buffering=0) as file:
                self._check(file)
                found = _piece(file, begin, end)
                self._check(file)
        except FileNotFoundError:
            raise InputError("E126", "is no longer there", path=self.name, hint=_AGAIN) from None
        except OSError as reason:
            raise InputError("E120", f"cannot be read: {reason.strerror or reason}", path=self.name) from None
        return found

    def changed(self) -> InputError:
        """The error for a file that is not what it was."""
        return changed(self.name)

    def _between(self, begin: int, end: int) -> bytes:
        first, last = begin - self._begin, end - self._begin
        return self._held[first:last] if 0 <= first <= last <= len(self._held) else self.read(begin, end)

    def _check(self, file: io.FileIO) -> None:
        if file_state(file.fileno()) != self.state:
            raise self.changed()


def changed(name: str) -> InputError:
    """The error for a file that is not what it was."""
    return InputError("E126", "has changed since it was read", path=name, hint=_AGAIN)


def file_state(file: "int | str | os.PathLike[str]") -> tuple[int, ...]:
    """Size, time and identity of a file, which change if it is written to or replaced."""
    status = os.stat(file)
    return status.st_size, status.st_mtime_ns, status.st_dev, status.st_ino


def on_disk(source: Readable, encoding: str, max_size: int | None) -> Content:
    """A plain UTF-8 file, not loaded; any other input is fetched and decoded as usual."""
    if (
        isinstance(source, str | os.PathLike)
        and codec_name(encoding_of(encoding, os.fspath(source))) in UTF8
        and os.path.isfile(source)
        and os.path.getsize(source) > WINDOW
    ):
        try:
            buffer = FileBytes(source)
        except (OSError, ValueError):
            return as_utf8(fetch(source, max_size), encoding)
        if compressed.kind(buffer[:8]) is None and len(buffer) <= compressed.streamed(max_size):
            looks_like_bytes: Any = buffer  # as far as readers of lines look
            return OnDisk(buffer.name, looks_like_bytes, buffer.fingerprint)
    return as_utf8(fetch(source, max_size), encoding)


def _piece(file: io.FileIO, begin: int, end: int) -> bytes:
    """The bytes between two positions, fewer if the file ends before."""
    file.seek(begin)
    found = file.read(end - begin)
    while len(found) < end - begin and (more := file.read(end - begin - len(found))):
        found += more
    return found
