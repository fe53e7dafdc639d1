"""Data frames of any package (pandas, polars, pyarrow …) -> tables, through narwhals."""

import io
from typing import Any

import numpy as np

from cranfield.errors import InputError
from cranfield.read.columns import rows_of
from cranfield.read.content import Content
from cranfield.read.options import Options, roles_of
from cranfield.read.paths import stem
from cranfield.read.values import grades, ids, in_document, scores
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.text import SPARE, Text

_FRAME = "data frame"
_PIECE = 1 << 23  # rows


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
    topic, document = _ids(columns["topic"], "topic"), _ids(columns["doc"], "document")
    if not len(topic):
        raise InputError("E104", "the run is empty", path=name)
    place = in_document(topic, document)
    rank = _ranks(_numbers(columns["rank"]), place) if "rank" in columns else None
    score = scores(_numbers(columns["score"]), place) if "score" in columns else -np.asarray(rank, dtype=np.float64)
    if "run" not in columns:
        alone = options.name or ("run" if name == _FRAME else stem(name))
        return Runs([Run.of(alone, topic, document, score, rank)])
    names, code = _ids(columns["run"], "run").codes()
    rows = rows_of(code, len(names))
    if len(names) == 1 and (options.name or options.name_by == "file"):
        names = [options.name or stem(name)]
    return Runs(
        Run.of(run, topic.take(mine), document.take(mine), score[mine], None if rank is None else rank[mine])
        for run, mine in zip(names, rows, strict=True)
    )


def frame_qrels(frame: Any, options: Options, name: str = _FRAME) -> Qrels:  # a frame of any package
    """The qrels of a frame."""
    columns = _columns(frame, ("topic", "doc", "grade"), options, name, qrels=True)
    topic, document = _ids(columns["topic"], "topic"), _ids(columns["doc"], "document")
    if not len(topic):
        raise InputError("E104", "the qrels are empty", path=name)
    grade = grades(_numbers(columns["grade"]), in_document(topic, document), options.grades)
    iteration = None
    if "iteration" in columns:
        series = columns["iteration"]
        iteration = _taken(series) or Text.of(str(value) for value in series.to_list())
    return Qrels.of(topic, document, grade, iteration)


def _ranks(values: Any, place: Any) -> Any:
    """Ranks where all of them are whole numbers."""
    numbers = scores(values, place)
    if (numbers != np.rint(numbers)).any():
        raise InputError("E119", "a rank is not a whole number")
    return numbers.astype(np.int64)


def _columns(frame: Any, needed: tuple[str, ...], options: Options, path: str, *, qrels: bool) -> dict[str, Any]:
    """The recognised columns, as narwhals series."""
    import narwhals as nw

    try:
        table = nw.from_native(frame)
    except TypeError:
        raise InputError("E121", f"{type(frame).__name__} is not a data frame that can be read") from None
    if isinstance(table, nw.LazyFrame):
        table = table.collect()
    names = [str(name) for name in table.columns]
    roles = roles_of(names, needed, options, path, qrels=qrels)
    return {role: table[table.columns[place]] for role, place in roles.items()}


def _numbers(series: Any) -> Any:
    """An array where all values are numbers, else a list."""
    return series.to_numpy() if series.dtype.is_numeric() and not series.is_null().any() else series.to_list()


def _ids(series: Any, noun: str) -> Text:
    """A column of identifiers."""
    column = _taken(series)
    if column is None:
        return Text.of(ids(series.to_list(), noun))
    if (column.length == 0).any() or not column.buffer[: len(column.buffer) - len(SPARE)].all():
        raise InputError("E119", f"a {noun} id is empty or holds a zero byte")
    return column


def _taken(series: Any) -> Text | None:
    """The strings (or whole numbers) of polars and Arrow, taken over as bytes without a Python object for each."""
    dtype = str(series.dtype)
    if series.implementation.is_pandas_like() or not (dtype == "String" or series.dtype.is_integer()):
        return None
    import polars as pl

    native = series.to_native()
    column = native if isinstance(native, pl.Series) else pl.Series(native)
    if column.null_count():
        return None
    column = column.cast(pl.String)
    length = column.str.len_bytes().to_numpy().astype(np.int64)
    # the join of a column is one string, which may not pass four gigabytes
    pieces = (column.slice(start, _PIECE).str.join("").item() for start in range(0, len(column), _PIECE))
    whole = b"".join((*(piece.encode() for piece in pieces), SPARE))
    return Text(np.frombuffer(whole, dtype=np.uint8), np.cumsum(length) - length, length)
