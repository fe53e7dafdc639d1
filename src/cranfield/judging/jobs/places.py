"""Where each assessor is: orders of documents and what was found to be done, kept in memory while a lab is served.

Everything here can be forgotten at any time and is found again from the store.
"""

from collections import defaultdict
from collections.abc import Sequence

from cranfield.judging.queue.order import Marks, marks_of, shuffled_marks
from cranfield.judging.records import QueueState
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.items import topic_name
from cranfield.judging.store.meta import get_meta
from cranfield.judging.store.queues import pairs_of_topic, served_queues


class Places:
    """Orders, cursors and finished topics; only the writer's thread uses it."""

    def __init__(self) -> None:
        self._queues: list[QueueState] | None = None
        self._pairs: dict[tuple[int, int, bool], tuple[Sequence[str], Marks]] = {}
        self._orders: dict[tuple[int, str, int, bool], list[str]] = {}
        self.cursor: dict[tuple[int, str, int], int] = {}
        self.topic: dict[tuple[int, str], int] = {}
        self.finished: defaultdict[tuple[int, str], set[int]] = defaultdict(set)

    def forget(self) -> None:
        """Forget everything: pairs were added, or an assessor began to count."""
        self._queues = None
        for kept in (self._pairs, self._orders, self.cursor, self.topic, self.finished):
            kept.clear()

    def reopen(self, topic: int) -> None:
        """A pair of the topic may need judgments again."""
        for topics in self.finished.values():
            topics.discard(topic)

    def queues(self, connection: Connection) -> list[QueueState]:
        """The queues that are served."""
        if self._queues is None:
            self._queues = served_queues(connection)
        return self._queues

    def order(
        self, connection: Connection, state: QueueState, assessor: str, topic: int, *, gold: bool = False
    ) -> list[str]:
        """The items of a topic, or those of gold, in the order in which the assessor gets them."""
        key = (state.id, assessor, topic, gold)
        if key not in self._orders:
            items, marks = self._pairs_of(connection, state.id, topic, gold)
            if get_meta(connection, "order", "random") == "random":
                name = topic_name(connection, topic)
                items = [items[place] for place in shuffled_marks(marks, state.queue.seed, assessor, name)]
            self._orders[key] = list(items)
        return self._orders[key]

    def _pairs_of(self, connection: Connection, queue: int, topic: int, gold: bool) -> tuple[Sequence[str], Marks]:
        """The items of a topic and the marks of their documents, which the orders of all assessors share."""
        if (queue, topic, gold) not in self._pairs:
            pairs = pairs_of_topic(connection, queue, topic, gold=gold)
            self._pairs[queue, topic, gold] = [item for item, _ in pairs], marks_of([name for _, name in pairs])
        return self._pairs[queue, topic, gold]
