"""Things found by their names: where there is none of that name, the error says which there are."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from cranfield.errors import UnknownNameError

T = TypeVar("T")
_SHOWN = 20  # names in a hint
_COMPARED = 10_000  # names that a misspelt one is compared with


def named(name: object, things: Mapping[str, T], noun: str) -> T:
    """The thing of that name.

    >>> named("bm52", {"bm25": 1, "dense": 2}, "run")
    Traceback (most recent call last):
    cranfield.errors.UnknownNameError: E223: there is no run 'bm52'
      hint: did you mean bm25?
    """
    if isinstance(name, str) and name in things:
        return things[name]
    raise unknown_name(name, things, noun)


def place(name: object, names: Sequence[str], noun: str) -> int:
    """Where the name stands among others.

    >>> place("dense", ["bm25", "dense"], "run")
    1
    """
    if isinstance(name, str) and name in names:
        return names.index(name)
    raise unknown_name(name, names, noun)


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name that is most like a misspelt one, in any letter case; None if there is none like it.

    >>> nearest("BM52", ["dense", "bm25"]), nearest("hybrid", ["dense", "bm25"])
    ('bm25', None)
    """
    from difflib import get_close_matches

    spellings: dict[str, str] = {}
    for known in islice(names, _COMPARED):
        spellings.setdefault(known.lower(), known)
    return next((spellings[found] for found in get_close_matches(name.lower(), spellings, n=1)), None)


def unknown_name(name: object, names: Iterable[str], noun: str) -> UnknownNameError:
    """The error of a name that is none of those; the nearest is suggested, or some are listed."""
    near = nearest(name, names) if isinstance(name, str) else None
    some = list(islice(names, _SHOWN + 1))
    listed = ", ".join(some[:_SHOWN]) + (", …" if len(some) > _SHOWN else "")
    hint = f"did you mean {near}?" if near else f"one of {listed}" if some else f"there is no {noun} at all"
    return UnknownNameError("E223", f"there is no {noun} {name!r}", hint=hint)
