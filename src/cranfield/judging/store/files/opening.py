"""Make and open the file of a lab: what is damaged, foreign or of a later version is refused and left untouched."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from cranfield.errors import InputError, StoreError
from cranfield.judging.store.files.connection import transaction
from cranfield.judging.store.files.schema import APPLICATION, DERIVED, MARK, SCHEMA, TABLES
from cranfield.whole_files import UNFINISHED, cannot_write

WAIT = 10.0  # seconds for another process that writes
_DURABLE = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA cache_size = -65536",
)


def refuse_existing(path: Path) -> None:
    """Refuse to make a lab where a file is."""
    if os.path.lexists(path):
        raise StoreError("E406", "exists already", path=path, hint="add pairs to it, or choose another name")


@contextmanager
def new_file(path: Path) -> Iterator[sqlite3.Connection]:
    """A new file with empty tables, to be filled inside: it is complete afterwards, or absent."""
    refuse_existing(path)
    part = Path(f"{path}{UNFINISHED}")
    _remove(part)
    try:
        with closing(_with_tables(part)) as connection, transaction(connection):
            yield connection
        refuse_existing(path)
        _remove_beside(path)  # the log of a lab that was deleted would be read into the new one
        os.replace(part, path)
    finally:
        _remove(part)


def _with_tables(path: Path) -> sqlite3.Connection:
    try:
        with open(path, "xb"):
            pass
    except (OSError, ValueError) as error:
        raise cannot_write(str(path).removesuffix(UNFINISHED), error) from None
    connection = connect(path, "rw")
    make_durable(connection)
    connection.executescript(TABLES + DERIVED)
    connection.execute(MARK)
    set_schema(connection, SCHEMA)
    return connection


def _remove(path: Path) -> None:
    """Remove a file of SQLite and the files beside it that exist."""
    with suppress(OSError, ValueError):
        os.unlink(path)
    _remove_beside(path)


def _remove_beside(path: Path) -> None:
    for ending in ("-wal", "-shm", "-journal"):
        with suppress(OSError, ValueError):
            os.unlink(f"{path}{ending}")


def check_file(path: Path) -> int:
    """The schema number of a lab that is sound and not newer than this version; the file is not touched."""
    if not os.path.isfile(path):
        raise InputError("E101", "no such file", path=path, hint="make a lab first, from a pool")
    try:
        connection = connect(path, _reading(path))
        try:
            return _checked(connection, path)
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        raise damaged(path, str(error)) from None


def _reading(path: Path) -> str:
    """How a file is opened that is not to be touched: without a log, no file is made beside it."""
    return "ro" if Path(f"{path}-wal").exists() else "ro&immutable=1"


def _checked(connection: sqlite3.Connection, path: Path) -> int:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    schema = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if application != APPLICATION:
        raise StoreError("E406", "is not a lab", path=path, hint="labs are made from a pool")
    if schema > SCHEMA:
        problem = f"{path.name} has schema {schema}, this version knows {SCHEMA}"
        raise StoreError("E403", problem, hint="upgrade cranfield; the file was not touched")
    found = [row[0] for row in connection.execute("PRAGMA quick_check(3)")]
    if found != ["ok"]:
        raise damaged(path, found[0])
    return schema


def damaged(path: Path, what: str) -> StoreError:
    """The error for a file that SQLite cannot trust."""
    hint = "restore a backup; the file was not touched"
    return StoreError("E406", f"is damaged: {what.splitlines()[0]}", path=path, hint=hint)


def _is_writable(path: Path) -> bool:
    """Whether this process may write the file, and the log beside it."""
    return os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK)


def open_for_writing(path: Path) -> sqlite3.Connection:
    """A connection that writes, durably; `check_file` comes before."""
    if path.exists() and not _is_writable(path):
        hint = "a lab needs a file and a folder that you may write; to read it is enough to read both"
        raise StoreError("E407", "cannot be written: permission denied", path=path, hint=hint)
    connection = connect(path, "rw")
    make_durable(connection)
    return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that can only read; it sees what is committed, while others write."""
    if not _is_writable(path):
        return connect(path, _reading(path))
    connection = connect(path, "rw")  # a reader of a write-ahead log may have to make its index
    connection.execute("PRAGMA query_only = ON")
    return connection


def make_durable(connection: sqlite3.Connection) -> None:
    """Write ahead, and flush to disk at each commit."""
    for statement in _DURABLE:
        connection.execute(statement)


def set_schema(connection: sqlite3.Connection, number: int) -> None:
    """Write the number of the tables' shape; a pragma takes no bound parameter, so it is an integer by force."""
    connection.execute(f"PRAGMA user_version = {int(number)}")


class _Ending(sqlite3.Connection):
    """A connection that is closed when the last thing that uses it ends."""

    def __del__(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # it could not be opened
            self.close()


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection whose transactions begin and end where the caller says."""
    address = f"file:{quote(str(path.absolute()))}?mode={mode}"
    return sqlite3.connect(
        address, timeout=WAIT, uri=True, isolation_level=None, check_same_thread=False, factory=_Ending
    )
