"""Kill a process in the middle of a storm, and look whether everything that it acknowledged is in the lab."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.storm.clients import Record, RoomDesk, crowd, work
from cranfield.judging.room import Room
from cranfield.judging.store.events import all_events
from cranfield.judging.store.files.doctor import examine


@dataclass(frozen=True)
class Killed:
    """What is left after a process was killed: acknowledged judgments, those of them that are lost, problems found."""

    acknowledged: int
    lost: int
    problems: tuple[str, ...]


def kill_in_a_storm(path: Path, writers: int, seconds: float) -> Killed:
    """Let writers judge in another process, kill it after some seconds, and examine what it left."""
    command = [sys.executable, "-m", "benchmarks.storm.killing", str(path), str(writers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as process:
        assert process.stdout is not None
        first = process.stdout.readline()  # from now on, it judges
        threading.Timer(seconds, process.kill).start()
        told = [first, *process.stdout]
    acknowledged = {line.decode().strip() for line in told if line.endswith(b"\n")}
    with closing(Room.open(path)) as room:
        kept = {event.client_id for event in all_events(room.read())}
    return Killed(len(acknowledged), len(acknowledged - kept), examine(path).problems)


def random_moment(seed: int, most: float) -> float:
    """Some seconds, at random."""
    return random.Random(seed).uniform(0.0, most)


def _judge_until_killed(path: Path, writers: int) -> None:
    """Judge with many threads, and write each acknowledged id to standard output: one write, one line."""
    room = Room.open(path)
    record, stop = Record(), threading.Event()

    def tell(client_id: str) -> None:
        os.write(1, f"{client_id}\n".encode())

    for user in crowd(writers):
        threading.Thread(target=work, args=(RoomDesk(room), user, stop, record, tell), daemon=True).start()
    while True:
        time.sleep(60)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _judge_until_killed(Path(sys.argv[1]), int(sys.argv[2]))
