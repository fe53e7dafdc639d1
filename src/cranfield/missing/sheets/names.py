"""Names of runs, shortened where a line has no room for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.tables.sheets.escape import visible, width
from cranfield.tables.sheets.sheet import Column, Sheet

LINE = 100  # columns of a terminal that a table may take
LEAST = 8  # columns of a shortened name


def shortened(names: Sequence[str], room: int) -> dict[str, str]:
    """Name -> name of at most so many columns: a long one loses its middle, and no two become equal.

    >>> list(shortened(["bm25", "a-very-long-name-1", "a-very-long-name-2"], 9).values())
    ['bm25', 'a-ve…me-1', 'a-ve…me-2']
    >>> list(shortened(["same-beginning-1-same-end", "same-beginning-2-same-end"], 9).values())
    ['same…-end', 'sa…nd (2)']
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        shown = visible(name)
        label, number = _cut(shown, room), 1
        while label in taken:
            number += 1
            label = _cut(shown, room, f" ({number})")
        taken.add(label)
        found[name] = label
    return found


@dataclass(frozen=True)
class FittedSheet(Sheet):
    """A sheet whose first column is shortened on a terminal until a line has room for all columns.

    >>> sheet = FittedSheet((Column("run", ["x" * 120]), Column("AP", [0.5], ".4f")))
    >>> max(map(width, sheet.text().splitlines()))
    100
    """

    def text(self) -> str:
        """For a terminal."""
        first, *others = self.columns
        names = [str(name) for name in first.values]
        longest = max(map(width, names), default=0)
        for room in range(longest, min(longest, LEAST) - 1, -1):
            labels = shortened(names, room)
            table = Sheet((Column(first.name, [labels[name] for name in names]), *others))
            if max(map(width, table.text().splitlines())) <= LINE:
                break
        return Sheet(table.columns, self.notes).text()


def _cut(text: str, room: int, ending: str = "") -> str:
    """The text without its middle, if it is too wide, and an ending."""
    if width(text) + width(ending) <= room:
        return text + ending
    left = max(room - 1 - len(ending), 2)
    head, tail = (left + 1) // 2, left // 2
    first, last = text[:head], text[len(text) - tail :] if tail else ""
    while width(first) > head:
        first = first[:-1]
    while width(last) > tail:
        last = last[1:]
    return f"{first}…{last}{ending}"
