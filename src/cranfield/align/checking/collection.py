"""The collection record: how many documents, topics and judgments there are, and how long they are."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Ints, segment_size
from cranfield.arrays.strings import pair_key
from cranfield.tables.qrels import Qrels
from cranfield.tables.side.documents import Documents
from cranfield.tables.side.topics import Topics
from cranfield.tables.text import Text

MOST_READ = 100_000  # documents whose text is read; of a larger collection, as many at equal distances


@dataclass(frozen=True)
class TextCounts:
    """How long the texts of some documents are: of many documents, some at equal distances are read.

    >>> from cranfield.tables.side.documents import Document
    >>> TextCounts.of(Documents.of([Document("a", "wing flutter"), Document("b", "heat")]))
    TextCounts(documents=2, read=2, bytes=16, words=3)
    """

    documents: int
    read: int
    bytes: int  # of those read
    words: int  # of those read

    @classmethod
    def of(cls, documents: Documents) -> "TextCounts":
        """The counts of some documents."""
        step = max(1, -(-len(documents) // MOST_READ))
        texts = [documents.fetch(place).text for place in range(0, len(documents), step)]
        sizes = [len(text.encode("utf-8", "surrogatepass")) for text in texts]
        return cls(len(documents), len(texts), sum(sizes), sum(len(text.split()) for text in texts))


@dataclass(frozen=True)
class CollectionRecord:
    """The statistics by which collections are compared; None where the files that say it were not given.

    Attributes:
        documents: how many.
        bytes: of the texts of all documents, in UTF-8.
        words_per_document: separated by blanks, in the mean.
        topics: with a text, or else with a judgment.
        words_per_query: in the mean of all topics with a text.
        judgments: judged pairs of topic and document.
        judgments_per_query: in the mean of the topics with a judgment.
        grades: how many different ones were given.
        relevant_per_query: the smallest, mean and largest number of documents of grade 1 or more.
        read_documents: whose text was read; of a large collection a part, and bytes and words are estimated from it.

    >>> from cranfield.tables.side.topics import Topic
    >>> qrels = Qrels.of(["1", "1", "2"], ["a", "b", "a"], [2, 0, 1])
    >>> record = CollectionRecord.of([qrels], [Topics.of([Topic("1", "wing flutter"), Topic("2", "heat")])], [])
    >>> record.topics, record.words_per_query, record.judgments_per_query, record.relevant_per_query
    (2, 1.5, 1.5, (1, 1.0, 1))
    """

    documents: int | None = None
    bytes: int | None = None
    words_per_document: float | None = None
    topics: int | None = None
    words_per_query: float | None = None
    judgments: int | None = None
    judgments_per_query: float | None = None
    grades: int | None = None
    relevant_per_query: tuple[int, float, int] | None = None
    read_documents: int | None = None

    @classmethod
    def of(
        cls, qrels: Sequence[Qrels], topics: Sequence[Topics], documents: Sequence[TextCounts]
    ) -> "CollectionRecord | None":
        """The record of some tables; None if there is none of them. A pair that two tables judge counts once."""
        if not (qrels or topics or documents):
            return None
        found: dict[str, Any] = {}  # fields, by name
        if qrels:
            found |= _judged(qrels)
        if topics:
            queries = {topic.id: topic.query for table in topics for topic in table.members}
            found["topics"] = len(queries)
            found["words_per_query"] = _mean([len(query.split()) for query in queries.values()])
        if documents:
            number, read = sum(each.documents for each in documents), sum(each.read for each in documents)
            found |= {"documents": number, "read_documents": read}
            found["bytes"] = round(sum(each.bytes * each.documents / max(each.read, 1) for each in documents))
            found["words_per_document"] = (
                sum(each.words * each.documents / max(each.read, 1) for each in documents) / number if number else None
            )
        return cls(**found)

    @property
    def estimated(self) -> bool:
        """Whether bytes and words per document come from a part of the documents."""
        return self.documents != self.read_documents

    def __str__(self) -> str:
        """The record in one line: what is known of it.

        >>> print(CollectionRecord(documents=3204, bytes=2_200_000, words_per_document=64.0, topics=64))
        3,204 documents · 2.2 MB · 64.0 words per document · 64 topics
        """
        about = "about " if self.estimated and self.read_documents is not None else ""
        said = (
            (self.documents, "{:,} documents"),
            (None if self.bytes is None else _size(self.bytes), about + "{}"),
            (self.words_per_document, about + "{:.1f} words per document"),
            (self.topics, "{:,} topics"),
            (self.words_per_query, "{:.1f} words per query"),
            (self.judgments_per_query, "{:.1f} judgments per query"),
            (self.grades, "{:,} grades"),
        )
        parts = [text.format(value) for value, text in said if value is not None]
        if self.relevant_per_query is not None:
            least, mean, most = self.relevant_per_query
            parts.append(f"{mean:.1f} relevant per query ({least:,}…{most:,})")
        return " · ".join(parts)

    def to_dict(self) -> Mapping[str, Any]:
        """Plain data."""
        return asdict(self) | {"estimated": self.estimated}


def _judged(tables: Sequence[Qrels]) -> dict[str, Any]:
    """The fields that judgments give; a grade below 0 is no judgment."""
    names, topic, document, grade = _rows(tables)
    per_topic = segment_size(topic, len(names))
    relevant = segment_size(topic[grade >= 1], len(names))[per_topic > 0]
    judged = int(np.count_nonzero(per_topic))
    span = (int(relevant.min()), float(relevant.mean()), int(relevant.max())) if judged else None
    return {
        "topics": len(names),
        "judgments": len(document),
        "judgments_per_query": len(document) / judged if judged else None,
        "grades": len(np.unique(grade)),
        "relevant_per_query": span,
    }


def _rows(tables: Sequence[Qrels]) -> tuple[list[str], Ints, Text, Any]:  # grades are whole or real numbers
    """The names of all topics, and of each judged pair topic, document and first grade."""
    names, topic = Text.concat([Text.of(table.topics).take(table.topic) for table in tables]).codes()
    document = Text.concat([table.document for table in tables])
    grade = np.concatenate([table.grade for table in tables])
    judged = np.flatnonzero(grade >= 0)
    _, first = np.unique(pair_key(topic[judged], document.hash[judged]), return_index=True)
    rows = judged[np.sort(first)]
    return names, topic[rows], document.take(rows), grade[rows]


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


def _size(size: float) -> str:
    """Bytes in words: 2,200,000 is 2.2 MB."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} TB"
