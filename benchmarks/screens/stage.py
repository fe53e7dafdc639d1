"""A server in a thread, a room on it at a time, and browsers of the people in the room."""

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

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
            token, now = new_token(), self.room.clock.now()
            self.room.write(lambda store: begin_session(store, hashed(token), person, "csrf", now))
            context.add_cookies([{"name": self.settings.cookie(False), "value": token, "url": self.url}])
        return context.new_page()


@contextmanager
def stage() -> Iterator[Stage]:
    """A stage with headless Chromium."""
    chosen, listener = ChosenApplication(), socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(chosen, lifespan="off", log_config=None, ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    try:
        with sync_playwright() as playwright:
            program = next(filter(None, map(shutil.which, NAMES)), None)
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"] if is_root else [])
            yield Stage(browser, chosen, listener.getsockname()[1])
            browser.close()
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
