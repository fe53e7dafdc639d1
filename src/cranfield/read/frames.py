"""Data frames of any package (pandas, polars, pyarrow …) -> tables, through narwhals."""

import io
from typing import Any

import numpy as np

from cranfield.errors import InputError
from cranfield.read.content import Content
from cranfield.read.options import Options, roles_of
from cranfield.read.paths import stem
from cranfield.read.values import grades, ids, in_document, scores
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.text import Text

_FRAME = "data frame"


def parquet(content: Content) -> Any:  # a polars frame
    """The frame in a Parquet file."""
    import polars as pl

    try:
        return pl.read_parquet(io.BytesIO(content.buffer[: content.size]))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as reason:
        first = str(reason).splitlines()[0] if str(reason) else type(reason).__name__
        raise InputError("E309", f"not a valid Parquet file: {first}", path=content.name) from None


def frame_runs(frame: Any, options: Options, name: str = _FRAME) -> Runs:  # a frame of any package
    """The runs of a frame: several where it has a run column."""
    columns = _columns(frame, ("topic", "doc", "score|rank"), options, name, qrels=False)
    topic, document = ids(columns["topic"], "topic"), ids(columns["doc"], "document")
    if not topic:
        raise InputError("E104", "the run is empty", path=name)
    place = in_document(topic, document)
    rank = _ranks(columns["rank"], place) if "rank" in columns else None
    score = scores(columns["score"], place) if "score" in columns else -scores(columns["rank"], place)
    if "run" not in columns:
        alone = options.name or ("run" if name == _FRAME else stem(name))
        return Runs([Run.of(alone, topic, document, score, rank)])
    names, code = Text.of(ids(columns["run"], "run")).codes()
    topics, documents = Text.of(topic), Text.of(document)
    if len(names) == 1 and (options.name or options.name_by == "file"):
        names = [options.name or stem(name)]
    return Runs(
        Run.of(run, topics.take(rows), documents.take(rows), score[rows], None if rank is None else rank[rows])
        for run, rows in ((run, np.flatnonzero(code == number)) for number, run in enumerate(names))
    )


def frame_qrels(frame: Any, options: Options, name: str = _FRAME) -> Qrels:  # a frame of any package
    """The qrels of a frame."""
    columns = _columns(frame, ("topic", "doc", "grade"), options, name, qrels=True)
    topic, document = ids(columns["topic"], "topic"), ids(columns["doc"], "document")
    if not topic:
        raise InputError("E104", "the qrels are empty", path=name)
    grade = grades(columns["grade"], in_document(topic, document), options.grades)
    iteration = [str(value) for value in columns["iteration"]] if "iteration" in columns else None
    return Qrels.of(topic, document, grade, iteration)


def _ranks(values: Any, place: Any) -> Any:
    """Ranks where all of them are whole numbers."""
    numbers = scores(values, place)
    if (numbers != np.rint(numbers)).any():
        raise InputError("E119", "a rank is not a whole number")
    return numbers.astype(np.int64)


def _columns(frame: Any, needed: tuple[str, ...], options: Options, path: str, *, qrels: bool) -> dict[str, Any]:
    """The recognised columns: identifiers as lists, numbers as arrays."""
    import narwhals as nw

    try:
        table = nw.from_native(frame)
    except TypeError:
        raise InputError("E121", f"{type(frame).__name__} is not a data frame that can be read") from None
    if isinstance(table, nw.LazyFrame):
        table = table.collect()
    names = [str(name) for name in table.columns]
    roles = roles_of(names, needed, options, path, qrels=qrels)
    columns: dict[str, Any] = {}
    for role, place in roles.items():
        series = table[table.columns[place]]
        numeric = role in ("score", "rank", "grade", "probability") and series.dtype.is_numeric()
        columns[role] = series.to_numpy() if numeric and not series.is_null().any() else series.to_list()
    return columns
