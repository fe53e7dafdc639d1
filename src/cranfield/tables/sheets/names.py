"""Names of runs, shortened where a line has no room for them."""

from collections.abc import Sequence

from cranfield.tables.sheets.escape import visible, width

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
        label, number = cut(shown, room), 1
        while label in taken:
            number += 1
            label = cut(shown, room, f" ({number})")
        taken.add(label)
        found[name] = label
    return found


def cut(text: str, room: int, ending: str = "") -> str:
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
