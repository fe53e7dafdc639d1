"""Answers of assessors: which are possible, what kind of event they make, and how they are written down."""

from collections.abc import Container
from dataclasses import asdict, replace
from typing import Any

from cranfield.judging.records import AssessorAnswer
from cranfield.judging.refusals import AnswerRefused, NoteTooLong

LONGEST_NOTE = 10_000
MOST_MARKS = 1_000


def checked_answer(answer: AssessorAnswer, grades: Container[int]) -> None:
    """Refuse an answer that cannot be stored.

    >>> checked_answer(AssessorAnswer("judged", 3), [0, 1, 2])
    Traceback (most recent call last):
    cranfield.judging.refusals.AnswerRefused: E410: the lab has no grade 3
    """
    if answer.status not in ("judged", "cannot", "later"):
        raise AnswerRefused.because(f"there is no status {answer.status!r}")
    if answer.status == "judged" and answer.grade not in grades:
        raise AnswerRefused.because(f"the lab has no grade {answer.grade}")
    if answer.status != "judged" and answer.grade is not None:
        raise AnswerRefused.because("only a judgment has a grade")
    if max(len(answer.note), len(answer.reason)) > LONGEST_NOTE:
        raise NoteTooLong.because(f"the note is longer than {LONGEST_NOTE:,} characters")
    if len(answer.marks) > MOST_MARKS or any(not 0 <= start < end < 2**53 for start, end in answer.marks):
        raise AnswerRefused.because("a marked passage does not begin before it ends")


def event_kind(old: AssessorAnswer | None, new: AssessorAnswer) -> str:
    """The kind of event that an answer makes.

    >>> (
    ...     event_kind(None, AssessorAnswer("judged", 1)),
    ...     event_kind(AssessorAnswer("judged", 1), AssessorAnswer("judged", 2)),
    ... )
    ('judge', 'revise')
    >>> (
    ...     event_kind(AssessorAnswer("judged", 1), AssessorAnswer("judged", 1, flag=True)),
    ...     event_kind(None, AssessorAnswer("later")),
    ... )
    ('flag', 'later')
    """
    if old is not None:
        for kind, name in (("flag", "flag"), ("note", "note"), ("mark", "marks")):
            if replace(old, **{name: getattr(new, name)}) == new:
                return kind
    if new.status != "judged":
        return new.status
    return "judge" if old is None or old.status == "later" else "revise"


def answer_data(answer: AssessorAnswer, round: int) -> dict[str, Any]:
    """An answer as the JSON of an event."""
    return {**asdict(answer), "marks": [list(mark) for mark in answer.marks], "round": round}
