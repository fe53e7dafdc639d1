"""A real browser on a real server: a browser for each module, one server, a room of its own for each test."""

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from tests.judging.browser.rooms import BrowserRoom, make_lab

NAMES = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items):
    """Tests with a browser go to one worker, where workers are told to keep groups together."""
    for item in items:
        if "tests/judging/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="module")  # no longer: while Playwright runs, no other test of the worker can use asyncio
def chromium():
    """Headless Chromium; skipped where there is none, an error where it is demanded."""
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        program = next(filter(None, map(shutil.which, NAMES)), None)
        is_root = hasattr(os, "geteuid") and os.geteuid() == 0
        try:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"] if is_root else [])
        except Error:
            reason = "no Chromium is installed"
            if os.environ.get("CRANFIELD_REQUIRE_DATA") == "1":
                pytest.fail(reason)
            pytest.skip(reason)
        yield browser
        browser.close()


class Switch:
    """An application that hands every request to the one of the test that runs."""

    app: Any

    async def __call__(self, scope, receive, send):
        await self.app(scope, receive, send)


@pytest.fixture(scope="session")
def server() -> Iterator[tuple[Switch, int]]:
    """A server on a free port, in a thread."""
    switch, listener = Switch(), socket.create_server(("127.0.0.1", 0))
    settings = uvicorn.Config(switch, lifespan="off", log_config=None, ws="none", timeout_graceful_shutdown=1)
    running = uvicorn.Server(settings)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
    thread.start()
    yield switch, listener.getsockname()[1]
    running.should_exit = True
    thread.join()
    listener.close()


@pytest.fixture
def place(chromium, server, tmp_path) -> Iterator[BrowserRoom]:
    """A room with two topics of four documents, served; `place.page("ada")` is a browser of hers."""
    made = BrowserRoom(chromium, server, make_lab(tmp_path / "lab.db"))
    yield made
    made.close()


@pytest.fixture
def shared_place(chromium, server, tmp_path) -> Iterator[BrowserRoom]:
    """The same, each pair judged by two assessors."""
    made = BrowserRoom(chromium, server, make_lab(tmp_path / "lab.db", k=2))
    yield made
    made.close()
