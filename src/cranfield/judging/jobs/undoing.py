"""Take back the last own judgment, as often as there is one."""

from cranfield.judging.jobs.leasing import claim, end_leases
from cranfield.judging.jobs.saving import has_room, record, repeated_answer
from cranfield.judging.records import SavedJudgment
from cranfield.judging.store.events import Event, event_of_client, last_to_undo
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.guidelines import guideline_hash
from cranfield.judging.store.queues import queues_of


def undo(connection: Connection, user: str, client_id: str, now: int) -> SavedJudgment | None:
    """Restore what was before the last own judgment that stands; None, if nothing is left to undo.

    A pair that is unjudged again is held for the assessor. One that the assessor put off, and others took meanwhile,
    is not restored: it would have more judgments than it needs.
    """
    if (repeated := event_of_client(connection, user, client_id)) is not None:
        return repeated_answer(repeated)
    last = last_to_undo(connection, user)
    if last is None or last.new is None:
        return None
    end_leases(connection, now)
    round_ = int(last.new["round"])
    restored = last.old or {"status": None, "round": round_}
    if round_ == 0 and last.kind == "later" and not _can_return(connection, user, str(last.item)):
        restored = {"status": None, "round": round_}
    event = Event(
        kind="undo",
        actor=user,
        role="assessor",
        at_ms=now,
        item=last.item,
        old={**last.new, "event": last.id},
        new=restored,
        client_id=client_id,
        guideline=guideline_hash(connection),
    )
    number = record(connection, event)
    if restored["status"] is None and (round_ > 0 or _can_return(connection, user, str(last.item))):
        claim(connection, user, str(last.item), now, round=round_)
    version = None if restored["status"] is None else number
    return SavedJudgment(number, now, version, str(last.item), round_)


def _can_return(connection: Connection, user: str, item: str) -> bool:
    """Whether a pair that the assessor had given up still needs their judgment."""
    return has_room(connection, item, user, [each for each in queues_of(connection, item) if each.kind != "repeat"])
