"""Files that Quepid exports, which name topics by the text of the query: snapshots are runs, ratings are qrels."""

from dataclasses import replace

import numpy as np

from cranfield.errors import InputError
from cranfield.read.definition import reads
from cranfield.read.formats import delimited
from cranfield.read.formats.tabular import runs_of
from cranfield.read.formats.trec import as_qrels
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content
from cranfield.tables.judgments import warn_of_failed
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text

_SNAPSHOT = {"topic": "Query Text", "doc": "Doc ID", "rank": "Doc Position", "run": "Snapshot Name"}


@reads(
    "run-quepid",
    "run",
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position",
    endings=(".csv",),
    header="snapshot name,.*query text,doc id,doc position.*",
    by_text=True,
)
def read_snapshot(content: Content, options: ReadOptions) -> list[Run]:
    """Snapshot of Quepid, by query text: the run is named after the snapshot; case, time and fields are lost."""
    columns = delimited.table(
        content, replace(options, columns=options.columns or _SNAPSHOT), ",", ("topic", "doc", "rank"), qrels=False
    )
    columns.values["topic"] = Text.of(map(_as_typed, columns["topic"]))
    return runs_of(columns, options, "run-quepid")


def _as_typed(text: str) -> str:
    """The query that a person typed: Quepid doubles quotation marks, also where it then puts none around the field."""
    return text if any(mark in text for mark in ",\r\n") else text.replace('""', '"')


@reads(
    "qrels-quepid",
    "qrels",
    "query,docid,rating",
    endings=(".csv",),
    header="query,doc_?id,rating",
    by_text=True,
    writable=True,
)
def read_ratings(content: Content, options: ReadOptions) -> Qrels:
    """Ratings of Quepid, by query text; a document without a rating is unjudged."""
    columns = delimited.table(content, options, ",", ("topic", "doc", "grade"), qrels=True)
    names, code = columns["grade"].codes()
    rated = ~np.isin(code, [number for number, name in enumerate(names) if not name.strip()])
    if not rated.any():
        raise InputError("E104", "the file holds no ratings", path=content.name)
    warn_of_failed(int(len(rated) - rated.sum()), len(rated), content.name)
    return as_qrels(columns.take(rated), options, "qrels-quepid")
