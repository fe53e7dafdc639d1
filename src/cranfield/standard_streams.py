"""Standard output and error of a command: a result is written completely, or an error is raised."""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, TextIO

STDOUT = "<stdout>"


class WholeWriter(io.FileIO):
    """The file behind a stream. A write returns when everything is written, however slowly it is read.

    The first failure is raised and kept in `failure`; later output is discarded. If `needed` is false, as for notes,
    nothing is raised.
    """

    def __init__(self, descriptor: int, *, needed: bool = True) -> None:
        super().__init__(descriptor, "wb", closefd=False)
        self.needed = needed
        self.failure: OSError | None = None

    def write(self, data: Any, /) -> int:  # bytes, or a view of them
        """Write everything."""
        left = memoryview(data)
        while left and self.failure is None:
            try:
                count = super().write(left)
                if count is None:
                    _wait(self.fileno())
                left = left[count or 0 :]
            except OSError as error:
                self._fail(error)
        return len(data)

    def _fail(self, error: OSError) -> None:
        closed = error.errno == errno.EBADF
        self.failure = OSError(error.errno, "it is closed" if closed else error.strerror, STDOUT)
        if self.needed:
            raise self.failure


def write_all(file: IO[bytes], data: bytes) -> None:
    """Write everything to an open file; a file without a buffer may accept only a part at a time."""
    if not isinstance(file, io.RawIOBase):
        file.write(data)
        return
    left = memoryview(data)
    while left:
        count = file.write(left)
        if count is None:
            _wait(file.fileno())
        left = left[count or 0 :]


@contextmanager
def standard_streams() -> Iterator[None]:
    """While a command runs, use streams that write complete results. Streams replaced before are left alone."""
    if os.name == "nt":  # where a terminal is no file of bytes
        yield
        return
    _keep_numbers()
    out, err = sys.stdout, sys.stderr
    if out is sys.__stdout__:
        sys.stdout = _stream(1, out, needed=True)
    if err is sys.__stderr__:
        sys.stderr = _stream(2, err, needed=False)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


def failure() -> OSError | None:
    """Why standard output could not be written, if it failed; a reader that closed the pipe is no failure."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    found = raw.failure if isinstance(raw, WholeWriter) else None
    return None if isinstance(found, BrokenPipeError) else found


def _stream(descriptor: int, before: TextIO | None, *, needed: bool) -> TextIO:
    """A stream of text with the encoding of the one before."""
    encoding, errors = ("utf-8", "strict") if before is None else (before.encoding, before.errors or "strict")
    at_once = before is not None and (
        getattr(before, "line_buffering", False) or getattr(before, "write_through", False)
    )
    if before is not None:
        before.flush()
    raw = WholeWriter(descriptor, needed=needed)
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=encoding,
        errors="backslashreplace" if errors == "strict" else errors,  # a character that cannot be shown is escaped
        line_buffering=bool(at_once) or not needed,
    )


def _keep_numbers() -> None:
    """Reserve the file number of a closed stream, so that no other file gets it; writing to it fails."""
    with suppress(OSError):  # a system without such a device
        while (number := os.open(os.devnull, os.O_RDONLY)) <= 2:
            os.set_inheritable(number, True)
        os.close(number)


def _wait(descriptor: int) -> None:
    """Wait until the other side can take more."""
    from select import select

    select([], [descriptor], [])
