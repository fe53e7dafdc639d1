"""How the cost of `cranfield evaluate` grows: with the rows of a run, the number of runs, partitions and jobs.

    python benchmarks/scale.py FOLDER [ROWS]

writes runs of up to ROWS rows (4 million by default) into FOLDER and prints the tables of docs/scale.md. Each line is
one process: CPU seconds of user and system together, seconds on the clock, the most memory it ever held.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

DEPTH = 1000  # documents in a list
JUDGED = 20  # of a topic
COMMAND = (sys.executable, "-c", "import sys; from cranfield.cli import main; sys.exit(main())", "evaluate")


def write(path: Path, topics: range, name: str, seed: int) -> Path:
    """A run: lists of documents named by eight digits, with scores that fall."""
    chance = np.random.default_rng([seed, topics.start])
    with path.open("w", encoding="ascii") as file:
        for topic in topics:
            scores = np.sort(chance.random(DEPTH))[::-1] * 30
            rows = enumerate(zip(chance.permutation(4 * DEPTH)[:DEPTH].tolist(), scores.tolist(), strict=True), start=1)
            file.writelines(f"{topic} Q0 D{doc:08d} {rank} {score:.6f} {name}\n" for rank, (doc, score) in rows)
    return path


def write_qrels(path: Path, topics: range) -> Path:
    """Judgments of some of the documents that runs retrieve."""
    chance = np.random.default_rng(0)
    with path.open("w", encoding="ascii") as file:
        for topic in topics:
            rows = zip(chance.permutation(4 * DEPTH)[:JUDGED].tolist(), chance.integers(3, size=JUDGED), strict=True)
            file.writelines(f"{topic} 0 D{doc:08d} {grade}\n" for doc, grade in rows)
    return path


def measured(*arguments: object) -> tuple[float, float, float]:
    """CPU seconds, seconds and megabytes of one evaluation."""
    began = time.monotonic()
    process = subprocess.Popen([*COMMAND, *map(str, arguments), "-q"], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"evaluate {arguments} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024


def table(head: str, lines: Iterable[tuple[object, ...]]) -> None:
    """A Markdown table."""
    columns = head.split(" | ")
    print(f"\n| {head} |\n|{'---:|' * len(columns)}")
    for line in lines:
        print(
            "|",
            " | ".join(f"{cell:,.2f}" if isinstance(cell, float) else f"{cell:,}" for cell in line),
            "|",
            flush=True,
        )


def main(folder: Path, rows: int) -> None:
    """Write the files and print the tables."""
    folder.mkdir(parents=True, exist_ok=True)
    topics = range(1, rows // DEPTH + 1)
    qrels = write_qrels(folder / "qrels.txt", topics)

    def one_run() -> Iterable[tuple[object, ...]]:
        for part in (16, 8, 4, 2, 1):
            path = write(folder / "growing.run", range(1, len(topics) // part + 1), "growing", 1)
            cpu, _, peak = measured(qrels, path, "--topic-set", "intersection")
            yield rows // part, path.stat().st_size / 1e6, cpu, 1e6 * cpu / (rows // part), peak

    def many_runs() -> Iterable[tuple[object, ...]]:
        few = range(1, 51)
        qrels = write_qrels(folder / "few.txt", few)
        paths = [write(folder / f"{number}.run", few, f"run{number}", number) for number in range(64)]
        for count in (8, 16, 32, 64):
            cpu, _, peak = measured(qrels, *paths[:count], "--jobs", 1)
            yield count, cpu, peak

    def partitions() -> Iterable[tuple[object, ...]]:
        for count in (1, 10, 100):
            parts = folder / f"parts{count}"
            parts.mkdir(exist_ok=True)
            size = -(-len(topics) // count)
            for number in range(count):
                write(parts / f"part-{number:03d}.run", topics[number * size : (number + 1) * size], "growing", 1)
            for jobs in (1, 2):
                yield count, jobs, *measured(qrels, parts, "--jobs", jobs)

    def judgments() -> Iterable[tuple[object, ...]]:
        for topics, judged in ((10, 10), (1_000, 1_000), (10_000, 100), (100_000, 10), (200_000, 10)):
            run, many = folder / "short.run", folder / "many.txt"
            run.write_text("".join(f"{topic} Q0 D{1:08d} 1 1 short\n" for topic in range(topics)))
            with many.open("w", encoding="ascii") as file:
                for topic in range(topics):
                    file.writelines(f"{topic} 0 D{document:08d} {document % 3}\n" for document in range(judged))
            cpu, _, peak = measured(many, run, "--jobs", 1)
            yield topics * judged, topics, cpu, peak

    table("rows of one run | file, MB | CPU s | CPU µs per row | peak, MB", one_run())
    table("runs of 50,000 rows | CPU s | peak, MB", many_runs())
    table("partitions | jobs | CPU s | s | peak, MB", partitions())
    table("judgments | topics | CPU s | peak, MB", judgments())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 4_000_000)
