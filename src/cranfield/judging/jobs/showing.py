"""What an assessor sees of a pair: its topic in words, the own judgment, the document."""

from dataclasses import replace

from cranfield.judging.jobs.referenced import read_in_place
from cranfield.judging.records import DocumentRow, Lease, OwnTopic, ShownDocument, SourceRow, Work
from cranfield.judging.refusals import UnknownItem
from cranfield.judging.store.documents import document_of
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.guidelines import guideline_hash
from cranfield.judging.store.items import count_topics, item_text
from cranfield.judging.store.judgments import answers_of_topic, judgment_of

MISSING = "The text of this document is not in the collection."


def work_of(connection: Connection, lease: Lease) -> Work:
    """A pair as the assessor who holds it sees it."""
    return shown_work(connection, lease.item, lease.assessor, lease.round, lease.until_ms)


def shown_work(connection: Connection, item: str, assessor: str, round: int, until_ms: int | None) -> Work:
    """A pair as an assessor sees it in a round: their own judgment of that round, and no one else's."""
    text = item_text(connection, item)
    if text is None:
        raise UnknownItem.named("item", item)
    mine = judgment_of(connection, item, assessor, round)
    return Work(
        item=item,
        topic=text.topic,
        topic_number=text.topic_place,
        topics=count_topics(connection),
        title=text.title,
        description=text.description,
        narrative=text.narrative,
        document_id=text.document_id,
        document_title=text.document_title,
        mine=mine,
        version=None if mine is None else mine.version,
        until_ms=until_ms,
        round=round,
        guideline=guideline_hash(connection),
    )


def own_topic(connection: Connection, user: str, item: str) -> OwnTopic:
    """What an assessor did in the topic of a pair."""
    text = item_text(connection, item)
    if text is None:
        raise UnknownItem.named("item", item)
    rows = answers_of_topic(connection, user, text.topic_place)
    return OwnTopic(
        topic=text.topic,
        topic_number=text.topic_place,
        topics=count_topics(connection),
        title=text.title,
        grades={grade: count for status, grade, count in rows if status == "judged" and grade is not None},
        cannot=sum(count for status, _, count in rows if status == "cannot"),
        later=sum(count for status, _, count in rows if status == "later"),
    )


def shown_document(connection: Connection, item: str) -> ShownDocument:
    """The document of a pair, or why it cannot be shown."""
    row, text = document_of(connection, item), item_text(connection, item)
    if row is None or text is None:
        raise UnknownItem.named("item", item)
    if row.source is not None:
        row, problem = _in_place(row, row.source)
    else:
        problem = MISSING if row.body is None and not row.fields else ""
    return ShownDocument(
        document_id=row.document,
        title=row.title,
        format=row.format,
        text=row.body or "",
        fields=row.fields,
        problem=problem,
        need=text.title,
    )


def _in_place(row: DocumentRow, source: SourceRow) -> tuple[DocumentRow, str]:
    """The row with the text from its file, or without it and the reason."""
    found = read_in_place(row, source)
    if isinstance(found, str):
        return row, found
    url = {"url": found.url} if found.url else {}
    return replace(row, title=found.title, body=found.text, fields={**url, **found.fields}), ""
