"""Bring a lab that an earlier version made to the tables of this one, after a copy of it was made and checked."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from cranfield.errors import StoreError
from cranfield.judging.store.events import Event, append
from cranfield.judging.store.files.backup import copy_lab
from cranfield.judging.store.files.connection import transaction
from cranfield.judging.store.files.holder import refuse_if_served
from cranfield.judging.store.files.opening import check_file, open_for_writing, set_schema
from cranfield.judging.store.files.schema import SCHEMA

MIGRATIONS: dict[int, Sequence[str]] = {}  # the statements that lead to each schema from the one before


def prepared(path: Path, now: int) -> Path:
    """A lab that is sound and of the present schema; an older one is migrated first."""
    migrate(path, check_file(path), now)
    return path


def migrate(
    path: Path, found: int, now: int, target: int = SCHEMA, migrations: Mapping[int, Sequence[str]] = MIGRATIONS
) -> Path | None:
    """Migrate a lab step by step in one transaction; where the copy of the old one is, if anything was to be done."""
    if found >= target:
        return None
    with closing(open_for_writing(path)) as connection:
        refuse_if_served(connection, path)
        copy = path.with_name(f"{path.name}.schema-{found}")
        if not copy.exists():
            copy_lab(path, copy)
        try:
            with transaction(connection):
                for number in range(found + 1, target + 1):
                    for statement in migrations[number]:
                        connection.execute(statement)
                set_schema(connection, target)
                new = {"schema": target, "copy": copy.name}
                append(connection, Event("migrate", "room", "room", now, old={"schema": found}, new=new))
        except sqlite3.Error as error:
            problem = f"could not be migrated to schema {target}: {error}"
            hint = f"it is as it was; {copy.name} is a copy of it"
            raise StoreError("E406", problem, path=path, hint=hint) from None
    return copy
