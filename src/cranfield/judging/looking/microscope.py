"""One topic under the microscope: the rankings side by side, what was judged, and what could still change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan

from cranfield.align.policy import Policy
from cranfield.errors.warning import kept
from cranfield.judging.deciding.asking import lists_of
from cranfield.judging.looking.scales import Axis
from cranfield.missing.holes import holes
from cranfield.missing.result import Holes
from cranfield.missing.situation import depth_of
from cranfield.reporting.joining import DocumentLine, document_lines
from cranfield.reporting.topic_lists import what_strikes
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.sheets.numerals import in_print

SHOWN = 10  # ranks, of measures that look at whole lists
NEXT = 3  # documents that are proposed for judging


@dataclass(frozen=True)
class RankedDocument:
    """One document of a list; `grade` is None if it is not judged."""

    rank: int
    document: str
    grade: int | None


@dataclass(frozen=True)
class RankingColumn:
    """The list of one run in this topic: its documents, its value as judged and the ends of what is possible."""

    run: str
    documents: tuple[RankedDocument, ...]
    value: str
    lowest: str
    highest: str
    bar: tuple[float, float, float]  # lowest, highest and value, from 0 to 100


@dataclass(frozen=True)
class TopicUnderMicroscope:
    """Everything that the page of a topic shows.

    Attributes:
        topic: its id.
        measure: its name.
        depth: how many ranks are shown.
        columns: the lists.
        lines: between the same documents in neighbouring columns.
        sentence: what strikes the eye.
        to_judge: documents whose judgments would tell most.
    """

    topic: str
    measure: str
    depth: int
    columns: tuple[RankingColumn, ...]
    lines: tuple[DocumentLine, ...]
    sentence: str
    to_judge: tuple[str, ...]


def topic_under_microscope(
    qrels: Qrels, runs: Sequence[Run], topic: str, measure: str = "nDCG@10", rel: int = 1
) -> TopicUnderMicroscope:
    """Look at one topic.

    >>> from cranfield.read.objects import as_qrels, as_run
    >>> old = as_run({"1": ["a", "b", "c"]}).renamed("old")
    >>> new = as_run({"1": ["x", "c", "a"]}).renamed("new")
    >>> found = topic_under_microscope(as_qrels({"1": {"a": 1, "b": 0, "c": 1}}), [old, new], "1", "P@3")
    >>> found.sentence
    'Unjudged document at rank 1 in new; a moved 1 → 3 from old to new.'
    >>> [(column.run, column.value, column.lowest, column.highest) for column in found.columns]
    [('old', '0.667', '0.667', '0.667'), ('new', '0.667', '0.667', '1.000')]
    >>> found.to_judge
    ('x',)
    """
    policy = Policy(rel=rel)
    with kept():  # warnings, which are about other topics and runs
        known = holes(qrels, Runs(tuple(runs)), measure, policy=policy)
    depth = min(depth_of(known.bounder().situation.named) or SHOWN, 30)
    lists = [lists_of(run, depth, [topic]).get(topic, []) for run in runs]
    grades = grades_of_topic(qrels, topic)
    return TopicUnderMicroscope(
        topic=topic,
        measure=measure,
        depth=depth,
        columns=tuple(_column(known, run.name, topic, each, grades) for run, each in zip(runs, lists, strict=True)),
        lines=document_lines(lists, depth),
        sentence=what_strikes([run.name for run in runs], lists, grades),
        to_judge=_to_judge(known, topic),
    )


def grades_of_topic(qrels: Qrels, topic: str) -> dict[str, int]:
    """The judged documents of a topic."""
    if topic not in qrels.topics:
        return {}
    number = list(qrels.topics).index(topic)
    rows = (qrels.topic == number).nonzero()[0]
    return dict(zip(qrels.document.take(rows), (int(grade) for grade in qrels.grade[rows]), strict=True))


def _column(known: Holes, run: str, topic: str, documents: Sequence[str], grades: Mapping[str, int]) -> RankingColumn:
    place, ends = known.runs.index(run), known.bounder().runs
    number = list(known.scores.topics).index(topic) if topic in known.scores.topics else None
    low = high = value = float("nan")
    if number is not None and number < ends.low.shape[1]:
        low, high = float(ends.low[place, number]), float(ends.high[place, number])
        value = float(known.scores.values[place, number, 0])
    axis = Axis(0.0, 1.0 if isnan(high) else max(1.0, high), 0.0, 100.0)
    return RankingColumn(
        run=run,
        documents=tuple(RankedDocument(rank, each, grades.get(each)) for rank, each in enumerate(documents, 1)),
        value=_print(value),
        lowest=_print(low),
        highest=_print(high),
        bar=(axis.at(_zero(low)), axis.at(_zero(high)), axis.at(_zero(value))),
    )


def _to_judge(known: Holes, topic: str) -> tuple[str, ...]:
    """The unjudged documents of the topic that shrink open ranges most, or change scores most."""
    if known.bounder().situation.holes == 0 or len(known.runs) < 2:
        return ()
    found = known.next(known.bounder().situation.holes, pairs="all")
    here = [document for each, document in zip(found.topics, found.documents, strict=True) if each == topic]
    return tuple(here[:NEXT])


def _print(value: float) -> str:
    return "–" if isnan(value) else in_print(value, ".3f")


def _zero(value: float) -> float:
    return 0.0 if isnan(value) else value
