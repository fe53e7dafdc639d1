"""All storms at full length, over HTTP against served labs; anything lost ends with 1.

    scripts/storm                    # the table of docs/judging.md, written into it
    scripts/storm --print            # printed
    scripts/storm --print --ends 3 --seconds 5

Servers are killed and ended 20 times each, meet three kinds of trouble with the disk, serve 50 assessors for 60
seconds, and 200 clients that race for 10 pairs.
"""

import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.marked_pages import parser, write
from benchmarks.storm.clients import crowd, make_lab, race, storm
from benchmarks.storm.failing import TROUBLES, trouble_in_a_storm
from benchmarks.storm.killing import end_in_a_storm, random_moment
from benchmarks.storm.served import HttpDesk, ServerProcess, signed_in
from cranfield.judging.lab import Lab
from cranfield.judging.room import Room
from cranfield.judging.store.items import item_ids
from cranfield.judging.store.judgments import most_given

PAGE = Path(__file__).resolve().parents[2] / "docs" / "judging.md"
BEGIN, END = "<!-- storm: begin -->", "<!-- storm: end -->"
NAMES = {signal.SIGKILL: "`kill -9`", signal.SIGTERM: "SIGTERM"}


@dataclass(frozen=True)
class StormRow:
    """A row of the table: what happened, what was seen, and whether it was right."""

    storm: str
    seen: str
    fine: bool


def ends(folder: Path, times: int, writers: int, how: signal.Signals) -> StormRow:
    """End a server so many times in the same lab."""
    lab = make_lab(folder / f"{how.name}.db", 100, 100 * max(1, times // 5), writers)
    people = signed_in(lab, crowd(writers))
    found = []
    for number in range(times):
        found.append(end_in_a_storm(lab, people, random_moment(number, 3.0), how))
        print(f"{how.name} {number + 1}: {found[-1]}", flush=True)
    total = {
        name: sum(getattr(each, name) for each in found)
        for name in ("acknowledged", "lost", "again", "missing", "too_many")
    }
    sound = sum(not each.problems for each in found)
    seen = (
        f"{total['acknowledged']:,} judgments acknowledged, {total['lost']} lost; {total['again']:,} without an answer "
        f"were sent twice more: {total['missing']} missing, {total['too_many']} counted twice; "
        f"the file was sound {sound} times"
    )
    fine = all(each.fine for each in found)
    if how == signal.SIGTERM:
        seen += f"; each exit code was 0, the longest end took {max(each.seconds for each in found):.1f} s"
        fine &= all(each.code == 0 for each in found)
    return StormRow(
        f"{writers} writers, the server ended by {NAMES[how]} at a random moment, {times} times", seen, fine
    )


def troubles(folder: Path, writers: int, seconds: float) -> Iterator[StormRow]:
    """Each trouble with the disk."""
    for name in TROUBLES:
        lab = make_lab(folder / f"{name.replace(' ', '-')}.db", 100, 100, writers)
        found = trouble_in_a_storm(lab, signed_in(lab, crowd(writers)), name, seconds)
        print(f"{name}: {found}", flush=True)
        seen = (
            f"{found.refused:,} requests refused with 507; in the end {found.acknowledged:,} judgments acknowledged, "
            f"{found.lost} lost, {found.too_many} too many, without a restart"
        )
        yield StormRow(f"{writers} writers, the disk of the server in trouble: {name}", seen, found.fine)


@contextmanager
def desk_of(lab: Lab, people: int) -> Iterator[HttpDesk]:
    """The pages of a served lab."""
    sessions = signed_in(lab, crowd(people))
    server = ServerProcess(lab.path)
    desk = HttpDesk(server.address, sessions)
    try:
        yield desk
    finally:
        desk.close()
        server.end()


def minute(folder: Path, seconds: float, people: int) -> Iterator[StormRow]:
    """Let people judge for a minute in a large lab, without a pause to read."""
    lab = make_lab(folder / "minute.db", 200, 500, people, overlap=0.2)
    began = time.perf_counter()
    with closing(Room.open(lab.path)):
        took = time.perf_counter() - began
    yield StormRow("opening a lab of 100,000 pairs, with its check", f"{took:.2f} s", True)
    with desk_of(lab, people) as desk:
        found = storm(desk, crowd(people), seconds)
    print(found.errors[:5])
    seen = f"{len(found.acknowledged):,} judgments, {len(found.errors)} errors"
    yield StormRow(
        f"{people} assessors for {seconds:g} seconds in a lab of 100,000 pairs, without a pause", seen, not found.errors
    )


def races(folder: Path, clients: int, pairs: int) -> StormRow:
    """Let clients race for few pairs, whether they hold them or not."""
    counts, fine = [], True
    for k in (1, 2, 3):
        lab = make_lab(folder / f"race{k}.db", 1, pairs, clients, k=k)
        with lab.reading() as connection:
            items = item_ids(connection)
        with desk_of(lab, clients) as desk:
            found = race(desk, crowd(clients), items)
        with lab.reading() as connection:
            most = most_given(connection)
        fine &= most == k and len(found.acknowledged) == k * pairs and not found.errors
        counts.append(str(len(found.acknowledged)))
        print(f"race for k = {k}: {len(found.acknowledged)} judgments, at most {most}", *found.errors[:3], flush=True)
    seen = f"{', '.join(counts[:-1])} and {counts[-1]} judgments, never more than k for a pair"
    return StormRow(
        f"{clients} clients that send a judgment of each of {pairs} pairs at the same moment, k = 1, 2 and 3",
        seen,
        fine,
    )


def main(arguments: list[str]) -> int:
    """Run all storms."""
    given = parser("Storms in judging rooms, over HTTP.")
    given.add_argument("--ends", type=int, default=20)
    given.add_argument("--seconds", type=float, default=60.0)
    given.add_argument("--people", type=int, default=50)
    given.add_argument("--clients", type=int, default=200)
    options = given.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [
            ends(folder, options.ends, options.people, signal.SIGKILL),
            ends(folder, options.ends, options.people, signal.SIGTERM),
            *troubles(folder, options.people, min(3.0, options.seconds)),
            *minute(folder, options.seconds, options.people),
            races(folder, options.clients, 10),
        ]
    lines = [f"| {row.storm} | {row.seen} |" for row in rows]
    text = "\n".join(["| storm | seen |", "|:---|:---|", *lines])
    fine = all(row.fine for row in rows)
    if options.print:
        print(text)
    elif fine:
        write(PAGE, text, BEGIN, END)
    print("nothing was lost" if fine else "something went wrong")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
