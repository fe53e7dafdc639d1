"""What a decide queue is to decide, as it is kept in the store: rankings, measure, and when to stop."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.missing.next.deciding.making import DecideQuestion, depth_needed, measure_for
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run

Lists = Mapping[str, Sequence[str]]  # topic -> documents, best first
GradesByTopic = Mapping[str, Mapping[str, int]]  # topic -> document -> grade
BATCH = 5


@dataclass(frozen=True)
class AskedQuestion:
    """A question to the assessors of a lab.

    Attributes:
        measure: its name.
        runs: the first documents of each list of each run, as many as say something.
        topics: those that count.
        judged: judgments made elsewhere, before.
        after: the last event of the lab when the question was asked; judgments up to it are where it begins.
        alpha: P(A > B) outside [alpha, 1 - alpha] is enough; 0: it has to be certain.
        baseline: the run that all others are compared with; None: all pairs.
        rel: the lowest relevant grade.
        batch: how many documents are served in random order before the choice is made anew.
        seed: of draws and orders.
    """

    measure: str
    runs: Mapping[str, Lists]
    topics: Sequence[str]
    judged: GradesByTopic = field(default_factory=dict)
    after: int = 0
    alpha: float = 0.0
    baseline: str | None = None
    rel: int = 1
    batch: int = BATCH
    seed: int = 0

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "AskedQuestion":
        """A question from the JSON of a queue."""
        return cls(**data)

    def data(self) -> dict[str, Any]:
        """The question as JSON."""
        return asdict(self)

    @property
    def policy(self) -> Policy:
        """The choices that shape the numbers."""
        return Policy(rel=self.rel)

    def question(self, judged: GradesByTopic, grades: Sequence[int]) -> DecideQuestion:
        """The question with the judgments that it begins with, and the grades of the lab."""
        rows = [(topic, document, grade) for topic, some in judged.items() for document, grade in some.items()]
        topic, document, grade = zip(*rows, strict=True) if rows else ((), (), ())
        return DecideQuestion(
            qrels=Qrels.of(topic, document, list(grade)),
            runs=tuple(run_of(name, lists) for name, lists in self.runs.items()),
            measure=measure_for(self.measure, self.policy),
            policy=self.policy,
            baseline=self.baseline,
            levels=np.array(sorted({0.0, *(float(grade) for grade in grades if grade >= 0)})),
            topics=tuple(self.topics),
            seed=self.seed,
        )


def lists_of(run: Run, depth: int, topics: Sequence[str] | None = None) -> dict[str, list[str]]:
    """The first documents of each list of a run, in the order of the usual policy for ties.

    >>> lists_of(Run.of("r", ["1", "1", "2"], ["a", "b", "c"], [1, 2, 3]), 1)
    {'1': ['b'], '2': ['c']}
    """
    ranked = Rankings.of(run, Policy(depth=depth))
    wanted = set(run.topics if topics is None else topics)
    found: dict[str, list[str]] = {name: [] for name in run.topics if name in wanted}
    for topic, document in zip(ranked.topic.tolist(), run.document.take(ranked.row), strict=True):
        if (name := run.topics[topic]) in wanted:
            found[name].append(document)
    return found


def run_of(name: str, lists: Lists) -> Run:
    """A run of ranked lists."""
    topic = [each for each, documents in lists.items() for _ in documents]
    document = [each for documents in lists.values() for each in documents]
    score = [float(len(documents) - place) for documents in lists.values() for place in range(len(documents))]
    return Run.of(name, topic, document, score)


def depth_of_question(measure: str, rel: int = 1) -> int:
    """How many documents of each list a question needs."""
    return depth_needed(measure_for(measure, Policy(rel=rel)))
