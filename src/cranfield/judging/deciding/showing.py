"""What an owner may see of a decide queue: all of it, or only how much is left while they judge there themselves."""

from dataclasses import dataclass

from cranfield.judging.deciding.desk import DecideDesk, DeskState
from cranfield.judging.deciding.desks import Desks
from cranfield.judging.records import Person, QueueState
from cranfield.judging.store.deciding import reveals
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.queues import queue_states
from cranfield.missing.next.deciding.steps import DecisionStep, StopReason
from cranfield.tables.words import counted

ASSESSOR = "assessor"  # the role


@dataclass(frozen=True)
class ShownPair:
    """One pair of runs: what is known now in words, and the path to it."""

    a: str
    b: str
    low: float
    high: float
    probability: float
    decided: StopReason | None
    sentence: str
    path: tuple[DecisionStep, ...]


@dataclass(frozen=True)
class ShownDecision:
    """A decide queue on a page. While `hidden`, the page shows only the number of judgments left.

    Attributes:
        queue: its number.
        name: its name.
        hidden: whether the person judges in this queue and has not revealed it.
        reason: why one may stop; None if judging goes on.
        left: how many judgments are left: an estimate.
        judged: how many were made; 0 while hidden.
        waiting: documents without a judgment.
        measure: its name; empty while hidden.
        sentence: what is known, and whether one may stop.
        pairs: of runs; none while hidden.
        revealed: who looked while judging.
        assessors: how many judge each document.
        disputed: documents that wait for an adjudicator; 0 while hidden.
    """

    queue: int
    name: str
    hidden: bool
    reason: StopReason | None
    left: int
    judged: int
    waiting: int
    measure: str
    sentence: str
    pairs: tuple[ShownPair, ...]
    revealed: tuple[str, ...]
    assessors: int = 1
    disputed: int = 0


def shown_decisions(connection: Connection, desks: Desks, person: Person) -> list[ShownDecision]:
    """What a person may see of all decide queues, newest first."""
    states = {state.id: state for state in queue_states(connection)}
    made = [
        shown_decision(connection, desk, states[desk.queue], person.name, ASSESSOR in person.roles)
        for desk in desks.all()
    ]
    return made[::-1]


def shown_decision(
    connection: Connection, desk: DecideDesk, queue: QueueState, person: str, assesses: bool
) -> ShownDecision:
    """What a person may see: an owner who also judges sees no more than the number left while the queue is open."""
    found = desk.state(connection)
    now, revealed = found.now, reveals(connection, queue.id)
    hidden = assesses and now.reason is None and not queue.closed and person not in revealed
    if hidden:
        return ShownDecision(
            queue=queue.id,
            name=queue.queue.name,
            hidden=True,
            reason=None,
            left=now.left,
            judged=0,
            waiting=now.waiting,
            measure="",
            sentence=f"About {left_words(now.left, desk.assessors)} left until it is decided.",
            pairs=(),
            revealed=revealed,
            assessors=desk.assessors,
        )
    return ShownDecision(
        queue=queue.id,
        name=queue.queue.name,
        hidden=False,
        reason=now.reason,
        left=now.left,
        judged=now.judged,
        waiting=now.waiting,
        measure=now.measure,
        sentence=_sentence(found, desk.assessors),
        pairs=tuple(
            ShownPair(
                a=pair.a,
                b=pair.b,
                low=pair.last.low,
                high=pair.last.high,
                probability=pair.last.probability,
                decided=pair.decided,
                sentence=pair.sentence(now.topics),
                path=path,
            )
            for pair, path in zip(now.pairs, found.paths, strict=True)
        ),
        revealed=revealed,
        assessors=desk.assessors,
        disputed=found.disputed,
    )


def left_words(left: int, assessors: int) -> str:
    """What is left to do, in words.

    >>> left_words(1, 1), left_words(7, 2)
    ('1 judgment', '7 documents')
    """
    return counted(left, "judgment") if assessors == 1 else counted(left, "document")


def _sentence(found: DeskState, assessors: int) -> str:
    """What is known, and what several assessors have to do with it."""
    parts = [found.now.sentence]
    if assessors > 1 and found.now.reason is None:
        parts.append(f"Each document needs {assessors} assessors.")
    if found.disputed and found.now.reason is None:
        waits = "waits" if found.disputed == 1 else "wait"
        parts.append(f"{counted(found.disputed, 'document')} without a majority {waits} for an adjudicator.")
    return " ".join(parts)
