"""Samples of RAG frameworks such as ragas, as JSON lines: what was retrieved is a run, what was expected is qrels."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cranfield.errors import InputError
from cranfield.read.definition import reads
from cranfield.read.formats.jsonfile import located
from cranfield.read.formats.jsonl import records, unique
from cranfield.read.objects import as_qrels, as_runs
from cranfield.read.options import ReadOptions
from cranfield.read.records import REFERENCE, RETRIEVED
from cranfield.read.sources.content import Content
from cranfield.read.sources.paths import stem
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run

_PLAIN = json.JSONDecoder(object_pairs_hook=unique)


@reads(
    "run-ragas",
    "run",
    '{"user_input":"…","retrieved_contexts":["…"]}',
    endings=(".jsonl", ".ndjson"),
    marks=('"retrieved_context',),
)
def read_retrieved(content: Content, options: ReadOptions) -> list[Run]:
    """Samples of ragas and its like: retrieved_context_ids or retrieved_contexts, best first; answers are not kept."""
    [run] = located(content, lambda rows: as_runs(rows, options), _samples(content, options, RETRIEVED)).members
    source = content.source("run-ragas", lines=False)
    return [replace(run, name=options.name or stem(content.name), source=source)]


@reads(
    "qrels-ragas",
    "qrels",
    '{"user_input":"…","reference_context_ids":["7"]}',
    endings=(".jsonl", ".ndjson"),
    marks=('"reference_context',),
)
def read_reference(content: Content, options: ReadOptions) -> Qrels:
    """Samples of ragas and its like: reference_context_ids or reference_contexts, all of grade 1."""
    rows = _samples(content, options, REFERENCE)
    qrels: Qrels = located(content, lambda every: as_qrels(every, options.grades, options), rows)
    return replace(qrels, source=content.source("qrels-ragas", lines=False))


def _samples(content: Content, options: ReadOptions, fields: Sequence[str]) -> list[dict[str, Any]]:
    rows = [record for _, _, record in records(content, options.max_errors, _PLAIN.decode)]
    if rows and not any(rows[0].get(name) is not None for name in fields):
        raise InputError("E303", f"no field {fields[0]} or {fields[1]}", path=content.name, line=1)
    return rows
