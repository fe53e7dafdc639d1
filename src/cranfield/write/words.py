"""Topics and documents, written in every format that can hold them."""

import json
from typing import Any

from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.side.topics import Topic, Topics
from cranfield.tables.text import Text
from cranfield.write.text import lines, no_tabs
from cranfield.write.write import writes


@writes("topics-tsv", holds="id query")
def tab_separated(topics: Topics) -> bytes:
    """Id and query."""
    no_tabs(Text.of(topics), "topic id")
    no_tabs(Text.of(topic.query for topic in topics.values()), "query")
    return lines(f"{topic.id}\t{topic.query}" for topic in topics.values())


@writes("topics-jsonl", holds="id query description narrative type subtopics other")
def json_lines(topics: Topics) -> bytes:
    """BEIR's queries.jsonl, with further keys for what else a topic has."""
    return lines(_json(_topic(topic)) for topic in topics.values())


@writes("documents-jsonl", holds="id text title url kind fields")
def documents(table: Documents) -> bytes:
    """BEIR's corpus.jsonl, with further keys for what else a document has."""
    return lines(_json(_document(document)) for document in table.values())


def _topic(topic: Topic) -> dict[str, Any]:
    more: dict[str, Any] = {name: getattr(topic, name) for name in ("description", "narrative", "type")}
    more["subtopics"] = [vars(subtopic) for subtopic in topic.subtopics]
    more["other"] = dict(topic.other)
    return {"_id": topic.id, "text": topic.query, **{name: value for name, value in more.items() if value}}


def _document(document: Document) -> dict[str, Any]:
    more = {name: getattr(document, name) for name in ("title", "url") if getattr(document, name)}
    if document.kind != "text":
        more["kind"] = document.kind
    return {"_id": document.id, "text": document.text, **more, **document.fields}


def _json(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
