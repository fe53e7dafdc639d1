"""Accounts made, shut and invited: jobs on the store, each with its event. `actor` is the person who does it."""

from collections.abc import Sequence

from cranfield.errors import PolicyError
from cranfield.judging.accounts.names import checked_name
from cranfield.judging.accounts.roles import OWNER, checked_roles
from cranfield.judging.accounts.tokens import INVITE_MS, hashed, new_token
from cranfield.judging.refusals import UnknownItem
from cranfield.judging.store.entry.sessions import end_sessions
from cranfield.judging.store.entry.tokens import add_token
from cranfield.judging.store.events import Event, append
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.people import (
    add_person,
    password_hash,
    people,
    person,
    set_disabled,
    set_password_hash,
)

COMMAND = "command line"  # the name of its user; no sign-in is needed by those who can read the file


def add_account(
    store: Connection, name: str, roles: Sequence[str], *, password_hash: str | None = None, actor: str, now: int
) -> str:
    """A new account; its name."""
    wanted, may = checked_name(name), checked_roles(roles)
    if person(store, wanted) is not None:
        raise PolicyError("E242", f"there is a user {wanted!r} already", hint="names are given once")
    add_person(store, wanted, may, password_hash=password_hash)
    append(store, Event("user", actor, "", now, new={"name": wanted, "roles": list(may)}))
    return wanted


def disable_account(store: Connection, name: str, *, disabled: bool = True, actor: str, now: int) -> None:
    """Shut an account, or open it again; what the person judged stays."""
    _known(store, name)
    set_disabled(store, name, disabled)
    end_sessions(store, name, now)
    append(store, Event("user", actor, "", now, new={"name": name, "disabled": disabled}))


def set_password(store: Connection, name: str, password_hash: str, *, actor: str, now: int) -> None:
    """A new password; all sessions of the account end."""
    _known(store, name)
    set_password_hash(store, name, password_hash)
    end_sessions(store, name, now)
    append(store, Event("user", actor, "", now, new={"name": name, "password": "new"}))


def invite(store: Connection, roles: Sequence[str], *, name: str = "", actor: str, now: int) -> str:
    """The token of a new invitation, for who opens it first, or for a named account without a password."""
    may, token = checked_roles(roles), new_token()
    add_token(store, hashed(token), "invite", may, name=name, now=now, until=now + INVITE_MS)
    append(store, Event("invite", actor, "", now, new={"roles": list(may), "name": name}))
    return token


def has_owner(store: Connection) -> bool:
    """Whether an owner can sign in with a password."""
    return any(OWNER in each.roles and not each.disabled and password_hash(store, each.name) for each in people(store))


def _known(store: Connection, name: str) -> None:
    if person(store, name) is None:
        raise UnknownItem.named("user", name)
