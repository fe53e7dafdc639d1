"""Other names for topics and documents, from a file of two columns: the old id and the new one."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from cranfield.align.converting.merge import Mergeable
from cranfield.errors import DataWarning, InputError
from cranfield.read.sources.content import Readable, as_utf8, fetch
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.side.pool import Pool
from cranfield.tables.side.topics import Topics
from cranfield.tables.text import Text
from cranfield.tables.words import counted

R = TypeVar("R", Run, Qrels, Pool)
Names = Mapping[str, str]


def read_map(source: Readable) -> dict[str, str]:
    """Old id -> new id, from lines of two columns separated by a tab (or by blanks, if there is no tab).

    >>> import io
    >>> read_map(io.StringIO("301\\tq301\\n302\\tq302\\n"))
    {'301': 'q301', '302': 'q302'}
    """
    content = as_utf8(fetch(source))
    names: dict[str, str] = {}
    for number, line in enumerate(content.text().splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
        if len(cells) != 2 or not all(cells):
            problem, hint = f"expected 2 columns, found {len(cells)}", "a line is: OLD-ID, a tab, NEW-ID"
            raise InputError("E105", problem, path=content.name, line=number, text=line, hint=hint)
        old, new = cells
        if names.setdefault(old, new) != new:
            problem = f"{old!r} becomes {new!r} here and {names[old]!r} before"
            raise InputError("E119", problem, path=content.name, line=number, text=line)
    if not names:
        raise InputError("E104", "the map is empty", path=content.name, hint="a line is: OLD-ID, a tab, NEW-ID")
    return names


def renamed(table: Mergeable, topics: Names, documents: Names) -> Mergeable:
    """The table with other ids; those without a new one keep theirs, which is said.

    >>> renamed(Qrels.of(["1"], ["a"], [2]), {"1": "q1"}, {}).topics
    ('q1',)
    """
    if isinstance(table, Runs):
        return Runs(_rows(run, topics, documents) for run in table.values())
    if isinstance(table, Topics):
        names = _new(list(table), topics, "topic")
        return Topics.of([replace(t, id=name) for t, name in zip(table.members, names, strict=True)], table.source)
    if isinstance(table, Documents):
        return _documents(table, documents)
    if isinstance(table, Qrels):
        return _rows(table, topics, documents)
    if isinstance(table, Pool):
        return _rows(table, topics, documents)
    texts = _column(table.topic, topics, "topic"), _column(table.document, documents, "document")
    return replace(table, topic=texts[0], document=texts[1])


def _rows(table: R, topics: Names, documents: Names) -> R:
    names, code = Text.of(_new(list(table.topics), topics, "topic")).take(table.topic).codes()
    return replace(table, topics=tuple(names), topic=code, document=_column(table.document, documents, "document"))


def _documents(table: Documents, names: Names) -> Documents:
    ids, old = tuple(_new(list(table.ids), names, "document")), table.fetch

    def fetch_renamed(place: int) -> Document:
        return replace(old(place), id=ids[place])

    return Documents(ids, fetch_renamed, table.source)


def _column(column: Text, names: Names, noun: str) -> Text:
    if not names:
        return column
    old, code = column.codes()
    return Text.of(_new(old, names, noun)).take(code)


def _new(old: list[str], names: Names, noun: str) -> list[str]:
    if names and (kept := [name for name in old if name not in names]):
        message = f"{counted(len(kept), noun)} not in the map, names kept (first: {kept[0]})"
        warnings.warn(DataWarning("W110", message), stacklevel=3)
    return [names.get(name, name) for name in old]
