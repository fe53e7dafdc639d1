"""Make a decide queue: which pairs of a lab could decide a question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cranfield.errors import InputError, PolicyError
from cranfield.errors.names import place
from cranfield.errors.wording import setting
from cranfield.judging.deciding.asking import AskedQuestion, GradesByTopic, depth_of_question, lists_of
from cranfield.judging.deciding.beginning import begin
from cranfield.judging.records import PairRow, QueueRow
from cranfield.judging.store.deciding import named_pairs
from cranfield.judging.store.events import last_event
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.items import topic_places
from cranfield.judging.store.meta import grade_labels
from cranfield.judging.store.queues import queue_states
from cranfield.missing.next.deciding.state import DecisionState
from cranfield.tables.run import Run

STRATUM = "decide"
MOST_PAIRS = 100  # of runs


@dataclass(frozen=True)
class DecideQueue:
    """A queue that is ready to be filled: its row, its pairs, and what is known at the beginning."""

    row: QueueRow
    pairs: tuple[PairRow, ...]
    state: DecisionState


def asked_question(
    connection: Connection,
    runs: Sequence[Run],
    measure: str,
    *,
    baseline: str | None = None,
    alpha: float = 0.0,
    rel: int = 1,
    judged: GradesByTopic | None = None,
    more_topics: Iterable[str] = (),
    batch: int = 5,
    seed: int = 0,
) -> AskedQuestion:
    """A question to a lab, with the judgments that it has now."""
    names = [run.name for run in runs]
    if len(set(names)) < 2 or len(set(names)) < len(names):
        problem = f"a decision needs two runs or more with names of their own, got {', '.join(names) or 'none'}"
        raise PolicyError("E244", problem, hint="name the files of two runs")
    if baseline is not None:
        place(baseline, names, "run")
    if baseline is None and len(names) * (len(names) - 1) // 2 > MOST_PAIRS:
        problem = f"{len(names)} runs make more than {MOST_PAIRS} pairs"
        raise PolicyError("E244", problem, hint=f"name one to compare with: {setting('baseline', names[0])}")
    known = [*topic_places(connection), *more_topics]
    depth = depth_of_question(measure, rel)
    lists = {run.name: lists_of(run, depth, known) for run in runs}
    answered = {topic for each in lists.values() for topic in each}
    if not answered:
        raise InputError("E114", "none of the topics of the runs is in the lab", hint="see 'cranfield judge status'")
    return AskedQuestion(
        measure=measure,
        runs=lists,
        topics=[topic for topic in dict.fromkeys(known) if topic in answered],
        judged=judged or {},
        after=last_event(connection)[0],
        alpha=alpha,
        baseline=baseline,
        rel=rel,
        batch=batch,
        seed=seed,
    )


def decide_queue(connection: Connection, asked: AskedQuestion, name: str = "", assessors: int = 1) -> DecideQueue:
    """The queue of a question: every document that could help to decide it, each for so many assessors."""
    begun = begin(connection, asked, named_pairs(connection), list(grade_labels(connection)))
    pairs = tuple(PairRow(topic, document, STRATUM, None) for topic, document in begun.decider.documents())
    row = QueueRow(
        name=name or free_name(connection),
        kind="decide",
        k=assessors,
        seed=asked.seed,
        adaptive=True,
        pool={"strategy": "decide", "measure": asked.measure, "runs": list(asked.runs)},
        asked=asked.data(),
    )
    return DecideQueue(row, pairs, begun.decider.state())


def free_name(connection: Connection) -> str:
    """`decide 1`, or the next number; it tells assessors nothing about runs."""
    taken = {state.queue.name for state in queue_states(connection)}
    return next(name for number in range(1, len(taken) + 2) if (name := f"{STRATUM} {number}") not in taken)
