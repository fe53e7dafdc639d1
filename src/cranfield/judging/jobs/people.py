"""Accounts: make them, and change what a person may do; each change is an event."""

from collections.abc import Sequence

from cranfield.errors import StoreError
from cranfield.judging.records import Person, PersonKind
from cranfield.judging.refusals import UnknownItem
from cranfield.judging.store import derived
from cranfield.judging.store.events import Data, Event, append
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.leases import drop_lease, own_leases
from cranfield.judging.store.people import add_person, person, set_counts, set_disabled, set_roles


def new_person(
    connection: Connection,
    name: str,
    roles: Sequence[str],
    by: str,
    now: int,
    *,
    kind: PersonKind = "human",
    password_hash: str | None = None,
) -> Person:
    """A new account, or the name of imported judgments; a name that is taken is refused."""
    if person(connection, name) is not None:
        raise StoreError("E410", f"there is a user {name!r} already", hint="choose another name")
    made = add_person(connection, name, roles, kind=kind, password_hash=password_hash)
    append(connection, Event("user", by, "owner", now, new=_facts(made)))
    return made


def change_person(
    connection: Connection,
    by: str,
    name: str,
    now: int,
    *,
    roles: Sequence[str] | None = None,
    disabled: bool | None = None,
    counts: bool | None = None,
) -> Person:
    """Change what is given; a person who is shut out gives back what they hold."""
    before = person(connection, name)
    if before is None:
        raise UnknownItem.named("user", name)
    if roles is not None:
        set_roles(connection, name, roles)
    if disabled is not None:
        set_disabled(connection, name, disabled)
        for lease in own_leases(connection, name) if disabled else ():
            drop_lease(connection, lease.item, name)
            append(connection, Event("release", by, "owner", now, lease.item, old={"assessor": name}))
    if counts is not None:
        set_counts(connection, name, counts)
        derived.recount_person(connection, name)
    after = person(connection, name) or before
    append(connection, Event("user", by, "owner", now, old=_facts(before), new=_facts(after)))
    return after


def _facts(found: Person) -> Data:
    return {
        "name": found.name,
        "kind": found.kind,
        "roles": list(found.roles),
        "disabled": found.disabled,
        "counts": found.counts,
    }
