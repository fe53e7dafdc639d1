"""What callers hand to public functions: the names and kinds of arguments are checked once, at the door.

`cranfield.evaluate` is `checked(evaluate)`: an unknown keyword, or a value of another kind than its annotation
says, is refused before anything is done. Whether a value of the right kind makes sense is the function's own concern.
"""

import numbers
from collections.abc import Callable, Mapping
from functools import cache, wraps
from types import FunctionType, NoneType, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, is_typeddict

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting

P = ParamSpec("P")
T = TypeVar("T")
_PLAIN: dict[object, tuple[type, ...]] = {
    str: (str,),
    int: (numbers.Integral,),
    float: (numbers.Real,),
    bool: (bool,),
    NoneType: (NoneType,),
    None: (NoneType,),
    Mapping: (Mapping,),
}
_TAKES_SEVERAL, _TAKES_MORE = 0x04, 0x08  # marks of `*args` and `**options` in the code of a function
_WITH_MEMBERS: dict[object, object] = {Literal: str, Mapping: Mapping}  # which are not looked at
_WORDS: dict[object, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    NoneType: "None",
    None: "None",
}


def checked(function: Callable[P, T]) -> Callable[P, T]:
    """The function behind a door that refuses what its signature does not allow.

    >>> def search(query: str, *, depth: int | None = None) -> str:
    ...     return query
    >>> checked(search)("cats", dept=3)
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E245: search has no parameter 'dept'
      hint: did you mean depth?
    >>> checked(search)("cats", depth="3")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E241: depth="3" is of the wrong kind
      hint: a whole number or None
    """

    @wraps(function)
    def door(*args: P.args, **kwargs: P.kwargs) -> T:
        by_position, by_name = _expected(function)
        if by_name is not None:
            _refuse_unknown(function.__name__, kwargs, by_name)
        for (name, kinds), value in zip(by_position, args, strict=False):
            _refuse_other(name, kinds, value)
        if "seed" in kwargs:
            checked_seed(kwargs["seed"])
        for name, value in kwargs.items():
            _refuse_other(name, (by_name or {}).get(name, ()), value)
        return function(*args, **kwargs)

    return door


def checked_seed(seed: object) -> int:
    """The seed of random steps, if it is one.

    >>> checked_seed(-1)
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E240: seed=-1 must be at least 0
    """
    if isinstance(seed, bool) or not isinstance(seed, numbers.Integral):
        raise PolicyError("E241", f"{setting('seed', seed)} is of the wrong kind", hint=_WORDS[int])
    if int(seed) < 0:
        raise PolicyError("E240", f"{setting('seed', seed)} must be at least 0")
    return int(seed)


ArgumentKinds = tuple[object, ...]  # annotations of which one has to fit; none: anything does


@cache
def _expected(function: FunctionType) -> tuple[list[tuple[str, ArgumentKinds]], Mapping[str, ArgumentKinds] | None]:
    """What may be given by position, and what by name; no names, if the function takes some that cannot be told."""
    code, annotations = function.__code__, function.__annotations__
    last = code.co_argcount + code.co_kwonlyargcount
    kinds = {name: _kinds(annotations.get(name)) if name in annotations else () for name in code.co_varnames[:last]}
    by_position = [(name, kinds[name]) for name in code.co_varnames[: code.co_argcount]]
    by_name = {name: kinds[name] for name in code.co_varnames[code.co_posonlyargcount : last]}
    if not code.co_flags & _TAKES_MORE:
        return by_position, by_name
    (options,) = get_args(annotations.get(code.co_varnames[last + bool(code.co_flags & _TAKES_SEVERAL)])) or (None,)
    more: dict[str, ArgumentKinds] = dict.fromkeys(getattr(options, "__annotations__", {}), ())
    return by_position, by_name | more if is_typeddict(options) else None


def _kinds(annotation: object) -> ArgumentKinds:
    """The plain types and classes of ours that an annotation is made of; nothing, if there is any other in it."""
    members = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    plain = tuple(_WITH_MEMBERS.get(get_origin(member), member) for member in members)
    return plain if all(_is_plain(member) for member in plain) else ()


def _is_plain(member: object) -> bool:
    return member in _PLAIN or (isinstance(member, type) and member.__module__.startswith("cranfield."))


def _refuse_unknown(function: str, given: Mapping[str, Any], known: Mapping[str, ArgumentKinds]) -> None:
    if (wrong := next((name for name in given if name not in known), None)) is None:
        return
    from difflib import get_close_matches

    near = get_close_matches(wrong, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"it takes {', '.join(known)}"
    raise PolicyError("E245", f"{function} has no parameter {wrong!r}", hint=hint)


def _refuse_other(name: str, kinds: ArgumentKinds, value: object) -> None:
    if not kinds or any(_fits(value, kind) for kind in kinds):
        return
    words = " or ".join(dict.fromkeys(_WORDS.get(kind) or f"a {getattr(kind, '__name__', kind)}" for kind in kinds))
    raise PolicyError("E241", f"{setting(name, value)} is of the wrong kind", hint=words)


def _fits(value: object, kind: object) -> bool:
    if isinstance(value, bool) and kind in (int, float):
        return False
    return isinstance(value, _PLAIN.get(kind) or kind)  # type: ignore[arg-type]  # a class of ours
