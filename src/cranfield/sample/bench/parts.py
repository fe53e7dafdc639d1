"""The parts of the benchmark, each a list of results; programs take turns, so that a busy minute affects all."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from cranfield.errors import Error
from cranfield.errors.extras import need
from cranfield.sample.bench.agreement import PRINTED, Values, difference, long_values, wide_values
from cranfield.sample.bench.contenders import MEASURES, OURS, Contender, Peers, ours, theirs
from cranfield.sample.bench.files import Files, files
from cranfield.sample.bench.process import Cost, Failed, timed
from cranfield.sample.bench.programs import COMMAND
from cranfield.sample.bench.results import MEGABYTE, BenchResult, middle, ranked
from cranfield.sample.bench.shapes import REPORTED, SHAPES, Shape, growing, with_parts
from cranfield.workers import Progress


@dataclass(frozen=True)
class Settings:
    """What to measure, the packages to compare with, the repetitions, and the folder of the files."""

    folder: Path
    sizes: tuple[str, ...] = ("S",)
    peers: Peers = field(default_factory=Peers)
    repeats: int = 3
    threads: int = 2
    rows: int = 30_000_000  # the largest file of `growth`
    seed: int = 0
    progress: Progress = lambda name, number, total: None


@dataclass(frozen=True)
class Trial:
    """A program on some files."""

    label: str
    contender: Contender
    files: Files


def measure_files(settings: Settings) -> list[BenchResult]:
    """Files to printed values, in whole processes."""
    sizes = with_parts(settings.sizes)
    made = {size: files(SHAPES[size], settings.folder, settings.seed) for size in sizes}
    everybody = [*ours(settings.threads), *theirs(settings.peers)]
    results: list[BenchResult] = []
    for together in _together(sizes):
        trials = [Trial(size, contender, made[size]) for size in together for contender in everybody]
        costs, problems = compete(trials, settings)
        for size in together:
            mine = {c.name: costs[size, c.name] for c in everybody}
            results += ranked(
                "files", size, SHAPES[size].rows, mine, {c.name: problems.get((size, c.name), "") for c in everybody}
            )
    return results


def _together(sizes: Sequence[str]) -> list[list[str]]:
    """The sizes in groups whose trials take turns: XL with its sixteenth."""
    return [[f"{size}/16", size] if f"{size}/16" in sizes else [size] for size in sizes if not size.endswith("/16")]


Key = tuple[str, str]  # size, program


def compete(trials: Sequence[Trial], settings: Settings) -> tuple[dict[Key, list[Cost]], dict[Key, str]]:
    """The costs of each trial, and the problems of those that failed or print other numbers than ours."""
    costs: dict[Key, list[Cost]] = {(trial.label, trial.contender.name): [] for trial in trials}
    problems: dict[Key, str] = {}
    printed: dict[Key, bytes] = {}
    expected: dict[str, Values] = {}
    for repeat in range(settings.repeats):
        for number, trial in enumerate(trials):
            key = trial.label, trial.contender.name
            if key in problems:
                continue
            settings.progress(" ".join(key), repeat * len(trials) + number, settings.repeats * len(trials))
            output = settings.folder / "printed.txt"
            try:
                costs[key].append(timed(trial.contender.commands(trial.files), output))
            except Failed as failure:
                problems[key] = str(failure)
                continue
            printing = sha256(output.read_bytes()).digest()
            if printed.setdefault(key, printing) != printing:
                problems[key] = "it prints other numbers when run again"
            elif repeat == 0 and (problem := _checked(trial, output, expected)):
                problems[key] = problem
    return costs, problems


def _checked(trial: Trial, output: Path, expected: dict[str, Values]) -> str:
    """The problem with the values of a program; our program runs first, and all others must agree with it."""
    read = wide_values if trial.contender.wide else long_values
    try:
        values = read(output, trial.contender.names)
    except (ValueError, StopIteration):
        return "what it prints cannot be read"
    return difference(expected.setdefault(trial.label, values), values, MEASURES.values(), PRINTED)


def measure_dicts(settings: Settings) -> list[BenchResult]:
    """Dictionaries to values, both in memory: calls that take turns in one process."""
    results: list[BenchResult] = []
    for number, size in enumerate(settings.sizes):
        settings.progress(f"dictionaries {size}", number, len(settings.sizes))
        asked = {"size": size, "peers": settings.peers.packages, "repeats": settings.repeats, "seed": settings.seed}
        command = [sys.executable, "-m", "cranfield.sample.bench.dicts", json.dumps(asked)]
        found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)
        costs = {name: [Cost(*cost) for cost in each] for name, each in found["costs"].items()}
        results += ranked("dicts", size, SHAPES[size].rows, costs, found["problems"])
    return results


def measure_start(settings: Settings) -> list[BenchResult]:
    """The cost before any work: an empty program, `import`, and the help page."""
    sources = {
        "python, doing nothing": ("pass",),
        "import cranfield": ("import cranfield",),
        "cranfield --help": (COMMAND, "--help"),
        **{f"import {name}": (f"import {name}",) for name in settings.peers.packages},
    }
    costs: dict[str, list[Cost]] = {name: [] for name in sources}
    repeats = max(settings.repeats, 5)  # short, and so noisier
    for repeat in range(repeats):
        for name, source in sources.items():
            settings.progress(name, repeat, repeats)
            costs[name].append(timed([[sys.executable, "-c", *source]], settings.folder / "printed.txt"))
    return _plain("start", "", None, costs)


def measure_holes(settings: Settings) -> list[BenchResult]:
    """The ranges of the differences of all pairs of runs, beside reading and evaluating the same files.

    Whole processes, on generated files, and on the collections in `data` of the folder that CRANFIELD_SHARED names.
    """
    made = {size: files(SHAPES[size], settings.folder, settings.seed) for size in with_parts(settings.sizes)}
    given: list[tuple[str, int | None, Path, Sequence[Path]]] = [
        (size, SHAPES[size].rows, each.qrels, each.runs) for size, each in made.items()
    ]
    given += [(name, None, qrels, runs) for name, qrels, runs in real_collections()]
    results: list[BenchResult] = []
    for size, rows, qrels, runs in given:
        sources = {"read": (_READ, "-"), "evaluate, P@10": (_EVALUATED, "P@10")} | {
            f"all pairs, {measure}": (_RANGES, measure) for measure in ("P@10", "nDCG@10", "RBP(p=0.8)", "AP")
        }
        costs: dict[str, list[Cost]] = {name: [] for name in sources}
        for repeat in range(settings.repeats):
            for name, (source, measure) in sources.items():
                settings.progress(f"{size}, {name}", repeat, settings.repeats)
                command = [sys.executable, "-W", "ignore", "-c", source, measure, str(qrels), *map(str, runs)]
                costs[name].append(timed([command], settings.folder / "printed.txt"))
        results += _plain("holes", size, rows, costs)
    return results


def real_collections() -> list[tuple[str, Path, list[Path]]]:
    """Name, judgments and runs of the collections that are here: folders with `qrels.gz` and `runs/`."""
    named = os.environ.get("CRANFIELD_SHARED")
    folders = [] if named is None else [Path(named) / "data" / name for name in REAL]
    return [
        (folder.name, folder / "qrels.gz", sorted((folder / "runs").glob("*.gz")))
        for folder in folders
        if (folder / "qrels.gz").is_file()
    ]


REAL = ("covid-round2", "trec8")
_READ = "import sys, cranfield; cranfield.read_qrels(sys.argv[2]); cranfield.read_runs(sys.argv[3:], name_by='file')"
_RUNS = "import sys, cranfield; runs = {path: path for path in sys.argv[3:]}; "  # named by file: tags may be equal
_EVALUATED = _RUNS + "cranfield.evaluate(sys.argv[2], runs, sys.argv[1]).means"
_RANGES = _RUNS + "cranfield.holes(sys.argv[2], runs, sys.argv[1]).differences()"


def _plain(part: str, size: str, rows: int | None, costs: Mapping[str, Sequence[Cost]]) -> list[BenchResult]:
    """Results of our programs alone, in the order given."""
    found = {name: middle(each) for name, each in costs.items()}
    return [
        BenchResult(
            part=part,
            size=size,
            program=name,
            rows=rows,
            cpu=cost.cpu,
            wall=cost.wall,
            peak=(cost.peak or 0) / MEGABYTE,
        )
        for name, cost in found.items()
    ]


def measure_growth(settings: Settings) -> list[BenchResult]:
    """One run of growing size: cost per row without the start of the process, and memory per byte of the file."""
    contenders = [c for c in ours(settings.threads) if c.name.partition(",")[0] == OURS]
    start = Shape(1, 1, 10, 1)
    shapes = (start, *growing(settings.rows))
    made = {f"{shape.rows:,}": files(shape, settings.folder, settings.seed) for shape in shapes}
    trials = [Trial(label, contender, each) for label, each in made.items() for contender in contenders]
    costs, problems = compete(trials, settings)
    results: list[BenchResult] = []
    for shape in shapes[1:]:
        label = f"{shape.rows:,}"
        mine = {c.name: costs[label, c.name] for c in contenders}
        for result in ranked("growth", "", shape.rows, mine, {n: problems.get((label, n), "") for n in mine}):
            if result.cpu is None:
                results.append(result)
                continue
            before = middle(costs[f"{start.rows:,}", result.program]).cpu
            of_file = (result.peak or 0) * MEGABYTE / made[label].size
            per_million = max(result.cpu - before, 0.0) / shape.rows * 1e6
            results.append(replace(result, ratio=None, per_million=per_million, of_file=of_file))
    return results


def measure_judging(settings: Settings) -> list[BenchResult]:
    """The judging room under load; its own times are reported, and no other program is beside it."""
    from cranfield.sample.bench.judging import measure_judging

    results: list[BenchResult] = []
    for number, size in enumerate(settings.sizes):
        settings.progress(f"judging {size}", number, len(settings.sizes))
        results += measure_judging(settings.folder, size, settings.seed)
    return results


def measure_report(settings: Settings) -> list[BenchResult]:
    """Files to the page of a report, in whole processes; the size of the page is part of its name."""
    need("altair", "the part report")
    results: list[BenchResult] = []
    for size, shape in REPORTED.items():
        if size in settings.sizes:
            made, page = files(shape, settings.folder, settings.seed), settings.folder / f"report-{size}.html"
            command = [sys.executable, "-c", COMMAND, "report", "-q", made.qrels, *made.runs, "-o", page]
            costs: list[Cost] = []
            for repeat in range(settings.repeats):
                settings.progress(f"report {size}", repeat, settings.repeats)
                costs.append(timed([[str(word) for word in command]], settings.folder / "printed.txt"))
            name = f"report of {shape.runs} runs × {shape.topics} topics, {page.stat().st_size / 1e6:.1f} MB"
            results += _plain("report", size, shape.rows, {name: costs})
    return results


PARTS: Mapping[str, Callable[[Settings], list[BenchResult]]] = {
    "files": measure_files,
    "dicts": measure_dicts,
    "start": measure_start,
    "growth": measure_growth,
    "holes": measure_holes,
    "judging": measure_judging,
    "report": measure_report,
}


def bench(parts: Iterable[str], settings: Settings) -> list[BenchResult]:
    """Measure some parts, one after the other."""
    if not hasattr(os, "wait4"):
        raise Error("E200", "the cost of a process can be measured on Linux and macOS only")
    return [result for part in dict.fromkeys(parts) for result in PARTS[part](settings)]
