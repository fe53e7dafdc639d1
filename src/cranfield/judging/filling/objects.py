"""Objects and files -> the rows of a lab: pools, topics and documents in any form that `cf.Lab` takes."""

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeAlias

from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.judging.records import DocumentRow, PairRow, QueueKind, QueueRow, TopicRow
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.queues import queue_states
from cranfield.missing.next.result import NextJudgments
from cranfield.pooling.result import Pooled
from cranfield.read import read_documents, read_pool, read_topics
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.side.pool import Pool
from cranfield.tables.side.topics import Topics
from cranfield.tables.words import counted

HIGHEST = 9  # a grade is one key
FileName: TypeAlias = str | os.PathLike[str]
PairsLike: TypeAlias = Pooled | NextJudgments | Pool | FileName | Iterable[tuple[str, str]]
TopicsLike: TypeAlias = Topics | Mapping[str, str] | FileName
DocumentsLike: TypeAlias = Documents | Mapping[str, str] | FileName


@dataclass(frozen=True)
class LabRows:
    """What a lab is filled with, and how the pairs were chosen."""

    pairs: tuple[PairRow, ...]
    topics: tuple[TopicRow, ...]
    documents: tuple[DocumentRow, ...]
    chosen: Mapping[str, Any]  # provenance: strategy, depth, file …

    @property
    def adaptive(self) -> bool:
        """Whether a pair was chosen by looking at judgments."""
        return any(pair.probability is None for pair in self.pairs)


def rows_of(
    pairs: PairsLike, topics: TopicsLike | None, docs: DocumentsLike | None, *, allow_missing: bool = False
) -> LabRows:
    """The rows of pairs, of their topics and of their documents."""
    pool, chosen = _pool(pairs)
    names = [pool.topics[number] for number in pool.topic.tolist()]
    chances = [None if math.isnan(chance) else chance for chance in pool.probability.tolist()]
    rows = tuple(map(PairRow, names, pool.document, pool.stratum, chances))
    wanted_topics, wanted = dict.fromkeys(names), dict.fromkeys(pool.document)
    return LabRows(rows, _topics(topics, list(wanted_topics)), documents_of(docs, list(wanted), allow_missing), chosen)


def queue_of(rows: LabRows, name: str, kind: QueueKind, assessors: int, overlap: float, seed: int) -> QueueRow:
    """The queue that the pairs are judged in."""
    if assessors < 1:
        raise PolicyError("E240", f"{setting('assessors', assessors)} must be at least 1")
    if not 0 <= overlap <= 1:
        raise PolicyError("E242", f"{setting('overlap', overlap)} is no share", hint="a number from 0 to 1")
    return QueueRow(name, kind, assessors, overlap, seed, adaptive=rows.adaptive, pool=rows.chosen)


def scale_of(grades: Sequence[int] | Mapping[int, str]) -> dict[int, str]:
    """The grades and their labels: two or more whole numbers from 0 to 9, each of which is a key.

    >>> scale_of(range(3))
    {0: '0', 1: '1', 2: '2'}
    """
    named = dict(grades) if isinstance(grades, Mapping) else {grade: str(grade) for grade in grades}
    given: list[object] = list(named)  # callers may be wrong
    if len(named) < 2 or not all(type(grade) is int and 0 <= grade <= HIGHEST for grade in given):
        hint = f"two or more whole numbers from 0 to {HIGHEST}: range(3), or a label for each"
        raise PolicyError("E242", f"{setting('grades', list(named))} is no scale", hint=hint)
    return {grade: str(named[grade]) for grade in sorted(named)}


def new_name(connection: Connection, name: str, pairs: PairsLike) -> str:
    """The name of a new queue: as given, or the next free one, such as `holes 1`."""
    if name and any(state.queue.name == name for state in queue_states(connection)):
        raise PolicyError("E206", f"there is a queue {name!r} already", hint="choose another name")
    if name:
        return name
    kind = "holes" if isinstance(pairs, NextJudgments) else "list"
    taken = {state.queue.name for state in queue_states(connection)}
    return next(f"{kind} {number}" for number in range(1, len(taken) + 2) if f"{kind} {number}" not in taken)


def _pool(pairs: PairsLike) -> tuple[Pool, dict[str, Any]]:
    """The pairs as a pool, and where they come from."""
    if isinstance(pairs, Pooled):
        return pairs.pairs, {"strategy": pairs.strategy, "depth": pairs.depth, "budget": pairs.budget}
    if isinstance(pairs, NextJudgments):
        return pairs.pool, {"strategy": pairs.strategy.name, "measure": pairs.measure}
    if isinstance(pairs, Pool):
        return pairs, _file(pairs)
    if isinstance(pairs, str | os.PathLike):
        read = read_pool(pairs)
        return read, _file(read)
    given: object = pairs  # callers may be wrong
    listed: list[Any] = list(given) if isinstance(given, Iterable) else [given]
    for pair in listed:
        if not (isinstance(pair, tuple | list) and len(pair) == 2 and all(isinstance(name, str) for name in pair)):
            hint = 'give a pool, or pairs such as [("q1", "d1")]'
            raise InputError("E121", f"{pair!r} is no pair of topic and document", hint=hint)
    names, documents = [pair[0] for pair in listed], [pair[1] for pair in listed]
    return Pool.of(names, documents, ["list"] * len(listed), [math.nan] * len(listed)), {"strategy": "list"}


def _file(pool: Pool) -> dict[str, Any]:
    return {"file": pool.source.name, "sha256": pool.source.sha256} if pool.source.name else {}


def _topics(topics: TopicsLike | None, wanted: Sequence[str]) -> tuple[TopicRow, ...]:
    if topics is None:
        return tuple(TopicRow(topic, topic) for topic in wanted)
    found = read_topics(topics) if isinstance(topics, str | os.PathLike) else topics
    _refuse_other(found, "topics", "queries")
    missing = [topic for topic in wanted if topic not in found]
    if missing:
        problem = f"{len(missing):,} of {counted(len(wanted), 'topic')} have no text (first: {missing[0]})"
        raise InputError("E408", problem, hint="leave the topics out to show ids alone")
    if isinstance(found, Topics):
        chosen = (found[topic] for topic in wanted)
        return tuple(TopicRow(each.id, each.query, each.description, each.narrative) for each in chosen)
    return tuple(TopicRow(topic, str(found[topic])) for topic in wanted)


def documents_of(docs: DocumentsLike | None, wanted: Sequence[str], allow_missing: bool) -> tuple[DocumentRow, ...]:
    """The rows of some documents; one without a text is an error unless allowed."""
    if docs is None:
        return tuple(map(DocumentRow, wanted))
    found = read_documents(docs) if isinstance(docs, str | os.PathLike) else docs
    _refuse_other(found, "docs", "texts")
    missing = {name for name in wanted if name not in found}
    if missing and not allow_missing:
        are = "is" if len(missing) == 1 else "are"
        first = next(name for name in wanted if name in missing)
        problem = f"{len(missing):,} of {counted(len(wanted), 'pooled document')} {are} not there (first: {first})"
        raise InputError("E405", problem, hint=f"{setting('allow_missing_docs', True)} shows their ids only")
    return tuple(DocumentRow(name) if name in missing else _row(name, found[name]) for name in wanted)


def _refuse_other(found: object, option: str, noun: str) -> None:
    if not isinstance(found, Mapping):
        raise InputError("E121", f"{found!r} is not what {setting(option)} takes", hint=f"a file, or {noun} by id")


def _row(name: str, document: Document | str) -> DocumentRow:
    if not isinstance(document, Document):
        document = Document(name, str(document))
    fields = {**({"url": document.url} if document.url else {}), **document.fields}
    return DocumentRow(
        document=name,
        title=document.title,
        format="fields" if fields and not document.text else document.kind,
        body=document.text,
        fields=fields,
        hash=sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest(),
    )
