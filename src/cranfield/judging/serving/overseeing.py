"""What owners and adjudicators see and do in a lab that is open."""

from collections.abc import Iterable, Sequence
from typing import Any

from cranfield.judging.jobs.adjudicating import MAY_SETTLE_OWN, adjudicate, dispute_of
from cranfield.judging.jobs.filling import Filled, fill_queue, fill_repeats, note_queue, repeat_queue
from cranfield.judging.jobs.leasing import reassign, release
from cranfield.judging.jobs.people import change_person, new_person
from cranfield.judging.jobs.status import status_of
from cranfield.judging.records import (
    Conflict,
    Dispute,
    DocumentRow,
    Guidelines,
    Lease,
    PairRow,
    Person,
    QueueRow,
    QueueState,
    SavedJudgment,
    TopicRow,
)
from cranfield.judging.refusals import UnknownItem
from cranfield.judging.serving.served import ServedLab
from cranfield.judging.serving.summaries import DisputeLine, LabStatus
from cranfield.judging.store.events import Event, append, chosen_events
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.guidelines import guidelines_in_force, put_guidelines
from cranfield.judging.store.leases import leases_after
from cranfield.judging.store.meta import get_meta, grade_labels, read_meta, set_meta
from cranfield.judging.store.overview import dispute_lines
from cranfield.judging.store.people import people, person, set_settings, settings_of
from cranfield.judging.store.queues import queue_states, set_closed


class Overseeing(ServedLab):
    """The part of a room that is not blind: people, queues, leases, events, disputes."""

    def facts(self) -> dict[str, str]:
        """Facts about the lab by name: name, seed, order …"""
        return read_meta(self.read())

    def grades(self) -> dict[int, str]:
        """The grades and their labels, lowest first."""
        return grade_labels(self.read())

    def guidelines(self) -> Guidelines:
        """The guidelines in force."""
        return guidelines_in_force(self.read())

    def set_guidelines(self, user: str, text: str) -> Guidelines:
        """New guidelines; judgments made from now on name them."""

        def job(connection: Connection) -> Guidelines:
            old = {"hash": guidelines_in_force(connection).hash}
            new = put_guidelines(connection, text)
            append(connection, Event("guideline", user, "owner", self.clock.now(), old=old, new={"hash": new.hash}))
            return new

        return self.write(job)

    # pairs in dispute

    def disputes(self, user: str) -> list[DisputeLine]:
        """The pairs in dispute; those that the person judged are marked `own`."""
        return dispute_lines(self.read(), user)

    def dispute(self, user: str, item: str) -> Dispute:
        """A pair in dispute, with all grades, notes and marks."""
        return dispute_of(self.read(), item)

    def adjudicate(
        self, user: str, item: str, grade: int | None, client_id: str, version: int | None = None
    ) -> SavedJudgment | Conflict:
        """Settle a pair, or leave it open (None). `version` is that of the dispute on the page."""
        return self.write(
            lambda connection: adjudicate(connection, user, item, grade, client_id, version, self.clock.now())
        )

    def may_settle_own(self, user: str, allowed: bool) -> None:
        """Whether adjudicators may settle pairs that they judged."""

        def job(connection: Connection) -> None:
            new = {"what": MAY_SETTLE_OWN, "allowed": allowed}
            old = {"allowed": get_meta(connection, MAY_SETTLE_OWN) == "1"}
            set_meta(connection, MAY_SETTLE_OWN, str(int(allowed)))
            append(connection, Event("queue", user, "owner", self.clock.now(), old=old, new=new))

        self.write(job)

    # people

    def people(self) -> list[Person]:
        """All accounts and other assessors."""
        return people(self.read())

    def person(self, name: str) -> Person:
        """One account."""
        found = person(self.read(), name)
        if found is None:
            raise UnknownItem.named("user", name)
        return found

    def add_user(self, name: str, roles: Sequence[str] = ("assessor",), *, by: str = "owner", **more: Any) -> Person:
        """A new account; `kind` and `password_hash` may be given too."""
        return self.write(lambda connection: new_person(connection, name, roles, by, self.clock.now(), **more))

    def disable(self, owner: str, name: str, disabled: bool = True) -> Person:
        """Shut a person out, or let them in again; their judgments stay, what they hold is given back."""
        return self._change(owner, name, disabled=disabled)

    def set_roles(self, owner: str, name: str, roles: Sequence[str]) -> Person:
        """What a person may do."""
        return self._change(owner, name, roles=tuple(roles))

    def set_counts(self, owner: str, name: str, counts: bool) -> Person:
        """Whether the judgments of an assessor count toward the k of a pair."""
        return self._change(owner, name, counts=counts)

    def _change(self, owner: str, name: str, **what: Any) -> Person:
        return self.write(lambda connection: change_person(connection, owner, name, self.clock.now(), **what))

    def settings(self, user: str) -> dict[str, Any]:
        """What a person chose for the pages."""
        return settings_of(self.read(), user)

    def set_settings(self, user: str, settings: dict[str, Any]) -> None:
        """Keep what a person chose for the pages."""
        self._writer.do(lambda connection: set_settings(connection, user, settings))

    # queues, leases, events

    def queues(self) -> list[QueueState]:
        """All queues and how far they are."""
        return queue_states(self.read())

    def add_pairs(
        self,
        owner: str,
        queue: QueueRow,
        pairs: Iterable[PairRow],
        topics: Iterable[TopicRow] = (),
        documents: Iterable[DocumentRow] = (),
        *,
        number: int | None = None,
    ) -> Filled:
        """More pairs, in a new queue or in the one of a number."""
        rows = (list(pairs), list(topics), list(documents))  # a job may run twice

        def job(connection: Connection) -> Filled:
            return note_queue(
                connection, owner, queue, fill_queue(connection, queue, *rows, number=number), self.clock.now()
            )

        return self.write(job)

    def add_repeats(
        self, owner: str, share: float, *, seed: int = 0, rounds: int = 1, name: str = "repeat", distance: int = 0
    ) -> Filled:
        """A queue in which assessors judge a share of their own pairs again.

        A pair comes again among those of its topic once `distance` other judgments came after it; those that are left,
        and with 0 all of them, come after all other work.
        """
        queue = repeat_queue(share, seed=seed, rounds=rounds, name=name, distance=distance)

        def job(connection: Connection) -> Filled:
            return note_queue(connection, owner, queue, fill_repeats(connection, queue), self.clock.now())

        return self.write(job)

    def close_queue(self, owner: str, queue: int, closed: bool = True) -> None:
        """Stop serving a queue, or serve it again."""

        def job(connection: Connection) -> None:
            set_closed(connection, queue, closed)
            new = {"queue": queue, "closed": closed}
            append(connection, Event("queue", owner, "owner", self.clock.now(), new=new))

        self.write(job)

    def leases(self) -> list[Lease]:
        """Which pairs are held, by whom, since when."""
        return leases_after(self.read(), self.clock.now())

    def release(self, owner: str, item: str, assessor: str) -> bool:
        """Take a pair back from an assessor; whether it was held."""
        return self.write(lambda connection: release(connection, owner, item, assessor, self.clock.now()))

    def reassign(self, owner: str, item: str, assessor: str, to: str) -> Lease:
        """Take a pair from one assessor and hold it for another, who gets it next."""
        return self.write(lambda connection: reassign(connection, owner, item, assessor, to, self.clock.now()))

    def events(
        self,
        *,
        actor: str | None = None,
        item: str | None = None,
        kind: str | None = None,
        before: int | None = None,
        limit: int = 100,
    ) -> list[Event]:
        """The last events of a person, a pair or a kind, newest first; `before` an event, to page on."""
        return chosen_events(self.read(), actor=actor, item=item, kind=kind, before=before, limit=limit)

    def note_export(self, owner: str, told: dict[str, Any]) -> None:
        """Note that an owner took judgments away: rule, counts, and the name of the file."""
        self.note(lambda connection: append(connection, Event("export", owner, "owner", self.clock.now(), new=told)))

    def status(self) -> LabStatus:
        """How far the lab is by topic, queue and person."""
        return status_of(self.read(), self.clock.now())
