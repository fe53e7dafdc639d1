"""Getting ready what all assessors ask for first, so that nobody waits for it when fifty of them come at nine."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from jinja2 import TemplateNotFound

from cranfield.judging.web.app import page_of
from cranfield.judging.web.rendering import environment
from cranfield.judging.web.routes import ANYONE, JUDGES, ROUTES, SIGNED_IN

TEMPLATES = (
    *("base.html", "parts.html", "judge.html", "work.html", "last.html", "progress.html", "saved.html"),
    *("document.html", "topic_end.html", "nothing.html", "home.html"),
)


def steps() -> Iterator[Callable[[], object]]:
    """What is got ready: the pages that assessors see are imported, and their templates compiled."""
    for row in ROUTES:
        if row.page and row.who in (ANYONE, SIGNED_IN, JUDGES):
            yield partial(page_of, row)
    for name in TEMPLATES:
        yield partial(environment().get_template, name)


@contextmanager
def warming() -> Iterator[threading.Thread]:
    """Get ready on a thread while the room is open; if it closes before, what is left is not done."""
    ended = threading.Event()

    def work() -> None:
        for step in steps():
            if ended.is_set():
                return
            with suppress(ImportError, TemplateNotFound):  # who asks for the page gets the error
                step()

    thread = threading.Thread(target=work, name="cranfield-warming", daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        ended.set()
        thread.join()
