"""Texts -> ids: readers of formats without ids look them up in the topics and documents that the caller gave."""

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from cranfield.errors import InputError
from cranfield.read.options import ReadOptions, TextsLike
from cranfield.tables.side.texts import ids_by_text, ids_of, with_ids


def with_topic_ids(table: Any, topics: TextsLike, path: str) -> Any:  # qrels, or a list of runs
    """Tables of a format that names topics by their text, with the ids of the topics that have these texts."""
    topics = given_topics(topics)
    try:
        return [with_ids(run, topics) for run in table] if isinstance(table, list) else with_ids(table, topics)
    except InputError as error:
        raise InputError(error.code, error.problem, path=path, hint=error.hint) from None


def topic_ids(texts: Sequence[str], options: ReadOptions) -> list[str]:
    """The ids of topics by their text; the texts themselves, if no topics were given."""
    if options.topics is None:
        return list(texts)
    return ids_of(texts, ids_by_text(given_topics(options.topics), "topic"), "topic")


def document_ids(texts: Collection[str], options: ReadOptions) -> dict[str, str]:
    """Text -> id of the documents that have one of these texts; each its own id, if no documents were given."""
    if options.docs is None:
        return {text: text for text in texts}
    known = ids_by_text(_given_documents(options.docs), "document", set(texts))
    ids_of(texts, known, "document")
    return known


def given_topics(topics: TextsLike) -> Mapping[str, Any]:
    """Topics by id: as they were given, or those in a file."""
    if isinstance(topics, str | os.PathLike):
        from cranfield.read import read_topics

        return read_topics(topics)
    return topics


def _given_documents(documents: TextsLike) -> Mapping[str, Any]:
    if isinstance(documents, str | os.PathLike):
        from cranfield.read import read_documents

        return read_documents(documents)
    return documents
