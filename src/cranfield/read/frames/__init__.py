"""Data frames of any package (pandas, polars, pyarrow …) -> tables, through narwhals; `arrow` takes columns of text."""

import io
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.arrays import Bytes, Floats, Ints
from cranfield.arrays.memory import afford
from cranfield.errors import InputError
from cranfield.errors.extras import need
from cranfield.read.checked_columns import rows_of
from cranfield.read.frames.arrow import arrow_text, pandas_text
from cranfield.read.options import ReadOptions, roles_of
from cranfield.read.sources.compressed import held, too_large
from cranfield.read.sources.content import Content
from cranfield.read.sources.parquet_size import page_totals
from cranfield.read.sources.paths import stem
from cranfield.read.values import grades, ids, in_document, scores
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.source import Source
from cranfield.tables.text import SPARE, Text

_FRAME = "data frame"
_PIECE = 1 << 23  # rows


def parquet(content: Content) -> Any:  # a polars frame
    """The frame in a Parquet file."""
    need("polars", "a Parquet file", path=content.name)
    need("narwhals", "a Parquet file", path=content.name)
    import polars as pl

    _refuse_too_large(content)
    try:
        return pl.read_parquet(io.BytesIO(content.buffer[: content.size]))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as reason:
        first = str(reason).splitlines()[0] if str(reason) else type(reason).__name__
        raise InputError("E309", f"not a valid Parquet file: {first}", path=content.name) from None


def _refuse_too_large(content: Content) -> None:
    """Refuse a file that decodes to more than may be held, or than was allowed."""
    with memoryview(content.buffer) as view, view[: content.size] as raw:
        totals = page_totals(raw)
    if totals and (totals.held if content.max_size is None else totals.decoded) > held(content.max_size):
        raise too_large(content.name, content.max_size)


def frame_runs(frame: Any, options: ReadOptions, name: str = _FRAME) -> Runs:  # a frame of any package
    """The runs of a frame: several where it has a run column."""
    columns = _columns(frame, ("topic", "doc", "score|rank"), options, name, qrels=False)
    topic, document = _ids(columns["topic"], "topic"), _ids(columns["doc"], "document")
    if not len(topic):
        raise InputError("E104", "the run is empty", path=name)
    place = in_document(topic, document)
    rank = _ranks(_numbers(columns["rank"]), place) if "rank" in columns else None
    if "score" not in columns and isinstance(rank, Text):
        raise InputError("E119", "a rank is not a whole number", path=name)
    score = scores(_numbers(columns["score"]), place) if "score" in columns else -np.asarray(rank, dtype=np.float64)
    if "run" not in columns:
        alone = options.name or ("run" if name == _FRAME else stem(name))
        return Runs([_run(alone, topic, document, score, rank)])
    names, code = _ids(columns["run"], "run").codes()
    rows = rows_of(code, len(names))
    if len(names) == 1 and (options.name or options.name_by == "file"):
        names = [options.name or stem(name)]
    return Runs(
        _run(run, topic.take(mine), document.take(mine), score[mine], None if rank is None else rank.take(mine))
        for run, mine in zip(names, rows, strict=True)
    )


def _run(name: str, topic: Text, document: Text, score: Floats, rank: Ints | Text | None) -> Run:
    """A run from columns that were checked; they are not copied."""
    topics, code = topic.codes()
    return Run(name, tuple(topics), code, document, score, rank)


def frame_qrels(frame: Any, options: ReadOptions, name: str = _FRAME) -> Qrels:  # a frame of any package
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


def frame_judgments(frame: Any, options: ReadOptions, name: str = _FRAME) -> Judgments:  # a frame of any package
    """The judgments of all assessors of a frame; without an assessor column the assessor has no name."""
    columns = _columns(frame, ("topic", "doc", "grade"), options, name, qrels=True)
    topic, document = _ids(columns["topic"], "topic"), _ids(columns["doc"], "document")
    if not len(topic):
        raise InputError("E104", "the qrels are empty", path=name)
    blank = {"assessor": "", "kind": "human", "status": "judged", "at": ""}
    texts = {role: _texts(columns.get(role), default, len(topic)) for role, default in blank.items()}
    states, values = list(texts["status"]), columns["grade"].to_list()
    judged = [s == "judged" and str(v).strip() not in options.missing for s, v in zip(states, values, strict=True)]
    if not all(judged):
        shown = zip(states, judged, strict=True)
        texts["status"] = Text.of(state if ok or state != "judged" else "missing" for state, ok in shown)
        values = [value if ok else 0 for value, ok in zip(values, judged, strict=True)]
    grade = grades(values, in_document(topic, document), options.grades)
    assessor, kind, status, at = texts.values()
    source = Source(assessors="assessor" in columns)
    return Judgments(
        topic=topic, document=document, assessor=assessor, kind=kind, status=status, grade=grade, at=at, source=source
    )


def _texts(series: Any, default: str, rows: int) -> Text:
    """A column of words; missing values are the default."""
    if series is None:
        return Text.of([default] * rows)
    return Text.of(default if value is None or value == "" else str(value) for value in series.to_list())


def _ranks(values: Any, place: Any) -> Any:
    """Ranks as integers if all are whole numbers, else as text, which is checked on first use."""
    numbers = scores(values, place)
    if (numbers != np.rint(numbers)).any():
        return Text.of(str(number) for number in numbers.tolist())
    return numbers.astype(np.int64)


def frame_rows(frame: Any, fields: Sequence[str]) -> list[dict[str, Any]] | None:  # a frame of any package
    """The rows of a frame as dictionaries, if one of its columns has a name among the fields; an empty cell is None."""
    table = _table(frame)
    if not set(fields) & set(map(str, table.columns)):
        return None
    columns = [_cells(table[name]) for name in table.columns]
    return [dict(zip(map(str, table.columns), row, strict=True)) for row in zip(*columns, strict=True)]


def _cells(series: Any) -> list[Any]:
    """The values of a column; what pandas calls not a number is None."""
    return [None if isinstance(value, float) and math.isnan(value) else value for value in series.to_list()]


def _columns(frame: Any, needed: tuple[str, ...], options: ReadOptions, path: str, *, qrels: bool) -> dict[str, Any]:
    """The recognised columns, as narwhals series."""
    table = _table(frame)
    names = [str(name) for name in table.columns]
    roles = roles_of(names, needed, options, path, qrels=qrels)
    return {role: table[table.columns[place]] for role, place in roles.items()}


def _table(frame: Any) -> Any:
    """A frame of any package, as narwhals holds it."""
    need("narwhals", "a data frame")
    import narwhals as nw

    try:
        table = nw.from_native(frame)
    except TypeError:
        raise InputError("E121", f"{type(frame).__name__} is not a data frame that can be read") from None
    except nw.exceptions.DuplicateError:
        problem = "two columns of the data frame have one name"
        raise InputError("E121", problem, hint="rename one of them, or leave it out") from None
    return table.collect() if isinstance(table, nw.LazyFrame) else table


def _numbers(series: Any) -> Any:
    """An array where all values are numbers, else a list."""
    if not series.dtype.is_numeric() or series.is_null().any():
        return series.to_list()
    array = series.to_numpy()
    # columns of polars and Arrow never change; those of pandas may change later
    return array.copy() if series.implementation.is_pandas_like() else array


def _ids(series: Any, noun: str) -> Text:
    """A column of identifiers."""
    column = _taken(series)
    if column is None:
        return Text.of(ids(series.to_list(), noun))
    if (column.length == 0).any() or not _used(column).all():
        raise InputError("E119", f"a {noun} id is empty or holds a zero byte")
    return column


def _used(column: Text) -> Bytes:
    """The bytes of a column whose strings follow each other without gaps."""
    end = int(column.start[-1] + column.length[-1]) if len(column) else 0
    return column.buffer[int(column.start[0]) if len(column) else 0 : end]


def _taken(series: Any) -> Text | None:
    """The strings (or whole numbers) of a column as bytes, without a Python object for each."""
    native = series.to_native()
    if series.implementation.is_pyarrow():
        return arrow_text(native)
    if series.implementation.is_pandas():
        return pandas_text(native)
    if not series.implementation.is_polars() or not (str(series.dtype) == "String" or series.dtype.is_integer()):
        return None
    import polars as pl

    if native.null_count():
        return None
    column = native.cast(pl.String)
    length = column.str.len_bytes().to_numpy().astype(np.int64)
    afford(float(length.sum()) + 16.0 * len(length), f"the ids of {len(length):,} rows")
    # the join of a column is one string, which may not pass four gigabytes
    pieces = (column.slice(start, _PIECE).str.join("").item() for start in range(0, len(column), _PIECE))
    whole = b"".join((*(piece.encode() for piece in pieces), SPARE))
    return Text(np.frombuffer(whole, dtype=np.uint8), np.cumsum(length) - length, length)
