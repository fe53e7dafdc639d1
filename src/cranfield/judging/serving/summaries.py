"""What owners see of a lab as a whole: how far it is by topic, queue and person."""

from dataclasses import dataclass

from cranfield.judging.records import Lease, Person, QueueState


@dataclass(frozen=True)
class TopicStatus:
    """How far a topic is, in all queues together."""

    topic: str
    title: str
    pairs: int
    open: int


@dataclass(frozen=True)
class PersonStatus:
    """What an assessor has done; gold are pairs whose grade is known."""

    person: Person
    judged: int
    cannot: int
    later: int
    repeated: int
    flagged: int
    median_ms: float | None  # of active time for a judgment
    gold_seen: int
    gold_right: int
    last_ms: int | None


@dataclass(frozen=True)
class LabStatus:
    """A lab as a whole; the minutes left are those of the pace of the last ten minutes."""

    name: str
    pairs: int
    open: int
    agreed: int
    disputed: int
    settled: int
    wanted: int  # judgments that open pairs still need
    per_minute: float
    minutes_left: float | None
    topics: tuple[TopicStatus, ...]
    queues: tuple[QueueState, ...]
    people: tuple[PersonStatus, ...]
    leases: tuple[Lease, ...]


@dataclass(frozen=True)
class DisputeLine:
    """A pair whose assessors disagree, as listed; `own`: the person who sees the list judged it."""

    item: str
    topic: str
    title: str
    document_id: str
    document_title: str
    lowest: int | None
    highest: int | None
    judged: int
    cannot: int
    own: bool
