"""The SHA-256 of a file, computed on demand: it costs about as much as reading the file."""

import io
import os
import time
from typing import Any

from cranfield.errors import DataWarning
from cranfield.errors.warning import warn

RECENT = 50_000_000  # nanoseconds; clocks of file systems tick every few milliseconds


class Fingerprint:
    """The SHA-256 of a file, computed on first use; None, with a warning, if the file has changed by then.

    A file counts as unchanged if it was neither written to nor replaced. The clock may not show this for a file that
    was written a moment ago, so its fingerprint is computed at once. Pickling computes it too, because another process
    may not see the file.
    """

    def __init__(self, path: str, descriptor: int) -> None:
        self.name: str = path
        self.path: str = os.path.abspath(path)
        self.state: tuple[int, ...] = _state(descriptor)
        self.found: list[str | None] = []
        if time.time_ns() - os.fstat(descriptor).st_mtime_ns < RECENT:
            self()

    def __call__(self) -> str | None:
        """The fingerprint in hexadecimal digits."""
        if not self.found:
            self.found.append(self._computed())
        return self.found[0]

    def _computed(self) -> str | None:
        try:
            with open(self.path, "rb", buffering=0) as file:
                before = _state(file.fileno())
                digest = _digest(file) if before == self.state else ""
                if before == self.state == _state(file.fileno()):
                    return digest
        except OSError:
            pass
        problem = "has changed since it was read, so that its fingerprint is unknown"
        warn(DataWarning("W114", problem, self.name))
        return None

    def same_as(self, other: "str | Fingerprint") -> bool:
        """Whether both are fingerprints of the same unchanged file."""
        return isinstance(other, Fingerprint) and (self.path, self.state) == (other.path, other.state)

    def __getstate__(self) -> dict[str, Any]:
        self()
        return self.__dict__


def sha256_of(content: bytes | memoryview) -> str:
    """The fingerprint of bytes that can be read only once."""
    from hashlib import sha256  # which takes longer to load than a small file to read

    return sha256(content).hexdigest()


def _digest(file: io.FileIO) -> str:
    from hashlib import file_digest

    return file_digest(file, "sha256").hexdigest()


def _state(descriptor: int) -> tuple[int, ...]:
    """Facts about a file that change whenever it is changed."""
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
