"""How a warning reaches its caller: at the caller's own line, however deep in this package it was noticed.

A thread that works for a caller keeps its warnings (`kept`); the caller's thread shows them in their order.
"""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.errors import DataWarning

_KEPT: "ContextVar[list[DataWarning] | None]" = ContextVar("kept", default=None)


def warn(note: "DataWarning") -> None:
    """Show a warning at the first line outside this package, or keep it for who works through `kept`."""
    kept = _KEPT.get()
    if kept is not None:
        kept.append(note)
        return
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "cranfield":
        level, frame = level + 1, frame.f_back
    warnings.warn(note, stacklevel=level)


@contextmanager
def kept() -> "Iterator[list[DataWarning]]":
    """The warnings of the work inside, in their order, none of them shown.

    >>> from cranfield.errors import DataWarning
    >>> with kept() as notes:
    ...     warn(DataWarning("W103", "2 infinite scores", "a.run"))
    >>> [note.code for note in notes]
    ['W103']
    """
    notes: list[DataWarning] = []
    before = _KEPT.set(notes)
    try:
        yield notes
    finally:
        _KEPT.reset(before)
