"""How a warning reaches its caller: at the caller's own line, however deep in this package it was noticed.

A thread that works for a caller keeps its warnings (`kept`); the caller's thread shows them in their order.
"""

import builtins
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.errors import DataWarning

IN_THE_TABLE = ("W101", "W103", "W105", "W107")  # codes of what the footer and the columns of a table say as well
_KEPT: "ContextVar[list[DataWarning] | None]" = ContextVar("kept", default=None)


def warn(note: "DataWarning") -> None:
    """Show a warning at the first line outside this package, or keep it for who works through `kept`.

    In a notebook or at a prompt, where results print themselves, a warning that only repeats the table is left out.
    """
    kept = _KEPT.get()
    if kept is not None:
        kept.append(note)
        return
    if note.code in IN_THE_TABLE and in_session():
        return
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "cranfield":
        level, frame = level + 1, frame.f_back
    warnings.warn(note, stacklevel=level)


def in_session() -> bool:
    """Whether someone types: in IPython, a notebook, or at the prompt of Python."""
    return hasattr(sys, "ps1") or hasattr(builtins, "__IPYTHON__")


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
