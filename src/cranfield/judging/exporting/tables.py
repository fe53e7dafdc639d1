"""Chosen grades as qrels, and all judgments as rows."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from cranfield.judging.exporting.choice import ChosenGrade
from cranfield.judging.exporting.pairs import ExportedPair, SaidBy
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.source import IN_MEMORY, Source
from cranfield.tables.text import Text

OPEN = ("cannot", "later", "open")


def qrels_of(
    chosen: Iterable[ChosenGrade], open_as: int | None = None, *, whole: bool = True, sampled: bool = False
) -> Qrels:
    """The pairs that have a grade; with `open_as`, also those that no assessor could or did judge, under that grade.

    `sampled` adds strata and inclusion probabilities, where not all pairs were certain to be chosen.
    """
    rows = [each for each in chosen if each.grade is not None or (open_as is not None and each.state in OPEN)]
    given = [open_as if each.grade is None else each.grade for each in rows]
    grade = np.array(given, dtype=np.float64)
    topics, topic = Text.of(each.pair.topic for each in rows).codes()
    chance = np.array([np.nan if (p := each.pair.probability) is None else p for each in rows], dtype=np.float64)
    told = sampled and not (chance == 1).all()
    return Qrels(
        topics=tuple(topics),
        topic=topic,
        document=Text.of(each.pair.document for each in rows),
        grade=grade.astype(np.int64) if whole else grade,
        stratum=Text.of(each.pair.stratum or "-" for each in rows) if told else None,
        probability=chance if told else None,
    )


def spoken(pairs: Iterable[ExportedPair]) -> list[tuple[ExportedPair, SaidBy]]:
    """Every judgment with its pair; of an assessor's judgments of a pair the first one comes last.

    Programs that let the last judgment of an assessor count take it then, and not the repeat.
    """
    return [(pair, each) for pair in pairs for each in sorted(pair.said, key=lambda said: -said.judgment.round)]


def judgments_of(rows: Sequence[tuple[ExportedPair, SaidBy]], source: Source = IN_MEMORY) -> Judgments:
    """Judgments as a table, in the order given."""
    table = Judgments.of(
        [pair.topic for pair, _ in rows],
        [pair.document for pair, _ in rows],
        [said.judgment.assessor for _, said in rows],
        np.array([said.grade or 0 for _, said in rows], dtype=np.int64),
        kind=[judgment_kind(said) for _, said in rows],
        status=[said.judgment.answer.status for _, said in rows],
        at=[time_of(said.judgment.at_ms) for _, said in rows],
    )
    return replace(table, source=source)


def judgment_kind(said: SaidBy) -> str:
    """The kind of an assessor as files of judgments spell it: `human` or `model`."""
    return "model" if said.kind == "llm" else "human"


def disputed_rows(chosen: Iterable[ChosenGrade]) -> list[tuple[str, str, str]]:
    """Topic, document and the grades that were given, for each pair without a winner."""
    return [
        (each.pair.topic, each.pair.document, " ".join(map(str, sorted(each.pair.grades))))
        for each in chosen
        if each.state == "disputed"
    ]


def time_of(at_ms: int) -> str:
    """A time in UTC.

    >>> time_of(1_772_446_272_345)
    '2026-03-02T10:11:12.345Z'
    """
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
