"""The browser of the tests of the judging room."""

from tests.judging.browser.conftest import chromium

__all__ = ["chromium"]
