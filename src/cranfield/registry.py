"""Name -> definition: the one pattern behind measures, readers, and whatever else can be listed."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import TypeVar

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
        found = self._spellings.get(name.lower())
        return None if found is None else self._items[found]

    def nearest(self, name: str) -> str | None:
        """The registered name closest to a misspelt one."""
        close = get_close_matches(name.lower(), self._spellings, n=1, cutoff=0.6)
        return self._spellings[close[0]] if close else None

    def __getitem__(self, name: str) -> T:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)
