"""Hold pairs for assessors, and take them back when their time is over."""

from dataclasses import replace

from cranfield.judging.records import Lease
from cranfield.judging.store.events import Event, append
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.leases import drop_lease, ended_leases, hold, lease_of

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
