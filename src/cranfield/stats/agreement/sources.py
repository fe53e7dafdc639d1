"""Collect the judgments of several assessors in one table, from files, qrels, dictionaries and data frames."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.align.join import JudgmentIndex
from cranfield.arrays import Ints
from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting, verb
from cranfield.read import load
from cranfield.read.definition import named
from cranfield.read.formats.model_labels import is_jsonl, read_labels
from cranfield.read.guess import guess
from cranfield.read.objects import as_qrels
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content, Readable, as_utf8, fetch
from cranfield.read.sources.paths import expand, stem
from cranfield.read.stores import HoldsJudgments, is_store, open_store
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.text import Text


def gather(
    sources: Sequence[Any],  # any of the accepted objects
    options: ReadOptions,
    repeats: bool = False,
) -> list[Judgments]:
    """A table for each source, every row of which names its assessor; of labs, also repeated judgments if asked for.

    A file or object with an assessor column may hold several assessors. One without holds a single assessor, named
    after the file, the key of the dictionary, or the number of the argument.

    >>> tables = gather([{"ann": {"q1": {"d1": 1}}, "bob": {"q1": {"d1": 0}}}], ReadOptions())
    >>> [table.assessor[0] for table in tables]
    ['ann', 'bob']
    """
    if len(sources) == 1 and isinstance(sources[0], Mapping) and _names_assessors(sources[0]):
        return [_of(value, str(name), str(name), options, repeats) for name, value in sources[0].items()]
    found: list[tuple[Any, str | None, str]] = []
    for number, source in enumerate(sources, 1):
        if isinstance(source, str | os.PathLike):
            found += [(item.path, item.name, item.name or _file_name(item.path)) for item in expand([source])]
        else:
            found.append((source, None, f"a{number}"))
    tables = [_of(source, given, name, options, repeats) for source, given, name in found]
    _refuse_equal(tables)
    return tables


def model_labels(source: Any, options: ReadOptions, map: Readable | None = None) -> Judgments:  # any accepted object
    """The labels of a model, named as in the file, or after the file."""
    name = None
    if isinstance(source, str) and source != "-":
        item = expand([source])[0]
        source, name = item.path, item.name
    if isinstance(source, str | os.PathLike) or hasattr(source, "read"):
        content = _fetched(source, options)
        if content.head(4) != b"PAR1" and is_jsonl(text := as_utf8(content, options.encoding), options):
            table = read_labels(text, options, map, name)
            table.warn_of_failed()
        else:
            _refuse_map(map, content.name)
            table = _in_file(content, name, name or stem(content.name), options)
    else:
        _refuse_map(map, None)
        table = _of(source, name, "model", options)
    names, _ = table.assessor.codes()
    if len(names) > 1:
        problem = f"holds the labels of {len(names)} models: {', '.join(names[:5])}"
        raise InputError("E121", problem, path=table.source.name or None, hint="give one model at a time")
    return replace(table, kind=Text.of(["model"] * len(table)))


def _refuse_map(map: Readable | None, path: str | None) -> None:
    """Refuse requests beside labels that name topics and documents themselves."""
    if map is not None:
        problem = f"{setting('map')} has no effect on labels that are not JSON lines"
        hint = f"such labels name topic and document themselves: leave {setting('map')} out"
        raise PolicyError("E244", problem, path=path, hint=hint)


def together(tables: Sequence[Judgments]) -> Judgments:
    """All rows in one table."""
    if len(tables) == 1:
        return tables[0]
    columns = ("topic", "document", "assessor", "kind", "status")
    texts = [Text.concat([getattr(table, column) for table in tables]) for column in columns]
    grade = np.concatenate([table.grade for table in tables])
    return Judgments(
        topic=texts[0],
        document=texts[1],
        assessor=texts[2],
        kind=texts[3],
        status=texts[4],
        grade=grade,
        at=Text.of([""] * len(grade)),
    )


def _of(source: Any, given: str | None, name: str, options: ReadOptions, repeats: bool = False) -> Judgments:
    if is_store(source):
        source = open_store(source)
    if isinstance(source, HoldsJudgments):
        return _named(source.assessor_judgments(repeats=repeats), given, name)
    if isinstance(source, Judgments):
        return _named(source, given, name)
    if isinstance(source, Qrels):
        return _by_one(source, name)
    if isinstance(source, str | os.PathLike) or hasattr(source, "read"):
        return _in_file(_fetched(source, options), given, name, options)
    if hasattr(type(source), "columns") or hasattr(type(source), "column_names"):
        from cranfield.read.frames import frame_judgments

        return _named(frame_judgments(source, options), None, name)
    return _by_one(as_qrels(source, options.grades), name)


def _fetched(source: Any, options: ReadOptions) -> Content:
    return fetch(source, options.max_size)


def _in_file(content: Content, given: str | None, name: str, options: ReadOptions) -> Judgments:
    """A file that was fetched: judgments with an assessor column, or plain qrels of one assessor."""
    if content.head(4) == b"PAR1":
        from cranfield.read.frames import frame_judgments, parquet

        table = frame_judgments(parquet(content), options, content.name)
        source = content.source("qrels-parquet", lines=False, assessors=table.source.assessors)
        return _named(replace(table, source=source), given, name)
    text = as_utf8(content, options.encoding)
    format = named(options.format, "qrels") if options.format else guess(text, "qrels", options)
    if format.columns is None:
        return _by_one(load(content, "qrels", options), name)
    from cranfield.read.formats.tabular import read_all_judgments

    try:
        return _named(read_all_judgments(text, options), given, name)
    except InputError as error:
        for each in (error, *error.more):
            if each.code == "E110":
                real = f"{setting('grades', 'float')} accepts real numbers"
                each.hint = f"{setting('missing')} names what stands for no label; {real}"
        raise


def _named(table: Judgments, given: str | None, name: str) -> Judgments:
    """The table with every assessor named: as its column says, or else by the name given or that of the file."""
    table.warn_of_failed()
    names, code = table.assessor.codes()
    if not any(names):
        rows = np.flatnonzero(table.judged)[_distinct(table.qrels())]
        return _called(_rows(table, rows), name)
    if "" in names:
        row = int(np.flatnonzero(code == names.index(""))[0])
        line = None if table.line is None else int(table.line[row])
        raise InputError("E119", "the assessor is empty", path=table.source.name or None, line=line)
    if given is None:
        return table
    if len(names) > 1:
        problem = f"holds {len(names)} assessors, who cannot all be called {given!r}"
        raise InputError("E121", problem, path=table.source.name or None)
    return _called(table, given)


def _by_one(qrels: Qrels, name: str) -> Judgments:
    """Qrels as the judgments of one assessor."""
    rows = _distinct(qrels)
    kind, status, at = (Text.of([word] * len(rows)) for word in ("human", "judged", ""))
    topic, document = Text.of(qrels.topics).take(qrels.topic[rows]), qrels.document.take(rows)
    assessor = Text.of([name] * len(rows))
    return Judgments(
        topic=topic,
        document=document,
        assessor=assessor,
        kind=kind,
        status=status,
        grade=qrels.grade[rows],
        at=at,
        source=qrels.source,
    )


def _distinct(qrels: Qrels) -> Ints:
    """The rows that count, in order: one for each pair; subtopics are an error."""
    try:
        return np.sort(JudgmentIndex.of(qrels, measure="agreement").row)
    except InputError as error:
        if error.code == "E115":
            error.hint = f"make one grade of them first: {verb('convert', collapse='max')}"
        raise


def _rows(table: Judgments, rows: Ints) -> Judgments:
    columns = ("topic", "document", "assessor", "kind", "status", "at")
    texts: dict[str, Any] = {column: getattr(table, column).take(rows) for column in columns}  # dataclass fields
    line = None if table.line is None else table.line[rows]
    return replace(table, grade=table.grade[rows], line=line, **texts)


def _called(table: Judgments, name: str) -> Judgments:
    return replace(table, assessor=Text.of([name] * len(table)))


def _file_name(path: Any) -> str:
    return "stdin" if path == "-" else stem(os.fspath(path))


def _refuse_equal(tables: Sequence[Judgments]) -> None:
    """Two files without an assessor column need two names."""
    owners: dict[str, str] = {}
    for table in tables:
        if table.source.assessors or not len(table):
            continue
        name, path = table.assessor[0], table.source.name or "an object"
        if name in owners:
            problem = f"two assessors are called {name!r}: {owners[name]}, {path}"
            raise PolicyError("E206", problem, hint="write NAME=PATH")
        owners[name] = path


def _names_assessors(source: Mapping[Any, Any]) -> bool:
    """Whether the keys are names of assessors: the values are whole qrels, not the documents of a topic."""
    return all(_is_whole(value) for value in source.values()) and len(source) > 0


def _is_whole(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(isinstance(inner, Mapping | list | tuple | set | frozenset) for inner in value.values())
    return isinstance(value, Qrels | Judgments | HoldsJudgments | str | os.PathLike) or hasattr(type(value), "columns")
