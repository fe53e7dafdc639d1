"""The desks of a room: one for each decide queue that is open, made when it is first needed."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from cranfield.judging.deciding.desk import DecideDesk
from cranfield.judging.store.deciding import decide_queues
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.meta import grade_labels
from cranfield.judging.store.queues import queue_states


class Desks:
    """All desks of a room; `read` gives the connection of the thread that asks.

    Desks read what is committed, never what a transaction may still undo.
    """

    def __init__(self, read: Callable[[], Connection]) -> None:
        self._read = read
        self._made: dict[int, DecideDesk] = {}
        self._lock = threading.Lock()

    def prepare(self) -> None:
        """Make the desks of queues that have none, and let all follow the lab.

        That takes time, so the thread of the request does it, not the one that writes.
        """
        connection = self._read()
        missing = [queue for queue in decide_queues(connection) if queue not in self._made]
        if missing:
            with self._lock:
                states = {state.id: state for state in queue_states(connection)}
                for queue in missing:
                    if queue not in self._made:
                        self._made[queue] = DecideDesk(connection, states[queue], list(grade_labels(connection)))
        for desk in list(self._made.values()):
            desk.follow(connection)

    def desk(self, queue: int) -> DecideDesk | None:
        """The desk of a queue, if it is a decide queue."""
        self.prepare()
        return self._made.get(queue)

    def all(self) -> list[DecideDesk]:
        """All desks, in the order of their queues."""
        self.prepare()
        return [self._made[queue] for queue in sorted(self._made)]

    def decided(self) -> list[int]:
        """The queues in which judging may stop."""
        return [desk.queue for desk in self.all() if desk.decided(self._read())]

    def undecided(self) -> list[int]:
        """The decide queues that are still served."""
        served = {state.id for state in queue_states(self._read()) if not state.closed}
        return [desk.queue for desk in self.all() if desk.queue in served and not desk.decided(self._read())]

    def suppliers(self) -> dict[int, "ServedDesk"]:
        """What says which items of each decide queue are served, as far as desks are made."""
        return {queue: ServedDesk(desk, self._read) for queue, desk in self._made.items()}


@dataclass(frozen=True)
class ServedDesk:
    """A desk, asked with the connection of the thread that asks."""

    desk: DecideDesk
    read: Callable[[], Connection]

    def items(self, assessor: str) -> list[str]:
        """The items to try for an assessor, in this order."""
        return self.desk.items(self.read(), assessor)

    def wants(self, item: str) -> bool:
        """Whether a judgment of the item still helps."""
        return self.desk.wants(self.read(), item)
