"""Short text files with one name on each line, or a name and its group or value."""

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.read.options import TopicNames
from cranfield.tables.source import Input, Source
from cranfield.whole_files import cannot_read


class PairLine(NamedTuple):
    """A line with two columns, and its place in the file."""

    name: str
    label: str
    number: int
    line: str


def read_lines(path: str, hint: str) -> list[tuple[int, str]]:
    """Number and text of each line that is neither blank nor a comment (#)."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    except (OSError, ValueError) as error:
        raise cannot_read(path, error, hint) from None
    numbered = enumerate(lines, start=1)
    return [(number, line) for number, line in numbered if line.strip() and not line.startswith("#")]


def read_pairs(path: str, hint: str) -> Iterator[PairLine]:
    """Two columns: of a file that ends in .csv those of CSV, else separated by a tab if the line has one, or blanks."""
    commas = path.lower().endswith(".csv")
    for number, line in read_lines(path, hint):
        words = _cells(line) if commas else line.split("\t") if "\t" in line else line.split()
        if len(words) != 2:
            problem = f"expected 2 columns, found {len(words)}"
            raise InputError("E105", problem, path=path, line=number, text=line, hint=hint)
        yield PairLine(words[0].strip(), words[1].strip(), number, line)


def _cells(line: str) -> list[str]:
    import csv

    return next(csv.reader([line]))


def is_json(path: str) -> bool:
    """Whether the name says that the file holds JSON.

    >>> is_json("groups.JSON"), is_json("groups.tsv")
    (True, False)
    """
    return path.lower().endswith(".json")


def read_table(path: str, hint: str) -> dict[str, Any]:  # name -> value, of any kind
    """The object that a JSON file holds."""
    import json

    from cranfield.errors.json_problems import json_problem

    try:
        with open(path, encoding="utf-8-sig") as file:
            table = json.load(file)
    except json.JSONDecodeError as error:
        words, line, column = json_problem(error)
        raise InputError("E302", f"not valid JSON, {words} at column {column}", path=path, line=line) from None
    except RecursionError:
        raise InputError("E302", "not valid JSON, nested too deeply", path=path) from None
    except (OSError, ValueError) as error:
        raise cannot_read(path, error, hint) from None
    if not isinstance(table, dict) or not table:
        raise InputError("E119", "holds no names with their values", path=path, hint=hint)
    return table


def side_input(role: str, path: str, rows: int) -> Input:
    """What an audit says of a short file that was read."""
    from cranfield.read.sources.fingerprints import sha256_of

    with open(path, "rb") as file:
        return Input(role, path, rows, Source(path, fingerprint=sha256_of(file.read())))


def topic_names(source: TopicNames) -> list[str]:
    """Topics from a list, from a text with commas or blanks between them, or from the first column of a file.

    >>> topic_names("q1,q2"), topic_names(["q3"])
    (['q1', 'q2'], ['q3'])
    """
    if isinstance(source, os.PathLike) or (isinstance(source, str) and os.path.exists(source)):
        return [line.split()[0] for _, line in read_lines(os.fspath(source), "one topic on each line")]
    return source.replace(",", " ").split() if isinstance(source, str) else list(source)
