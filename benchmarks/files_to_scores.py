"""Files to scores, side by side with other programs: the same files, the same measures, equal numbers, then ratios.

    scripts/bench                                   # shapes S and M, peers from the bench extra
    scripts/bench --shape L --repeats 5             # one run of 6,980 topics
    scripts/bench --trec-eval PATH                  # also the C program

Every contender is a whole process that reads the qrels and every run and prints one value per topic and measure
(`cranfield trec_eval` and the C program read the qrels again for each run, as people use them).
CPU seconds of the process (user + system) are the median over interleaved repeats; a ratio is printed only after all
values agree with ours to 1e-4 (what four printed decimals can show).
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MEASURES = {
    "map": "AP",
    "ndcg_cut_10": "nDCG@10",
    "recip_rank": "RR",
    "P_10": "P@10",
    "recall_100": "R@100",
    "bpref": "Bpref",
}


@dataclass(frozen=True)
class Shape:
    """How much data: runs × topics × documents per list, judgments per topic."""

    runs: int
    topics: int
    depth: int
    judged: int


SHAPES = {"S": Shape(1, 50, 1000, 500), "M": Shape(20, 50, 1000, 1700), "L": Shape(1, 6980, 1000, 1)}


def generate(shape: Shape, folder: Path, seed: int = 0) -> tuple[Path, list[Path]]:
    """Write qrels and runs; scores are distinct in single precision, so every program ranks alike."""
    rng = np.random.default_rng(seed)
    pool = max(4 * shape.depth, 2 * shape.judged)
    qrels = folder / "qrels.txt"
    with qrels.open("w") as out:
        for topic in range(shape.topics):
            documents = rng.choice(pool, size=shape.judged, replace=False)
            grades = rng.choice(3, size=shape.judged, p=[0.9, 0.07, 0.03])
            grades[0] = 1
            out.writelines(f"{1000 + topic} 0 D{d:07d} {g}\n" for d, g in zip(documents, grades, strict=True))
    runs = []
    for number in range(shape.runs):
        path = folder / f"system{number}.run"
        with path.open("w") as out:
            for topic in range(shape.topics):
                documents = rng.choice(pool, size=shape.depth, replace=False)
                for rank, document in enumerate(documents, start=1):
                    out.write(f"{1000 + topic} Q0 D{document:07d} {rank} {50 - rank * 0.03125} system{number}\n")
        runs.append(path)
    return qrels, runs


PYTREC_EVAL = """
import sys, pytrec_eval
names, qrels, *runs = sys.argv[1:]
with open(qrels) as f: judged = pytrec_eval.parse_qrel(f)
for path in runs:
    with open(path) as f: run = pytrec_eval.parse_run(f)
    scores = pytrec_eval.RelevanceEvaluator(judged, set(names.split(","))).evaluate(run)
    for topic, values in scores.items():
        for name, value in values.items(): print(name, topic, format(value, ".4f"), sep="\\t")
"""
IR_MEASURES = """
import sys, ir_measures
names, qrels, *runs = sys.argv[1:]
measures = [ir_measures.parse_measure(name) for name in names.split(",")]
judged = list(ir_measures.read_trec_qrels(qrels))
for path in runs:
    for m in ir_measures.iter_calc(measures, judged, ir_measures.read_trec_run(path)):
        print(m.measure, m.query_id, format(m.value, ".4f"), sep="\\t")
"""
CRANFIELD = """
import sys, warnings, cranfield
names, qrels, *runs = sys.argv[1:]
warnings.simplefilter("ignore")
scores = cranfield.evaluate(qrels, runs, names.split(","))
for run in scores.values:
    for topic, row in zip(scores.topics, run.tolist()):
        for name, value in zip(scores.measures, row): print(name, topic, format(value, ".4f"), sep="\\t")
"""
DROP_IN = """
import sys
from cranfield.cli.trec_eval import main
names, qrels, *runs = sys.argv[1:]
for path in runs:
    main(["-q", *[f for name in names.split(",") for f in ("-m", name)], qrels, path])
"""


def contenders(trec_eval: str | None) -> dict[str, list[str]]:
    """Name -> command; the qrels and runs are appended (the C program takes one run at a time)."""
    trec, ours = ",".join(MEASURES), ",".join(MEASURES.values())
    dotted = re.sub(r"_(\d+)", r".\1", trec)
    found = {
        "cranfield": [sys.executable, "-c", CRANFIELD, ours],
        "cranfield trec_eval": [sys.executable, "-c", DROP_IN, dotted],
        "pytrec_eval": [sys.executable, "-c", PYTREC_EVAL, trec],
        "ir_measures": [sys.executable, "-c", IR_MEASURES, ours],
    }
    if trec_eval:
        found["trec_eval"] = [trec_eval, "-q", *(flag for name in dotted.split(",") for flag in ("-m", name))]
    return found


def timed(command: list[str], qrels: Path, runs: list[Path], single: bool) -> tuple[str, float, float, float]:
    """Standard output, CPU seconds, wall seconds and peak memory (MB) of the whole work."""
    calls = [[*command, str(qrels), str(run)] for run in runs] if single else [[*command, str(qrels), *map(str, runs)]]
    cpu = peak = 0.0
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as out:
        for call in calls:
            process = subprocess.Popen(call, stdout=out)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                sys.exit(f"{' '.join(call[:3])} … failed with exit code {process.returncode}")
            cpu += usage.ru_utime + usage.ru_stime
            peak = max(peak, usage.ru_maxrss / 1024)
        wall = time.perf_counter() - start
        out.seek(0)
        return out.read(), cpu, wall, peak


def values(text: str) -> list[tuple[str, str, float]]:
    """(measure, topic, value) rows in a common order, whatever the program calls the measures."""
    rows = (line.split("\t") for line in text.splitlines())
    named = ((MEASURES.get(name.strip(), name.strip()), topic, float(value)) for name, topic, value in rows)
    return sorted(row for row in named if row[1] != "all")


def agree(ours: tuple[str, str, float], theirs: tuple[str, str, float]) -> bool:
    """Whether two rows say the same, as far as four printed decimals can tell."""
    return ours[:2] == theirs[:2] and abs(ours[2] - theirs[2]) <= 1.5e-4


def main() -> None:
    """Generate, run everybody, compare the numbers, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", choices=SHAPES, action="append", help="S, M (default both) or L; repeatable")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--trec-eval", default=os.environ.get("TREC_EVAL"), help="path of the C program")
    options = parser.parse_args()
    print("| shape | program | CPU s | wall s | peak MB | CPU of it ÷ ours |\n|---|---|---|---|---|---|")
    for name in options.shape or ["S", "M"]:
        with tempfile.TemporaryDirectory() as folder:
            compare(name, *generate(SHAPES[name], Path(folder)), options)


def compare(name: str, qrels: Path, runs: list[Path], options: argparse.Namespace) -> None:
    """Time every contender on one shape, interleaved."""
    programs = contenders(options.trec_eval)
    results: dict[str, list[tuple[str, float, float, float]]] = {program: [] for program in programs}
    for _ in range(options.repeats):
        for program, command in programs.items():
            results[program].append(timed(command, qrels, runs, single=program == "trec_eval"))
    ours = values(results["cranfield"][0][0])
    base = statistics.median(cpu for _, cpu, _, _ in results["cranfield"])
    for program, repeats in results.items():
        theirs = values(repeats[0][0])
        if len(ours) != len(theirs) or not all(map(agree, ours, theirs)):
            sys.exit(f"{program} and cranfield print different numbers on shape {name}: no ratio without agreement")
        cpu, wall, peak = (statistics.median(column) for column in list(zip(*repeats, strict=True))[1:])
        print(f"| {name} | {program} | {cpu:.2f} | {wall:.2f} | {peak:.0f} | {cpu / base:.1f} |")


if __name__ == "__main__":
    main()
