"""A server in a thread, a room on it at a time, and browsers of the people in the room."""

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from cranfield.judging.accounts.tokens import hashed, new_token
from cranfield.judging.room import Room
from cranfield.judging.store.entry.sessions import begin_session
from cranfield.judging.web.app import application
from cranfield.judging.web.settings import ServerSettings

NAMES = ("chromium", "chromium-browser", "google-chrome")
WAIT_MS = 20_000


class ChosenApplication:
    """An application that hands every request to the room that is chosen now."""

    app: Any

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        await self.app(scope, receive, send)


class Stage:
    """A browser and a server; `show` chooses the room, `page` is a window of a person in it."""

    def __init__(self, browser: Browser, chosen: ChosenApplication, port: int) -> None:
        self.browser, self.chosen = browser, chosen
        self.settings = ServerSettings(port=port)
        self.url = self.settings.local_address.rstrip("/")
        self.room: Room | None = None

    def show(self, room: Room) -> None:
        """Serve a room."""
        if room is not self.room:
            self.room = room
            self.chosen.app = application(room, self.settings)

    def page(self, person: str, **options: Any) -> Page:
        """A new window, in which a person is signed in; without a name, nobody is."""
        assert self.room is not None
        context = self.browser.new_context(**options)
        context.set_default_timeout(WAIT_MS)
        if person:
            sign_in(context, self.room, self.settings, person)
        return context.new_page()


def sign_in(context: BrowserContext, room: Room, settings: ServerSettings, person: str) -> None:
    """Give a browser a session of a person."""
    token, now = new_token(), room.clock.now()
    room.write(lambda store: begin_session(store, hashed(token), person, f"csrf-of-{person}", now))
    url = settings.local_address.rstrip("/")
    context.add_cookies([{"name": settings.cookie(False), "value": token, "url": url}])


def launched(playwright: Playwright) -> Browser:
    """Headless Chromium."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return playwright.chromium.launch(executable_path=program, args=["--no-sandbox"] if is_root else [])


@contextmanager
def stage() -> Iterator[Stage]:
    """A stage with headless Chromium."""
    with served() as (chosen, port), sync_playwright() as playwright:
        browser = launched(playwright)
        yield Stage(browser, chosen, port)
        browser.close()


@contextmanager
def served() -> Iterator[tuple[ChosenApplication, int]]:
    """A server on a free port, in a thread."""
    chosen, listener = ChosenApplication(), socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(chosen, lifespan="off", log_config=None, ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield chosen, listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
