"""Subtopics: which judged document covers which subtopic of its topic, for measures of diversity.

    per cell       document · subtopic · grade    one judgment each, by document; documents are numbered as in the index
    per subtopic   topic · probability            by topic; NaN where no probability is given
    per document   order                          place among all documents by id descending: how the ideal breaks ties

`Hits` say which documents a list holds; this table, shared by all lists, says what they cover.
"""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import NO_INTS, Floats, Ints, Words
from cranfield.errors import InputError
from cranfield.tables.qrels import Qrels
from cranfield.tables.side.intents import Intents
from cranfield.tables.text import Text

PLAIN = ("0", "Q0")  # the iteration column of qrels without subtopics


@dataclass(frozen=True, eq=False)
class Subtopics:
    """Judgments of documents for the subtopics of their topic; a negative grade (unjudged) is no cell.

    >>> table = Subtopics.of([[(1, 0), (2, 1)]])  # one topic, two documents, their grades for two subtopics
    >>> table.document, table.subtopic, table.grade, table.order
    (array([0, 0, 1, 1]), array([0, 1, 0, 1]), array([1, 0, 2, 1]), array([1, 0]))
    """

    document: Ints
    subtopic: Ints
    grade: Ints | Floats
    topic: Ints
    probability: Floats
    order: Ints
    top_grade: float

    @classmethod
    def of(
        cls, topics: list[list[tuple[float, ...]]], probabilities: list[tuple[float, ...]] | None = None
    ) -> "Subtopics":
        """A table written by hand: for each topic its documents, for each document its grade by subtopic.

        Documents are numbered from the first of the first topic on, and a later one has the higher id.
        """
        cells: list[tuple[int, int, float]] = []
        topic: list[int] = []
        documents = 0
        for number, rows in enumerate(topics):
            for row in rows:
                cells += [(documents, len(topic) + place, grade) for place, grade in enumerate(row) if grade >= 0]
                documents += 1
            topic += [number] * max(map(len, rows), default=0)
        document, subtopic, grade = (np.array(c) for c in zip(*cells, strict=True)) if cells else (NO_INTS,) * 3
        given = [chance for row in probabilities or () for chance in row]
        return cls(
            document=document,
            subtopic=subtopic,
            grade=grade,
            topic=np.array(topic, dtype=np.int64),
            probability=np.array(given) if given else np.full(len(topic), np.nan),
            order=np.arange(documents)[::-1],
            top_grade=float(grade.max(initial=0)),
        )


def has_subtopics(qrels: Qrels) -> bool:
    """Whether the iteration column names subtopics.

    >>> has_subtopics(Qrels.of(["1"], ["a"], [1], iteration=["0"])), has_subtopics(Qrels.of(["1"], ["a"], [1], ["2"]))
    (False, True)
    """
    return qrels.iteration is not None and any(name not in PLAIN for name in qrels.iteration.codes()[0])


def table_of(
    qrels: Qrels, row: Ints, document: Ints, grade: Ints | Floats, ids: Text, intents: Intents | None
) -> Subtopics:
    """The table of subtopic judgments.

    Args:
        qrels: judgments whose iteration column holds subtopics.
        row: those of its rows that count.
        document: for each of them the number of its document.
        grade: for each of them its grade, after the policy for negative grades.
        ids: the id of each document.
        intents: probabilities of the subtopics, where they are known.
    """
    names, code = qrels.iteration.codes() if qrels.iteration is not None else (["0"], np.zeros_like(qrels.topic))
    pair, subtopic = np.unique((qrels.topic * len(names) + code)[row], return_inverse=True)
    topic = pair // len(names)
    judged = np.flatnonzero(grade >= 0)
    by_document = judged[np.lexsort((subtopic[judged], document[judged]))]
    order = np.empty(len(ids), dtype=np.int64)
    order[ids.descending(np.zeros(len(ids), dtype=np.int64))] = np.arange(len(ids))
    relevant = np.zeros(len(pair), dtype=bool)
    relevant[subtopic[grade > 0]] = True
    labels = [(qrels.topics[t], names[n]) for t, n in zip(topic.tolist(), (pair % len(names)).tolist(), strict=True)]
    return Subtopics(
        document=document[by_document],
        subtopic=subtopic[by_document],
        grade=grade[by_document],
        topic=topic,
        probability=_probabilities(labels, relevant.tolist(), intents),
        order=order,
        top_grade=float(grade.max(initial=0)),
    )


def cell_key(pair: Words, qrels: Qrels) -> Words:
    """One number per (topic, document, subtopic), well spread."""
    return pair if qrels.iteration is None else pair ^ (qrels.iteration.hash * np.uint64(0x9E3779B97F4A7C15))


def _probabilities(labels: list[tuple[str, str]], relevant: list[bool], intents: Intents | None) -> Floats:
    """The probability of each subtopic; a topic has all of them or none."""
    chances = []
    for (topic, subtopic), needed in zip(labels, relevant, strict=True):
        known = None if intents is None else intents.of_topic(topic)
        chance = np.nan if known is None else known.get(subtopic, 0.0)
        if known is not None and needed and subtopic not in known:
            raise InputError(
                "E124",
                f"no probability for subtopic {subtopic!r} of topic {topic!r}, which has relevant documents",
                path=(intents.source.name if intents else "") or "intents",
                hint="give one to each judged subtopic of the topic, or none to the topic",
            )
        chances.append(chance)
    return np.array(chances, dtype=np.float64)
