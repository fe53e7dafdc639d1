"""Qrels, judgments of several assessors, and pools in every format that can hold them."""

import io
import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from cranfield.errors import InputError, PolicyError
from cranfield.errors.extras import need
from cranfield.read.definition import with_assessors
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.side.pool import Pool
from cranfield.tables.text import Text
from cranfield.write.text import csv_cell, lines, no_blanks, no_comments, no_tabs
from cranfield.write.write import writes

_COLUMNS = ("topic", "doc", "assessor", "kind", "status", "grade", "at")
UNKNOWN = "NA"  # a probability that is not known: the pair was chosen by looking at judgments
_EVERY = "topic document grade iteration stratum probability assessor kind status at"


@writes("qrels-trec", holds="topic document grade iteration")
def trec(table: Qrels | Judgments) -> bytes:
    """TREC qrels."""
    qrels = one_grade_each(table, "qrels-trec")
    return _columns(qrels, _topics(qrels), _iteration(qrels), qrels.document, grades(qrels))


@writes("qrels-stratum", holds="topic document grade iteration stratum")
def stratum(table: Qrels | Judgments) -> bytes:
    """Stratum qrels."""
    qrels = one_grade_each(table, "qrels-stratum")
    if qrels.stratum is None:
        raise PolicyError("E118", "qrels-stratum needs strata, which these qrels do not have")
    no_blanks(qrels, stratum=qrels.stratum)
    return _columns(qrels, _topics(qrels), _iteration(qrels), qrels.document, qrels.stratum, grades(qrels))


@writes("qrels-probability", holds="topic document grade iteration probability")
def probability(table: Qrels | Judgments) -> bytes:
    """TREC qrels with inclusion probabilities."""
    qrels = one_grade_each(table, "qrels-probability")
    return _columns(qrels, _topics(qrels), _iteration(qrels), qrels.document, grades(qrels), _chances(qrels))


@writes("qrels-prels", holds="topic document grade probability")
def prels(table: Qrels | Judgments) -> bytes:
    """Prels; the sampling method is not known and written as 1."""
    qrels = one_grade_each(table, "qrels-prels")
    return _columns(qrels, _topics(qrels), qrels.document, grades(qrels), ["1"] * len(qrels), _chances(qrels))


@writes("qrels-beir", holds="topic document grade")
def beir(table: Qrels | Judgments) -> bytes:
    """BEIR qrels."""
    qrels = one_grade_each(table, "qrels-beir")
    no_tabs(Text.of(qrels.topics), "topic id")
    no_tabs(qrels.document, "document id")
    rows = zip(_topics(qrels), qrels.document, grades(qrels), strict=True)
    return lines("\t".join(row) for row in chain([("query-id", "corpus-id", "score")], rows))


@writes("qrels-csv", holds=_EVERY)
def comma_separated(table: Qrels | Judgments) -> bytes:
    """CSV with a header."""
    return lines(",".join(map(csv_cell, row)) for row in chain([header(table)], cells(table)))


@writes("qrels-tsv", holds=_EVERY)
def tab_separated(table: Qrels | Judgments) -> bytes:
    """Tab-separated table with a header."""
    rows = list(cells(table))
    for place, noun in enumerate(header(table)):
        no_tabs(Text.of(row[place] or "-" for row in rows), noun)
    return lines("\t".join(row) for row in chain([header(table)], rows))


@writes("qrels-jsonl", holds=_EVERY)
def json_lines(table: Qrels | Judgments) -> bytes:
    """JSON lines."""
    names = header(table)
    numbers = ("grade", "probability")
    return lines(
        json.dumps(
            {
                name: (_number(cell) if name in numbers else cell)
                for name, cell in zip(names, row, strict=True)
                if cell or name == "grade"
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )
        for row in cells(table)
    )


@writes("qrels-json", holds="topic document grade")
def dictionary(table: Qrels | Judgments) -> bytes:
    """Dictionary of dictionaries."""
    qrels = one_grade_each(table, "qrels-json")
    found: dict[str, dict[str, float]] = {topic: {} for topic in qrels.topics}
    for row, (topic, document, grade) in enumerate(
        zip(_topics(qrels), qrels.document, qrels.grade.tolist(), strict=True)
    ):
        if found[topic].setdefault(document, grade) != grade:
            problem = f"topic {topic!r}, document {document!r} has two grades"
            raise InputError(
                "E109", problem, path=qrels.source.name or None, line=qrels.line_of(row), text=qrels.text_of(row)
            )
    return json.dumps(found, ensure_ascii=False).encode() + b"\n"


@writes("qrels-parquet", holds="topic document grade iteration")
def parquet(table: Qrels | Judgments) -> bytes:
    """Parquet."""
    need("polars", "a Parquet file")
    import polars as pl

    qrels = one_grade_each(table, "qrels-parquet")
    columns: dict[str, Any] = {"topic": _topics(qrels), "doc": list(qrels.document), "grade": qrels.grade}
    if qrels.iteration is not None:
        columns["iteration"] = list(qrels.iteration)
    packed = io.BytesIO()
    pl.DataFrame(columns).write_parquet(packed)
    return packed.getvalue()


@writes("pool-tsv", holds="topic document stratum probability")
def pool(table: Pool) -> bytes:
    """Pool: an unknown probability is written NA."""
    for noun, column in (
        ("topic id", Text.of(table.topics)),
        ("document id", table.document),
        ("stratum", table.stratum),
    ):
        no_tabs(column, noun)
    chances = [_chance(p) for p in table.probability.tolist()]
    topics = [table.topics[number] for number in table.topic.tolist()]
    rows = zip(topics, table.document, table.stratum, chances, strict=True)
    return lines("\t".join(row) for row in rows)


def header(table: Qrels | Judgments) -> list[str]:
    """Names of the columns that the table has."""
    if isinstance(table, Judgments):
        return list(_COLUMNS)
    optional = ("iteration", "stratum", "probability")
    return ["topic", "doc", "grade", *(name for name in optional if getattr(table, name) is not None)]


def cells(table: Qrels | Judgments) -> Iterator[tuple[str, ...]]:
    """The rows as text; a judgment that failed has no grade."""
    if isinstance(table, Judgments):
        given = [str(g) if ok else "" for g, ok in zip(table.grade.tolist(), table.judged.tolist(), strict=True)]
        columns = (table.topic, table.document, table.assessor, table.kind, table.status, given, table.at)
        return zip(*columns, strict=True)
    optional = [list(column) for column in (table.iteration, table.stratum) if column is not None]
    if table.probability is not None:
        optional.append(_chances(table))
    return zip(_topics(table), table.document, grades(table), *optional, strict=True)


def grades(qrels: Qrels) -> list[str]:
    """Grades as text."""
    return [str(grade) for grade in qrels.grade.tolist()]


def one_grade_each(table: Qrels | Judgments, format: str) -> Qrels:
    """The qrels, for formats that cannot hold the judgments of several assessors."""
    if isinstance(table, Qrels):
        return table
    hint = f"write one of {with_assessors(written=True)}, or choose one grade for each document first"
    raise PolicyError("E118", f"{format} cannot hold the judgments of several assessors", hint=hint)


def _columns(qrels: Qrels, *columns: Any) -> bytes:  # columns of text: lists and Text alike
    no_comments(qrels, qrels.topics)
    no_blanks(qrels, topic=Text.of(qrels.topics).take(qrels.topic), document=qrels.document)
    if qrels.iteration is not None:
        no_blanks(qrels, iteration=qrels.iteration)
    return lines(" ".join(row) for row in zip(*columns, strict=True))


def _topics(qrels: Qrels) -> list[str]:
    return [qrels.topics[number] for number in qrels.topic.tolist()]


def _iteration(qrels: Qrels) -> list[str]:
    return ["0"] * len(qrels) if qrels.iteration is None else list(qrels.iteration)


def _chances(qrels: Qrels) -> list[str]:
    if qrels.probability is None:
        raise PolicyError("E118", "these qrels have no inclusion probabilities to write")
    return [_chance(p) for p in qrels.probability.tolist()]


def _chance(probability: float) -> str:
    return UNKNOWN if np.isnan(probability) else repr(probability)


def _number(cell: str) -> float | str | None:
    if not cell or cell == UNKNOWN:
        return cell or None
    return float(cell) if any(mark in cell for mark in ".en") else int(cell)
