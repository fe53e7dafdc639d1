"""The demo collection as a lab: what is judged at first, what the truth is, and two runs to decide between."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cranfield.judging.deciding.queueing import asked_question, decide_queue
from cranfield.judging.lab import Lab
from cranfield.judging.records import DocumentRow, QueueRow, TopicRow
from cranfield.study.simulated.named_systems import generate
from cranfield.tables.run import Run


@cache
def world() -> Any:  # the simulated collection
    """The demo collection."""
    return generate(seed=7)


@cache
def truth() -> dict[str, dict[str, int]]:
    """The grade of every document for every topic."""
    made = world()
    return {
        topic: dict(zip(made.documents, (int(grade) for grade in grades), strict=True))
        for topic, grades in zip(made.topics, made.truth, strict=True)
    }


@cache
def judged() -> dict[str, dict[str, int]]:
    """What the demo has judged."""
    qrels = world().qrels
    found: dict[str, dict[str, int]] = {}
    for topic, document, grade in zip(qrels.topic.tolist(), qrels.document, qrels.grade.tolist(), strict=True):
        found.setdefault(list(qrels.topics)[topic], {})[document] = int(grade)
    return found


def named_runs(*names: str) -> list[Run]:
    """Some runs of the demo."""
    return [run for name in names for run in world().runs.members if run.name == name]


def decide_lab(
    path: Path, runs: Sequence[str] = ("lexical", "hybrid"), measure: str = "P@5", assessors: int = 1, **asked: Any
) -> Lab:
    """A lab with a pool of one pair, which is closed, and a decide queue of two runs or more."""
    lab = Lab.create_from_rows(
        path,
        [],
        [TopicRow(topic, f"need {topic}") for topic in truth()],
        [DocumentRow(document, title=document, body=f"text of {document}") for document in world().documents],
        grades=range(3),
        queue=QueueRow("pool"),
    )
    with lab.reading() as connection:
        question = asked_question(connection, named_runs(*runs), measure, **{"judged": judged(), **asked})
        queue = decide_queue(connection, question, assessors=assessors)
    lab.add_rows(queue.row, queue.pairs)
    return lab
