"""Rename topics and documents by a file of two columns: the old id and the new one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from cranfield.align.converting.merge import Mergeable
from cranfield.errors import DataWarning, InputError
from cranfield.errors.warning import warn
from cranfield.read.sources.content import Readable, as_utf8, fetch
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.side.matching import listed, match_names
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
            if len(cells) == 2:
                problem = f"column {1 + cells.index('')} is empty"
            raise InputError("E105", problem, path=content.name, line=number, text=line, hint=hint)
        old, new = cells
        if names.setdefault(old, new) != new:
            problem = f"{old!r} becomes {new!r} here and {names[old]!r} before"
            raise InputError("E119", problem, path=content.name, line=number, text=line)
    if not names:
        raise InputError("E104", "the map is empty", path=content.name, hint="a line is: OLD-ID, a tab, NEW-ID")
    return names


def match_map(names: Names, tables: Sequence[Mergeable], noun: str, path: str) -> None:
    """Refuse a map if none of its old ids is in the tables; a map may hold more ids than the tables.

    >>> match_map({"1": "q1"}, [Qrels.of(["1"], ["a"], [2])], "topic", "map.tsv")
    """
    if names:
        here = {name for table in tables for name in _ids(table, noun)}
        match_names(names, here, noun, path=path, more_is_fine=True)


def _ids(table: Mergeable | Run, noun: str) -> Iterable[str]:
    """The topics, or the documents, of a table."""
    if isinstance(table, Runs):
        return (name for run in table.values() for name in _ids(run, noun))
    if isinstance(table, Topics):
        return list(table) if noun == "topic" else ()
    if isinstance(table, Documents):
        return () if noun == "topic" else table.ids
    if noun == "document":
        return table.document.codes()[0]
    return table.topic.codes()[0] if isinstance(table.topic, Text) else table.topics


def renamed(table: Mergeable, topics: Names, documents: Names) -> Mergeable:
    """The table with new ids; an id that the map lacks is kept, with a warning.

    >>> renamed(Qrels.of(["1"], ["a"], [2]), {"1": "q1"}, {}).topics
    ('q1',)
    """
    if isinstance(table, Runs):
        return Runs(_rows(run, topics, documents) for run in table.values())
    if isinstance(table, Topics):
        names = _new(list(table), topics, "topic")
        _refuse_one_of_several(list(table), names, "topic")
        return Topics.of([replace(t, id=name) for t, name in zip(table.members, names, strict=True)], table.source)
    if isinstance(table, Documents):
        return _documents(table, documents)
    if isinstance(table, Qrels):
        return _rows(table, topics, documents)
    if isinstance(table, Pool):
        return _rows(table, topics, documents)
    texts = _column(table.topic, topics, "topic"), _column(table.document, documents, "document")
    _refuse_merged_pairs(table.topic, table.document, *texts)
    return replace(table, topic=texts[0], document=texts[1])


def _rows(table: R, topics: Names, documents: Names) -> R:
    topic = Text.of(_new(list(table.topics), topics, "topic")).take(table.topic)
    document = _column(table.document, documents, "document")
    if topics or documents:
        _refuse_merged_pairs(Text.of(table.topics).take(table.topic), table.document, topic, document)
    names, code = topic.codes()
    return replace(table, topics=tuple(names), topic=code, document=document)


def _documents(table: Documents, names: Names) -> Documents:
    ids, old = tuple(_new(list(table.ids), names, "document")), table.fetch
    _refuse_one_of_several(list(table.ids), list(ids), "document")

    def fetch_renamed(place: int) -> Document:
        return replace(old(place), id=ids[place])

    return Documents(ids, fetch_renamed, table.source)


def _refuse_one_of_several(old: Sequence[str], new: Sequence[str], noun: str) -> None:
    """Refuse a map that gives two ids the same new id, where ids must differ."""
    first: dict[str, str] = {}
    for was, name in zip(old, new, strict=True):
        if first.setdefault(name, was) != was:
            raise _several(f"{noun}s {first[name]!r} and {was!r}", name)


def _refuse_merged_pairs(topic: Text, document: Text, new_topic: Text, new_document: Text) -> None:
    """Refuse a map that turns two documents of a topic into one."""
    if _pairs(topic, document) == _pairs(new_topic, new_document):
        return
    first: dict[tuple[str, str], tuple[str, str]] = {}
    old, new = zip(topic, document, strict=True), zip(new_topic, new_document, strict=True)
    for was, pair in zip(old, new, strict=True):
        if (other := first.setdefault(pair, was)) != was:
            raise _several(f"documents {other[1]!r} (topic {other[0]}) and {was[1]!r} (topic {was[0]})", pair[1])


def _pairs(topic: Text, document: Text) -> int:
    """Number of different pairs of topic and document."""
    names, code = document.codes()
    return len(np.unique(topic.codes()[1] * len(names) + code))


def _several(old: str, new: str) -> InputError:
    hint = "no option merges them: give each an id of its own in the map, or leave one of them out of the file"
    return InputError("E129", f"the map makes one of several: {old} become {new!r}", hint=hint)


def _column(column: Text, names: Names, noun: str) -> Text:
    if not names:
        return column
    old, code = column.codes()
    return Text.of(_new(old, names, noun)).take(code)


def _new(old: list[str], names: Names, noun: str) -> list[str]:
    if names and (kept := [name for name in old if name not in names]):
        message = f"{counted(len(kept), noun)} not in the map, names kept: {listed(kept)}"
        warn(DataWarning("W110", message))
    return [names.get(name, name) for name in old]
