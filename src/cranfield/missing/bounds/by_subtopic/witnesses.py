"""Judgments by subtopic with a completion that attains an end in every topic."""

from typing import TYPE_CHECKING

from cranfield.tables.qrels import Qrels

if TYPE_CHECKING:
    from cranfield.missing.ranges import Bounder


def completed_by_subtopic(bounder: "Bounder", qrels: Qrels, a: int, b: int, *, high: bool) -> Qrels:
    """The judgments, and a line for each hole and subtopic."""
    situation, rows = bounder.situation, []
    scale = situation.subtopics
    assert scale is not None
    for number, here in enumerate(bounder.topics):
        filled = bounder.method.witness(here, a, b, high=high)
        pairs = situation.holes_of(number)
        names = [*situation.document.take(pairs), *(f"unseen-{n + 1}" for n in range(len(filled) - len(pairs)))]
        for name, grades in zip(names, scale.grades(filled, len(scale.names[number])).tolist(), strict=True):
            rows += [
                (situation.topics[number], name, grade, subtopic)
                for subtopic, grade in zip(scale.names[number], grades, strict=True)
            ]
    asked = {(topic, document) for topic, document, _, _ in rows}
    known = zip(
        [qrels.topics[place] for place in qrels.topic.tolist()],
        qrels.document,
        qrels.grade.tolist(),
        qrels.iteration if qrels.iteration is not None else [],
        strict=True,
    )
    every = [*(row for row in known if row[:2] not in asked), *rows]
    whole = all(float(row[2]).is_integer() for row in every)
    return Qrels.of(
        [row[0] for row in every],
        [row[1] for row in every],
        [int(row[2]) if whole else row[2] for row in every],
        [row[3] for row in every],
    )
