"""Documents that cover subtopics: a grade for each of them, and the best one as the grade of the document itself.

A plain grade stands for a document of a topic with one subtopic, so every world is one of subtopics too.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np

from cranfield.align.columns.subtopics import Subtopics


class Covering(int):
    """A judged document: `facets` are its grades by subtopic (-1: unjudged), `place` orders ids, and `chances` are
    the probabilities of the topic's subtopics, if they are known."""

    facets: tuple[int, ...]
    place: int
    chances: tuple[float, ...] | None

    def __new__(cls, facets: Sequence[int], place: int = 0, chances: tuple[float, ...] | None = None) -> "Covering":
        document = super().__new__(cls, max(facets))
        document.facets, document.place, document.chances = tuple(facets), place, chances
        return document

    def __repr__(self) -> str:
        return f"Covering({self.facets}, {self.place}, {self.chances})"


def facets_of(document: int | None) -> tuple[int, ...]:
    """The grades of a document by subtopic; none if it was not judged."""
    if document is None or document < 0:
        return ()
    return document.facets if isinstance(document, Covering) else (int(document),)


def diversified(documents: Sequence[int | None], seed: int) -> list[int | None]:
    """The same documents with grades for up to three subtopics, the best of which is the grade it had."""
    if seed == 0:
        return list(documents)
    random = Random(seed)
    count = random.randint(1, 3)
    raw = [random.randint(1, 9) for _ in range(count)]
    chances = tuple(number / sum(raw) for number in raw) if random.random() < 0.5 else None
    covering: list[int | None] = []
    for place, grade in enumerate(documents):
        if grade is None or grade < 0:
            covering.append(grade)
            continue
        facets = [random.randint(-1, grade) for _ in range(count)]
        facets[random.randrange(count)] = grade
        covering.append(Covering(facets, place, chances))
    return covering


def subtopics_of(topics: Sequence[Sequence[int | None]]) -> Subtopics:
    """The table of subtopic judgments of all topics; documents are numbered from topic to topic."""
    facets = [[facets_of(document) for document in documents] for documents in topics]
    chances = [_chances(documents, rows) for documents, rows in zip(topics, facets, strict=True)]
    table = Subtopics.of([list(rows) for rows in facets], chances)
    places = [
        (topic, -(document.place if isinstance(document, Covering) else place))
        for topic, documents in enumerate(topics)
        for place, document in enumerate(documents)
    ]
    order = np.empty(len(places), dtype=np.int64)
    order[sorted(range(len(places)), key=places.__getitem__)] = np.arange(len(places))
    return replace(table, order=order)


def _chances(documents: Sequence[int | None], facets: Sequence[tuple[int, ...]]) -> tuple[float, ...]:
    known = next((document.chances for document in documents if isinstance(document, Covering)), None)
    return known or (float("nan"),) * max(map(len, facets), default=0)
