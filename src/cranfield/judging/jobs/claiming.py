"""Find the next pair for an assessor, and hold it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Protocol

from cranfield.judging.jobs.leasing import claim, end_leases, prolonged, release
from cranfield.judging.jobs.places import Places
from cranfield.judging.jobs.showing import shown_work, work_of
from cranfield.judging.queue.order import shuffled
from cranfield.judging.queue.serving import GoldWindow, Waiting, rotated, standing
from cranfield.judging.records import Lease, NoWork, QueueState, Work
from cranfield.judging.refusals import UnknownItem
from cranfield.judging.store.candidates import (
    RepeatDue,
    candidates,
    gold_had,
    pairs_had,
    put_off,
    repeats_due,
)
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.items import item_text
from cranfield.judging.store.judgments import rounds_of, still_wanted
from cranfield.judging.store.leases import lease_of, own_leases
from cranfield.judging.store.queues import open_topics, queues_of

FIRST, MOST = 4, 64  # pairs looked at with one statement: few at first, more if none is free


class Supplier(Protocol):
    """What says which items of a decide queue are served."""

    def items(self, assessor: str) -> Iterable[str]:
        """The items to try for an assessor, in this order."""

    def wants(self, item: str) -> bool:
        """Whether a judgment of the item still helps."""


@dataclass
class Claiming:
    """One search for the next pair of an assessor; it runs inside a transaction."""

    connection: Connection
    places: Places
    suppliers: Mapping[int, Supplier]
    assessor: str
    now: int
    waiting: Waiting = field(default_factory=Waiting)
    _unfinished: bool = False  # whether a pair was seen that may become free

    def next(self, after: str | None, queue: int | None) -> Lease | NoWork:
        """The next pair that is held already, else a new one; NoWork names the pairs that others hold."""
        end_leases(self.connection, self.now)
        own = [lease for lease in own_leases(self.connection, self.assessor) if self._is_wanted(lease)]
        behind = _behind(own, after)
        if behind:
            return prolonged(self.connection, behind[0], self.now)
        found = self.new(after, queue)
        if found is not None:
            return found
        if others := [lease for lease in own if lease.item != after] or own:
            return prolonged(self.connection, others[0], self.now)
        return NoWork(self.waiting.held == 0, self.waiting.held, self.waiting.first_free_ms)

    def ahead(self, item: str, count: int) -> tuple[str, ...]:
        """The items that come after one, all of them held."""
        end_leases(self.connection, self.now)
        found = [lease.item for lease in _behind(own_leases(self.connection, self.assessor), item)][:count]
        while len(found) < count and (lease := self.new(item, None)) is not None:
            found.append(lease.item)
        return tuple(found)

    def one(self, item: str, round: int | None = None) -> Work:
        """One pair by its id: what the assessor holds or has judged, or what is free; it is held from now on."""
        end_leases(self.connection, self.now)
        lease = lease_of(self.connection, item, self.assessor)
        if lease is not None and round in (None, lease.round):
            return work_of(self.connection, prolonged(self.connection, lease, self.now))
        rounds = rounds_of(self.connection, item, self.assessor)
        if rounds and round in (None, *rounds):
            return shown_work(self.connection, item, self.assessor, max(rounds) if round is None else round, None)
        for each in queues_of(self.connection, item):
            if not each.closed and each.kind != "repeat":
                found = candidates(self.connection, self.assessor, each.queue, [item])
                if any(standing(replace(pair, needed=each.looks_needed)) == "free" for pair in found):
                    return work_of(self.connection, claim(self.connection, self.assessor, item, self.now))
        raise UnknownItem.named("item", item)

    def new(self, after: str | None, queue: int | None) -> Lease | None:
        """A pair that the assessor did not hold yet, if there is one."""
        self.waiting = Waiting()
        queues = [state for state in self.places.queues(self.connection) if queue in (None, state.id)]
        ordinary = [state for state in queues if state.queue.kind != "repeat"]
        if (again := self._mixed_in(queues, after)) is not None:
            return again
        for state in sorted(ordinary, key=lambda state: state.queue.kind != "decide"):
            if (item := self._in_queue(state, after)) is not None:
                return claim(self.connection, self.assessor, item, self.now)
        if (item := self._put_off({state.id for state in ordinary}, after)) is not None:
            return claim(self.connection, self.assessor, item, self.now)
        for state in queues:
            if state.queue.kind == "repeat" and (again := self._at_the_end(state)) is not None:
                return again
        return None

    def _is_wanted(self, lease: Lease) -> bool:
        """Whether a pair that is held still needs a judgment; if other ones arrived meanwhile, it is given back."""
        if lease.round > 0 or (still_wanted(self.connection, lease.item) and self._supplied(lease.item)):
            return True
        return not release(self.connection, "room", lease.item, self.assessor, self.now)

    def _in_queue(self, state: QueueState, after: str | None) -> str | None:
        if state.id in self.suppliers:
            return self._first_free(state.id, self.suppliers[state.id].items(self.assessor))
        key = (state.id, self.assessor)
        text = None if after is None else item_text(self.connection, after)
        first = self.places.topic.get(key) if text is None else text.topic_place
        gold_due = self._gold_is_due(state)
        for topic in rotated(self._topics(state), first):
            if (item := self._in_topic(state, topic, gold_due)) is not None:
                self.places.topic[key] = topic
                return item
        return None

    def _gold_is_due(self, state: QueueState) -> bool:
        """Whether the next pair should be one whose grade is known; what the assessor missed does not come later."""
        if not state.queue.gold_rate:
            return False
        had = pairs_had(self.connection, self.assessor)
        window = GoldWindow.of(had, state.queue.gold_rate, state.queue.seed, self.assessor)
        return window.reached and not gold_had(self.connection, self.assessor, window.done)

    def _topics(self, state: QueueState) -> list[int]:
        finished = self.places.finished[state.id, self.assessor]
        return [topic for topic in open_topics(self.connection, state.id) if topic not in finished]

    def _in_topic(self, state: QueueState, topic: int, gold_due: bool) -> str | None:
        """The next free item of a topic: gold if it is due, else the first one after the place of the assessor."""
        key = (state.id, self.assessor, topic)
        if gold_due:
            gold = self.places.order(self.connection, state, self.assessor, topic, gold=True)
            if (item := self._first_free(state.id, gold)) is not None:
                return item
        order = self.places.order(self.connection, state, self.assessor, topic)
        start = self.places.cursor.get(key, 0) % max(len(order), 1)
        self._unfinished = False
        item = self._first_free(state.id, [*order[start:], *order[:start]])
        if item is not None:
            self.places.cursor[key] = order.index(item) + 1
        elif not self._unfinished:
            self.places.finished[state.id, self.assessor].add(topic)
        return item

    def _first_free(self, queue: int, items: Iterable[str]) -> str | None:
        """The first free one of some items; what others hold is noted on the way."""
        left, size = iter(items), FIRST
        while some := list(islice(left, size)):
            size = min(2 * size, MOST)
            found = candidates(self.connection, self.assessor, queue, some)
            for pair in found:
                if standing(pair) == "free":
                    return pair.item
            self.waiting = self.waiting.with_pairs(found)
            self._unfinished |= any(standing(pair) in ("held", "own") for pair in found)
        return None

    def _supplied(self, item: str) -> bool:
        """Whether an open queue has the pair that is no decide queue, or one that it helps to decide."""
        queues = [each.queue for each in queues_of(self.connection, item) if not each.closed]
        return any(queue not in self.suppliers or self.suppliers[queue].wants(item) for queue in queues)

    def _put_off(self, queues: set[int], after: str | None) -> str | None:
        """The item put off longest that still needs a judgment; the one just left comes last."""
        later = [pair for pair in put_off(self.connection, self.assessor) if pair[1] in queues]
        for item, queue in sorted(later, key=lambda pair: pair[0] == after):
            if any(standing(pair) == "later" for pair in candidates(self.connection, self.assessor, queue, [item])):
                return item
        return None

    def _mixed_in(self, queues: Sequence[QueueState], after: str | None) -> Lease | None:
        """A pair of the topic being judged to judge once more, once enough others came after it."""
        text = None if after is None else item_text(self.connection, after)
        for state in queues:
            if text is not None and state.queue.kind == "repeat":
                distance = int(state.queue.pool.get("distance", 0))
                near = [due for due in self._due(state) if due.topic == text.topic_place and due.since >= distance]
                if distance and near:
                    return self._again(state, near)
        return None

    def _at_the_end(self, state: QueueState) -> Lease | None:
        """The next pair to judge once more after all other work: topic by topic, in random order."""
        due = self._due(state)
        return (
            self._again(state, [each for each in due if each.topic == min(one.topic for one in due)]) if due else None
        )

    def _due(self, state: QueueState) -> list[RepeatDue]:
        held = {lease.item for lease in own_leases(self.connection, self.assessor)}
        return [due for due in repeats_due(self.connection, state.id, self.assessor) if due.item not in held]

    def _again(self, state: QueueState, due: Sequence[RepeatDue]) -> Lease:
        names = [each.document for each in due]
        chosen = due[shuffled(names, state.queue.seed, self.assessor, "repeat")[0]]
        return claim(self.connection, self.assessor, chosen.item, self.now, round=chosen.round)


def _behind(own: Sequence[Lease], after: str | None) -> list[Lease]:
    """The leases made after that of an item; all, if the item is not held."""
    places = [lease.item for lease in own]
    return list(own[places.index(after) + 1 :]) if after in places else list(own)
