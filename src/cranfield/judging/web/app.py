"""The room as an ASGI application: the routes of the table behind the guards, and what is ready before people come."""

import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib import import_module

from jinja2 import TemplateNotFound
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from cranfield.judging.room import Room
from cranfield.judging.web.asking import Ask, Endpoint
from cranfield.judging.web.doors import Doors
from cranfield.judging.web.guards import guarded
from cranfield.judging.web.rendering import STATIC, environment
from cranfield.judging.web.routes import ANYONE, JUDGES, ROUTES, SIGNED_IN, RouteRow
from cranfield.judging.web.settings import ServerSettings

TEMPLATES = (
    *("base.html", "parts.html", "home.html", "document.html"),
    *(f"judge/{name}.html" for name in ("judge", "work", "last", "progress", "saved", "topic_end", "nothing")),
)


def application(room: Room, settings: ServerSettings | None = None, doors: Doors | None = None) -> ASGIApp:
    """The application that serves a room."""
    routes: list[BaseRoute] = [
        Route(row.path, endpoint_of(room, row), methods=[row.method]) for row in ROUTES if row.page
    ]
    routes.append(Mount("/static", StaticFiles(directory=STATIC)))
    return guarded(Router(routes), doors or Doors(room, settings or ServerSettings()))


@cache
def page_of(row: RouteRow) -> Endpoint:
    """The page of a row: a function of a module of `pages`."""
    module, _, name = row.page.partition(":")
    page: Endpoint = getattr(import_module(f"cranfield.judging.web.pages.{module}"), name)
    return page


def endpoint_of(room: Room, row: RouteRow) -> Callable[[Request], Awaitable[Response]]:
    """What Starlette calls: the page, on a thread of its own, which also imports it at its first use."""

    async def endpoint(request: Request) -> Response:
        ask = Ask(request, room, request.state.visitor, request.state.fields)
        return await run_in_threadpool(lambda: page_of(row)(ask))

    return endpoint


def steps() -> Iterator[Callable[[], object]]:
    """What is got ready: the pages that assessors see are imported, and their templates compiled."""
    for row in ROUTES:
        if row.page and row.who in (ANYONE, SIGNED_IN, JUDGES):
            yield partial(page_of, row)
    for name in TEMPLATES:
        yield partial(environment().get_template, name)


@contextmanager
def warming() -> Iterator[threading.Thread]:
    """Get ready on a thread while the room is open; if the room closes first, the rest is not done."""
    ended = threading.Event()

    def work() -> None:
        for step in steps():
            if ended.is_set():
                return
            with suppress(ImportError, TemplateNotFound):  # a request for the page gets the error
                step()

    thread = threading.Thread(target=work, name="cranfield-warming", daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        ended.set()
        thread.join()
