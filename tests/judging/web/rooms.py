"""Rooms for tests of the doors: a lab with markers in everything that is secret, and clients that are signed in."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from starlette.responses import PlainTextResponse
from starlette.routing import Route, Router

from cranfield.judging.accounts.enrolling import add_account
from cranfield.judging.accounts.roles import ROLES
from cranfield.judging.lab import Lab
from cranfield.judging.records import DocumentRow, PairRow, QueueRow, TopicRow
from cranfield.judging.room import Room
from cranfield.judging.store.files.clock import Clock
from cranfield.judging.web.app import application, endpoint_of
from cranfield.judging.web.doors import Doors
from cranfield.judging.web.guards import guarded
from cranfield.judging.web.passwords import hash_password
from cranfield.judging.web.routes import ROUTES, RouteRow
from cranfield.judging.web.settings import ServerSettings

PASSWORD = "correct horse battery"
HOME = "http://127.0.0.1:8765"
SAME = {"origin": HOME}


ASIDE = ThreadPoolExecutor(1)  # its thread has no event loop, also where tests with a browser left theirs in this one


class Direct(httpx.BaseTransport):
    """Calls an application without a network, from an address."""

    def __init__(self, app, address: str) -> None:
        self.inside = httpx.ASGITransport(app, client=(address, 1))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        async def answer() -> httpx.Response:
            sent = httpx.Request(request.method, request.url, headers=request.headers, content=request.read())
            sent.headers = request.headers
            found = await self.inside.handle_async_request(sent)
            return httpx.Response(found.status_code, headers=found.headers, content=await found.aread())

        return ASIDE.submit(lambda: asyncio.run(answer())).result()


class Hands:
    """A clock that tests turn."""

    def __init__(self) -> None:
        self.ms = 1_750_000_000_000

    def clock(self) -> Clock:
        return Clock(lambda: self.ms, lambda: self.ms)

    def forward(self, *, minutes: float = 0, hours: float = 0) -> None:
        self.ms += int((minutes + 60 * hours) * 60_000)


def lab(path: Path, **queue) -> Lab:
    """Two topics, five pairs, texts of all documents."""
    pairs = [PairRow("q1", f"d{n}", "stratum-marker", 0.25) for n in range(1, 4)]
    pairs += [PairRow("q2", f"d{n}", "stratum-marker", 0.25) for n in range(4, 6)]
    topics = [TopicRow("q1", "merge sorted files"), TopicRow("q2", "cheap flights")]
    documents = [DocumentRow(f"d{n}", f"Title {n}", body=f"The text of document {n}.") for n in range(1, 6)]
    return Lab.create_from_rows(
        path / "lab.db",
        pairs,
        topics,
        documents,
        {0: "Not relevant", 1: "Partly", 2: "Relevant"},
        queue=QueueRow("pool", **queue),
        guidelines="# Guide\n\nRead all of it.",
    )


@dataclass
class Place:
    """A room that is open, its doors, its clock and the application."""

    room: Room
    doors: Doors
    hands: Hands
    app: object

    def client(self, address: str = "10.1.1.1", **options) -> httpx.Client:
        """A browser without cookies, at an address."""
        return httpx.Client(transport=Direct(self.app, address), base_url=HOME, **options)

    def add(self, name: str, *roles: str, password: str = PASSWORD) -> None:
        """An account with a password."""
        kept = hashed_once(password)
        self.room.write(
            lambda store: add_account(store, name, roles, password_hash=kept, actor="test", now=self.room.clock.now())
        )

    def signed_in(self, name: str, *roles: str) -> httpx.Client:
        """A browser of a person with these roles, who is called by name and roles, with a session."""
        name = "-".join((name, *roles))
        if name not in {each.name for each in self.room.people()}:
            self.add(name, *roles)
        session = self.doors._begin(name)
        client = self.client()
        client.cookies.set(self.doors.settings.cookie(False), session)
        visitor = self.doors.visitor(session)
        assert visitor is not None
        client.headers["origin"] = HOME
        client.headers["x-csrf-token"] = visitor.csrf
        return client


_HASHES: dict[str, str] = {}


def hashed_once(password: str) -> str:
    """The hash of a password, computed once for all tests: it is made to be slow."""
    return _HASHES.setdefault(password, hash_password(password))


@contextmanager
def opened(path: Path, settings: ServerSettings | None = None, *, stub: str = "", new: bool = True, **queue):
    """A room of a new lab, or of the one that is there.

    With `stub="all"` every page answers with its name, with `stub="inside"` all but those of signing in.
    """
    if new:
        lab(path, **queue)
    hands = Hands()
    room = Room.open(path / "lab.db", clock=hands.clock())
    where = settings or ServerSettings()
    doors = Doors(room, where)
    try:
        yield Place(room, doors, hands, guarded(stubs(room, stub), doors) if stub else application(room, where))
    finally:
        room.close()


def stubs(room: Room, which: str) -> Router:
    """Every row of the table, answering with the name of its page."""

    def answering(row: RouteRow):
        if which == "inside" and row.page.startswith("entry:"):
            return endpoint_of(room, row)

        async def answer(request):
            return PlainTextResponse(f"answered by {row.page}")

        return answer

    return Router([Route(row.path, answering(row), methods=[row.method]) for row in ROUTES])


def address_of(row) -> str:
    """A path that fits a row of the table."""
    return re.sub(r"\{[^}]*\}", "0" * 32, row.path)


def form_token(page: str) -> str:
    """The token in the form of a page."""
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found is not None
    return found[1]


EVERY_ROLE = [(), *((role,) for role in ROLES), tuple(ROLES)]
