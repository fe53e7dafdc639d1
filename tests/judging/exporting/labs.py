"""A small lab with judgments of every kind."""

import json
import os
import platform
from contextlib import closing, contextmanager
from dataclasses import asdict
from itertools import count

from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, DocumentRow, PairRow, QueueRow, TopicRow
from cranfield.judging.room import Room
from cranfield.judging.store.files.holder import Holder, _started, forget_holder
from cranfield.judging.store.files.opening import open_for_writing
from cranfield.judging.store.meta import set_meta

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
    return next(pair.item for pair in lab.snapshot().pairs if (pair.topic, pair.document) == (topic, document))


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


@contextmanager
def served_elsewhere(lab):
    """The lab as if another process served it: the parent of this one."""
    with lab.writing() as connection:
        other = Holder(os.getppid(), _started(os.getppid()), platform.node(), 1_700_000_000_000)
        set_meta(connection, "served", json.dumps(asdict(other)))
    yield lab
    with closing(open_for_writing(lab.path)) as connection:
        forget_holder(connection)
