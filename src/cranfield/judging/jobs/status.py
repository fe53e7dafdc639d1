"""How far a lab is: pairs, judgments still needed, pace and time left."""

from cranfield.judging.serving.summaries import LabStatus
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.leases import leases_after
from cranfield.judging.store.meta import get_meta
from cranfield.judging.store.overview import (
    judgments_since,
    judgments_wanted,
    person_statuses,
    state_counts,
    topic_statuses,
)
from cranfield.judging.store.queues import queue_states

PACE_MINUTES = 10


def status_of(connection: Connection, now: int) -> LabStatus:
    """How far the lab is by topic, queue and person."""
    states = state_counts(connection)
    wanted = judgments_wanted(connection)
    pace = judgments_since(connection, now - PACE_MINUTES * 60_000) / PACE_MINUTES
    return LabStatus(
        name=get_meta(connection, "name"),
        pairs=sum(states.values()),
        open=states.get("open", 0),
        agreed=states.get("agreed", 0),
        disputed=states.get("disputed", 0),
        settled=states.get("settled", 0),
        wanted=wanted,
        per_minute=pace,
        minutes_left=wanted / pace if pace else None,
        topics=topic_statuses(connection),
        queues=tuple(queue_states(connection)),
        people=person_statuses(connection),
        leases=tuple(leases_after(connection, now)),
    )
