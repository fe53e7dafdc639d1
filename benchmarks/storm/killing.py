"""Kill the server in the middle of a storm, and look whether all that it acknowledged is in the lab, and once."""

import random
import signal
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.storm.clients import Record, work
from benchmarks.storm.served import HttpDesk, ServerProcess, Session
from cranfield.judging.lab import Lab
from cranfield.judging.store.events import all_events
from cranfield.judging.store.files.doctor import examine
from cranfield.judging.store.judgments import most_given


@dataclass(frozen=True)
class Killed:
    """What is left after a server ended in a storm.

    Attributes:
        code: its exit code.
        seconds: until it had ended.
        acknowledged: judgments that it answered with 200.
        lost: those of them that are not in the lab.
        again: judgments without an answer, which were sent twice more to the next server.
        missing: those of them that are not in the lab then.
        too_many: judgments in the lab beside all these, each counted once; 0 is right.
        most: the largest number of judgments of a pair.
        problems: what an examination of the file found, before another server opened it.
    """

    code: int
    seconds: float
    acknowledged: int
    lost: int
    again: int
    missing: int
    too_many: int
    most: int
    problems: tuple[str, ...]

    @property
    def fine(self) -> bool:
        """Whether nothing is lost, and nothing is there twice."""
        return (self.lost, self.missing, self.too_many, self.problems) == (0, 0, 0, ()) and self.most <= 1


def end_in_a_storm(lab: Lab, people: Mapping[str, Session], seconds: float, how: int = signal.SIGKILL) -> Killed:
    """Let people judge over HTTP, end the server by a signal, examine the lab, and send again what had no answer."""
    before = judge_events(lab.path)
    record, stop, begun = Record(), threading.Event(), threading.Event()
    server = ServerProcess(lab.path)
    desk = HttpDesk(server.address, people)
    threads = [threading.Thread(target=work, args=(desk, user, stop, record, lambda _: begun.set())) for user in people]
    for thread in threads:
        thread.start()
    begun.wait(60)
    time.sleep(seconds)
    ending = time.monotonic()
    code = server.end(how)
    took = time.monotonic() - ending
    for thread in threads:
        thread.join()
    desk.close()
    acknowledged = set(record.acknowledged)
    problems = tuple(examine(lab.path).problems)
    lost = acknowledged - judge_events(lab.path)
    send_again(lab.path, people, record)
    again = {sent.client_id for sent in record.unanswered}
    kept = judge_events(lab.path) - before
    with lab.reading() as connection:
        most = most_given(connection)
    return Killed(
        code=code,
        seconds=took,
        acknowledged=len(acknowledged),
        lost=len(lost),
        again=len(again),
        missing=len(again - kept),
        too_many=len(kept - again - acknowledged),
        most=most,
        problems=problems,
    )


def send_again(lab: Path, people: Mapping[str, Session], record: Record) -> None:
    """Send each judgment without an answer twice to a new server, as a page does that the network failed."""
    server = ServerProcess(lab)
    desk = HttpDesk(server.address, people)
    for sent in record.unanswered:
        for _ in range(2):
            desk.judge(sent.user, sent.given, sent.grade, sent.client_id)
    desk.close()
    server.end()


def judge_events(lab: Path) -> set[str]:
    """The ids of the requests that made judgments."""
    with Lab.open(lab).reading() as connection:
        return {str(event.client_id) for event in all_events(connection) if event.kind == "judge"}


def random_moment(seed: int, most: float) -> float:
    """Some seconds, at random."""
    return random.Random(seed).uniform(0.0, most)
