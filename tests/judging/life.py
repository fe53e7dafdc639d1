"""Random things that people do in a room, for tests of what must hold whatever they do."""

import contextlib
import random
from collections.abc import Callable

from cranfield.judging.records import AssessorAnswer, JudgmentStatus, Work
from cranfield.judging.refusals import AnswerRefused, PairTaken, UnknownItem
from tests.judging.conftest import Opened

PEOPLE = ("ann", "bob", "cid")
STATUSES: tuple[JudgmentStatus, ...] = ("judged", "judged", "judged", "cannot", "later")


def live(here: Opened, seed: int, steps: int = 150, *, model: bool = True) -> None:
    """Judge, change, put off, undo, settle, wait; with a model that may begin to count."""
    chance = random.Random(seed)
    if model:
        here.room.add_user("model", [], kind="llm")
    acts: list[Callable[..., None]] = [_judge] * 6 + [_undo, _revise, _settle, _wait] + [_label, _count] * model
    for _ in range(steps):
        with contextlib.suppress(AnswerRefused, PairTaken, UnknownItem):  # others were quicker, or judged it themselves
            chance.choice(acts)(here, chance, chance.choice(PEOPLE))


def _judge(here: Opened, chance: random.Random, user: str) -> None:
    work = here.room.next(user)
    if isinstance(work, Work):
        status = chance.choice(STATUSES)
        grade = chance.randint(0, 2) if status == "judged" else None
        answer = AssessorAnswer(status, grade, note=chance.choice(["", "né"]), marks=((0, 3),))
        here.room.judge(user, work.item, answer, client_id=here.client(), version=work.version, round=work.round)


def _undo(here: Opened, chance: random.Random, user: str) -> None:
    here.room.undo(user, here.client())


def _revise(here: Opened, chance: random.Random, user: str) -> None:
    if own := here.room.last_ten(user):
        old = chance.choice(own).judgment
        answer = AssessorAnswer("later") if chance.random() < 0.3 else AssessorAnswer("judged", chance.randint(0, 2))
        here.room.judge(user, old.item, answer, client_id=here.client(), version=old.version, round=old.round)


def _settle(here: Opened, chance: random.Random, user: str) -> None:
    if lines := here.room.disputes(user):
        item = chance.choice(lines).item
        version = here.room.dispute(user, item).version
        here.room.adjudicate(user, item, chance.choice([None, 0, 1, 2]), here.client(), version)


def _label(here: Opened, chance: random.Random, user: str) -> None:
    if own := here.room.last_ten(user):
        answer = AssessorAnswer("judged", chance.randint(0, 2))
        here.room.judge("model", own[0].judgment.item, answer, client_id=here.client())


def _count(here: Opened, chance: random.Random, user: str) -> None:
    here.room.set_counts("owner", "model", chance.random() < 0.3)


def _wait(here: Opened, chance: random.Random, user: str) -> None:
    here.hands.wait(chance.choice([1000, 400_000]))
