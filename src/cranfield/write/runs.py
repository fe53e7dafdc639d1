"""Runs in every format that can hold them."""

import io
import json
from collections.abc import Iterator
from itertools import chain

from cranfield.arrays import Ints
from cranfield.errors import InputError
from cranfield.errors.extras import need
from cranfield.tables.run import Run, Runs
from cranfield.tables.text import Text
from cranfield.write.columns import made_ranks
from cranfield.write.text import csv_cell, lines, no_blanks, no_comments, no_tabs
from cranfield.write.write import writes


@writes("run-trec", holds="topic document score rank name")
def trec(table: Run | Runs) -> bytes:
    """TREC run."""
    run = only(table, "run-trec")
    no_comments(run, run.topics)
    no_blanks(run, topic=Text.of(run.topics).take(run.topic), document=run.document)
    if not run.name or any(blank in run.name for blank in " \t\n\v\f\r"):
        raise InputError(
            "E117", f"run name {run.name!r} is empty or contains a blank", hint="write NAME=PATH, or rename it"
        )
    rank = run.rank if isinstance(run.rank, Text) else ranks(run).tolist()
    rows = zip(_topics(run), run.document, rank, run.score.tolist(), strict=True)
    return lines(f"{topic} Q0 {document} {place} {score!r} {run.name}" for topic, document, place, score in rows)


@writes("run-msmarco", holds="topic document rank")
def msmarco(table: Run | Runs) -> bytes:
    """MS MARCO run: ranks instead of scores."""
    run = only(table, "run-msmarco")
    no_comments(run, run.topics)
    no_blanks(run, topic=Text.of(run.topics).take(run.topic), document=run.document)
    rows = zip(_topics(run), run.document, ranks(run).tolist(), strict=True)
    return lines(f"{topic}\t{document}\t{rank}" for topic, document, rank in rows)


@writes("run-csv", holds="topic document score rank name")
def comma_separated(table: Run | Runs) -> bytes:
    """CSV with a header."""
    return lines(",".join(map(csv_cell, row)) for row in chain([header(table)], cells(table)))


@writes("run-tsv", holds="topic document score rank name")
def tab_separated(table: Run | Runs) -> bytes:
    """Tab-separated table with a header."""
    for run in members(table):
        no_tabs(Text.of([run.name]), "run name")
        no_tabs(Text.of(run.topics), "topic id")
        no_tabs(run.document, "document id")
    return lines("\t".join(row) for row in chain([header(table)], cells(table)))


@writes("run-jsonl", holds="topic document score rank name")
def json_lines(table: Run | Runs) -> bytes:
    """JSON lines."""
    names = header(table)
    numbers = {"score", "rank"}
    quoted = [(name, name not in numbers) for name in names]
    return lines(
        "{"
        + ",".join(
            f'"{name}":{_quote(cell) if text else _json(cell)}' for (name, text), cell in zip(quoted, row, strict=True)
        )
        + "}"
        for row in cells(table)
    )


@writes("run-json", holds="topic document score")
def dictionary(table: Run | Runs) -> bytes:
    """Dictionary of dictionaries; several runs are one level deeper."""
    if isinstance(table, Runs) and len(table) > 1:
        return json.dumps({name: tree(run) for name, run in table.items()}, ensure_ascii=False).encode() + b"\n"
    return json.dumps(tree(only(table, "run-json")), ensure_ascii=False).encode() + b"\n"


@writes("run-parquet", holds="topic document score rank name")
def parquet(table: Run | Runs) -> bytes:
    """Parquet."""
    need("polars", "a Parquet file")
    import polars as pl

    runs = members(table)
    ranked = all(run.rank is not None for run in runs)
    columns: dict[str, list[object]] = {
        "topic": [topic for run in runs for topic in _topics(run)],
        "doc": [document for run in runs for document in run.document],
        "score": [score for run in runs for score in run.score.tolist()],
        **({"rank": [rank for run in runs for rank in ranks(run).tolist()]} if ranked else {}),
        "run": [run.name for run in runs for _ in range(len(run))],
    }
    packed = io.BytesIO()
    pl.DataFrame(columns, schema_overrides={"score": pl.Float64}).write_parquet(packed)
    return packed.getvalue()


def only(table: Run | Runs, format: str) -> Run:
    """The run, where a file can hold one."""
    if isinstance(table, Run):
        return table
    if len(table) != 1:
        raise InputError("E121", f"{format} holds one run, got {len(table)}", hint="write one file for each run")
    return table.members[0]


def members(table: Run | Runs) -> tuple[Run, ...]:
    """One run or several."""
    return (table,) if isinstance(table, Run) else table.members


def ranks(run: Run) -> Ints:
    """The rank column; without one, the ranks that the scores give."""
    known = run.ranks()
    return made_ranks(run) if known is None else known


def tree(run: Run) -> dict[str, dict[str, float]]:
    """`{topic: {document: score}}`; a document that is listed twice cannot be held."""
    found: dict[str, dict[str, float]] = {topic: {} for topic in run.topics}
    for row, (topic, document, score) in enumerate(zip(_topics(run), run.document, run.score.tolist(), strict=True)):
        if found[topic].setdefault(document, score) is not score:
            problem = f"document {document!r} is listed twice for topic {topic!r}"
            raise InputError(
                "E108", problem, path=run.source.name or None, line=run.line_of(row), text=run.text_of(row)
            )
    return found


def header(table: Run | Runs) -> list[str]:
    """Names of the columns; the rank is there if every run has one."""
    ranked = all(run.rank is not None for run in members(table))
    return ["topic", "doc", "score", *(["rank"] if ranked else []), "run"]


def cells(table: Run | Runs) -> Iterator[list[str]]:
    """The rows of all runs as text."""
    ranked = "rank" in header(table)
    for run in members(table):
        rank = run.rank if isinstance(run.rank, Text) else map(str, ranks(run).tolist() if ranked else [0] * len(run))
        for topic, document, score, place in zip(_topics(run), run.document, run.score.tolist(), rank, strict=True):
            yield [topic, document, repr(score), *([place] if ranked else []), run.name]


def _topics(run: Run) -> list[str]:
    return [run.topics[number] for number in run.topic.tolist()]


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _json(numeral: str) -> str:
    return {"inf": "Infinity", "-inf": "-Infinity"}.get(numeral, numeral)
