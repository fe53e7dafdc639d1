"""All storms at full length; what they saw is printed, and anything lost ends with 1.

scripts/storm                    # 20 kills, 50 assessors for 60 seconds, 200 clients racing for 10 pairs
scripts/storm --kills 3 --seconds 5
"""

import argparse
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from benchmarks.storm.clients import RoomDesk, crowd, make_lab, race, storm
from benchmarks.storm.killing import kill_in_a_storm, random_moment
from cranfield.judging.room import Room
from cranfield.judging.store.items import item_ids
from cranfield.judging.store.judgments import most_given


def kills(folder: Path, times: int, writers: int) -> bool:
    """Kill so many times in the same lab; whether nothing was lost."""
    lab = make_lab(folder / "kills.db", 100, 100 * max(1, times // 5), writers)
    fine = True
    for number in range(times):
        seen = kill_in_a_storm(lab.path, writers, random_moment(number, 3.0))
        fine &= seen.lost == 0 and not seen.problems
        print(f"kill {number + 1:2}: {seen.acknowledged:6,} acknowledged, {seen.lost} lost", *seen.problems, flush=True)
    return fine


def minute(folder: Path, seconds: float, people: int) -> bool:
    """Let people judge for a minute; whether there was no error."""
    lab = make_lab(folder / "minute.db", 200, 500, people, overlap=0.2)
    began = time.perf_counter()
    with closing(Room.open(lab.path)) as room:
        print(f"a lab of 100,000 pairs opened in {time.perf_counter() - began:.2f} s")
        seen = storm(RoomDesk(room), crowd(people), seconds)
    print(f"{people} assessors, {seconds:g} s: {len(seen.acknowledged):,} judgments, {len(seen.errors)} errors")
    print(f"  judge and next, without HTTP: p50 {seen.quantile(0.5):.1f} ms, p99 {seen.quantile(0.99):.1f} ms")
    for error in seen.errors[:5]:
        print(f"  {error}")
    return not seen.errors


def races(folder: Path, clients: int, pairs: int) -> bool:
    """Let clients race for few pairs; whether none has more than it needs."""
    fine = True
    for k in (1, 2, 3):
        lab = make_lab(folder / f"race{k}.db", 1, pairs, clients, k=k)
        with closing(Room.open(lab.path)) as room:
            seen = race(RoomDesk(room), crowd(clients), item_ids(room.read()))
            most = most_given(room.read())
        fine &= most == k and len(seen.acknowledged) == k * pairs and not seen.errors
        print(
            f"{clients} clients, {pairs} pairs, k = {k}: {len(seen.acknowledged)} judgments, at most {most} for a pair"
        )
    return fine


def main(arguments: list[str]) -> int:
    """Run all storms."""
    given = argparse.ArgumentParser(prog="scripts/storm", description=__doc__)
    given.add_argument("--kills", type=int, default=20)
    given.add_argument("--seconds", type=float, default=60.0)
    given.add_argument("--people", type=int, default=50)
    given.add_argument("--clients", type=int, default=200)
    options = given.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fine = [
            kills(folder, options.kills, options.people),
            minute(folder, options.seconds, options.people),
            races(folder, options.clients, 10),
        ]
    print("nothing was lost" if all(fine) else "something went wrong")
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
