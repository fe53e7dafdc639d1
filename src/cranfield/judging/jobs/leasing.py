"""Hold pairs for assessors, and take them back when their time is over."""

from dataclasses import replace

from cranfield.judging.records import Lease
from cranfield.judging.refusals import AnswerRefused, UnknownItem
from cranfield.judging.store.events import Event, append
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.judgments import judgment_of
from cranfield.judging.store.leases import drop_lease, ended_leases, hold, lease_of
from cranfield.judging.store.people import person

LEASE_MS = 10 * 60_000


def end_leases(connection: Connection, now: int) -> int:
    """Take back the pairs whose time is over; how many."""
    ended = ended_leases(connection, now)
    for lease in ended:
        drop_lease(connection, lease.item, lease.assessor)
        old = {"assessor": lease.assessor, "round": lease.round, "until_ms": lease.until_ms}
        append(connection, Event("expire", "room", "room", now, lease.item, old=old))
    return len(ended)


def claim(connection: Connection, assessor: str, item: str, now: int, *, round: int = 0) -> Lease:
    """Hold a pair for an assessor."""
    until = now + LEASE_MS
    new = {"round": round, "until_ms": until}
    event = append(connection, Event("claim", assessor, "assessor", now, item, new=new))
    lease = Lease(item, assessor, round, now, until, event)
    hold(connection, lease)
    return lease


def renew(connection: Connection, assessor: str, item: str, now: int) -> Lease | None:
    """Hold a pair for ten minutes from now; None, if the assessor does not hold it any more."""
    end_leases(connection, now)
    lease = lease_of(connection, item, assessor)
    if lease is None:
        return None
    longer = prolonged(connection, lease, now)
    append(connection, Event("renew", assessor, "assessor", now, item, new={"until_ms": longer.until_ms}))
    return longer


def prolonged(connection: Connection, lease: Lease, now: int) -> Lease:
    """The same lease, until ten minutes from now."""
    longer = replace(lease, until_ms=now + LEASE_MS)
    hold(connection, longer)
    return longer


def release(connection: Connection, owner: str, item: str, assessor: str, now: int) -> bool:
    """Take a pair back before its time; whether it was held."""
    held = drop_lease(connection, item, assessor)
    if held:
        append(connection, Event("release", owner, "owner", now, item, old={"assessor": assessor}))
    return held


def reassign(connection: Connection, owner: str, item: str, assessor: str, to: str, now: int) -> Lease:
    """Take a pair from one assessor and hold it for another, who gets it next."""
    end_leases(connection, now)
    lease, other = lease_of(connection, item, assessor), person(connection, to)
    if lease is None:
        raise UnknownItem.named("item", item)
    if other is None or other.disabled or "assessor" not in other.roles:
        raise AnswerRefused.because(f"{to!r} is no assessor who may judge", "choose one who may")
    taken = judgment_of(connection, item, to) is not None or lease_of(connection, item, to) is not None
    if lease.round > 0 or taken:
        why = (
            "only the same assessor judges a pair again" if lease.round else f"{to!r} judged or holds this pair already"
        )
        raise AnswerRefused.because(why, "choose another assessor")
    drop_lease(connection, item, assessor)
    data = {"assessor": assessor}, {"assessor": to}
    append(connection, Event("release", owner, "owner", now, item, old=data[0], new=data[1]))
    return claim(connection, to, item, now)
