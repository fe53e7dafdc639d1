"""Copies of a lab that are safe while it is served, and checked before they count."""

import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from cranfield.errors import InputError, StoreError
from cranfield.judging.store.files.holder import forget_holder, refuse_if_served
from cranfield.judging.store.files.opening import check_file, connect, open_for_reading
from cranfield.whole_files import UNFINISHED, cannot_write

KEPT = 7  # daily copies
_EVENTS = "SELECT count(*), coalesce(max(id), 0) FROM events"


def copy_lab(path: Path, target: Path) -> Path:
    """Copy a lab, also while it is served; the copy is sound, and holds all that was saved when it began."""
    if os.path.exists(target):
        raise InputError("E120", "exists already", path=target, hint="choose another name")
    part = Path(f"{target}{UNFINISHED}")
    try:
        _copy(path, part)
        os.replace(part, target)
    except sqlite3.Error as error:
        raise StoreError("E407", f"the copy {target.name} was not made: {error}", path=path) from None
    except (OSError, ValueError) as error:
        raise cannot_write(str(target), error) from None
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError, ValueError):
                os.unlink(f"{part}{ending}")
    return target


def _copy(path: Path, part: Path) -> None:
    with suppress(FileNotFoundError):
        part.unlink()
    with closing(open_for_reading(path)) as source, closing(connect(part, "rwc")) as copy:
        source.execute("BEGIN")  # one moment
        before = source.execute(_EVENTS).fetchone()
        source.backup(copy)
        source.execute("COMMIT")
        copy.execute("PRAGMA journal_mode = DELETE")  # all of it in one file
        copy.execute("BEGIN")
        forget_holder(copy)
        copy.execute("COMMIT")
    check_file(part)
    with closing(connect(part, "ro")) as copy:
        if copy.execute(_EVENTS).fetchone() != before:
            raise StoreError("E407", "the copy does not hold all events", path=path)
    with open(part, "rb+") as file:
        os.fsync(file.fileno())


def restore_lab(source: Path, path: Path, now: int) -> Path | None:
    """Put a copy in the place of a lab; what was there before is kept beside it, under the name returned."""
    check_file(source)
    old = None
    if path.exists():
        old = path.with_name(f"{path.name}.{_stamp(now, '%Y%m%d-%H%M%S')}.replaced")
        try:
            with closing(open_for_reading(path)) as connection:
                refuse_if_served(connection, path)
            copy_lab(path, old)
        except (StoreError, sqlite3.Error) as error:
            if isinstance(error, StoreError) and error.code == "E404":
                raise
            os.replace(path, old)  # damaged, which is why it is restored: kept as it is
    fresh = path.with_name(f"{path.name}.restored")
    with suppress(FileNotFoundError):
        fresh.unlink()
    copy_lab(source, fresh)
    for ending in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.unlink(f"{path}{ending}")
    os.replace(fresh, path)
    return old


def daily_copy(path: Path, now: int) -> Path | None:
    """Today's copy of a lab, in a folder beside it, if there is none yet; the last seven are kept."""
    folder = path.with_name(f"{path.name}.backups")
    folder.mkdir(exist_ok=True)
    target = folder / f"{path.stem}-{_stamp(now, '%Y-%m-%d')}{path.suffix}"
    if target.exists():
        return None
    copy_lab(path, target)
    for old in sorted(folder.glob(f"{path.stem}-????-??-??{path.suffix}"))[:-KEPT]:
        old.unlink()
    return target


def _stamp(now: int, form: str) -> str:
    return format(datetime.fromtimestamp(now / 1000, UTC), form)
