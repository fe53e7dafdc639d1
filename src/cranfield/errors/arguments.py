"""What callers hand to public functions: the names and kinds of arguments are checked once, at the door.

`cranfield.evaluate` is `checked(evaluate)`: an unknown keyword, an argument that is missing, or a value of
another kind than its annotation says, is refused before anything is done. `checked_methods` puts the same door before
the methods of a class. Whether a value of the right kind makes sense is the function's own concern.
"""

import numbers
import sys
from collections.abc import Callable, Collection, Mapping
from functools import cache, partial, wraps
from types import FunctionType, NoneType
from typing import Any, ParamSpec, TypeVar, get_args, is_typeddict

from cranfield.errors import PolicyError
from cranfield.errors.annotations import ValueKind, kind_of, names_of
from cranfield.errors.wording import setting

P = ParamSpec("P")
T = TypeVar("T")
C = TypeVar("C", bound=type)
_TAKES_SEVERAL, _TAKES_MORE = 0x04, 0x08  # marks of `*args` and `**options` in the code of a function
_SHOWN = 60  # characters of a value in a message
_PLAIN = (float, str, bool, NoneType)  # left as they are: whole numbers may be too large
LARGE = 2**63  # whole numbers from here on are no numbers to NumPy


def checked(function: Callable[P, T], name: str = "") -> Callable[P, T]:
    """The function behind a door that refuses what its signature does not allow; `name` is what callers call it.

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
    called = name or function.__name__

    @wraps(function)
    def door(*args: P.args, **kwargs: P.kwargs) -> T:
        expected = _expected(function)
        if expected.by_name is not None:
            _refuse_unknown(called, kwargs, expected.by_name)
        _refuse_wrong_number(called, expected, len(args), kwargs)
        names = expected.by_position + (expected.several,) * (len(args) - len(expected.by_position))
        plain: Any = [_taken(name, expected.kind(name), value) for name, value in zip(names, args, strict=False)]
        named: Any = kwargs if expected.by_name is None else check_kinds(kwargs, expected.kind)
        return function(*plain, **named)

    return door


def checked_methods(found: C) -> C:
    """The class with such a door before each public method.

    >>> @checked_methods
    ... class Index:
    ...     def search(self, query: str) -> str:
    ...         return query
    >>> Index().search(query=5)
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E241: query=5 is of the wrong kind
      hint: a text
    """
    for name, member in list(vars(found).items()):
        inner = member.__func__ if isinstance(member, classmethod) else member
        if isinstance(inner, FunctionType) and not name.startswith("_"):
            door = checked(inner, f"{found.__name__}.{name}")
            setattr(found, name, classmethod(door) if isinstance(member, classmethod) else door)
    return found


def checked_class(found: C) -> C:
    """The same for a class that callers make: there is a door before the class, too."""
    found.__init__ = checked(found.__init__, found.__name__)  # type: ignore[misc]  # mypy forbids replacing it
    return checked_methods(found)


def check_options(
    function: str, given: Mapping[str, Any], options: type, also: Collection[str] = ()
) -> dict[str, Any]:  # the options in plain form
    """Refuse what a table of options (a TypedDict) does not allow; names in `also` are allowed and not looked at."""
    _refuse_unknown(function, given, [*options.__annotations__, *also])
    return check_kinds(given, partial(option_kind, options))


def check_kinds(given: Mapping[str, Any], kind: "Callable[[str], ValueKind | None]") -> dict[str, Any]:
    """The values in plain form; one of another kind than its name wants is refused."""
    plain = {name: _taken(name, kind(name), value) for name, value in given.items()}
    if "seed" in plain:
        checked_seed(plain["seed"])
    return plain


def checked_seed(seed: object) -> int:
    """The seed of random steps, if it is one.

    >>> checked_seed(-1)
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E240: seed=-1 must be at least 0
    """
    if isinstance(seed, bool) or not isinstance(seed, numbers.Integral):
        raise PolicyError("E241", f"{setting('seed', seed)} is of the wrong kind", hint="a whole number")
    if int(seed) < 0:
        raise PolicyError("E240", f"{setting('seed', seed)} must be at least 0")
    return int(seed)


class _Expected:
    """What a function takes; the annotation of a parameter is read when a value is first given for it."""

    def __init__(self, function: FunctionType) -> None:
        code, defaults = function.__code__, function.__kwdefaults__ or {}
        first = int(code.co_varnames[:1] in (("self",), ("cls",)))
        last = code.co_argcount + code.co_kwonlyargcount
        names = code.co_varnames[:last]
        takes_several = bool(code.co_flags & _TAKES_SEVERAL)
        without = code.co_argcount - len(function.__defaults__ or ())
        self.function = function
        self.by_position = names[: code.co_argcount]
        self.several = code.co_varnames[last] if takes_several else ""  # the name of any number of further arguments
        self.needed = (*names[first:without], *(name for name in names[code.co_argcount :] if name not in defaults))
        self.by_name: list[str] | None = [*names[max(first, code.co_posonlyargcount) :]]
        self.options: type | None = None  # the table (TypedDict) of all further names
        if code.co_flags & _TAKES_MORE:
            (options,) = get_args(function.__annotations__.get(code.co_varnames[last + takes_several])) or (None,)
            self.options = options if is_typeddict(options) else None
            self.by_name = [*self.by_name, *options.__annotations__] if self.options else None  # they cannot be told
        self._kinds: dict[str, ValueKind | None] = {}

    def kind(self, name: str) -> ValueKind | None:
        """What the value of a parameter has to be."""
        if name not in self._kinds:
            annotations = self.function.__annotations__
            if name in annotations:
                self._kinds[name] = kind_of(annotations[name], self.function.__globals__)
            else:
                self._kinds[name] = None if self.options is None else option_kind(self.options, name)
        return self._kinds[name]


_expected = cache(_Expected)


@cache
def option_kind(options: type, name: str) -> ValueKind | None:
    """What a value of a TypedDict has to be."""
    annotation = options.__annotations__.get(name, object)
    return kind_of(annotation, names_of(options.__module__))


def _refuse_unknown(function: str, given: Mapping[str, Any], known: Collection[str]) -> None:
    if (wrong := next((name for name in given if name not in known), None)) is None:
        return
    from cranfield.errors.names import nearest

    near = nearest(wrong, known)
    hint = f"did you mean {near}?" if near else f"it takes {', '.join(known) or 'none'}"
    raise PolicyError("E245", f"{function} has no parameter {wrong!r}", hint=hint)


def _refuse_wrong_number(function: str, expected: _Expected, positions: int, given: Mapping[str, Any]) -> None:
    names = expected.by_position
    if positions > len(names) and not expected.several:
        taken = [name for name in names if name not in ("self", "cls")]
        if not taken:
            text = expected.function.__annotations__.get("return") is str
            hint = "it returns the text, which you can write to a file" if text else "call it with empty brackets"
            raise PolicyError("E247", f"{function} takes nothing by position", hint=hint)
        raise PolicyError("E247", f"{function} takes no more by position", hint=f"it takes {', '.join(taken)}")
    if twice := next((name for name in names[:positions] if name in given), None):
        raise PolicyError("E247", f"{function} is given {twice} by position and by name")
    if missing := next((name for name in expected.needed if name not in given and name not in names[:positions]), None):
        raise PolicyError("E247", f"{function} needs {missing}", hint=f"it takes {', '.join(expected.needed)}")


def _taken(name: str, kind: ValueKind | None, value: object) -> object:
    """The value, if it fits; numbers of other packages, and what NumPy wraps a single value in, in plain form."""
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    if kind is None:
        return value
    if not kind.fits(value):
        raise _other_kind(name, kind, value)
    return value if kind.number is None or type(value) in _PLAIN else plain_number(name, kind.number, value)


def plain_number(name: str, wanted: type, value: object) -> object:
    """A number as one of Python; one that is too large to compute with is refused, unless it is a seed.

    A value of another kind than the wanted one is returned as it is.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        if abs(int(value)) < LARGE or name == "seed":
            return int(value)
        if wanted is int:
            raise _too_large(name, f"below {LARGE:,}")
    if not isinstance(value, numbers.Real) or wanted is int:
        return value
    try:
        return float(value)
    except OverflowError:
        raise _too_large(name, f"at most {sys.float_info.max:.2g}") from None


def _too_large(name: str, largest: str) -> PolicyError:
    return PolicyError("E240", f"{setting(name)} is too large a number", hint=largest)


def _other_kind(name: str, kind: ValueKind, value: object) -> PolicyError:
    plain = value is None or isinstance(value, str | int | float | list | tuple)
    if plain and len(said := setting(name, value)) <= 2 * _SHOWN:
        return PolicyError("E241", f"{said} is of the wrong kind", hint=kind.words)
    return PolicyError("E241", f"{setting(name)} is of the wrong kind: {type(value).__name__}", hint=kind.words)
