"""A real browser on a real server: a browser for each module, one server, a room of its own for each test."""

import os
from collections.abc import Iterator

import pytest

from benchmarks.screens.stage import ChosenApplication, launched, served
from tests.judging.browser.rooms import BrowserRoom, make_lab


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
        try:
            browser = launched(playwright)
        except Error:
            reason = "no Chromium is installed"
            if os.environ.get("CRANFIELD_REQUIRE_DATA") == "1":
                pytest.fail(reason)
            pytest.skip(reason)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server() -> Iterator[tuple[ChosenApplication, int]]:
    """A server on a free port, in a thread; it serves the room of the test that runs."""
    with served() as found:
        yield found


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
