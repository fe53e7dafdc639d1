"""Save the judgment of an assessor: once for each request, never more than a pair needs, never over a newer one."""

from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.judging.jobs.leasing import end_leases
from cranfield.judging.queue.answers import answer_data, checked_answer, event_kind
from cranfield.judging.records import AssessorAnswer, Conflict, Judgment, SavedJudgment
from cranfield.judging.refusals import AnswerRefused, PairTaken, UnknownItem
from cranfield.judging.store import derived
from cranfield.judging.store.events import Data, Event, append, event_of_client, was_given
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.guidelines import guideline_hash
from cranfield.judging.store.judgments import given_to, judgment_of
from cranfield.judging.store.leases import drop_lease, held_by_others
from cranfield.judging.store.meta import grade_labels
from cranfield.judging.store.people import person
from cranfield.judging.store.queues import PairInQueue, queues_of


@dataclass(frozen=True)
class Circumstances:
    """How a judgment was made: the id of the request, the version it changes, key or pointer, and how long it took."""

    client_id: str
    version: int | None = None
    method: str | None = None
    ms_active: int | None = None
    ms_away: int | None = None
    round: int = 0


def save(
    connection: Connection, user: str, item: str, answer: AssessorAnswer, how: Circumstances, now: int
) -> SavedJudgment | Conflict:
    """Store an answer as an event, unless it is there already or the judgment has changed since."""
    if (repeated := event_of_client(connection, user, how.client_id)) is not None:
        return repeated_answer(repeated, item)
    checked_answer(answer, grade_labels(connection))
    mine = judgment_of(connection, item, user, how.round)
    if mine is not None and mine.answer == answer:
        return SavedJudgment(mine.version, mine.at_ms, mine.version, item, mine.round)
    if mine is not None and mine.version != how.version:
        return Conflict(answer, mine, mine.version)
    end_leases(connection, now)
    _may_judge(connection, user, item, answer, mine, how.round)
    event = Event(
        kind=event_kind(None if mine is None else mine.answer, answer),
        actor=user,
        role="assessor",
        at_ms=now,
        item=item,
        old=None if mine is None else answer_data(mine.answer, how.round),
        new=answer_data(answer, how.round),
        client_id=how.client_id,
        method=how.method,
        ms_active=how.ms_active,
        ms_away=how.ms_away,
        guideline=guideline_hash(connection),
    )
    number = record(connection, event)
    drop_lease(connection, item, user)
    return SavedJudgment(number, now, number, item, how.round)


def record(connection: Connection, event: Event) -> int:
    """Add an event and bring the derived tables in step; its id."""
    number = append(connection, event)
    derived.apply(connection, event, number)
    return number


def repeated_answer(event: Event, item: str | None = None) -> SavedJudgment:
    """The answer to a request that was made before."""
    if item is not None and event.item != item:
        raise AnswerRefused.because("this request id was used for another pair", "use a new id for each judgment")
    data: Data = event.new or {}
    taken_back = data.get("status", "") is None
    version = None if taken_back else event.id
    return SavedJudgment(event.id, event.at_ms, version, str(event.item), int(data.get("round", 0)))


def _may_judge(
    connection: Connection, user: str, item: str, answer: AssessorAnswer, mine: Judgment | None, round: int
) -> None:
    """Refuse a judgment of a pair that is not theirs, or which would be one more than the pair needs."""
    queues = [each for each in queues_of(connection, item) if mine is not None or not each.closed]
    wanting = [each for each in queues if (each.kind == "repeat") == (round > 0)]
    assessor = person(connection, user)
    if not wanting or assessor is None or assessor.disabled:
        raise UnknownItem.named("item", item)
    if round > 0:
        if round > max(each.needed for each in wanting) or judgment_of(connection, item, user, round - 1) is None:
            raise UnknownItem.named("item", item)
        return
    adds = answer.status != "later" and (mine is None or mine.answer.status == "later")
    if adds and assessor.counts and not has_room(connection, item, user, wanting):
        raise PairTaken.by_others()


def has_room(connection: Connection, item: str, user: str, queues: Sequence[PairInQueue]) -> bool:
    """Whether a pair can have one more judgment that counts, with those that others are giving.

    Every assessor whom the room gave a gold pair may judge it. An assessor who knows its id from another one gets the
    same answer as for any other pair (BLD-1).
    """
    is_gold = not any(each.needed for each in queues)
    if is_gold and was_given(connection, user, item):
        return True
    wanted = max((each.looks_needed if is_gold else each.needed for each in queues), default=0)
    return given_to(connection, item) + held_by_others(connection, item, user) < wanted
