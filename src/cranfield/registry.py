"""Registries: name -> definition, for measures, readers, tests, studies and everything else that is listed.

A registry knows the folders (packages) whose modules define things. A module registers its definitions when it is
imported; no list of modules is kept by hand. To find a name, the registry searches the files as text for the module
that declares it and imports that module first. To list all names, it imports all modules in the order of their names.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module
from itertools import pairwise
from typing import Any, TypeVar

from cranfield.errors.wording import setting

T = TypeVar("T")


class FoundModule:
    """A module of a folder, known by its file and not imported."""

    def __init__(self, name: str, file: str, *, is_package: bool = False) -> None:
        self.name = name
        self.file = file
        self.is_package = is_package  # whether it has modules of its own

    def source(self) -> bytes:
        """Its source; empty where there is only compiled code."""
        try:
            with open(self.file, "rb", buffering=0) as file:
                return file.read()
        except FileNotFoundError:
            return b""

    def text(self) -> str:
        """Its source as text."""
        return self.source().decode().replace("\r\n", "\n")

    def declares(self, name: str) -> bool:
        """Whether its source seems to register that name or alias: `@define("name", …, aliases="…")`."""
        return name.lower() in self._spellings

    @cached_property
    def _spellings(self) -> frozenset[str]:
        """The names and aliases that its source seems to register, in small letters."""
        source = self.source()
        firsts = [after.partition(b"(")[2].lstrip() for after in source.split(b"\n@")[1:]]
        names = [first[1:] for first in firsts if first.startswith(b'"')] + source.split(b'aliases="')[1:]
        return frozenset(b" ".join(name.partition(b'"')[0] for name in names).decode().lower().split())

    def listed(self, option: str) -> frozenset[str]:
        """The words in the lists that its source gives an option: `@define(…, endings=("word",))`."""
        parts = self.source().split(option.encode() + b"=(")
        lists = [after.partition(b")")[0].decode() for before, after in pairwise(parts) if before[-1:] in b" (\n"]
        return frozenset(word for listed in lists for word in listed.split('"')[1::2])

    def declared(self) -> list[tuple[str, str]]:
        """The names and summaries in its decorators, read from the source: `@define("name", "in a few words", …)`."""
        return re.findall(r'^@[\w.]+\(\s*"([^"\n]+)",\s*"([^"\n]+)"', self.text(), re.MULTILINE)

    def first_line(self) -> str:
        """The first line of its docstring."""
        with open(self.file, encoding="utf-8") as file:
            return file.readline().strip().strip('"')


def modules(folder: str, places: Iterable[str] = ()) -> Iterator[FoundModule]:
    """The modules in a package and in the packages inside it, by name; nothing is imported."""
    for member in members(folder, places):
        yield member
        if member.is_package:
            yield from modules(member.name, [os.path.dirname(member.file)])


def members(folder: str, places: Iterable[str] = ()) -> Iterator[FoundModule]:
    """The modules and packages in a package, by name; nothing is imported."""
    files = {entry.name: entry.path for place in places or _places(folder) for entry in os.scandir(place)}
    for entry, path in sorted(files.items()):
        if entry.endswith(".py"):
            if entry != "__init__.py":
                yield FoundModule(f"{folder}.{entry[:-3]}", path)
        elif "." not in entry and os.path.exists(inside := os.path.join(path, "__init__.py")):
            yield FoundModule(f"{folder}.{entry}", inside, is_package=True)


def _places(folder: str) -> list[str]:
    """The folders of a package, whether it was imported or not."""
    if folder in sys.modules:
        return list(sys.modules[folder].__path__)
    top, *rest = folder.split(".")
    return [os.path.join(place, *rest) for place in import_module(top).__path__]


class Registry(Mapping[str, T]):
    """Definitions by name, found by alias and without regard to letter case.

    >>> colours = Registry[int]("colour")
    >>> colours.add("Red", 1, aliases=["rouge"])
    >>> colours.find("RED"), colours.find("rouge"), colours.find("blue")
    (1, 1, None)
    >>> colours.nearest("Redd")
    'Red'
    """

    def __init__(self, noun: str, *folders: str) -> None:
        self.noun = noun
        self.folders = folders  # packages whose modules define more
        self._items: dict[str, T] = {}
        self._spellings: dict[str, str] = {}
        self._homes: dict[str, str] = {}  # name -> module
        self._imported: set[str] = set()  # modules of the folders that have been looked into

    def add(self, name: str, item: T, aliases: Iterable[str] = (), home: str = "") -> None:
        """Register `item`, defined in the module `home`; a name or alias that is taken is a mistake."""
        spellings = [spelling.lower() for spelling in (name, *aliases)]
        if taken := next((s for s in spellings if s in self._spellings), None):
            raise ValueError(f"the {self.noun} name {taken!r} is taken by {self._spellings[taken]!r}")
        self._items[name] = item
        self._homes[name] = home
        self._spellings.update(dict.fromkeys(spellings, name))

    def remove(self, name: str) -> None:
        """Forget a definition and its aliases."""
        del self._items[name], self._homes[name]
        self._spellings = {s: n for s, n in self._spellings.items() if n != name}

    def find(self, name: str) -> T | None:
        """The definition of that name or alias, in any letter case."""
        found = self.name_of(name)
        return None if found is None else self._items[found]

    def name_of(self, spelling: str) -> str | None:
        """The registered name for a name or alias in any letter case."""
        self._look(spelling, lambda: spelling.lower() in self._spellings)
        return self._spellings.get(spelling.lower())

    def aliases(self, name: str) -> tuple[str, ...]:
        """The other spellings of a name."""
        self._look(name, lambda: name in self._items)
        return tuple(s for s, n in self._spellings.items() if n == name and s != name.lower())

    def nearest(self, name: str) -> str | None:
        """The registered name closest to a misspelt one."""
        self._look()
        from cranfield.errors.names import nearest

        near = nearest(name, self._spellings)
        return None if near is None else self._spellings[near]

    def loaded(self) -> dict[str, T]:
        """The definitions registered so far; nothing is imported."""
        return dict(self._items)

    def declaring(self, option: str, word: str) -> dict[str, T]:
        """The definitions registered so far, and those of modules whose source has an option with that word."""
        for module in self.modules():
            if module.name not in self._imported and word in _listed(module, option):
                self._import(module)
        return self.loaded()

    def lists(self, option: str, word: str) -> bool:
        """Whether a definition gives an option a list that holds the word, imported or not: nothing is imported."""
        if any(word in getattr(item, option) for item in self._items.values()):
            return True
        return any(word in _listed(module, option) for module in self.modules() if module.name not in self._imported)

    def __getitem__(self, name: str) -> T:
        self._look(name, lambda: name in self._items)
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        """Names in the order of their modules, not in the order of imports."""
        self._look()
        places = {module.name: place for place, module in enumerate(self.modules())}
        return iter(sorted(self._items, key=lambda name: places.get(self._homes[name], len(places))))

    def __len__(self) -> int:
        self._look()
        return len(self._items)

    def modules(self) -> tuple[FoundModule, ...]:
        """The modules of its folders, imported or not."""
        return _modules(self.folders)

    def _look(self, name: str = "", found: Callable[[], bool] = lambda: False) -> None:
        """Import modules until the name is found, or all are imported."""
        if found():
            return
        left = [module for module in self.modules() if module.name not in self._imported]
        for module in left if name else ():  # no file is read behind the one that declares the name
            if module.declares(name):
                self._import(module)
                if found():
                    return
        for module in left:
            if found():
                return
            self._import(module)

    def _import(self, module: FoundModule) -> None:
        import_module(module.name)  # which waits for another thread that has begun to
        self._imported.add(module.name)


@cache
def _listed(module: FoundModule, option: str) -> frozenset[str]:
    return module.listed(option)


@cache
def _modules(folders: tuple[str, ...]) -> tuple[FoundModule, ...]:
    return tuple(module for folder in folders for module in modules(folder))


def registered(option: str, value: str, *registries: Registry[Any]) -> str:  # registries of several kinds
    """The registered name for the value of an option, from the first registry that has it.

    >>> colours = Registry[int]("colour")
    >>> colours.add("Red", 1, aliases=["rouge"])
    >>> registered("colour", "ROUGE", colours)
    'Red'
    >>> registered("colour", "Redd", colours)
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E213: colour="Redd" is unknown
      hint: did you mean Red? one of Red
    """
    for registry in registries:
        if (found := registry.name_of(value)) is not None:
            return found
    nearest = next(filter(None, (registry.nearest(value) for registry in registries)), None)
    raise unknown(option, value, [name for registry in registries for name in registry], nearest)


def one_of(option: str, value: object, values: Iterable[str]) -> None:
    """Refuse a value that is not one of those listed.

    >>> one_of("family", "all", ["measure", "all"])
    >>> one_of("family", "both", ["measure", "all"])
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E213: family="both" is unknown
      hint: one of measure, all
    """
    if value not in (listed := list(values)):
        raise unknown(option, value, listed)


def unknown(option: str, value: object, values: Iterable[str], nearest: str | None = None) -> Exception:
    """The error for a value that an option does not take, with a list of those it takes."""
    from cranfield.errors import PolicyError

    guess = f"did you mean {nearest}? " if nearest else ""
    return PolicyError("E213", f"{setting(option, value)} is unknown", hint=f"{guess}one of {', '.join(values)}")
