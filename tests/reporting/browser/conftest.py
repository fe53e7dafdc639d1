"""The browser of the tests of the judging room, and the page of the `report` of a module."""

import pytest

from tests.judging.browser.conftest import chromium
from tests.reporting.browser.opened import Opened

__all__ = ["chromium"]


@pytest.fixture(scope="module")
def place(tmp_path_factory, report):
    """The page on disk."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    report.write(path)
    return path


@pytest.fixture
def opened(chromium, place):
    """The page in a browser, which has no problem with it to the end."""
    with Opened(chromium, place) as found:
        found.drawn()
        yield found
        assert found.problems == []
