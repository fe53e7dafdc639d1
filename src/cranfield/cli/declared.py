"""Names that modules declare, for help pages: they are read from the source, so that nothing is imported.

A help page lists the tests, strategies and formats that there are. Their modules import NumPy and more, which takes
longer than the page.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, get_args

from cranfield.registry import Registry, members, modules


@dataclass(frozen=True)
class DeclaredNames:
    """The names in a registry, or the words of a `Literal`, that a module declares.

    >>> DeclaredNames("cranfield.stats.comparison.method", "ComparisonFamily").names()
    ['measure', 'all']

    Attributes:
        module: where it is declared.
        name: of the registry, or of the type.
        order: the option of a definition whose number is its place; if empty, definitions have the order of modules.
        where: an option and the words it may have, which choose the definitions; by default all.
    """

    module: str
    name: str
    order: str = ""
    where: tuple[str, ...] = ()

    def __call__(self) -> Mapping[Any, Any]:  # a registry of any kind
        """The registry, or the names as a mapping; the module is imported, if all are meant."""
        if self.where:
            return dict.fromkeys(self.names())
        found = getattr(import_module(self.module), self.name)
        return found if isinstance(found, Registry) else dict.fromkeys(get_args(found))

    def names(self) -> list[str]:
        """All names in their order: those that the source declares, and those registered since."""
        places = self.in_source()
        if not places or self.module in sys.modules:  # there may be only compiled code
            known = replace(self, where=())()
            registered = known.loaded() if places and isinstance(known, Registry) else known
            meant = {name: item for name, item in registered.items() if name not in places and self._means(item)}
            places |= {name: self._place(item) for name, item in meant.items()}
        return sorted(places, key=places.__getitem__)

    def in_source(self) -> dict[str, int]:
        """The names that the source declares, and their places."""
        folder, _, _ = self.module.rpartition(".")
        text = next((each.text() for each in members(folder) if each.name == self.module), "")
        if words := re.search(rf"^{self.name}\b[^=\n]*= Literal\[([^\]]*)\]", text, re.MULTILINE):
            return dict.fromkeys(re.findall(r'"([^"]+)"', words[1]), 0)
        return dict(each for file in self._files(text) for each in self._definitions(text, file))

    def _means(self, item: object) -> bool:
        return not self.where or getattr(item, self.where[0]) in self.where[1:]

    def _place(self, item: object) -> int:
        return int(getattr(item, self.order)) if self.order else 0

    def _files(self, text: str) -> Iterator[str]:
        """The sources of the modules that define members of the registry: those of its folders, or its own."""
        made = re.search(rf"^{self.name}\b[^=\n]*= Registry[^(\n]*\(([^)]*)\)", text, re.MULTILINE)
        folders = re.findall(r'"([^"]+)"', made[1])[1:] if made else []
        yield from (module.text() for folder in folders for module in modules(folder)) if folders else [text]

    def _definitions(self, text: str, file: str) -> Iterator[tuple[str, int]]:
        """The names and places that a file defines, by the decorator of the registry or with its `add`."""
        decorator = re.findall(r"^def (\w+)\(", text.partition(f"   {self.name}.add(")[0], re.MULTILINE)[-1:]
        calls = "|".join([rf"{self.name}\.add", *(rf"@(?:\w+\.)*{name}" for name in decorator)])
        for call in re.split(rf"^(?:{calls})\(", file, flags=re.MULTILINE)[1:]:
            facts, _, _ = call.partition("\ndef ")
            place = re.search(rf"\b{self.order}=(\d+)", facts) if self.order else None
            if not self.where or re.search(rf'\b{self.where[0]}="({"|".join(self.where[1:])})"', facts):
                yield call.split('"')[1], int(place[1]) if place else 0
