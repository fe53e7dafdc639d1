"""Texts and ids: tables that name topics by the text of the query get ids, and the other way round."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from cranfield.errors import InputError
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.words import counted

T = TypeVar("T", Qrels, Run)
_EXACT = "letter case and white space count; give it the same text there"
_FIELDS = {"topic": "query", "document": "text"}


def text_of(record: Any, noun: str) -> str:  # a text, a Topic or a Document
    """The text of a topic or of a document."""
    found = record if isinstance(record, str) else getattr(record, _FIELDS[noun], None)
    if not isinstance(found, str):
        problem = f"{type(record).__name__} is no text of a {noun}"
        raise InputError("E121", problem, hint=f"give {{id: text}}, or a file of {noun}s")
    return found


def ids_by_text(texts: Mapping[str, Any], noun: str, wanted: Collection[str] | None = None) -> dict[str, str]:
    """Text -> id; two ids with one text are an error, of documents only where that text is `wanted`.

    >>> ids_by_text({"q1": "cheap TV", "q2": "cheap tv"}, "topic")
    {'cheap TV': 'q1', 'cheap tv': 'q2'}
    """
    found: dict[str, str] = {}
    for name, record in texts.items():
        text = text_of(record, noun)
        if wanted is not None and text not in wanted:
            continue
        if found.setdefault(text, name) != name:
            problem = f"{noun}s {found[text]!r} and {name!r} have one text: {_short(text)}"
            raise InputError("E119", problem, hint=f"a text must identify one {noun}: leave one of them out")
    return found


def ids_of(texts: Iterable[str], known: Mapping[str, str], noun: str) -> list[str]:
    """The ids of texts; a text that nothing has is an error.

    >>> ids_of(["cheap TV"], {"cheap TV": "q1"}, "topic")
    ['q1']
    """
    given = list(texts)
    if unknown := [text for text in dict.fromkeys(given) if text not in known]:
        problem = f"{counted(len(unknown), 'text')} of no {noun}, first {_short(unknown[0])}"
        raise InputError("E119", problem, hint=_EXACT)
    return [known[text] for text in given]


def with_ids(table: T, topics: Mapping[str, Any]) -> T:
    """The table with the ids of topics where it has the texts of queries.

    >>> with_ids(Qrels.of(["cheap TV"], ["d1"], [1]), {"q1": "cheap TV"}).topics
    ('q1',)
    """
    return replace(table, topics=tuple(ids_of(table.topics, ids_by_text(topics, "topic"), "topic")))


def with_texts(table: T, topics: Mapping[str, Any]) -> T:
    """The table with the texts of queries where it has the ids of topics.

    >>> with_texts(Qrels.of(["q1"], ["d1"], [1]), {"q1": "cheap TV"}).topics
    ('cheap TV',)
    """
    ids_by_text(topics, "topic")  # refuses two topics with one text
    if unknown := [name for name in table.topics if name not in topics]:
        problem = f"{counted(len(unknown), 'topic')} without a text, first {unknown[0]!r}"
        raise InputError("E119", problem, hint="add them to the topics")
    return replace(table, topics=tuple(text_of(topics[name], "topic") for name in table.topics))


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
