"""Letting people in: sessions, sign-in with a password, setup links and invitations.

`Doors` joins a room with the addresses it is served under. Pages of `entry` and the guards ask it; every method that
writes waits until the store has it on disk.
"""

import hmac
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.errors import PolicyError
from cranfield.judging.accounts.enrolling import COMMAND, add_account, set_password
from cranfield.judging.accounts.lifetimes import MOST_MS, NOTED_MS, alive
from cranfield.judging.accounts.names import checked_name
from cranfield.judging.accounts.roles import ASSESSOR, OWNER
from cranfield.judging.accounts.throttle import WINDOW_MS, keys, seconds_to_wait
from cranfield.judging.accounts.tokens import SETUP_MS, hashed, new_token
from cranfield.judging.store.entry.attempts import add_attempt, attempts_since, forget_attempts, remove_attempts
from cranfield.judging.store.entry.sessions import (
    begin_session,
    end_session,
    end_sessions,
    find_session,
    note_session,
    remove_sessions,
)
from cranfield.judging.store.entry.tokens import Admission, add_token, find_token, forget_tokens, use_token
from cranfield.judging.store.events import Event, append
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.people import password_hash, people, person, set_roles, settings_of
from cranfield.judging.web.asking import Visitor
from cranfield.judging.web.passwords import hash_password, is_password
from cranfield.judging.web.settings import ServerSettings

if TYPE_CHECKING:
    from cranfield.judging.room import Room

_TOO_OLD = "This code was used before, or is too old. Ask for a new one."


@dataclass(frozen=True)
class SignIn:
    """What came of a password: a new session, or how many seconds to wait; neither if it was wrong."""

    session: str = ""
    wait: int = 0


class Doors:
    """The doors of one room."""

    def __init__(self, room: "Room", settings: ServerSettings) -> None:
        self.room = room
        self.settings = settings
        self.owner_token: str = new_token()  # for commands of this machine, while the server runs

    def visitor(self, token: str) -> Visitor | None:
        """Who a session belongs to; None if it is unknown, over, or of an account that was shut."""
        if not token:
            return None
        key, now = hashed(token), self.room.clock.now()
        session = find_session(self.room.read(), key)
        if session is None or not alive(session.made_ms, session.seen_ms, session.ended_ms, now):
            return None
        account = person(self.room.read(), session.user)
        if account is None or account.disabled:
            return None
        if now - session.seen_ms > NOTED_MS:
            self.room.note(lambda store: note_session(store, key, now))
        chosen = settings_of(self.room.read(), session.user)
        return Visitor(name=account.name, roles=frozenset(account.roles), csrf=session.csrf, settings=chosen)

    def commander(self, authorization: str) -> Visitor | None:
        """An owner who is known by the token that lies beside the lab."""
        kind, _, token = authorization.partition(" ")
        known = kind == "Bearer" and hmac.compare_digest(token.encode(), self.owner_token.encode())
        return Visitor(name=COMMAND, roles=frozenset({OWNER})) if known else None

    def cookie(self, name: str, value: str, secure: bool) -> str:
        """The header that sets a cookie; without a value, the one that removes it."""
        parts = [f"{name}={value}", "Path=/", "HttpOnly", "SameSite=Lax"]
        parts += ["Secure"] if secure else []
        parts += [] if value else ["Max-Age=0"]
        return "; ".join(parts)

    def sign_in(self, name: str, password: str, address: str) -> SignIn:
        """Try a password: at most five failures in fifteen minutes, for an account and for an address."""
        known, now = keys(name, address), self.room.clock.now()
        wait = self._wait(known, now)
        if wait:
            return SignIn(wait=wait)
        account = person(self.room.read(), name)
        kept = password_hash(self.room.read(), name)
        fits = is_password(kept, password)
        if not fits or account is None or account.disabled:
            self.room.write(lambda store: _failed(store, known, now))
            return SignIn(wait=self._wait(known, now))
        return SignIn(session=self._begin(name, forgive=known[0]))

    def _wait(self, known: tuple[str, str], now: int) -> int:
        since = now - WINDOW_MS
        failures = [attempts_since(self.room.read(), key, since) for key in known]
        return max(seconds_to_wait(each, now) for each in failures)

    def _begin(self, name: str, forgive: str = "") -> str:
        token = new_token()
        self.room.write(lambda store: _begun(store, token, name, forgive, self.room.clock.now()))
        return token

    def sign_out(self, token: str) -> None:
        """End the session of a token, here and for who copied it."""
        key = hashed(token)

        def job(store: Connection) -> None:
            session, now = find_session(store, key), self.room.clock.now()
            if session is not None:
                end_session(store, key, now)
                append(store, Event("logout", session.user, "", now))

        self.room.write(job)

    def sign_out_everywhere(self, name: str) -> None:
        """End all sessions of a person."""
        now = self.room.clock.now()
        self.room.write(lambda store: end_sessions(store, name, now))

    @property
    def has_accounts(self) -> bool:
        """Whether a person can sign in with a password."""
        return any(password_hash(self.room.read(), each.name) for each in people(self.room.read()))

    def setup_token(self) -> str:
        """A new token for who started the server; older ones work no more."""
        token, now = new_token(), self.room.clock.now()

        def job(store: Connection) -> None:
            forget_tokens(store, "setup")
            roles = (ASSESSOR, OWNER)
            add_token(store, hashed(token), "setup", roles, name="", now=now, until=now + SETUP_MS)

        self.room.write(job)
        return token

    def set_up(self, token: str, name: str) -> str:
        """Use a setup token: a session as owner and assessor, without a password, on this machine alone."""
        wanted = checked_name(name)
        if not self.settings.is_local or self.has_accounts:
            raise PolicyError("E242", "This room has accounts. Sign in with yours", hint="")

        def job(store: Connection) -> None:
            now = self.room.clock.now()
            granted = _granted(store, token, "setup", now)
            if person(store, wanted) is None:
                add_account(store, wanted, granted.roles, actor=wanted, now=now)
            else:
                set_roles(store, wanted, granted.roles)
            use_token(store, hashed(token), now)

        self.room.write(job)
        return self._begin(wanted)

    def accept(self, token: str, name: str, password: str) -> str:
        """Use an invitation: a new account, or a new password for the account that the invitation names."""
        kept = hash_password(password)

        def job(store: Connection) -> str:
            now = self.room.clock.now()
            granted = _granted(store, token, "invite", now)
            wanted = granted.name or checked_name(name)
            known = person(store, wanted)
            if known is not None and not granted.name:
                raise PolicyError("E242", f"the name {wanted!r} is taken", hint="choose another one")
            if known is None:
                add_account(store, wanted, granted.roles, password_hash=kept, actor=wanted, now=now)
            else:
                set_password(store, wanted, kept, actor=wanted, now=now)
            use_token(store, hashed(token), now)
            return wanted

        return self._begin(self.room.write(job))

    def invited(self, token: str) -> Admission | None:
        """What an invitation grants; None if it works no more."""
        now = self.room.clock.now()
        return find_token(self.room.read(), hashed(token), "invite", now)


def _granted(store: Connection, token: str, purpose: str, now: int) -> Admission:
    granted = find_token(store, hashed(token), purpose, now)
    if granted is None:
        raise PolicyError("E242", _TOO_OLD)
    return granted


def _begun(store: Connection, token: str, name: str, forgive: str, now: int) -> None:
    """Begin a session, forget what can be none any more, and the failures of the account."""
    remove_sessions(store, now - MOST_MS)
    if forgive:
        forget_attempts(store, forgive)
    begin_session(store, hashed(token), name, secrets.token_urlsafe(32), now)
    append(store, Event("login", name, "", now))


def _failed(store: Connection, known: tuple[str, str], now: int) -> None:
    remove_attempts(store, now - WINDOW_MS)
    add_attempt(store, known, now)
