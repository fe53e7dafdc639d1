"""Which process serves a lab: noted in the lab, and believed as long as that process runs."""

import json
import os
import platform
import sqlite3
import sys
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from cranfield.errors import StoreError
from cranfield.errors.wording import setting
from cranfield.judging.store.meta import drop_meta, get_meta, set_meta

_KEY = "served"


@dataclass(frozen=True)
class Holder:
    """A process that serves a lab; `started` tells it from a later one of the same number."""

    pid: int
    started: str
    host: str
    since_ms: int
    url: str = ""


def holder_of(connection: sqlite3.Connection) -> Holder | None:
    """The process that serves the lab, if it still runs on this machine and is not this one."""
    text = get_meta(connection, _KEY)
    found = Holder(**json.loads(text)) if text else None
    if found is None or found.host != platform.node() or found.pid == os.getpid():
        return None
    return found if is_running(found.pid) and _started(found.pid) == found.started else None


def note_holder(connection: sqlite3.Connection, now: int, url: str = "") -> None:
    """Note that this process serves the lab."""
    here = Holder(os.getpid(), _started(os.getpid()), platform.node(), now, url)
    set_meta(connection, _KEY, json.dumps(asdict(here)))


def forget_holder(connection: sqlite3.Connection) -> None:
    """Note that no process serves the lab."""
    drop_meta(connection, _KEY)


def refuse_if_served(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse to write to a lab that another process serves."""
    if (holder := holder_of(connection)) is not None:
        since = datetime.fromtimestamp(holder.since_ms / 1000, UTC)
        problem = f"{path.name} is served by process {holder.pid} since {since:%H:%M} UTC"
        through = f", or use {setting('url', holder.url)} to go through it" if holder.url else ""
        raise StoreError("E404", problem, hint=f"stop it{through}")


def is_running(pid: int) -> bool:
    """Whether a process of this number runs.

    >>> is_running(os.getpid())
    True
    """
    if sys.platform == "win32":
        import ctypes

        handle = ctypes.windll.kernel32.OpenProcess(0x1000, False, pid)  # may ask for little
        if handle:
            ctypes.windll.kernel32.CloseHandle(handle)
        return bool(handle)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it runs for another user
        return True
    return True


def _started(pid: int) -> str:
    """When a process began, as the system counts, where it says so."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
