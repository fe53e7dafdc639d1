"""Labels from a model: JSON lines in the forms that labelling programs write, or any table of judgments."""

from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.errors import InputError
from cranfield.errors.wording import either, setting
from cranfield.read.definition import named, reads
from cranfield.read.formats.jsonl import Number, records, valid
from cranfield.read.formats.search_tools.texts import document_ids, topic_ids
from cranfield.read.guess import guess
from cranfield.read.options import ROLES, ReadOptions
from cranfield.read.sources.content import Content, Readable, as_utf8, fetch
from cranfield.read.sources.paths import stem
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.side.matching import match_names
from cranfield.tables.text import Text

_GRADE = (*ROLES["grade"], "judgment", "score")
_NAME = (*ROLES["assessor"], "model")
_DONE = ("judged", "ok", "done", "1", "")


@reads(
    "qrels-umbrela",
    "qrels",
    '{"model":"m","query":"…","passage":"…","judgment":2,"result_status":1}',
    endings=(".jsonl", ".ndjson"),
    marks=('"passage"', '"judgment"'),
)
def read_umbrela(content: Content, options: ReadOptions) -> Qrels:
    """Labels of umbrela: matched by the id of a request, or by exact texts; failed ones count as unjudged."""
    table = read_labels(content, options, options.map)
    table.warn_of_failed()
    if not table.judged.any():
        raise InputError("E104", "the file holds no judgments", path=content.name)
    return replace(table.qrels(), source=content.source("qrels-umbrela"))


def is_jsonl(content: Content, options: ReadOptions) -> bool:
    """Whether the labels are JSON lines."""
    format = named(options.format, "qrels") if options.format else guess(content, "qrels", options)
    return format.name in ("qrels-jsonl", "qrels-umbrela")


def read_labels(
    content: Content, options: ReadOptions, map: Readable | None = None, name: str | None = None
) -> Judgments:
    r"""Labels of a model from JSON lines; a label that failed is unjudged, never grade 0.

    A record names topic and document, or has an `id` that a record of `map` translates to them, or the texts of a topic
    and a document, which `topics` and `docs` of the options translate.

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
    texts = _by_text([known for _, known in found], options)
    for line, known in found:
        pair = ids.get(str(known.get("id"))) or _pair(known, names) or texts.get(_texts(known))
        if pair is None:
            raise InputError(
                "E306",
                "record has no topic and document id",
                path=content.name,
                line=line,
                hint=_ways_to_name(known),
            )
        status = str(known.get("status", known.get("result_status", "")))
        grade = _field(known, names, "grade", _GRADE)
        judged = status.lower() in _DONE and grade not in (None, "")
        model = _field(known, names, "assessor", _NAME)
        said = str(grade) if judged and str(grade) not in options.missing else ""
        fields = (*pair, str(model or ""), "judged" if said else "failed", said or "0")
        if not all(valid(each) for each in fields):
            problem = "topic, document, model or grade is not text"
            raise InputError("E119", problem, path=content.name, line=line, text=content.line_at(line))
        rows.append(fields)
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


def _by_text(records: list[dict[str, Any]], options: ReadOptions) -> dict[tuple[str, str], tuple[str, str]]:
    """Query and passage -> topic and document, by exact text; nothing without topics and documents to look in."""
    if options.topics is None or options.docs is None:
        return {}
    pairs = list(dict.fromkeys(_texts(known) for known in records if _pair(known, options.names) is None))
    topics = topic_ids([query for query, _ in pairs], options)
    documents = document_ids([passage for _, passage in pairs], options)
    return {pair: (topic, documents[pair[1]]) for pair, topic in zip(pairs, topics, strict=True)}


def _ways_to_name(known: dict[str, Any]) -> str:
    """The hint for a record that no topic and document was found for."""
    by_map = f"pass {setting('map', 'requests.jsonl')} as written by 'judge requests'"
    if not all(_texts(known)):
        return by_map
    return (
        f"{by_map}; {either('read_qrels(…, topics=…, docs=…)', 'convert --topics FILE --docs FILE')} finds exact texts"
    )


def _texts(known: dict[str, Any]) -> tuple[str, str]:
    return str(known.get("query", "")), str(known.get("passage", ""))


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
