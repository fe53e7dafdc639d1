"""All judgments in one file: JSON lines, CSV or Parquet, one row for each judgment."""

import csv
import io
import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from cranfield.errors import PolicyError
from cranfield.errors.extras import installed, need
from cranfield.errors.wording import either
from cranfield.judging.exporting.pairs import ExportedPair, SaidBy
from cranfield.judging.exporting.tables import judgment_kind, spoken, time_of
from cranfield.registry import Registry
from cranfield.tables.sheets.escape import spreadsheet

_FREE = ("assessor", "note", "reason")  # text that people type; ids are never altered
RawRow = dict[str, Any]  # text, numbers, and a list of passages
RenderRaw = Callable[[list[RawRow]], bytes]


class RawForm(NamedTuple):
    """A form of raw files: `title` names it in a sentence, `media` is its MIME type, `extra` what it needs."""

    name: str
    title: str
    render: RenderRaw
    media: str
    extra: str

    @property
    def available(self) -> bool:
        """Whether it can be written on this machine."""
        return not self.extra or installed(self.extra)


RAW_FORMS: Registry[RawForm] = Registry("raw form")


def raw_form(
    name: str, title: str = "", *, media: str = "application/octet-stream", extra: str = ""
) -> Callable[[RenderRaw], RenderRaw]:
    """Register a form of raw files under its name, which is its ending too."""

    def register(render: RenderRaw) -> RenderRaw:
        RAW_FORMS.add(name, RawForm(name, title or name, render, media, extra), home=render.__module__)
        return render

    return register


def raw_rows(pairs: Iterable[ExportedPair]) -> list[RawRow]:
    """One row for each judgment, by topic, document and assessor."""
    return [_row(pair, said) for pair, said in spoken(pairs)]


def rendered_raw(pairs: Iterable[ExportedPair], format: str) -> bytes:
    """The bytes of a raw file in one of the registered forms."""
    form = RAW_FORMS.find(format)
    if form is None:
        hint = f"write {', '.join(RAW_FORMS)}: {either('a path such as raw.jsonl', '-o raw.jsonl')}"
        raise PolicyError("E118", f"{format or 'this format'} cannot hold all judgments of all assessors", hint=hint)
    return form.render(raw_rows(pairs))


def _row(pair: ExportedPair, said: SaidBy) -> RawRow:
    answer = said.judgment.answer
    return {
        "topic": pair.topic,
        "doc": pair.document,
        "assessor": said.judgment.assessor,
        "kind": judgment_kind(said),
        "status": answer.status,
        "grade": said.grade,
        "at": time_of(said.judgment.at_ms),
        "round": said.judgment.round,
        "gold": pair.gold,
        "note": answer.note,
        "reason": answer.reason,
        "flag": answer.flag,
        "marks": [list(passage) for passage in answer.marks],
        "guideline": said.guideline,
        "method": said.method,
        "ms_active": said.ms_active,
        "ms_away": said.ms_away,
    }


@raw_form("jsonl", "JSON lines", media="application/x-ndjson; charset=utf-8")
def _jsonl(rows: list[RawRow]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows).encode(
        "utf-8", "surrogatepass"
    )


@raw_form("csv", "CSV", media="text/csv; charset=utf-8")
def _csv(rows: list[RawRow]) -> bytes:
    """CSV with a header; a text that a spreadsheet would run has an apostrophe in front."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(_COLUMNS)
    for row in rows:
        writer.writerow([_cell(name, row[name]) for name in _COLUMNS])
    return file.getvalue().encode("utf-8", "surrogatepass")


def _cell(name: str, value: object) -> object:
    if name == "marks":
        return json.dumps(value) if value else ""
    if isinstance(value, bool):
        return int(value)
    return spreadsheet(value) if name in _FREE and isinstance(value, str) else value


@raw_form("parquet", "Parquet", media="application/vnd.apache.parquet", extra="frames")
def _parquet(rows: list[RawRow]) -> bytes:
    need("polars", "a Parquet file")
    import polars as pl

    whole = {"grade": pl.Int64, "round": pl.Int64, "ms_active": pl.Int64, "ms_away": pl.Int64}
    switches = dict.fromkeys(("gold", "flag"), pl.Boolean)
    schema = {name: {**whole, **switches}.get(name, pl.String) for name in _COLUMNS}
    columns = {name: [row[name] for row in rows] for name in _COLUMNS}
    columns["marks"] = [json.dumps(marks) for marks in columns["marks"]]
    packed = io.BytesIO()
    pl.DataFrame(columns, schema=schema).write_parquet(packed)
    return packed.getvalue()


_COLUMNS = (
    *("topic", "doc", "assessor", "kind", "status", "grade", "at", "round", "gold", "note", "reason", "flag", "marks"),
    *("guideline", "method", "ms_active", "ms_away"),
)
