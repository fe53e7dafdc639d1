"""Mix pairs whose grade is known into a queue: they show how far assessors agree with it, and make no grade."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cranfield.errors import PolicyError, StoreError
from cranfield.errors.names import place
from cranfield.errors.wording import setting
from cranfield.judging.jobs.filling import fill_queue
from cranfield.judging.records import DocumentRow, PairRow, QueueState
from cranfield.judging.store.events import Event, append
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.items import gold_grades, topic_places
from cranfield.judging.store.meta import grade_labels
from cranfield.judging.store.outside.requests import items_by_pair
from cranfield.judging.store.queues import open_topics, queue_states, queues_of, set_gold_rate
from cranfield.tables.words import counted

HIGHEST_RATE = 0.5


@dataclass(frozen=True)
class MixedGold:
    """What became of pairs whose grade is known.

    Attributes:
        queue: the name of the queue that they are mixed into.
        rate: the share of the pairs that an assessor gets there.
        added: pairs that were no gold before.
        changed: pairs with another known grade than before.
        unchanged: pairs that were gold already, with the same grade.
        wanted: pairs that a queue wants judged for their own sake, which were left out.
        elsewhere: pairs of topics that have nothing to judge in the queue, which were left out.
        gold: how many pairs of the queue are gold now.
    """

    queue: str
    rate: float
    added: int
    changed: int
    unchanged: int
    wanted: int
    elsewhere: int
    gold: int

    @property
    def exit(self) -> int:
        """The exit code of a command: 5, if some pairs were left out."""
        return 5 if self.wanted or self.elsewhere else 0

    def line(self) -> str:
        """One line that says so."""
        parts = [f"{self.added:,} added"] if self.added or not self.gold else []
        parts += [f"{self.changed:,} changed"] if self.changed else []
        parts += [f"{self.unchanged:,} were there already"] if self.unchanged else []
        parts += [f"{self.wanted:,} that are to be judged anyway (left out)"] if self.wanted else []
        parts += [f"{self.elsewhere:,} of topics without pairs to judge (left out)"] if self.elsewhere else []
        share = f"{100 * self.rate:.3g}% of the pairs that an assessor gets" if self.rate else "none is served"
        what = counted(self.gold, "pair")
        return f"queue {self.queue!r}: {what} with a known grade, {share}{': ' if parts else ''}{' · '.join(parts)}"


def mix_in_gold(
    connection: Connection,
    rows: Iterable[tuple[str, str, int]],
    documents: Sequence[DocumentRow],
    now: int,
    *,
    rate: float,
    queue: str | None = None,
    by: str = "owner",
) -> MixedGold:
    """Mix pairs of topic, document and known grade into a queue; nothing is stored if the lab lacks a grade."""
    if not 0 <= rate <= HIGHEST_RATE:
        hint = f"a share of the pairs from 0 to {HIGHEST_RATE:g}, such as 0.1"
        raise PolicyError("E242", f"{setting('rate', f'{rate:g}')} is no rate of gold", hint=hint)
    state = _chosen(connection, queue)
    labels, numbers = grade_labels(connection), topic_places(connection)
    served, items, known = set(open_topics(connection, state.id)), items_by_pair(connection), gold_grades(connection)
    kept: list[PairRow] = []
    tally = dict.fromkeys(("added", "changed", "unchanged", "wanted", "elsewhere"), 0)
    for topic, document, grade in rows:
        if grade not in labels:
            hint = f"its grades are {', '.join(map(str, labels))}"
            raise StoreError("E410", f"the lab has no grade {grade} ({topic}, {document})", hint=hint)
        fate = _fate(connection, items.get((topic, document)), grade, known, here=numbers.get(topic) in served)
        tally[fate] += 1
        if fate not in ("wanted", "elsewhere"):
            kept.append(PairRow(topic, document, probability=None, grade=grade))
    named = {row.document for row in kept}
    texts = [row for row in documents if row.document in named]
    filled = fill_queue(connection, state.queue, kept, documents=texts, number=state.id)
    set_gold_rate(connection, state.id, rate)
    old = {"gold_rate": state.queue.gold_rate}
    new = {"queue": state.id, "name": state.queue.name, "gold": filled.gold, "gold_rate": rate}
    append(connection, Event("queue", by, "owner", now, old=old, new=new))
    total = next(each.gold for each in queue_states(connection) if each.id == state.id)
    return MixedGold(state.queue.name, rate, gold=total, **tally)


def _chosen(connection: Connection, name: str | None) -> QueueState:
    """The queue of a name, or the oldest one that is served; what decides runs or repeats pairs has no gold."""
    states = [state for state in queue_states(connection) if state.queue.kind in ("pool", "list")]
    if name is not None:
        return states[place(name, [state.queue.name for state in states], "queue")]
    found = next((state for state in states if not state.closed), None)
    if found is None:
        hint = "'cranfield judge add' makes one of pairs to judge"
        raise StoreError("E408", "no queue is served that gold could be mixed into", hint=hint)
    return found


def _fate(connection: Connection, item: str | None, grade: int, known: dict[str, int], *, here: bool) -> str:
    if item is not None and any(each.needed and each.kind != "repeat" for each in queues_of(connection, item)):
        return "wanted"
    if not here:
        return "elsewhere"
    if item not in known:
        return "added"
    return "unchanged" if known[item] == grade else "changed"
