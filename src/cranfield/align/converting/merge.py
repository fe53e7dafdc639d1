"""Merge several tables of one role into one."""

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

import numpy as np

from cranfield.errors import PolicyError
from cranfield.read.sources.run_names import with_distinct_names
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.side.pool import Pool
from cranfield.tables.side.topics import Topics
from cranfield.tables.text import Text

Mergeable: TypeAlias = Runs | Qrels | Judgments | Topics | Documents | Pool
T = TypeVar("T")


def merged(tables: Sequence[Mergeable]) -> Mergeable:
    """Runs stay separate runs; the rows of other tables follow each other.

    >>> merged([Qrels.of(["1"], ["a"], [0]), Qrels.of(["1", "2"], ["b", "a"], [1, 2])])
    Qrels: 2 topics, 3 judgments, grades 0…2
    """
    first, *rest = tables
    if not rest:
        return first
    if any(type(table) is not type(first) for table in rest):
        raise PolicyError("E243", "the files hold different kinds of tables", hint="convert them one by one")
    if isinstance(first, Runs):
        return Runs(with_distinct_names([run for runs in _all(Runs, tables) for run in runs.values()]))
    if isinstance(first, Topics):
        return Topics.of(topic for topics in _all(Topics, tables) for topic in topics.members)
    if isinstance(first, Documents):
        return _documents(_all(Documents, tables))
    if isinstance(first, Qrels):
        return _qrels(_all(Qrels, tables))
    if isinstance(first, Judgments):
        return _judgments(_all(Judgments, tables))
    return _pools(_all(Pool, tables))


def _all(kind: type[T], tables: Sequence[object]) -> list[T]:
    return [table for table in tables if isinstance(table, kind)]


def _documents(collections: list[Documents]) -> Documents:
    owner = [(documents, place) for documents in collections for place in range(len(documents))]

    def fetch(number: int) -> Document:
        documents, place = owner[number]
        return documents.fetch(place)

    return Documents(tuple(name for documents in collections for name in documents), fetch)


def _topic_names(tables: Sequence[Qrels | Pool | Run]) -> tuple[tuple[str, ...], np.ndarray]:
    names, code = Text.concat([Text.of(table.topics).take(table.topic) for table in tables]).codes()
    return tuple(names), code


def _qrels(tables: list[Qrels]) -> Qrels:
    """Qrels with the columns that all files have; a missing iteration column counts as 0."""
    names, code = _topic_names(tables)
    strata = [table.stratum for table in tables if table.stratum is not None]
    chances = [table.probability for table in tables if table.probability is not None]
    iterations = [table.iteration or Text.of(["0"] * len(table)) for table in tables]
    return Qrels(
        topics=names,
        topic=code,
        document=Text.concat([table.document for table in tables]),
        grade=np.concatenate([table.grade for table in tables]),
        iteration=Text.concat(iterations) if any(table.iteration for table in tables) else None,
        stratum=Text.concat(strata) if len(strata) == len(tables) else None,
        probability=np.concatenate(chances) if len(chances) == len(tables) else None,
    )


def _judgments(tables: list[Judgments]) -> Judgments:
    def column(name: str) -> Text:
        return Text.concat([getattr(table, name) for table in tables])

    return Judgments(
        topic=column("topic"),
        document=column("document"),
        assessor=column("assessor"),
        kind=column("kind"),
        status=column("status"),
        grade=np.concatenate([table.grade for table in tables]),
        at=column("at"),
    )


def _pools(tables: list[Pool]) -> Pool:
    names, code = _topic_names(tables)
    document, stratum = (Text.concat([getattr(table, name) for table in tables]) for name in ("document", "stratum"))
    return Pool(names, code, document, stratum, np.concatenate([table.probability for table in tables]))
