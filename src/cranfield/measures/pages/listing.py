"""All measures, or those of a family: printed, they stand under the headings of their families."""

from collections.abc import Iterator, Mapping, Sequence

from cranfield.errors.arguments import checked_methods
from cranfield.errors.names import named
from cranfield.measures.definition import FAMILIES, MEASURES, Family
from cranfield.measures.pages.page import MeasurePage, page
from cranfield.tables.sheets.escape import width
from cranfield.tables.sheets.screen import PAPER, Screen


@checked_methods
class MeasureList(Mapping[str, MeasurePage]):
    """The pages of measures by their names, family after family.

    >>> import cranfield as cf
    >>> measures = cf.describe()
    >>> "AP" in measures, measures["RBP"].range
    (True, '0 to 1')
    """

    def __init__(self, family: Family | None = None) -> None:
        members = sorted(MEASURES.values(), key=lambda definition: definition.name.lower())
        self.families: dict[Family, list[MeasurePage]] = {}
        for name in FAMILIES if family is None else (family,):
            if listed := [page(member) for member in members if member.family == name]:
                self.families[name] = listed
        self._pages = {each.name: each for listed in self.families.values() for each in listed}

    def __getitem__(self, name: str) -> MeasurePage:
        return named(name, self._pages, "measure")

    def __iter__(self) -> Iterator[str]:
        return iter(self._pages)

    def __len__(self) -> int:
        return len(self._pages)

    def __repr__(self) -> str:
        return self.text()

    def text(self, screen: Screen = PAPER, explains: str = "cranfield.describe(NAME)") -> str:
        """The list in lines that the screen has room for; `explains` is what to call for one of the measures."""
        foot = f" {len(self)} measures · NAME' leaves the unjudged documents out · {explains} explains one"
        block = _block if screen.columns is None else _narrow_block
        return screen.wrapped("\n\n".join([*(block(name, each) for name, each in self.families.items()), foot]))


def _heading(family: Family) -> str:
    return f" {family}: {FAMILIES[family]}"


def _narrow_block(family: Family, pages: Sequence[MeasurePage]) -> str:
    """For a terminal, which has no room for a third column: other names are printed below what a measure is."""
    room = max(width(page.name) for page in pages)
    lines = [_heading(family)]
    for each in pages:
        lines.append(f"   {each.name}{' ' * (room - width(each.name))}  {each.summary}")
        lines += [f"   {' ' * room}  also {', '.join(each.aliases)}"] if each.aliases else []
    return "\n".join(lines)


def _block(family: Family, pages: Sequence[MeasurePage]) -> str:
    names = [[each.name, ", ".join(each.aliases)] for each in pages]
    room = [max(width(text) for text in texts) for texts in zip(*names, strict=True)]
    lines = [
        "  ".join(
            [*(text + " " * (space - width(text)) for text, space in zip(texts, room, strict=True)), each.summary]
        )
        for texts, each in zip(names, pages, strict=True)
    ]
    return "\n".join([_heading(family), *(f"   {line}" for line in lines)])
