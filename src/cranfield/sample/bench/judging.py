"""The judging room under load: simulated assessors over HTTP, against a server in a process of its own."""

import contextlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cranfield.errors import Error
from cranfield.errors.extras import need
from cranfield.judging.lab import Lab
from cranfield.judging.records import DocumentRow, PairRow, QueueRow, TopicRow
from cranfield.sample.assessors import ResponseTimes, SimulatedAssessor
from cranfield.sample.bench.programs import COMMAND
from cranfield.sample.bench.results import BenchResult

PASSWORD = "simulated assessors all share one"
_ADDRESS = re.compile(r"Judging at (\S+)")
_LONG = re.compile(r"[\d.]+ MB of \w+")
_HELD = re.compile(r'data-held-ms="(\d+)"')
WORDS = ("flow", "boundary", "layer", "pressure", "heat", "transfer", "wing", "speed", "supersonic", "plate", "shock")


@dataclass(frozen=True)
class Load:
    """So many assessors judge for so many seconds, with a pause of some seconds between two judgments."""

    assessors: int
    seconds: float
    pause: float
    racers: int  # who try to judge ten pairs at the same moment
    pairs: int
    long: int = 10_000_000  # characters of a long document


LOADS = {
    "XS": Load(assessors=3, seconds=1, pause=0.05, racers=6, pairs=60, long=300_000),  # for tests
    "S": Load(assessors=10, seconds=10, pause=2, racers=50, pairs=5_000),
    "M": Load(assessors=50, seconds=60, pause=2, racers=200, pairs=20_000),
    "L": Load(assessors=50, seconds=60, pause=0, racers=200, pairs=100_000),  # as fast as they can
    "XL": Load(assessors=200, seconds=60, pause=2, racers=200, pairs=100_000),
}


def measure_judging(folder: Path, size: str, seed: int = 0) -> list[BenchResult]:
    """Times of judging, of a race for ten pairs, and the limits that a visitor meets."""
    need("starlette", "the part judging")
    load = LOADS[size]
    with serving(make_lab(folder / f"judging-{size}.db", load, seed)) as address:
        timings, judged, took = judge_together(address, load)
        results = [*_times(size, timings, judged, took), *_limits(size, address)]
    with serving(make_race(folder / f"race-{size}.db", load.racers)) as address:
        stored = race(address, load.racers)
    with serving(make_long(folder / f"long-{size}.db", load.long)) as address:
        results += _long(size, address)
    problem = "" if stored == 10 else f"{stored} judgments for ten pairs"
    return [*results, _row(size, f"{load.racers} racing for 10 pairs: judgments", stored, problem=problem)]


def judge_together(address: str, load: Load) -> tuple[ResponseTimes, int, float]:
    """Let all assessors of a load judge at the same time: requests, number of judgments, seconds."""
    people = [SimulatedAssessor(address, f"a{number}", PASSWORD) for number in range(load.assessors)]
    _sign_in(people)
    with ThreadPoolExecutor(load.assessors) as threads:
        begin = time.monotonic()
        work = [threads.submit(_work, one, begin + load.seconds, load.pause) for one in people]
        judged = sum(future.result() for future in work)
        took = time.monotonic() - begin
    timings = ResponseTimes()
    for one in people:
        timings.add(one.timings)
        one.close()
    return timings, judged, took


def _sign_in(people: list[SimulatedAssessor]) -> None:
    """Sign in two at a time: a password takes its time by design, and the day does not begin for all at one moment."""
    with ThreadPoolExecutor(2) as threads:
        if refused := [status for status in threads.map(SimulatedAssessor.sign_in, people) if status != 303]:
            raise Error("E200", f"a simulated assessor could not sign in: {refused[0]}")


def _work(one: SimulatedAssessor, until: float, pause: float) -> int:
    return one.work(lambda topic, item: int(item[0], 16) % 3, until=until, pause=pause)


def race(address: str, racers: int) -> int:
    """Everyone judges what they can get of ten pairs: the number of judgments that were saved."""
    people = [SimulatedAssessor(address, f"a{number}", PASSWORD) for number in range(racers)]
    _sign_in(people)
    with ThreadPoolExecutor(racers) as threads:
        done = sum(threads.map(lambda one: one.work(lambda topic, item: 1), people))
    problems = [problem for one in people for problem in one.timings.problems]
    for one in people:
        one.close()
    if problems:
        raise Error("E200", f"a race failed: {problems[0]}")
    return done


def _times(size: str, timings: ResponseTimes, judged: int, took: float) -> list[BenchResult]:
    problem = f"{len(timings.problems)} errors, the first: {timings.problems[0]}" if timings.problems else ""
    names = {"save": "save a judgment", "next": "next pair", "document": "document", "key": "key to next document"}
    names |= {"first": "first pair, all at once", "sign in": "sign in"}
    rows = [_row(size, "judgments in all", judged, took, problem)]
    for kind, name in names.items():
        for share in (0.5, 0.99):
            rows.append(
                _row(size, f"{name}, p{share * 100:g}", len(timings.seconds[kind]), timings.quantile(kind, share))
            )
    return rows


def _long(size: str, address: str) -> list[BenchResult]:
    """The time until the first page of a long document is there, in each form."""
    reader = SimulatedAssessor(address, "a0", PASSWORD)
    reader.sign_in()
    rows, after = [], ""
    while found := reader.next(after):
        after = found[1]["item"]
        page = reader.read(after)
        name = _LONG.search(page)
        rows.append(_row(size, f"open {name[0] if name else 'a document'}", 1, reader.timings.seconds["document"][-1]))
        reader.judge(found[1], 0)
    reader.close()
    return sorted(rows, key=lambda row: row.program)


def _limits(size: str, address: str) -> list[BenchResult]:
    """After how many wrong passwords the door stays shut, and how long a pair is held."""
    reader = SimulatedAssessor(address, "a1", PASSWORD)
    reader.sign_in()
    _, page = reader.ask("page", "GET", "/judge?part=work")
    reader.close()
    held = _HELD.search(page)
    stranger = SimulatedAssessor(address, "a0", "not the password")
    tries = 1
    while stranger.sign_in() != 429 and tries < 20:
        tries += 1
    stranger.close()
    rows = [_row(size, "wrong passwords until the door is shut", tries)]
    return [*rows, _row(size, "a pair is held", None, int(held[1]) / 1000)] if held else rows


def _row(size: str, name: str, rows: int | None, wall: float | None = None, problem: str = "") -> BenchResult:
    return BenchResult(part="judging", size=size, program=name, rows=rows, wall=wall, problem=problem)


def make_lab(path: Path, load: Load, seed: int) -> Path:
    """A lab of fifty topics, with an account for each assessor."""
    topics = [TopicRow(f"q{number}", f"{WORDS[number % len(WORDS)]} number {number}") for number in range(50)]
    documents = [_document(number) for number in range(min(load.pairs, 2000))]
    step = len(documents)
    pairs = [
        PairRow(topics[place // step % 50].topic, f"d{place % step}") for place in range(min(load.pairs, 50 * step))
    ]
    return _with_accounts(path, pairs, topics, documents, load.assessors, seed)


def make_race(path: Path, racers: int) -> Path:
    """A lab of ten pairs, with an account for each racer."""
    pairs = [PairRow("q1", f"d{number}") for number in range(10)]
    return _with_accounts(path, pairs, [TopicRow("q1", "a race")], [_document(n) for n in range(10)], racers, 0)


def make_long(path: Path, length: int) -> Path:
    """A lab of three long documents: text, Markdown and HTML."""
    line = " ".join(WORDS)
    lines = {"text": f"{line}\n\n", "markdown": f"* **{line}**\n", "html": f"<p>{line} <i>{line}</i></p>\n"}
    documents = [
        DocumentRow(form, f"{length / 1e6:g} MB of {form}", format=form, body=each * (length // len(each)))
        for form, each in lines.items()
    ]
    pairs = [PairRow("q1", form) for form in lines]
    return _with_accounts(path, pairs, [TopicRow("q1", "long documents")], documents, 1, 0)


def _document(number: int) -> DocumentRow:
    text = " ".join(WORDS[(number * 7 + place * place) % len(WORDS)] for place in range(300))
    return DocumentRow(f"d{number}", f"Document {number}", body=text)


def _with_accounts(
    path: Path, pairs: list[PairRow], topics: list[TopicRow], documents: list[DocumentRow], people: int, seed: int
) -> Path:
    from cranfield.judging.accounts.enrolling import add_account
    from cranfield.judging.web.passwords import hash_password

    path.unlink(missing_ok=True)
    lab = Lab.create_from_rows(path, pairs, topics, documents, range(3), queue=QueueRow("pool", seed=seed))
    kept = hash_password(PASSWORD)
    with lab.writing() as connection:
        for number in range(people):
            add_account(connection, f"a{number}", ("assessor",), password_hash=kept, actor="bench", now=1)
    return path


@contextlib.contextmanager
def serving(lab: Path) -> Iterator[str]:
    """Serve a lab in a process of its own: its address."""
    command = [sys.executable, "-c", COMMAND, "judge", str(lab), "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        said = ""
        while not (found := _ADDRESS.search(said)):
            line = process.stderr.readline() if process.stderr else ""
            said += line
            if not line:
                raise Error("E200", f"the room could not be served: {said.strip()}")
        yield found[1]
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()
