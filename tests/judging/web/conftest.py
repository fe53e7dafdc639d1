"""Rooms behind their guards."""

import pytest

from tests.judging.web.rooms import opened


@pytest.fixture(scope="module")
def stubbed(tmp_path_factory):
    """A room whose pages answer with their names, for tests of what stands before them; shared by a module."""
    with opened(tmp_path_factory.mktemp("stubbed"), stub="all") as place:
        yield place


@pytest.fixture
def place(tmp_path):
    """A room with its pages."""
    with opened(tmp_path) as found:
        yield found


@pytest.fixture
def entry(tmp_path):
    """A room of which only the pages of signing in are there."""
    with opened(tmp_path, stub="inside") as found:
        yield found
