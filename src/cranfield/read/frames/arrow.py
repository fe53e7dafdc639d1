"""Arrow columns -> text, without a Python object for each value and with one copy at most."""

import sys
from typing import Any

import numpy as np

from cranfield.arrays import Bytes, Ints
from cranfield.tables.text import SPARE, Text


def arrow_text(column: Any) -> Text | None:  # an Array or ChunkedArray of pyarrow
    """The strings (or whole numbers) of a column; None if a value is missing or is something else.

    >>> import pyarrow as pa
    >>> list(arrow_text(pa.chunked_array([["d1", "naïve"], ["d2"]])))
    ['d1', 'naïve', 'd2']
    """
    import pyarrow as pa

    if column.null_count:
        return None
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        if not _is_written_alike(column.type):
            return None
        column = column.cast(pa.large_string())
    chunks = [_chunk(chunk) for chunk in (column.chunks if isinstance(column, pa.ChunkedArray) else [column])]
    if len(chunks) == 1 and int(chunks[0][1][-1]) + len(SPARE) <= len(chunks[0][0]):
        [(data, offset)] = chunks
    else:
        data, offset = _together(chunks)
    return Text(data, offset[:-1], np.diff(offset))


def pandas_text(series: Any) -> Text | None:  # a Series of pandas
    """The same for pandas; None also if pyarrow is not installed."""
    pa = sys.modules.get("pyarrow")  # pandas has loaded it, if there is one
    if pa is None:
        return None
    try:
        return arrow_text(pa.array(series.to_numpy() if series.dtype == object else series))
    except (pa.ArrowException, TypeError, ValueError, OverflowError):  # objects that Arrow does not know
        return None


def _is_written_alike(kind: Any) -> bool:
    """Whether every value has exactly one written form: strings of any Arrow type, and whole numbers."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return _is_text(kind) or pa.types.is_integer(kind)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def _chunk(chunk: Any) -> tuple[Bytes, Ints]:
    """The bytes of a chunk, and where each string begins in them and the last one ends."""
    import pyarrow as pa

    _, offsets, data = chunk.buffers()
    kind = np.int64 if pa.types.is_large_string(chunk.type) else np.int32
    if offsets is None or len(chunk) == 0:
        return np.empty(0, dtype=np.uint8), np.zeros(1, dtype=np.int64)
    offset = np.frombuffer(offsets, dtype=kind)[chunk.offset : chunk.offset + len(chunk) + 1]
    return np.frombuffer(b"" if data is None else data, dtype=np.uint8), offset.astype(np.int64, copy=False)


def _together(chunks: list[tuple[Bytes, Ints]]) -> tuple[Bytes, Ints]:
    """All chunks one after the other, followed by the spare bytes of a text."""
    used = [data[offset[0] : offset[-1]] for data, offset in chunks]
    before = np.cumsum([0] + [len(data) for data in used])
    moved = [offset[:-1] - offset[0] + begin for (_, offset), begin in zip(chunks, before[:-1], strict=True)]
    return np.concatenate([*used, np.frombuffer(SPARE, dtype=np.uint8)]), np.concatenate([*moved, before[-1:]])
