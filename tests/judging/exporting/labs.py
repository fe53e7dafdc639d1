"""A small lab with judgments of every kind."""

from itertools import count

from cranfield.judging.exporting.snapshot import LabSnapshot
from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, DocumentRow, PairRow, QueueRow, TopicRow
from cranfield.judging.room import Room

_IDS = count()
GRADES = {0: "Not relevant", 1: "Helps", 2: "Answers"}


def make_lab(folder, pairs=None, queue=None, **more):
    """Two topics with four documents each, judged by two assessors."""
    rows = pairs or [PairRow(topic, f"d{n}", "depth10") for topic in ("q1", "q2") for n in range(1, 5)]
    documents = [DocumentRow(name, body=f"text of {name}") for name in sorted({row.document for row in rows})]
    topics = [TopicRow("q1", "merge files"), TopicRow("q2", "sort a list")]
    asked = queue or QueueRow("pool", k=2, pool={"depth": 10, "strategy": "depth"})
    return Lab.create_from_rows(
        folder / "lab.db", rows, topics, documents, GRADES, queue=asked, guidelines="# How", **more
    )


def item_of(lab, topic, document):
    """The id of a pair."""
    with lab.reading() as connection:
        pairs = LabSnapshot.of(connection).pairs
    return next(pair.item for pair in pairs if (pair.topic, pair.document) == (topic, document))


def judge(lab, *judgments, people=("ann", "bob")):
    """Judge pairs: (assessor, topic, document, grade or status, round)."""
    room = Room.open(lab.path)
    try:
        known = {person.name for person in room.people()}
        for name in people:
            if name not in known:
                room.add_user(name)
        for assessor, topic, document, said, *round_ in judgments:
            answer = AssessorAnswer("judged", said) if isinstance(said, int) else AssessorAnswer(said)
            room.judge(
                assessor,
                item_of(lab, topic, document),
                answer,
                client_id=f"client-{next(_IDS)}",
                round=round_[0] if round_ else 0,
            )
    finally:
        room.close()
