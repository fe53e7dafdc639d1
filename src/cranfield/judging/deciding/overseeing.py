"""What owners see and do with decide queues in a lab that is open."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cranfield.judging.deciding.asking import depth_of_question, lists_of, run_of
from cranfield.judging.deciding.desks import Desks
from cranfield.judging.deciding.queueing import asked_question, decide_queue
from cranfield.judging.deciding.showing import ShownDecision, shown_decisions
from cranfield.judging.exporting.export import exported_qrels
from cranfield.judging.exporting.snapshot import LabSnapshot
from cranfield.judging.jobs.filling import Filled, fill_queue
from cranfield.judging.records import PairRow, QueueRow
from cranfield.judging.refusals import UnknownItem
from cranfield.judging.serving.overseeing import Overseeing
from cranfield.judging.store.deciding import keep_runs, kept_runs, moot_pairs
from cranfield.judging.store.events import Event, append
from cranfield.judging.store.files.clock import Clock
from cranfield.judging.store.files.connection import Connection
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run


class OverseeingDecisions(Overseeing):
    """The part of a room that makes decide queues, and shows their progress to the people who may see it."""

    def __init__(self, path: Path, clock: Clock) -> None:
        super().__init__(path, clock)
        self.desks: Desks = Desks(self.read)  # of decide queues

    def decisions(self, user: str) -> list[ShownDecision]:
        """What a person may see of the decide queues, newest first."""
        return shown_decisions(self.read(), self.desks, self.person(user))

    def decision(self, user: str, queue: int) -> ShownDecision:
        """The same of one queue."""
        found = next((each for each in self.decisions(user) if each.queue == queue), None)
        if found is None:
            raise UnknownItem.named("queue", str(queue))
        return found

    def reveal(self, user: str, queue: int) -> None:
        """An owner who judges in a queue looks at what it decides: an event, which exports name."""
        self.decision(user, queue)
        new = {"queue": queue, "what": "decision"}
        self.write(lambda connection: append(connection, Event("reveal", user, "owner", self.clock.now(), new=new)))

    def open_to(self, user: str) -> bool:
        """Whether a person who judges may still get pairs: pages about systems are not for them meanwhile (BLD-1)."""
        if "assessor" not in self.person(user).roles:
            return False
        decided = self.desks.decided()
        return any(not state.closed and state.open and state.id not in decided for state in self.queues())

    def not_needed(self) -> int:
        """How many open pairs need no judgment any more, because what they were to decide is decided."""
        return moot_pairs(self.read(), self.desks.decided())

    def qrels(self) -> Qrels:
        """The judgments of the lab, and under them those that decide queues began with."""
        rows: dict[tuple[str, str], int] = {}
        for desk in self.desks.all():
            rows |= {(topic, each): grade for topic, some in desk.asked.judged.items() for each, grade in some.items()}
        own = exported_qrels(LabSnapshot.of(self.read()))
        names = [own.topics[topic] for topic in own.topic.tolist()]
        rows |= dict(zip(zip(names, own.document, strict=True), (int(grade) for grade in own.grade), strict=True))
        return Qrels.of([topic for topic, _ in rows], [document for _, document in rows], list(rows.values()))

    def add_to_list(self, user: str, queue: QueueRow, pairs: Sequence[PairRow]) -> int:
        """Put pairs into the queue of this name, which is made if there is none; how many were not there yet."""
        number = next((state.id for state in self.queues() if state.queue.name == queue.name), None)

        def job(connection: Connection) -> Filled:
            filled = fill_queue(connection, queue, pairs, number=number)
            new = {"queue": filled.queue, "name": queue.name, "added": filled.pairs, "skipped": filled.skipped}
            append(connection, Event("queue", user, "owner", self.clock.now(), new=new))
            self._places.forget()
            return filled

        return self.write(job).pairs

    def runs(self) -> list[Run]:
        """The runs that are kept in the lab."""
        return [run_of(name, lists) for name, lists in kept_runs(self.read()).items()]

    def keep_runs(self, runs: Sequence[Run], depth: int) -> None:
        """Keep the first documents of each list of some runs, so that pages can compare them."""
        lists = {run.name: lists_of(run, depth) for run in runs}
        self.write(lambda connection: keep_runs(connection, lists))

    def ask(self, user: str, names: Sequence[str], measure: str, *, assessors: int = 1, **choices: Any) -> Filled:
        """A new decide queue of runs that are kept; what is chosen beside is that of `asked_question`."""
        runs = {run.name: run for run in self.runs()}
        unknown = next((name for name in names if name not in runs), None)
        if unknown is not None:
            raise UnknownItem.named("run", unknown)
        chosen = [runs[name] for name in names]
        asked = asked_question(self.read(), chosen, measure, **choices)
        made = decide_queue(self.read(), asked, assessors=assessors)
        depth = depth_of_question(measure)

        def job(connection: Connection) -> Filled:
            filled = fill_queue(connection, made.row, made.pairs)
            new = {"queue": filled.queue, "name": made.row.name, "added": filled.pairs, "depth": depth}
            append(connection, Event("queue", user, "owner", self.clock.now(), new=new))
            self._places.forget()
            return filled

        return self.write(job)
