"""Settle pairs whose assessors disagree: the decision is an event of its own, and their judgments stay."""

from cranfield.judging.jobs.saving import record
from cranfield.judging.records import AssessorAnswer, Conflict, Dispute, Judgment, SavedJudgment
from cranfield.judging.refusals import AnswerRefused, UnknownItem
from cranfield.judging.store.events import Event, event_of_client, last_of_item
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.guidelines import guideline_hash
from cranfield.judging.store.items import item_text
from cranfield.judging.store.judgments import judgments_of_item, progress_of
from cranfield.judging.store.meta import get_meta, grade_labels

MAY_SETTLE_OWN = "adjudicate_own"  # the fact about a lab that an owner sets


def dispute_of(connection: Connection, item: str) -> Dispute:
    """A pair in dispute, or one that was settled, with everything its assessors said."""
    text = item_text(connection, item)
    progress = progress_of(connection, item)
    if text is None or progress is None or progress[0] not in ("disputed", "settled"):
        raise UnknownItem.named("item", item)
    last = last_of_item(connection, item, "adjudicate")
    return Dispute(
        item=item,
        topic=text.topic,
        title=text.title,
        description=text.description,
        narrative=text.narrative,
        document_id=text.document_id,
        document_title=text.document_title,
        judgments=tuple(judgment for judgment in judgments_of_item(connection, item) if judgment.round == 0),
        settled_grade=progress[1],
        settled_by=None if last is None or progress[1] is None else last.actor,
        version=None if last is None else last.id,
    )


def adjudicate(
    connection: Connection, user: str, item: str, grade: int | None, client_id: str, version: int | None, now: int
) -> SavedJudgment | Conflict:
    """Settle a pair with a grade, or leave it open (None); an older `version` than the last decision conflicts."""
    if (repeated := event_of_client(connection, user, client_id)) is not None:
        return SavedJudgment(repeated.id, repeated.at_ms, repeated.id, str(repeated.item))
    dispute = dispute_of(connection, item)
    if grade is not None and grade not in grade_labels(connection):
        raise AnswerRefused.because(f"the lab has no grade {grade}")
    if get_meta(connection, MAY_SETTLE_OWN) != "1" and any(own.assessor == user for own in dispute.judgments):
        raise AnswerRefused.because("you judged this pair yourself", "another adjudicator settles it")
    last = last_of_item(connection, item, "adjudicate")
    if last is not None and last.id != version and dispute.settled_grade != grade:
        theirs = AssessorAnswer("judged", dispute.settled_grade)
        return Conflict(
            AssessorAnswer("judged", grade), Judgment(item, last.actor, 0, theirs, last.id, last.at_ms), last.id
        )
    event = Event(
        kind="adjudicate",
        actor=user,
        role="adjudicator",
        at_ms=now,
        item=item,
        old={"grade": dispute.settled_grade},
        new={"grade": grade},
        client_id=client_id,
        guideline=guideline_hash(connection),
    )
    number = record(connection, event)
    return SavedJudgment(number, now, number, item)
