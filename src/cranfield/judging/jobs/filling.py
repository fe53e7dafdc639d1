"""Fill a lab with rows: topics, documents, and pairs in a queue."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cranfield.errors import StoreError
from cranfield.judging.queue.order import drawn
from cranfield.judging.records import DocumentRow, PairRow, QueueRow, TopicRow
from cranfield.judging.store import derived
from cranfield.judging.store.documents import add_documents, document_places
from cranfield.judging.store.events import Event, append
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.items import add_items, add_topics, set_gold, topic_places
from cranfield.judging.store.queues import Member, add_members, add_queue, all_pairs


@dataclass(frozen=True)
class Filled:
    """What was put into a lab: `skipped` pairs were in the queue already, `overlapping` get one assessor more."""

    queue: int
    pairs: int
    skipped: int
    overlapping: int
    gold: Mapping[str, int] = field(default_factory=dict)  # items whose grade is known, which are none of the pairs


def fill_queue(
    connection: Connection,
    queue: QueueRow,
    pairs: Iterable[PairRow],
    topics: Iterable[TopicRow] = (),
    documents: Iterable[DocumentRow] = (),
    *,
    number: int | None = None,
) -> Filled:
    """Put pairs into a new queue, or into the one of a number; topics and documents that are new come along."""
    add_topics(connection, topics)
    add_documents(connection, documents)
    rows = list(dict.fromkeys(pairs))
    items = _items(connection, rows)
    queue_id = add_queue(connection, queue) if number is None else number
    twice = _overlapping(rows, queue)
    members = [
        Member(item, topic, _needed(row, queue, place in twice), row.stratum, row.probability)
        for place, (row, (item, topic)) in enumerate(zip(rows, items, strict=True))
    ]
    gold = {item: row.grade for row, (item, _) in zip(rows, items, strict=True) if row.grade is not None}
    added = add_members(connection, queue_id, [each for each in members if each.item not in gold])
    add_members(connection, queue_id, [each for each in members if each.item in gold])
    set_gold(connection, gold)
    derived.recount(connection, [member.item for member in members])
    return Filled(queue_id, added, len(rows) - len(gold) - added, len(twice), gold)


def repeat_queue(share: float, *, seed: int = 0, rounds: int = 1, name: str = "repeat", distance: int = 0) -> QueueRow:
    """The row of a queue of repeats; `distance` is how many judgments lie between a pair and its repetition."""
    return QueueRow(name, kind="repeat", k=rounds, overlap=share, seed=seed, pool={"distance": distance})


def fill_repeats(connection: Connection, queue: QueueRow) -> Filled:
    """A queue of pairs that each assessor who judged them judges again: a share `overlap` of all, drawn by seed.

    The judgments are marked with their round, 1 to `k`, and count for no other queue.
    """
    pairs = all_pairs(connection)
    names = [f"{topic}\0{document}" for _, _, topic, document in pairs]
    chosen = sorted(drawn(names, queue.overlap, queue.seed, "repeat"))
    number = add_queue(connection, queue)
    added = add_members(connection, number, [Member(*pairs[place][:2], queue.k) for place in chosen])
    derived.recount(connection, ())
    return Filled(number, added, 0, 0)


def note_queue(connection: Connection, owner: str, queue: QueueRow, filled: Filled, now: int) -> Filled:
    """Note as an event what was put into a queue."""
    new = {"queue": filled.queue, "name": queue.name, "kind": queue.kind, "added": filled.pairs}
    new |= {
        "skipped": filled.skipped,
        "overlapping": filled.overlapping,
        "seed": queue.seed,
        "k": queue.k,
        "overlap": queue.overlap,
    }
    if filled.gold:
        new |= {"gold": filled.gold, "gold_rate": queue.gold_rate}
    append(connection, Event("queue", owner, "owner", now, new=new))
    return filled


def _items(connection: Connection, rows: Sequence[PairRow]) -> list[tuple[str, int]]:
    """The item and the topic number of each pair; a document without a text has a row that says so."""
    topics, documents = topic_places(connection), document_places(connection)
    missing = dict.fromkeys(row.document for row in rows if row.document not in documents)
    if missing:
        add_documents(connection, map(DocumentRow, missing))
        documents = document_places(connection)
    if unknown := [row.topic for row in rows if row.topic not in topics]:
        raise StoreError("E408", f"there is no topic {unknown[0]!r}", hint="give all topics that the pairs name")
    places = [(topics[row.topic], documents[row.document]) for row in rows]
    items, _ = add_items(connection, places)
    return [(item, topic) for item, (topic, _) in zip(items, places, strict=True)]


def _overlapping(rows: Sequence[PairRow], queue: QueueRow) -> set[int]:
    """The places of the pairs that one assessor more judges."""
    places = [place for place, row in enumerate(rows) if row.grade is None]
    names = [f"{rows[place].topic}\0{rows[place].document}" for place in places]
    return {places[chosen] for chosen in drawn(names, queue.overlap, queue.seed, "overlap")}


def _needed(row: PairRow, queue: QueueRow, overlapping: bool) -> int:
    """How many judgments a pair needs in a queue; gold is judged by all, outside of k."""
    return 0 if row.grade is not None else queue.k + overlapping
