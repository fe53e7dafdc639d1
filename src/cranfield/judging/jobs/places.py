"""Where each assessor is: orders of documents and what was found to be done, kept in memory while a lab is served.

Everything here can be forgotten at any time and is found again from the store.
"""

from collections import defaultdict

from cranfield.judging.queue.order import shuffled
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.items import topic_name
from cranfield.judging.store.meta import get_meta
from cranfield.judging.store.queues import pairs_of_topic


class Places:
    """Orders, cursors and finished topics; only the writer's thread uses it."""

    def __init__(self) -> None:
        self._orders: dict[tuple[int, str, int], list[str]] = {}
        self.cursor: dict[tuple[int, str, int], int] = {}
        self.topic: dict[tuple[int, str], int] = {}
        self.finished: defaultdict[tuple[int, str], set[int]] = defaultdict(set)

    def forget(self) -> None:
        """Forget everything: pairs were added, or an assessor began to count."""
        self.__init__()  # type: ignore[misc]  # a fresh start

    def reopen(self, topic: int) -> None:
        """A pair of the topic may need judgments again."""
        for topics in self.finished.values():
            topics.discard(topic)

    def order(self, connection: Connection, queue: int, seed: int, assessor: str, topic: int) -> list[str]:
        """The items of a topic in the order in which the assessor gets them."""
        key = (queue, assessor, topic)
        if key not in self._orders:
            pairs = pairs_of_topic(connection, queue, topic)
            items = [item for item, _ in pairs]
            if get_meta(connection, "order", "random") == "random":
                name = topic_name(connection, topic)
                places = shuffled([document for _, document in pairs], seed, assessor, name)
                items = [items[place] for place in places]
            self._orders[key] = items
        return self._orders[key]
