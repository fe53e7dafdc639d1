"""Decide queues answered by simulated assessors through HTTP: how many judgments until it is decided.

    scripts/decide-queue                 # the table of docs/judging.md, written into it
    scripts/decide-queue --print         # printed

Documents of TREC-COVID that were unjudged in round 2 are judged as in later rounds. The collection is looked for in the
folder `data` of CRANFIELD_SHARED, or of `shared` beside the checkout; the demo needs none.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.check_holes import data
from benchmarks.holes_calibration import LaterJudgments
from benchmarks.http_assessors import judge_together
from benchmarks.marked_pages import parser, write
from cranfield.align.policy import Policy
from cranfield.judging.deciding.desks import Desks
from cranfield.judging.deciding.queueing import asked_question, decide_queue
from cranfield.judging.lab import Lab
from cranfield.judging.records import QueueRow, TopicRow
from cranfield.measures.grammar import parse
from cranfield.missing.next.deciding.asked import AskedPairs
from cranfield.missing.next.deciding.making import situation_of_runs
from cranfield.study.simulated.named_systems import generate
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.words import counted

PAGE = Path(__file__).resolve().parents[1] / "docs" / "judging.md"
BEGIN, END = "<!-- decide queue: begin -->", "<!-- decide queue: end -->"
Grades = Mapping[str, Mapping[str, int]]
PAIRS = 3  # of the runs of TREC-COVID
MEASURE = "nDCG@10"
ALPHA = 0.05


@dataclass(frozen=True, eq=False)
class KnownCollection:
    """Runs, the judgments there were, and those that assessors will make."""

    name: str
    runs: Sequence[Run]
    judged: Grades
    truth: Grades
    pairs: Sequence[tuple[str, str]]

    def grade(self, topic: str, document: str) -> int:
        """What an assessor answers."""
        return self.truth.get(topic, {}).get(document, 0)


@dataclass(frozen=True)
class DecidedQueue:
    """What came of one queue."""

    collection: str
    pair: tuple[str, str]
    measure: str
    assessors: int
    alpha: float
    pool: int
    judged: int
    reason: str
    better: str


def decided(
    collection: KnownCollection, pair: tuple[str, str], measure: str, assessors: int, alpha: float, folder: Path
) -> DecidedQueue:
    """Make a lab with a decide queue, let assessors judge through HTTP until it is decided, and look at the end."""
    runs = [run for name in pair for run in collection.runs if run.name == name]
    topics = [TopicRow(topic, topic) for topic in collection.judged]
    lab = Lab.create_from_rows(folder / f"{secrets_name(pair)}-{assessors}-{alpha:g}.db", [], topics, grades=range(3))
    with lab.reading() as connection:
        asked = asked_question(connection, runs, measure, judged=collection.judged, alpha=alpha)
        queue = decide_queue(connection, asked)
    lab.add_rows(QueueRow(**vars(queue.row)), queue.pairs)
    people = judge_together(lab, collection.grade, assessors)
    with lab.reading() as connection:
        now = Desks(lambda: connection).all()[0].state(connection).now
    return DecidedQueue(
        collection=collection.name,
        pair=pair,
        measure=measure,
        assessors=assessors,
        alpha=alpha,
        pool=len(queue.pairs),
        judged=sum(len(person.judged) for person in people),
        reason=str(now.reason),
        better=now.pairs[0].better or "neither",
    )


def secrets_name(pair: tuple[str, str]) -> str:
    """A name for a file."""
    return "-".join(name.replace("/", "_") for name in pair)


def demo() -> KnownCollection:
    """The demo, whose true grades are known."""
    made = generate(seed=7)
    truth = {
        topic: dict(zip(made.documents, (int(grade) for grade in grades), strict=True))
        for topic, grades in zip(made.topics, made.truth, strict=True)
    }
    pairs = [("lexical-tuned", "hybrid"), ("lexical", "vector")]
    return KnownCollection("demo", list(made.runs.members), grades_of(made.qrels), truth, pairs)


def covid(folder: Path, number: int = PAIRS) -> KnownCollection:
    """Runs of TREC-COVID, round 2, all of whose documents were judged in the end: pairs that are open at first."""
    found = LaterJudgments.covid(folder)
    truth = grades_of(found.everything)
    pairs = list(islice(open_pairs(found), number))
    return KnownCollection("TREC-COVID", list(found.runs.members), grades_of(found.qrels), truth, pairs)


def open_pairs(found: LaterJudgments) -> Iterator[tuple[str, str]]:
    """Pairs whose order is not certain at first, of different runs, beginning with the smallest differences."""
    mean = np.nan_to_num(found.scores(MEASURE)).mean(axis=1)
    a, b = found.pairs
    taken: set[int] = set()
    for at in np.argsort(np.abs(mean[a] - mean[b]), kind="stable").tolist():
        pair = int(a[at]), int(b[at])
        if taken & set(pair):
            continue
        topics = tuple(found.qrels.topics)
        situation, _ = situation_of_runs(found.candidates, found.grade, topics, parse(MEASURE), Policy(), pair)
        ranges = AskedPairs(situation).ranges
        if ranges.low[0] < 0 < ranges.high[0]:
            taken |= set(pair)
            yield found.candidates.runs[pair[0]], found.candidates.runs[pair[1]]


def grades_of(qrels: Qrels) -> dict[str, dict[str, int]]:
    """Qrels as dictionaries."""
    found: dict[str, dict[str, int]] = {topic: {} for topic in qrels.topics}
    for topic, document, grade in zip(qrels.topic.tolist(), qrels.document, qrels.grade.tolist(), strict=True):
        found[qrels.topics[topic]][document] = max(int(grade), 0)
    return found


def rows(collections: Sequence[KnownCollection], folder: Path) -> Iterator[DecidedQueue]:
    """All queues: one assessor and three, until it is certain and until it is probable."""
    for collection in collections:
        for pair in collection.pairs:
            for assessors, alpha in ((1, 0.0), (3, 0.0), (3, ALPHA)):
                yield decided(collection, pair, MEASURE, assessors, alpha, folder)


def table(found: Sequence[DecidedQueue]) -> Iterator[str]:
    """The table of the page."""
    yield "| collection | runs | assessors | stop | judgments | whole pool | ended | better |"
    yield "|:---|:---|---:|:---|---:|---:|:---|:---|"
    for row in found:
        stop = "certain" if row.alpha == 0 else f"P outside [{row.alpha:g}, {1 - row.alpha:g}]"
        cells = [row.collection, " – ".join(row.pair), str(row.assessors), stop]
        cells += [str(row.judged), str(row.pool), row.reason, row.better]
        yield f"| {' | '.join(cells)} |"
    certain = [row for row in found if row.alpha == 0]
    spared = 1 - sum(row.judged for row in certain) / max(sum(row.pool for row in certain), 1)
    yield ""
    queues = counted(len(certain), "queue")
    yield f"Until it was certain, {spared:.0%} of the judgments of the whole pools were spared ({queues})."


def main(arguments: list[str]) -> None:
    """Write the table into the page, or print it."""
    options = parser("Decide queues answered through HTTP.").parse_args(arguments)
    collections = [demo(), *([covid(data())] if (data() / "covid-round2").is_dir() else [])]
    with TemporaryDirectory() as folder:
        found = []
        for row in rows(collections, Path(folder)):
            found.append(row)
            print(row, flush=True)
    text = "\n".join(table(found))
    if options.print:
        print(text)
    else:
        write(PAGE, text, BEGIN, END)


if __name__ == "__main__":
    main(sys.argv[1:])
