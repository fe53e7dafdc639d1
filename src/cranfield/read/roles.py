"""The role of a file (run, qrels, topics, documents), recognised from its first lines."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from cranfield.errors import InputError
from cranfield.errors.wording import setting
from cranfield.read.definition import FORMATS, Role
from cranfield.read.guess import by_marks, first_lines, trec_documents
from cranfield.read.options import ROLES, ReadOptions, canonical
from cranfield.read.sources.content import Content
from cranfield.read.sources.encodings import for_role
from cranfield.read.sources.paths import ending

_ROLES = ", ".join(map(setting, ("qrels", "runs", "topics", "docs")))
_BY_NAME: dict[str, Role] = {
    "qrel": "qrels",
    "quer": "topics",
    "topic": "topics",
    "corpus": "documents",
    "doc": "documents",
}


def role_of(content: Content, formats: Iterable[str] = ()) -> Role:
    """The role of a file by its ending, its first lines, the formats that were named, or its name.

    A file that could have two roles, such as lines of an id and a text, is recognised by its name.
    """
    if content.head(4) == b"PAR1":
        return _by_header(_parquet_names(content)) or _by_name(content)
    roles = {item.role for item in FORMATS.values() if ending(content.name) in item.all_endings}
    if len(roles) == 1 and roles <= {"run", "qrels"}:  # topics share their endings with everything
        return roles.pop()
    lines = [line for line in first_lines(content) if line.strip() and not line.startswith("#")]
    if not lines:
        return _by_name(content)
    if marked := by_marks(content, lines):
        return marked[0].role
    first = lines[0].lstrip()
    if first.startswith("<"):
        return "documents" if trec_documents(content) else "topics"
    if first.startswith(("{", "[")):
        return _by_record(content, first) or _by_name(content)
    for separator in ("\t", ","):
        if found := _by_header([name.strip().strip('"') for name in lines[0].split(separator)]):
            return found
    shape, widths = _by_shape(lines), {len(_columns(line)) for line in lines}
    if shape is None and (named := next((FORMATS.find(name) for name in formats), None)):
        return named.role
    return shape or ("run" if widths == {5} else _by_name(content))


def fitting(options: ReadOptions, role: Role, formats: Sequence[str] = (), layouts: Sequence[str] = ()) -> ReadOptions:
    """The options with the format, the columns and the encoding that belong to a role, where several were given.

    >>> chosen = fitting(ReadOptions(), "qrels", ["run-csv", "qrels-csv"], ["topic,_,doc,grade"])
    >>> chosen.format, chosen.columns
    ('qrels-csv', 'topic,_,doc,grade')
    >>> fitting(ReadOptions(), "run", ["qrels-csv"], ["topic,_,doc,grade"]).format is None
    True
    """
    chosen = [name for name in formats if (known := FORMATS.find(name)) is None or known.role == role]
    columns = [text for text in layouts if layout_role(text) in (role, None)]
    return replace(
        options,
        format=chosen[-1] if chosen else None,
        columns=columns[-1] if columns else None,
        encoding=for_role(options.encoding, role),
    )


def layout_role(columns: str) -> Role | None:
    """The role of a layout: `topic,_,doc,grade` is of qrels, `topic,_,doc,rank,score` of a run, `topic=qid` of both.

    `topic,intent,probability` is a layout of intents.
    """
    roles = {canonical(part.partition("=")[0]) for part in columns.split(",")}
    if "iteration" in roles and not roles & {"doc", "grade"}:
        return "intents"
    if roles & {"grade", "iteration", "stratum", "probability", "assessor"}:
        return "qrels"
    return "run" if roles & {"score", "rank", "run"} else None


def _by_shape(lines: list[str]) -> Role | None:
    """The role of most lines of white-space separated columns; some broken lines do not matter."""
    shapes = Counter(_shape(_columns(line)) for line in lines)
    return shapes.most_common(1)[0][0]


def _columns(line: str) -> list[bytes]:
    """Columns of a line; one tab with blanks after it separates an id from a text, whatever the text looks like."""
    raw = line.encode("utf-8", "replace")
    cells = raw.split(b"\t")
    return cells if len(cells) == 2 and len(cells[1].split()) > 1 else raw.split()


def _shape(columns: list[bytes]) -> Role | None:
    """Six columns with a rank in the fourth, or three with one in the last, are a run; four with a grade are qrels."""
    if len(columns) == 6 and columns[3].isdigit():
        return "run"
    if len(columns) == 3 and columns[2].isdigit():
        return "run"
    return "qrels" if len(columns) == 4 and columns[3].lstrip(b"+-").isdigit() else None


def _by_header(names: list[str]) -> Role | None:
    """The role of a table with named columns; `score` beside BEIR's names is a grade."""
    lower = {name.lower() for name in names}
    if not lower & set(ROLES["doc"]) or not lower & set(ROLES["topic"]):
        return "documents" if {"_id", "text"} < lower and "title" in lower else None
    if lower & {*ROLES["grade"], *ROLES["assessor"]} or {"query-id", "corpus-id"} <= lower:
        return "qrels"
    if lower & {*ROLES["score"], *ROLES["rank"]}:
        return "run"
    return None


def _by_record(content: Content, first: str) -> Role | None:
    """The role of JSON: the keys of the first record, or the values of a dictionary of dictionaries."""
    try:
        record = _parsed(first, content.text)
    except ValueError:
        return None
    except RecursionError:
        raise InputError("E302", "not valid JSON, nested too deeply", path=content.name) from None
    if isinstance(record, list):
        record = record[0] if record else {}
    if not isinstance(record, dict):
        return None
    if isinstance(record.get("p"), list) and {"topic", "doc"} <= record.keys():
        return "estimate"
    if found := _by_header(list(record)):
        return found
    inner = next((value for value in record.values() if isinstance(value, dict) and value), None)
    return None if inner is None else _by_values(inner)


def _parsed(first: str, whole: Callable[[], str]) -> Any:  # whatever the file holds
    """The record in the first line, or in the whole file."""
    import json

    try:
        return json.loads(first)
    except ValueError:
        return json.loads(whole())


def _by_values(inner: dict[str, Any]) -> Role:
    """`{topic: {doc: number}}`: whole numbers are grades."""
    return "qrels" if all(isinstance(value, int) for value in inner.values()) else "run"


def _by_name(content: Content) -> Role:
    """The role that the file name contains."""
    name = os.path.basename(content.name).lower()
    found = next((role for part, role in _BY_NAME.items() if part in name), None)
    if found is None:
        raise InputError(
            "E118",
            "cannot tell whether this is a run, qrels, topics or documents",
            path=content.name,
            hint=f"{setting('format')} names its format; check also takes {_ROLES}",
        )
    return found


def _parquet_names(content: Content) -> list[str]:
    from cranfield.read.frames import parquet

    return list(parquet(content).columns)
