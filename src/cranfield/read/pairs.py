"""Short files of our own: a name on each line, or a name and what it belongs to."""

from collections.abc import Iterator
from typing import NamedTuple

from cranfield.errors import InputError


class PairLine(NamedTuple):
    """A line with two columns, and where it stands."""

    name: str
    label: str
    number: int
    line: str


def read_lines(path: str, hint: str) -> list[tuple[int, str]]:
    """Number and text of the lines that say something: blank ones and those that begin with # do not."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        raise InputError("E101", "no such file", path=path, hint=hint) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("E120", f"cannot be read: {error}", path=path) from None
    numbered = enumerate(lines, start=1)
    return [(number, line) for number, line in numbered if line.strip() and not line.startswith("#")]


def read_pairs(path: str, hint: str) -> Iterator[PairLine]:
    """Two columns, between them a tab where there is one, else blanks."""
    for number, line in read_lines(path, hint):
        words = line.split("\t") if "\t" in line else line.split()
        if len(words) != 2:
            problem = f"expected 2 columns, found {len(words)}"
            raise InputError("E105", problem, path=path, line=number, text=line, hint=hint)
        yield PairLine(words[0].strip(), words[1].strip(), number, line)
