"""Where a decide queue begins: the judgments that there were when the question was asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cranfield.judging.deciding.answers import PairAnswers
from cranfield.judging.deciding.asking import AskedQuestion
from cranfield.judging.store.deciding import answers_after
from cranfield.judging.store.files.connection import Connection
from cranfield.missing.next.deciding.decider import Decider
from cranfield.missing.next.deciding.making import decider_of
from cranfield.missing.next.deciding.steps import StopRule


@dataclass(frozen=True, eq=False)
class Beginning:
    """A decider without any answer to its question, and the answers that were there before."""

    decider: Decider
    answers: PairAnswers


def begin(
    connection: Connection, asked: AskedQuestion, names: Mapping[str, tuple[str, str]], grades: Sequence[int]
) -> Beginning:
    """The beginning of a question; judgments of the lab take the place of those made elsewhere."""
    answers = PairAnswers()
    for event in answers_after(connection, 0, asked.after):
        answers.enter(event)
    judged = {topic: dict(some) for topic, some in asked.judged.items()}
    for topic, some in answers.graded(names).items():
        judged.setdefault(topic, {}).update(some)
    made = decider_of(asked.question(judged, grades), StopRule(asked.alpha))
    return Beginning(made.decider, answers)
