"""Runs and qrels with named columns: CSV, TSV, JSON lines, Parquet."""

from dataclasses import replace

import numpy as np

from cranfield.arrays import NO_INTS, Bools
from cranfield.errors import InputError
from cranfield.read.checked_columns import NO_QRELS, NO_RUN, TextColumns, rows_of
from cranfield.read.definition import named, reads, with_assessors
from cranfield.read.formats import delimited, jsonl
from cranfield.read.formats.trec import as_qrels, as_run
from cranfield.read.guess import guess
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content
from cranfield.tables.judgments import MISSING, Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text

_RANKED = ("topic", "doc", "score|rank")
_GRADED = ("topic", "doc", "grade")
_PARTIAL = ("grade", "assessor", "kind", "status", "at", "iteration", "stratum")


@reads("run-csv", "run", "topic,doc,score,run", endings=(".csv",), writable=True)
def read_csv_run(content: Content, options: ReadOptions) -> list[Run]:
    """CSV with a header naming topic, document, score (or rank) and perhaps the run."""
    return runs_of(delimited.table(content, options, ",", _RANKED, qrels=False), options, "run-csv")


@reads("run-tsv", "run", "topic\tdoc\tscore\trun", writable=True)
def read_tsv_run(content: Content, options: ReadOptions) -> list[Run]:
    """Tab-separated table with a header naming topic, document, score (or rank) and perhaps the run."""
    return runs_of(delimited.table(content, options, "\t", _RANKED, qrels=False), options, "run-tsv")


@reads(
    "run-jsonl",
    "run",
    '{"topic":"301","doc":"FT911-3","score":14.25,"run":"bm25"}',
    endings=(".jsonl", ".ndjson"),
    writable=True,
)
def read_jsonl_run(content: Content, options: ReadOptions) -> list[Run]:
    """JSON lines with topic, document, score (or rank) and perhaps the run."""
    return runs_of(jsonl.table(content, options, _RANKED, qrels=False), options, "run-jsonl")


@reads("run-parquet", "run", "topic,doc,score,run", endings=(".parquet", ".pq"), writable=True, binary=True)
def read_parquet_run(content: Content, options: ReadOptions) -> list[Run]:
    """Parquet with columns for topic, document, score (or rank) and perhaps the run."""
    from cranfield.read.frames import frame_runs, parquet

    source = content.source("run-parquet", lines=False)
    return [replace(run, source=source) for run in frame_runs(parquet(content), options, content.name).values()]


def _csv(content: Content, options: ReadOptions) -> TextColumns:
    return delimited.table(content, options, ",", _GRADED, qrels=True)


def _tsv(content: Content, options: ReadOptions) -> TextColumns:
    return delimited.table(content, options, "\t", _GRADED, qrels=True)


def _jsonl(content: Content, options: ReadOptions) -> TextColumns:
    return jsonl.table(content, options, _GRADED, qrels=True, partial=_PARTIAL)


@reads("qrels-csv", "qrels", "topic,doc,grade,assessor", endings=(".csv",), writable=True, columns=_csv)
def read_csv_qrels(content: Content, options: ReadOptions) -> Qrels:
    """CSV with a header naming topic, document, grade and perhaps the assessor."""
    return _qrels(_csv(content, options), options, "qrels-csv")


@reads("qrels-tsv", "qrels", "topic\tdoc\tgrade", writable=True, columns=_tsv)
def read_tsv_qrels(content: Content, options: ReadOptions) -> Qrels:
    """Tab-separated table with a header naming topic, document, grade and perhaps the assessor."""
    return _qrels(_tsv(content, options), options, "qrels-tsv")


@reads("qrels-beir", "qrels", "query-id\tcorpus-id\tscore", writable=True)
def read_beir_qrels(content: Content, options: ReadOptions) -> Qrels:
    """BEIR qrels: tab-separated query-id, corpus-id, score, with that header."""
    return _qrels(_tsv(content, options), options, "qrels-beir")


@reads(
    "qrels-jsonl",
    "qrels",
    '{"topic":"301","doc":"FT911-3","grade":1}',
    endings=(".jsonl", ".ndjson"),
    writable=True,
    columns=_jsonl,
)
def read_jsonl_qrels(content: Content, options: ReadOptions) -> Qrels:
    """JSON lines with topic, document, grade and perhaps assessor, kind, status and time."""
    return _qrels(_jsonl(content, options), options, "qrels-jsonl")


@reads("qrels-parquet", "qrels", "topic,doc,grade,assessor", endings=(".parquet", ".pq"), writable=True, binary=True)
def read_parquet_qrels(content: Content, options: ReadOptions) -> Qrels:
    """Parquet with columns for topic, document and grade."""
    from cranfield.read.frames import frame_qrels, parquet

    source = content.source("qrels-parquet", lines=False)
    return replace(frame_qrels(parquet(content), options, content.name), source=source)


def read_all_judgments(content: Content, options: ReadOptions) -> Judgments:
    """The judgments of all assessors, from a format whose rows may name them."""
    format = named(options.format, "qrels") if options.format else guess(content, "qrels", options)
    if format.columns is None:
        hint = f"judgments of several assessors come as one of {with_assessors()}"
        raise InputError("E118", f"{format.name} has no assessor column", path=content.name, hint=hint)
    return judgments(format.columns(content, options), options, format.name)


def judgments(columns: TextColumns, options: ReadOptions, format: str) -> Judgments:
    """Judgments of all assessors from columns of text; a row whose status is not `judged` needs no grade."""
    _not_empty(columns, NO_QRELS)
    rows = len(columns)
    columns.ids("topic", "doc")
    blank = {"assessor": "", "kind": "human", "status": "judged", "at": ""}
    texts = {role: columns.get(role) or Text.of([default] * rows) for role, default in blank.items()}
    states, code = texts["status"].codes()
    judged = np.isin(code, [number for number, state in enumerate(states) if state in ("judged", "")])
    if "" in states:
        texts["status"] = Text.of(state or "judged" for state in texts["status"])
    absent = _absent(columns, options.missing)
    if absent.any():
        judged &= ~absent
        shown = zip(texts["status"], absent.tolist(), strict=True)
        texts["status"] = Text.of(MISSING if blank else state for state, blank in shown)
    # a row without grade is checked as if it had one, so that all others keep their place
    cells = columns.get("grade") or Text.of([""] * rows)
    if not judged.all() or "grade" not in columns:
        columns.values["grade"] = Text.of(cell if ok else "0" for cell, ok in zip(cells, judged.tolist(), strict=True))
    grade = columns.grades(options)
    columns.check()
    source = columns.content.source(format, assessors="assessor" in columns)
    return Judgments(
        topic=columns["topic"],
        document=columns["doc"],
        assessor=texts["assessor"],
        kind=texts["kind"],
        status=texts["status"],
        grade=grade,
        at=texts["at"],
        line=columns.line,
        source=source,
    )


def runs_of(columns: TextColumns, options: ReadOptions, format: str) -> list[Run]:
    """One run for each value of the run column."""
    _not_empty(columns, NO_RUN)
    column = columns.get("run")
    names, code = column.codes() if column is not None else ([], NO_INTS)
    if len(names) < 2:
        return [as_run(columns, options, format)]
    if options.name is not None:
        problem = f"holds {len(names)} runs, which cannot all be called {options.name!r}"
        raise InputError("E121", problem, path=columns.content.name)
    columns.ids("topic", "doc", "run")
    columns.check()
    rows = rows_of(code, len(names))
    return [as_run(columns.take(mine), options, format, name) for mine, name in zip(rows, names, strict=True)]


def _qrels(columns: TextColumns, options: ReadOptions, format: str) -> Qrels:
    """Qrels; rows whose judgment failed are left out, and counted in a warning."""
    _not_empty(columns, NO_QRELS)
    if "status" not in columns and not options.missing:
        return as_qrels(columns, options, format)
    table = judgments(columns, options, format)
    table.warn_of_failed()
    return table.qrels()


def _absent(columns: TextColumns, spellings: tuple[str, ...]) -> Bools:
    """The rows whose grade is a word for a missing judgment."""
    if "grade" in columns.typed:
        numbers = [float(word) for word in spellings if Text.of([word]).numbers()[1][0] == 0]
        return np.isin(columns.typed["grade"], numbers)
    if not spellings or (cells := columns.get("grade")) is None:
        return np.zeros(len(columns), dtype=bool)
    names, code = cells.codes()
    return np.isin(code, [number for number, name in enumerate(names) if name.strip() in spellings])


def _not_empty(columns: TextColumns, hint: str) -> None:
    if len(columns) == 0 and not columns.problems:
        raise InputError("E104", "the file holds no rows", path=columns.content.name, hint=hint)
