"""Whether a server has a lab open: a lock beside the file, which the operating system drops when the process ends.

`lab.db-serving` says which process, since when, and under which address. A file that is left after a crash holds no
lock, and counts for nothing.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from cranfield.errors import StoreError
from cranfield.errors.wording import setting

_FAR = 1 << 30  # the byte that is locked on Windows, where locked bytes cannot be read


@dataclass(frozen=True)
class ServedBy:
    """The process that serves a lab; `token` lets commands of the same machine go through it."""

    pid: int
    since_ms: int
    url: str
    token: str = ""


def mark_of(path: Path) -> Path:
    """The file beside a lab that says who serves it.

    >>> mark_of(Path("lab.db")).name
    'lab.db-serving'
    """
    return path.with_name(f"{path.name}-serving")


@contextmanager
def serving(path: Path, url: str, token: str = "") -> Iterator[ServedBy]:
    """Hold the lock while a server runs; an error if another one holds it."""
    refuse_if_served(path)
    served = ServedBy(os.getpid(), time.time_ns() // 1_000_000, url, token)
    mark = mark_of(path)
    with open(os.open(mark, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0) as file:
        if not _locked(file):
            raise _in_use(path, _read(mark))
        file.truncate()
        file.write(json.dumps(vars(served)).encode())
        try:
            yield served
        finally:
            with suppress(OSError):
                mark.unlink()


def served_by(path: Path) -> ServedBy | None:
    """The process that serves a lab now; None if there is none."""
    try:
        file = open(mark_of(path), "r+b", buffering=0)  # noqa: SIM115  # closed below
    except OSError:
        return None
    with file:
        return None if _locked(file) else _read(mark_of(path))


def refuse_if_served(path: Path) -> None:
    """An error if a server has the lab open, since one process writes at a time."""
    if (found := served_by(path)) is not None:
        raise _in_use(path, found)


def _in_use(path: Path, found: ServedBy) -> StoreError:
    since = datetime.fromtimestamp(found.since_ms / 1000, UTC).strftime("%H:%M")
    problem = f"{path.name} is served by process {found.pid} since {since} UTC"
    return StoreError("E404", problem, hint=f"stop it, or use {setting('url', found.url)} to go through it")


def _read(mark: Path) -> ServedBy:
    try:
        found = json.loads(mark.read_bytes())
        return ServedBy(int(found["pid"]), int(found["since_ms"]), str(found["url"]), str(found["token"]))
    except (OSError, ValueError, KeyError, TypeError):
        return ServedBy(0, 0, "")


if sys.platform == "win32":
    import msvcrt

    def _locked(file: IO[bytes]) -> bool:
        """Take the lock; whether it was free."""
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(0)
        return True
else:
    import fcntl

    def _locked(file: IO[bytes]) -> bool:
        """Take the lock; whether it was free."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
