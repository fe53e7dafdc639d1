"""The three steps that carry all the cost: scan a file into columns, rank inside topics, find the judged documents.

Each is a function here with plain arrays in and out. It runs compiled (`_steps`, and `_dicts` for runs that are
dictionaries), or in NumPy (`pure`) if nothing was compiled. Both give the same results, and callers need not know which
one runs. `CRANFIELD_KERNEL=pure` in the environment switches the compiled kernel off; with `CRANFIELD_KERNEL=required`
an import without it fails.

Read this file first, then `pure`, which does in NumPy what `_steps.pyx` does; `_steps.pyx` includes the `.pxi` files.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cranfield.arrays import Bytes, Floats, Ints, Words
from cranfield.arrays.strings import Strings
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.kernel._dicts import Found
    from cranfield.kernel._dicts import Judged as Judged
    from cranfield.kernel._steps import Scanned

SKIP, TOPIC, TEXT, NUMBER, CONSTANT, WHOLE = range(6)  # what the scan makes of a column

RowOrder: TypeAlias = Ints | None  # in this order; None: as they stand


def compiled(name: str) -> Any:  # a module that was compiled
    """The compiled module; None if there is none, or if it is switched off."""
    if os.environ.get("CRANFIELD_KERNEL") == "pure" or sys.byteorder != "little":
        return None
    try:
        return import_module(f"cranfield.kernel.{name}")
    except ImportError:  # it could not be compiled here
        if os.environ.get("CRANFIELD_KERNEL") == "required":
            hint = "install cranfield where there is a C compiler, or leave the variable out"
            problem = "CRANFIELD_KERNEL=required, and the compiled kernel is not installed"
            raise PolicyError("E212", problem, hint=hint) from None
        return None


def _chosen(name: str) -> Any:  # a module
    return compiled(name) or import_module("cranfield.kernel.pure")


steps: Any = _chosen("_steps")
dicts: Callable[[], Any] = cache(partial(_chosen, "_dicts"))  # loaded with the first dictionary


def active() -> str:
    """The path that runs, for the audit and `cranfield --version`."""
    return "pure" if steps.__name__.endswith(".pure") else "compiled"


def scan(
    buffer: Bytes,
    size: int,
    kinds: Sequence[int],
    room: dict[object, Any] | None = None,  # arrays of any kind
) -> "Scanned | None":
    """The columns of the first `size` bytes of white-space separated lines, converted as `kinds` says.

    None if a line is irregular, or nothing is compiled: the exact reader then reads the file. With `room`, arrays are
    used again, and the next call overwrites them.
    """
    found: Scanned | None = steps.scan(buffer, size, kinds, room)
    return found


def hashes(buffer: Bytes, start: Ints, length: Ints) -> tuple[Words, bool]:
    """A 64-bit hash of each string, and whether one is too long to be hashed here."""
    found: tuple[Words, bool] = steps.hashes(buffer, start, length)
    return found


def rank(topic: Ints, topics: int, key: Floats, documents: Strings | None = None) -> tuple[RowOrder, Ints]:
    """Rows by topic, then key and, where documents are given, document from high to low; where each list begins."""
    columns = (None, None, None) if documents is None else documents
    found: tuple[RowOrder, Ints] = steps.rank(np.ascontiguousarray(topic), topics, np.ascontiguousarray(key), *columns)
    return found


def repeats(order: RowOrder, begin: Ints, code: Words) -> bool:
    """Whether two documents of one list may be the same, by their hashes; False: there is no such pair."""
    return bool(steps.repeats(order, begin, code))


def ties(order: RowOrder, begin: Ints, key: Floats, cutoff: int) -> tuple[int, int, int]:
    """Groups of equal keys, those that reach across the cut-off, and neighbours equal in single precision only."""
    found: tuple[int, int, int] = steps.ties(order, begin, np.ascontiguousarray(key), cutoff)
    return found


def ascending(key: Words) -> Ints:
    """The rows in which the keys ascend, equal ones as they stand."""
    found: Ints = steps.ascending(np.ascontiguousarray(key))
    return found


class Finder:
    """Judgments, ready to be looked up for any number of lists.

    Args:
        key: of each judgment, ascending: see `pair_key`.
        topic: its topic, a number below `topics`.
        topics: how many there are.
        documents: the judged documents.
    """

    def __init__(self, key: Words, topic: Ints, topics: int, documents: Strings) -> None:
        buffer, start, length = documents
        self._columns = key, topic, topics, documents
        self._find = partial(steps.find, *steps.table(key, topic, topics, start), buffer, length)

    def __call__(
        self, order: RowOrder, begin: Ints, topic: Ints, code: Words, documents: Strings
    ) -> tuple[Ints, Ints, Ints]:
        """The positions of judged documents in the lists, their ranks, and their places among the judgments.

        `topic` gives each list its topic here, or -1; `code` is the hash of each of the documents.
        """
        found: tuple[Ints, Ints, Ints] = self._find(order, begin, topic, code, *documents)
        return found

    def __reduce__(self) -> "tuple[type[Finder], Any]":
        """Pickle the arguments; another process builds its own finder with its own kernel."""
        return Finder, self._columns


def judged_by_name(topics: Mapping[str, int], begin: Ints, place: Ints, documents: Strings) -> "Judged":
    """Judgments, ready to be looked up for runs that are dictionaries: see `collect`."""
    made: Judged = dicts().Judged(topics, begin, place, *documents)
    return made


def collect(run: object, judged: "Judged", single: bool, cutoff: int) -> "Found | None":
    """The judged documents of a run that is a dictionary; None if it must become a table first."""
    found: Found | None = dicts().collect(run, judged, single, cutoff)
    return found
