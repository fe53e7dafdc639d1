"""Name -> definition: the one pattern behind measures, readers, and whatever else can be listed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """Definitions by name, found by alias and without regard to letter case.

    >>> colours = Registry[int]("colour")
    >>> colours.add("Red", 1, aliases=["rouge"])
    >>> colours.find("RED"), colours.find("rouge"), colours.find("blue")
    (1, 1, None)
    >>> colours.nearest("Redd")
    'Red'
    """

    def __init__(self, noun: str) -> None:
        self.noun = noun
        self._items: dict[str, T] = {}
        self._spellings: dict[str, str] = {}
        self._homes: list[str] = []  # modules that define more, not imported yet
        self._expected: list[str] = []  # all of them

    def expect(self, modules: Iterable[str]) -> None:
        """Modules that register definitions when they are imported: looked into, in this order, as far as needed."""
        named = list(modules)
        self._homes += named
        self._expected += named

    def _look(self, found: Callable[[], bool] = lambda: False) -> None:
        """Import what defines more until something is found, or everything."""
        while self._homes and not found():
            home = self._homes[0]
            import_module(home)  # which waits for another thread that has begun to
            self._homes = [other for other in self._homes if other != home]

    def add(self, name: str, item: T, aliases: Iterable[str] = ()) -> None:
        """Register `item`; a name or alias that is taken is a mistake of the programmer."""
        spellings = [spelling.lower() for spelling in (name, *aliases)]
        if taken := next((s for s in spellings if s in self._spellings), None):
            raise ValueError(f"the {self.noun} name {taken!r} is taken by {self._spellings[taken]!r}")
        self._items[name] = item
        self._spellings.update(dict.fromkeys(spellings, name))

    def remove(self, name: str) -> None:
        """Forget a definition and its aliases."""
        del self._items[name]
        self._spellings = {s: n for s, n in self._spellings.items() if n != name}

    def find(self, name: str) -> T | None:
        """The definition of that name or alias, in any letter case."""
        found = self.name_of(name)
        return None if found is None else self._items[found]

    def name_of(self, spelling: str) -> str | None:
        """The name under which something is registered that is spelt or called so."""
        self._look(lambda: spelling.lower() in self._spellings)
        return self._spellings.get(spelling.lower())

    def nearest(self, name: str) -> str | None:
        """The registered name closest to a misspelt one."""
        self._look()
        from difflib import get_close_matches

        close = get_close_matches(name.lower(), self._spellings, n=1, cutoff=0.6)
        return self._spellings[close[0]] if close else None

    def __getitem__(self, name: str) -> T:
        self._look(lambda: name in self._items)
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        """Names in the order in which their modules are expected, whichever of them happened to be imported first."""
        self._look()
        return iter(sorted(self._items, key=self._place))

    def _place(self, name: str) -> tuple[int, str]:
        item = self._items[name]
        made = next((getattr(item, part) for part in ("function", "reader", "study") if hasattr(item, part)), item)
        home = getattr(made, "__module__", "")
        return self._expected.index(home) if home in self._expected else len(self._expected), home

    def __len__(self) -> int:
        self._look()
        return len(self._items)


def registered(option: str, value: str, *registries: Registry[Any]) -> str:  # registries of several kinds
    """The name of what the caller of `option` means, in the first of the registries that knows it.

    >>> colours = Registry[int]("colour")
    >>> colours.add("Red", 1, aliases=["rouge"])
    >>> registered("colour", "ROUGE", colours)
    'Red'
    >>> registered("colour", "Redd", colours)
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E213: colour='Redd' is unknown
      hint: did you mean Red? one of Red
    """
    for registry in registries:
        if (found := registry.name_of(value)) is not None:
            return found
    nearest = next(filter(None, (registry.nearest(value) for registry in registries)), None)
    raise unknown(option, value, [name for registry in registries for name in registry], nearest)


def one_of(option: str, value: object, values: Iterable[str]) -> None:
    """Refuse a value that is none of those listed.

    >>> one_of("family", "all", ["measure", "all"])
    >>> one_of("family", "both", ["measure", "all"])
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E213: family='both' is unknown
      hint: one of measure, all
    """
    if value not in (listed := list(values)):
        raise unknown(option, value, listed)


def unknown(option: str, value: object, values: Iterable[str], nearest: str | None = None) -> Exception:
    """The error of a value that an option does not know, with those that it knows."""
    from cranfield.errors import PolicyError

    guess = f"did you mean {nearest}? " if nearest else ""
    return PolicyError("E213", f"{option}={value!r} is unknown", hint=f"{guess}one of {', '.join(values)}")
