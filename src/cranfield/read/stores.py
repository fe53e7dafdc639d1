"""Stores: files that hold judgments of several assessors in a database, which a part further right can open.

This part knows how such a file begins; what is inside is known to the modules that register here.
"""

import os
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from cranfield.errors import InputError
from cranfield.registry import Registry
from cranfield.tables.judgments import Judgments

_MAGIC = b"SQLite format 3\x00"


@runtime_checkable
class HoldsJudgments(Protocol):
    """What holds the judgments of several assessors, such as a lab."""

    def assessor_judgments(self, *, repeats: bool = False) -> Judgments:
        """Every grade with its assessor; `repeats` adds those that an assessor gave to the same pair again, later."""
        ...


STORES: Registry[Callable[[str], HoldsJudgments]] = Registry("store", "cranfield.judging.agreeing")


def opens_store(name: str) -> Callable[[Callable[[str], HoldsJudgments]], Callable[[str], HoldsJudgments]]:
    """Register what opens stores of a kind, by path."""

    def register(function: Callable[[str], HoldsJudgments]) -> Callable[[str], HoldsJudgments]:
        STORES.add(name, function, home=function.__module__)
        return function

    return register


def is_store(source: object) -> bool:
    """Whether a source is the path of a database."""
    if not isinstance(source, str | os.PathLike) or not os.path.isfile(source):
        return False
    try:
        with open(source, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def open_store(path: "str | os.PathLike[str]") -> HoldsJudgments:
    """The store in a file."""
    opened = STORES.find("lab")
    if opened is None:  # a copy of the package without its judging room
        raise InputError("E118", "is a lab, which this installation cannot read", path=os.fspath(path))
    return opened(os.fspath(path))
