"""A lab that a process of its own serves, and people who work there through its pages."""

import re
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.storm.clients import Given
from cranfield.judging.accounts.tokens import hashed, new_token
from cranfield.judging.lab import Lab
from cranfield.judging.store.entry.sessions import begin_session
from cranfield.judging.store.files.clock import Clock
from cranfield.judging.web.settings import ServerSettings
from cranfield.sample.assessors import SimulatedAssessor, UnexpectedAnswer

PROGRAM = "import sys; from cranfield.cli import main; sys.exit(main(sys.argv[1:]))"
NO_SPACE = 507


class ServerProcess:
    """`cranfield judge serve` in a process of its own; `before` is code that it runs first."""

    def __init__(self, lab: Path, before: str = "") -> None:
        command = [sys.executable, "-c", before + PROGRAM, "judge", "serve", str(lab), "--port", "0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        assert self.process.stderr is not None
        first = self.process.stderr.readline()
        found = re.search(r"http://\S+", first)
        if found is None:
            raise RuntimeError(first + self.process.stderr.read())
        self.address: str = found[0]

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and wait for the end: the exit code."""
        self.process.send_signal(number)
        self.process.communicate(timeout=60)
        return self.process.returncode


@dataclass(frozen=True)
class Session:
    """A session that outlives the server: its token, and the token of its forms."""

    token: str
    csrf: str


def signed_in(lab: Lab, names: Iterable[str]) -> dict[str, Session]:
    """Sessions of people, who need not type their passwords again after each storm."""
    made = {name: Session(new_token(), secrets.token_urlsafe(32)) for name in names}
    with lab.writing() as connection:
        for name, session in made.items():
            begin_session(connection, hashed(session.token), name, session.csrf, Clock().now())
    return made


class NoSpace(Exception):
    """The server could not save what was sent (507)."""


@dataclass
class HttpDesk:
    """The pages of a server, as people ask for them who are signed in; each has a connection of their own."""

    address: str
    sessions: Mapping[str, Session]
    note: str = ""
    _people: dict[str, SimulatedAssessor] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, user: str, after: str | None) -> Given | None:
        """The next pair, or None."""
        person = self._person(user)
        try:
            found = person.next(after or "")
        except UnexpectedAnswer as error:
            if str(NO_SPACE) in str(error):
                raise NoSpace from None
            raise
        if found is None:
            return None
        version, round = found[1].get("version", ""), found[1].get("round", "0")
        return Given(found[1]["item"], int(version) if version else None, int(round or 0))

    def judge(self, user: str, given: Given, grade: int, client_id: str) -> bool:
        """Save a judgment: True once the server says so, False if other assessors have the pair now."""
        fields = {"item": given.item, "grade": str(grade), "client_id": client_id, "round": str(given.round)}
        fields |= {"version": "" if given.version is None else str(given.version), "note": self.note}
        status, text = self._person(user).ask("save", "POST", "/judgments", fields)
        if status == NO_SPACE:
            raise NoSpace
        if status not in (200, 409):
            raise UnexpectedAnswer(f"{status} {text[:200]}")
        return status == 200

    def close(self) -> None:
        """Hang up."""
        for person in self._people.values():
            person.close()

    def _person(self, user: str) -> SimulatedAssessor:
        with self._lock:
            if user not in self._people:
                person = SimulatedAssessor(self.address, user, "")
                session = self.sessions[user]
                name = ServerSettings(port=urlsplit(self.address).port or 0).cookie(secure=False)
                person.resume({name: session.token}, session.csrf)
                self._people[user] = person
            return self._people[user]
