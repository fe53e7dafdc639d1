"""Take back the last own judgment, as often as there is one."""

from cranfield.judging.jobs.leasing import claim, end_leases
from cranfield.judging.jobs.saving import record, repeated_answer
from cranfield.judging.records import SavedJudgment
from cranfield.judging.store.events import Event, event_of_client, last_to_undo
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.guidelines import guidelines_in_force


def undo(connection: Connection, user: str, client_id: str, now: int) -> SavedJudgment | None:
    """Restore what was before the last own judgment that stands; None, if nothing is left to undo.

    A pair that is unjudged again is held for the assessor.
    """
    if (repeated := event_of_client(connection, user, client_id)) is not None:
        return repeated_answer(repeated)
    last = last_to_undo(connection, user)
    if last is None or last.new is None:
        return None
    end_leases(connection, now)
    round_ = int(last.new["round"])
    restored = last.old or {"status": None, "round": round_}
    event = Event(
        kind="undo",
        actor=user,
        role="assessor",
        at_ms=now,
        item=last.item,
        old={**last.new, "event": last.id},
        new=restored,
        client_id=client_id,
        guideline=guidelines_in_force(connection).hash,
    )
    number = record(connection, event)
    if restored["status"] is None:
        claim(connection, user, str(last.item), now, round=round_)
        return SavedJudgment(number, now, None, str(last.item), round_)
    return SavedJudgment(number, now, number, str(last.item), round_)
