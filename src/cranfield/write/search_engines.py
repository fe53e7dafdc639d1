"""Qrels for search engines and their tools: what they do not hold is named in a warning."""

import json
from itertools import chain
from typing import Any

from cranfield.errors import InputError
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.text import Text
from cranfield.write.judged import grades, one_grade_each
from cranfield.write.text import csv_cell, lines, no_blanks
from cranfield.write.write import writes


def _by_topic(table: Qrels | Judgments, format: str) -> dict[str, list[tuple[str, float]]]:
    qrels = one_grade_each(table, format)
    found: dict[str, list[tuple[str, float]]] = {topic: [] for topic in qrels.topics}
    for number, document, grade in zip(qrels.topic.tolist(), qrels.document, qrels.grade.tolist(), strict=True):
        found[qrels.topics[number]].append((document, grade))
    return found


def _json(tree: Any) -> bytes:  # plain data
    return json.dumps(tree, ensure_ascii=False).encode() + b"\n"


@writes("qrels-rank_eval", holds="topic document grade")
def rank_eval(table: Qrels | Judgments) -> bytes:
    """Request of Elasticsearch's _rank_eval; the index is empty, and the query is left to the caller."""
    return _json(
        {
            "requests": [
                {"id": topic, "ratings": [{"_index": "", "_id": name, "rating": grade} for name, grade in judged]}
                for topic, judged in _by_topic(table, "qrels-rank_eval").items()
            ]
        }
    )


@writes("qrels-opensearch", holds="topic document grade")
def opensearch(table: Qrels | Judgments) -> bytes:
    """Judgments of OpenSearch search-relevance; topics are the query texts."""
    return _json(
        {
            "judgmentRatings": [
                {
                    "query": topic,
                    "ratings": [{"docId": name, "rating": str(float(g))} for name, g in judged],
                    "failures": [],
                }
                for topic, judged in _by_topic(table, "qrels-opensearch").items()
            ]
        }
    )


@writes("qrels-quepid", holds="topic document grade")
def quepid(table: Qrels | Judgments) -> bytes:
    """Ratings of Quepid; topics are the query texts."""
    qrels = one_grade_each(table, "qrels-quepid")
    topics = [qrels.topics[number] for number in qrels.topic.tolist()]
    rows = zip(topics, qrels.document, grades(qrels), strict=True)
    return lines(",".join(map(csv_cell, row)) for row in chain([("query", "docid", "rating")], rows))


@writes("qrels-rre", holds="topic document grade")
def rre(table: Qrels | Judgments) -> bytes:
    """Ratings of the Rated Ranking Evaluator; topics are the query texts."""
    queries = []
    for topic, judged in _by_topic(table, "qrels-rre").items():
        relevant = {name: {"gain": grade} for name, grade in judged}
        if len(relevant) < len(judged):
            raise InputError("E109", f"a document of topic {topic!r} is judged twice, which qrels-rre cannot hold")
        queries.append({"placeholders": {"$query": topic}, "relevant_documents": relevant})
    return _json({"queries": queries})


@writes("qrels-ltr", holds="topic document grade")
def ltr(table: Qrels | Judgments) -> bytes:
    """Judgment list for learning to rank, without features."""
    qrels = one_grade_each(table, "qrels-ltr")
    no_blanks(qrels, topic=Text.of(qrels.topics).take(qrels.topic), document=qrels.document)
    topics = [qrels.topics[number] for number in qrels.topic.tolist()]
    rows = zip(grades(qrels), topics, qrels.document, strict=True)
    return lines(f"{grade} qid:{topic} # {document}" for grade, topic, document in rows)
