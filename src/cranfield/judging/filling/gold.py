"""Pairs whose grade is known: from a file or an object into a queue of a lab, with the texts of new documents."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Unpack

from cranfield.errors import InputError
from cranfield.errors.wording import setting
from cranfield.judging.filling.lab_file import LabFile
from cranfield.judging.filling.objects import DocumentsLike, documents_of
from cranfield.judging.jobs.commands import perform
from cranfield.judging.jobs.gold import MixedGold
from cranfield.judging.store.documents import document_places
from cranfield.judging.store.items import topic_places
from cranfield.read import read_qrels
from cranfield.read.options import FileKeywords
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.read.accepted import QrelsLike
    from cranfield.read.sources.content import Readable

Rows = list[tuple[str, str, int]]  # topic, document, grade


def add_gold(
    lab: LabFile,
    qrels: "Readable | QrelsLike | None" = None,
    rate: float = 0.1,
    docs: DocumentsLike | None = None,
    *,
    queue: str | None = None,
    allow_missing_docs: bool = False,
    url: str | None = None,
    **reading: Unpack[FileKeywords],
) -> MixedGold:
    """Mix pairs with a known grade into a queue of a lab, or of the server at `url` that has it open.

    `reading` says how a file is read: format, columns, encoding.
    """
    rows = [] if qrels is None else _rows(qrels, **reading)
    with lab.reading() as connection:
        topics, known = topic_places(connection), document_places(connection)
    new = list(dict.fromkeys(document for topic, document, _ in rows if topic in topics and document not in known))
    if new and docs is None and not allow_missing_docs:
        problem = f"{counted(len(new), 'document')} of the gold pairs {'is' if len(new) == 1 else 'are'} not in the lab"
        hint = f"{setting('docs', 'FILE')} has their texts; a pair without a text would stand out"
        raise InputError("E405", f"{problem} (first: {new[0]})", hint=hint)
    texts = documents_of(docs, new, allow_missing_docs)
    given = {"rows": rows, "documents": list(map(asdict, texts)), "rate": rate, "queue": queue}
    return MixedGold(**perform(lab, "gold", given, url))


def _rows(qrels: "Readable | QrelsLike", **reading: Unpack[FileKeywords]) -> Rows:
    """Topic, document and grade; what a pool holds without a grade is left out."""
    found = read_qrels(qrels, **reading)
    named = (found.topics[topic] for topic in found.topic.tolist())
    return [
        (topic, document, int(grade))
        for topic, document, grade in zip(named, found.document, found.grade.tolist(), strict=True)
        if grade >= 0
    ]
