"""Which values an annotation allows: for the door of public functions, so that looking is quick and never wrong.

`kind_of(annotation)` is what values have to be, in words, and a test of them. What cannot be told by looking at a
value, such as whether an object has the methods of a protocol, is allowed; long lists and tables are looked at in
their first members alone.
"""

import numbers
import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from types import NoneType, UnionType
from typing import IO, Annotated, Any, ForwardRef, Literal, TypeVar, Union, get_args, get_origin

_LOOKED_AT = 1000  # members of a list or table


class ValueKind:
    """What a value has to be: in words, and as a test."""

    def __init__(self, words: str, fits: Callable[[object], bool], number: type | None = None) -> None:
        self.words = words
        self.fits = fits
        self.number = number  # int or float, if a single number is allowed; float, if either is


def kind_of(annotation: object, scope: Mapping[str, Any]) -> ValueKind | None:
    """What a value has to be for an annotation in a module with these names; None, if anything is allowed.

    >>> kind_of(int | None, {}).words, kind_of(list[str], {}).fits(["a", 2]), kind_of(object, {})
    ('a whole number or None', False, None)
    """
    if isinstance(annotation, str | ForwardRef):
        text = annotation if isinstance(annotation, str) else annotation.__forward_arg__
        try:
            found = eval(text, {**_array_names(), **scope})  # the text of an annotation in our own source
        except NameError:  # of a class that only type checkers import
            return None
        return kind_of(found, scope)
    if isinstance(annotation, TypeVar):
        annotation = annotation.__bound__
    if (alias := _alias(annotation)) is not None:
        return _ARRAY if alias.__name__ == "ArrayLike" else kind_of(alias.__value__, scope)
    if (plain := _PLAIN.get(annotation) if isinstance(annotation, type) else None) is not None:
        return plain
    origin, members = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return _one_of(members, scope)
    if origin is Annotated:  # the function itself looks at each value, and says which of them is wrong
        return None
    if origin is Literal:
        return ValueKind("a word", lambda value: isinstance(value, str))
    if isinstance(origin, type):
        return _generic(origin, members, scope)
    return _class(annotation) if isinstance(annotation, type) else None


def _alias(annotation: object) -> Any:  # None, or a TypeAliasType, which Python 3.11 does not have
    """What a `type` statement made, as those of NumPy do from 2.5 on: by itself, or with parameters."""
    made = (annotation, get_origin(annotation))
    return next((each for each in made if type(each).__name__ == "TypeAliasType"), None)


def _number(kind: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kind) and not isinstance(value, bool)


_PLAIN: dict[object, ValueKind] = {
    str: ValueKind("a text", lambda value: isinstance(value, str)),
    int: ValueKind("a whole number", _number(numbers.Integral), int),
    float: ValueKind("a number", _number(numbers.Real), float),
    bool: ValueKind("True or False", lambda value: isinstance(value, bool) or type(value).__name__ == "bool"),
    NoneType: ValueKind("None", lambda value: value is None),
    None: ValueKind("None", lambda value: value is None),
}


def _one_of(members: tuple[object, ...], scope: Mapping[str, Any]) -> ValueKind | None:
    arrays = complex in members  # among what NumPy makes an array of
    rest = [member for member in members if not arrays or member is NoneType]
    kinds = [kind_of(member, scope) for member in rest] + ([_ARRAY] if arrays else [])
    known = [kind for kind in kinds if kind is not None]
    if len(known) < len(kinds):
        return None
    words = " or ".join(dict.fromkeys(kind.words for kind in known))
    number = next((wide for wide in (float, int) if any(kind.number is wide for kind in known)), None)
    return ValueKind(words, lambda value: any(kind.fits(value) for kind in known), number)


def _numeric(value: object) -> bool:
    """Whether NumPy can make numbers of it."""
    import numpy as np

    if value is None or isinstance(value, str | bytes | Mapping):
        return False
    if isinstance(value, list | tuple):
        value = value[:_LOOKED_AT]
    try:
        np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


_ARRAY = ValueKind("numbers", _numeric)


def _generic(origin: type, members: tuple[object, ...], scope: Mapping[str, Any]) -> ValueKind | None:
    """A class with parameters: a list of numbers, a table of texts, something to be called."""
    if origin is IO and members != (Any,):  # what is read says more itself about what it cannot read
        return ValueKind("an open file", lambda value: hasattr(value, "write"))
    if origin in (type, IO) or (outer := _class(origin)) is None:
        return None
    if origin.__name__ == "Callable":
        return ValueKind("a function", callable)
    if origin.__module__ not in ("builtins", "collections.abc"):
        return outer
    kinds = [None if member is Ellipsis else kind_of(member, scope) for member in members]
    if issubclass(origin, Mapping) and len(kinds) == 2:
        return ValueKind("a table", lambda value: outer.fits(value) and _pairs_fit(value, *kinds))
    if issubclass(origin, tuple) and Ellipsis not in members:
        return outer
    if issubclass(origin, Iterable) and (member := kinds[0]) is not None:
        words = f"a list of which each member is {member.words}"
        return ValueKind(words, lambda value: outer.fits(value) and _members_fit(value, member))
    return outer


def _pairs_fit(value: Any, key: ValueKind | None, thing: ValueKind | None) -> bool:  # a mapping
    return all(
        (key is None or key.fits(name)) and (thing is None or thing.fits(found))
        for name, found in islice(value.items(), _LOOKED_AT)
    )


def _members_fit(value: object, member: ValueKind) -> bool:
    """Whether the members fit; what can be gone through once only is left alone."""
    return not isinstance(value, Collection) or all(map(member.fits, islice(value, _LOOKED_AT)))


_NAMES: dict[object, str] = {os.PathLike: "a path", Mapping: "a table"}


def _class(found: type) -> ValueKind | None:
    """An object of the class; None for protocols, whose methods cannot be told by looking."""
    try:
        isinstance(None, found)
    except TypeError:
        return None
    if found is object:
        return None
    usual = "a list" if issubclass(found, Iterable) and found.__module__ in ("builtins", "collections.abc") else ""
    return ValueKind(_NAMES.get(found) or usual or f"a {found.__name__}", lambda value: isinstance(value, found))


def _array_names() -> Mapping[str, Any]:
    """The names of arrays, which modules without NumPy use in annotations alone."""
    return vars(sys.modules["cranfield.arrays"]) if "cranfield.arrays" in sys.modules else {}


def names_of(module: str) -> Mapping[str, Any]:
    """The names that annotations in a module are made of."""
    return vars(sys.modules[module])
