"""The name that other modules use for a connection, and a transaction on one."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

Connection = sqlite3.Connection
CannotWrite = sqlite3.OperationalError  # the file or its folder is read-only, or the disk is full


@contextmanager
def transaction(connection: Connection) -> Iterator[Connection]:
    """All of what is done inside, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
