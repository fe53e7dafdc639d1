"""Topic files: classic TREC SGML, XML, id-tab-query, and BEIR's queries.jsonl."""

import re
from collections.abc import Iterator
from typing import Any

from cranfield.errors import InputError
from cranfield.read.definition import reads
from cranfield.read.formats import jsonl
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content, check_lines
from cranfield.tables.side.topics import Subtopic, Topic, Topics

_TAG = re.compile(r"<\s*(/?)\s*([A-Za-z][\w.-]*)[^<>]*>")
_LABELS = {"num": "number", "title": "topic", "desc": "description", "narr": "narrative"}
_SUBTOPIC = {"number", "text", "type"}


@reads(
    "topics-sgml",
    "topics",
    "<top><num> Number: 301<title> Organized Crime<desc> …",
    usual_endings=(".sgml", ".topics", ".top"),
)
def read_sgml(content: Content, options: ReadOptions) -> Topics:
    """Topics in TREC SGML: top, num, title, desc, narr; closing tags may be missing."""
    found = [_sgml_topic(content, line, text) for line, text in _sgml_tops(content)]
    if not found:
        raise InputError("E104", "the file holds no <top> element", path=content.name)
    return _topics(content, found, "topics-sgml")


@reads(
    "topics-xml",
    "topics",
    '<topic number="1"><query>…</query><narrative>…</narrative></topic>',
    usual_endings=(".xml",),
)
def read_xml(content: Content, options: ReadOptions) -> Topics:
    """Topics in XML: query, description, narrative, subtopics; unknown elements are kept."""
    from cranfield.read.formats.xml import topics

    return _topics(content, topics(content), "topics-xml")


@reads("topics-tsv", "topics", "q1\tcheap flights to oslo", usual_endings=(".tsv", ".txt"), writable=True)
def read_tsv(content: Content, options: ReadOptions) -> Topics:
    """Topics as lines of id, tab, query."""
    check_lines(content)
    found = []
    for line, text in _lines(content):
        name, tab, query = text.partition("\t")
        if not tab:
            hint = "a line is: ID<tab>QUERY"
            raise InputError("E105", "expected 2 columns, found 1", path=content.name, line=line, text=text, hint=hint)
        if "\t" in query:
            count = text.count("\t") + 1
            problem = f"expected 2 columns, found {count}"
            raise InputError("E105", problem, path=content.name, line=line, text=text)
        found.append(_topic(content, line, Topic(name.strip(), query.strip())))
    if not found:
        problem = "the file is empty" if content.size == 0 else "the file holds no rows"
        raise InputError("E104", problem, path=content.name)
    return _topics(content, found, "topics-tsv")


@reads(
    "topics-jsonl",
    "topics",
    '{"_id":"q1","text":"cheap flights to oslo"}',
    endings=(".jsonl", ".ndjson"),
    writable=True,
)
def read_jsonl(content: Content, options: ReadOptions) -> Topics:
    """Topics as JSON lines with the keys _id and text, as in BEIR; further keys are kept."""
    found = [_json_topic(content, line, record) for line, _, record in jsonl.records(content, options.max_errors)]
    return _topics(content, found, "topics-jsonl")


def _topics(content: Content, found: list[Topic], format: str) -> Topics:
    return Topics.of(found, content.source(format))


def _topic(content: Content, line: int, topic: Topic) -> Topic:
    """The topic; an error if it has no id or no query."""
    if not topic.id:
        raise InputError("E119", "a topic has no number", path=content.name, line=line)
    if not topic.query:
        raise InputError("E119", f"topic {topic.id!r} has no query", path=content.name, line=line)
    return topic


def _lines(content: Content) -> Iterator[tuple[int, str]]:
    """Numbered lines that are not blank."""
    for number, line in enumerate(content.text().split("\n"), start=1):
        text = line.removesuffix("\r")
        if text.strip():
            yield number, text


def _sgml_tops(content: Content) -> Iterator[tuple[int, str]]:
    """The text of each `<top>`, and the line where it begins."""
    text = content.text()
    starts = [match.end() for match in re.finditer(r"(?i)<top>", text)]
    for start, stop in zip(starts, [*starts[1:], len(text)], strict=False):
        inner = re.split(r"(?i)</?top>", text[start:stop], maxsplit=1)[0]
        yield text.count("\n", 0, start) + 1, inner


def _sgml_topic(content: Content, line: int, text: str) -> Topic:
    fields: dict[str, str] = {}
    tags = [match for match in _TAG.finditer(text) if not match.group(1)]
    for match, after in zip(tags, [*tags[1:], None], strict=False):
        name = match.group(2).lower()
        inner = text[match.end() : after.start() if after else len(text)]
        inner = " ".join(re.sub(rf"(?i)</\s*{re.escape(name)}\s*>", " ", inner).split())
        label = _LABELS.get(name)
        if label and inner.lower().startswith(f"{label}:"):
            inner = inner[len(label) + 1 :].strip()
        fields[name] = f"{fields[name]} {inner}".strip() if name in fields else inner
    number, title, description, narrative = (fields.pop(tag, "") for tag in _LABELS)
    return _topic(content, line, Topic(number, title, description, narrative, other=fields))


def _json_topic(content: Content, line: int, record: dict[str, Any]) -> Topic:
    def text(*names: str) -> str:
        for name in names:
            if name in record:
                value = record.pop(name)
                if not isinstance(value, str) or not jsonl.valid(value):
                    raise InputError("E119", f"field {name!r} is not text", path=content.name, line=line)
                return str(value)
        return ""

    name = text("_id", "id", "topic", "qid", "query_id")
    query = text("text", "query", "title")
    rest = {key: text(key) for key in ("description", "narrative", "type")}
    subtopics = record.pop("subtopics", [])
    other = record.pop("other", None)
    if not isinstance(subtopics, list) or not all(_is_subtopic(item) for item in subtopics):
        raise InputError("E119", "field 'subtopics' is not a list of subtopics", path=content.name, line=line)
    kept = {**(other if isinstance(other, dict) else {}), **record}
    if not all(isinstance(value, str) and jsonl.valid(value) for value in kept.values()):
        kept = {key: value if isinstance(value, str) else str(value) for key, value in kept.items()}
    facets = tuple(Subtopic(**{key: str(value) for key, value in item.items()}) for item in subtopics)
    plain = {key: str(value) for key, value in kept.items()}
    return _topic(content, line, Topic(name, query, **rest, subtopics=facets, other=plain))


def _is_subtopic(item: object) -> bool:
    return (
        isinstance(item, dict)
        and {"number", "text"} <= set(item) <= _SUBTOPIC
        and all(isinstance(value, str) for value in item.values())
    )
