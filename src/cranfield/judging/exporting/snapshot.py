"""A lab as it is at one moment: what exports, agreement and the frames of `cf.Lab` are made from."""

from collections.abc import Mapping
from dataclasses import dataclass

from cranfield.judging.exporting.pairs import ExportedPair
from cranfield.judging.records import Person, QueueState
from cranfield.judging.store.events import Event, chosen_events
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.guidelines import guidelines_in_force
from cranfield.judging.store.meta import grade_labels, read_meta
from cranfield.judging.store.outside.exported import exported_pairs, judging_hash, one_moment
from cranfield.judging.store.people import people
from cranfield.judging.store.queues import queue_states

_REVEALS = 10_000


@dataclass(frozen=True)
class LabSnapshot:
    """All pairs with all judgments, and how they were made."""

    pairs: tuple[ExportedPair, ...]
    people: tuple[Person, ...]
    queues: tuple[QueueState, ...]
    grades: Mapping[int, str]  # grade -> label
    facts: Mapping[str, str]  # name, order, seed …
    guideline: str  # hash of the guidelines in force
    reveals: tuple[Event, ...]  # by owners, of what a decide queue shows
    hash: str  # of all events that an export depends on

    @classmethod
    def of(cls, connection: Connection) -> "LabSnapshot":
        """The lab as it is now."""
        with one_moment(connection):
            return cls(
                pairs=tuple(exported_pairs(connection)),
                people=tuple(people(connection)),
                queues=tuple(queue_states(connection)),
                grades=grade_labels(connection),
                facts=read_meta(connection),
                guideline=guidelines_in_force(connection).hash,
                reveals=tuple(reversed(chosen_events(connection, kind="reveal", limit=_REVEALS))),
                hash=judging_hash(connection),
            )

    @property
    def chosen_by(self) -> tuple[str, ...]:
        """How pairs were chosen by looking at judgments; nothing, if none was."""
        unknown = (pair for pair in self.pairs if pair.probability is None and not pair.gold)
        return tuple(dict.fromkeys(pair.stratum or "judgments" for pair in unknown))
