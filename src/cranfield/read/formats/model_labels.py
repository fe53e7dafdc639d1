"""Labels from a model: JSON lines in the forms that labelling programs write, or any table of judgments."""

from typing import Any

import numpy as np

from cranfield.errors import InputError
from cranfield.errors.wording import setting
from cranfield.read.definition import named
from cranfield.read.formats.jsonl import Number, records
from cranfield.read.guess import guess
from cranfield.read.options import ROLES, ReadOptions
from cranfield.read.sources.content import Content, Readable, as_utf8, fetch
from cranfield.read.sources.paths import stem
from cranfield.tables.judgments import Judgments
from cranfield.tables.side.matching import match_names
from cranfield.tables.text import Text

_GRADE = (*ROLES["grade"], "judgment", "score")
_NAME = (*ROLES["assessor"], "model")
_DONE = ("judged", "ok", "done", "1", "")


def is_jsonl(content: Content, options: ReadOptions) -> bool:
    """Whether the labels are JSON lines."""
    format = named(options.format, "qrels") if options.format else guess(content, "qrels", options)
    return format.name == "qrels-jsonl"


def read_labels(
    content: Content, options: ReadOptions, map: Readable | None = None, name: str | None = None
) -> Judgments:
    r"""Labels of a model from JSON lines; a label that failed is unjudged, never grade 0.

    A record names topic and document, or has an `id` that a record of `map` translates to them.

    >>> import io
    >>> content = as_utf8(fetch(io.StringIO('{"topic":"1","doc":"d","judgment":2,"result_status":1}\n')))
    >>> read_labels(content, ReadOptions(), name="m")
    Judgments: 1 assessor, 1 topic, 1 judgment
    """
    found = [(line, _lowered(record)) for line, _, record in records(content, options.max_errors)]
    ids = {} if map is None else _ids(map, options, {str(known["id"]) for _, known in found if "id" in known})
    rows: list[tuple[str, str, str, str, str]] = []
    lines: list[int] = []
    names = options.names
    for line, known in found:
        pair = ids.get(str(known.get("id"))) or _pair(known, names)
        if pair is None:
            raise InputError(
                "E306",
                "record has no topic and document id",
                path=content.name,
                line=line,
                hint=f"pass {setting('map', 'requests.jsonl')} as written by 'judge requests'",
            )
        status = str(known.get("status", known.get("result_status", "")))
        grade = _field(known, names, "grade", _GRADE)
        judged = status.lower() in _DONE and grade not in (None, "")
        model = _field(known, names, "assessor", _NAME)
        said = str(grade) if judged and str(grade) not in options.missing else ""
        rows.append((*pair, str(model or ""), "judged" if said else "failed", said or "0"))
        lines.append(line)
    if not rows:
        raise InputError("E104", "the file holds no rows", path=content.name)
    topic, document, models, states, given = (Text.of(column) for column in zip(*rows, strict=True))
    numbers, wrong = given.integers() if options.grades == "int" else given.numbers()
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(
            "E110",
            f"grade {given[row]!r} is not an integer",
            path=content.name,
            line=lines[row],
            text=content.line_at(lines[row]),
            hint=f"{setting('grades', 'float')} accepts real grades",
        )
    who = Text.of((name or said or stem(content.name)) for said in models)
    kind, at = (Text.of([word] * len(rows)) for word in ("model", ""))
    source = content.source("qrels-jsonl", assessors=True)
    return Judgments(
        topic=topic,
        document=document,
        assessor=who,
        kind=kind,
        status=states,
        grade=numbers,
        at=at,
        line=np.array(lines),
        source=source,
    )


def _ids(map: Readable, options: ReadOptions, labels: set[str]) -> dict[str, tuple[str, str]]:
    """Topic and document by the id of a request; some of the requests must be those of the labels."""
    content = as_utf8(fetch(map, options.max_size), options.encoding)
    found: dict[str, tuple[str, str]] = {}
    for line, _, record in records(content, options.max_errors):
        known = _lowered(record)
        pair = _pair(known, {})
        if pair is None or "id" not in known:
            raise InputError(
                "E119",
                "a request needs id, topic and document",
                path=content.name,
                line=line,
                text=content.line_at(line),
                hint='write {"id":"r1","topic":"301","doc":"FT911-3"}',
            )
        found[str(known["id"])] = pair
    match_names(found, labels, "label", path=content.name)
    return found


def _lowered(record: dict[str, Any]) -> dict[str, Any]:
    return {key.lower(): value for key, value in record.items()}


def _pair(known: dict[str, Any], names: dict[str, str]) -> tuple[str, str] | None:
    topic, document = (_field(known, names, role, ROLES[role]) for role in ("topic", "doc"))
    return (str(topic), str(document)) if topic and document else None


def _field(known: dict[str, Any], names: dict[str, str], role: str, spellings: tuple[str, ...]) -> Any:
    """A field by the name that `--columns` gives, or by one of its usual names; only text and numbers are accepted."""
    keys = (names[role].lower(),) if role in names else spellings
    found = next((known[key] for key in keys if key in known), None)
    return found if isinstance(found, str | Number) else None
