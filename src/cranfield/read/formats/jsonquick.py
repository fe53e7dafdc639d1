"""Read regular JSON lines in large pieces. The exact reader reads all other files."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import Error
from cranfield.read.checked_columns import TextColumns
from cranfield.read.options import ReadOptions, roles_of
from cranfield.read.sources.content import Content, check_lines
from cranfield.tables.text import Text

_PIECE = 4 << 20
_REAL, _WHOLE = frozenset((float, int)), frozenset((int,))
_SPACED = (b" :", b"\t:", b"\r:")


def quick(content: Content, options: ReadOptions, needed: tuple[str, ...], *, qrels: bool) -> TextColumns | None:
    """The columns of a file whose records all have the same names and plain values; None for any other file."""
    check_lines(content)
    cells: dict[str, list[Any]] = {}
    for piece in _pieces(content):
        records = _parsed(piece)
        if not records:
            return None
        names = list(cells) or list(records[0])
        if piece.count(b'":') != len(names) * len(records):  # other names, or one name twice
            return None
        try:
            for name in names:
                cells.setdefault(name, []).extend([record[name] for record in records])
        except KeyError:
            return None
    if not cells:
        return None
    try:
        roles = roles_of(cells, needed, options, content.name, qrels=qrels)
    except Error:
        return None
    return _columns(content, options, {role: cells[list(cells)[place]] for role, place in roles.items()})


def _pieces(content: Content) -> Iterator[bytes]:
    start = 0
    while start < content.size:
        end = content.buffer.rfind(b"\n", start, start + _PIECE) + 1
        end = end or content.buffer.find(b"\n", start, content.size) + 1 or content.size
        yield bytes(content.buffer[start : min(end, content.size)])
        start = end


def _parsed(piece: bytes) -> list[dict[str, Any]] | None:
    """One object for each line, or None. Values are plain, so that no object can extend over several lines."""
    lines = piece.removesuffix(b"\n").split(b"\n")
    if any(mark in piece for mark in _SPACED):
        return None
    try:
        records = json.loads(b"[" + b",".join(lines) + b"]")
    except (ValueError, RecursionError):
        return None
    if len(records) != len(lines) or {*map(type, records)} != {dict}:
        return None
    kinds = {type(value) for record in records for value in record.values()}
    return records if kinds <= {str, int, float} else None


def _columns(content: Content, options: ReadOptions, cells: dict[str, list[Any]]) -> TextColumns | None:
    values: dict[str, Text] = {}
    typed: dict[str, Ints | Floats] = {}
    numeric = {"score": _REAL, "rank": _WHOLE, "grade": _REAL if options.grades == "float" else _WHOLE}
    for role, column in cells.items():
        kinds = {*map(type, column)}
        if kinds <= numeric.get(role, frozenset()):
            numbers = _numbers(column, numeric[role] is _REAL)
            if numbers is None or np.isnan(numbers).any() or (role == "grade" and np.isinf(numbers).any()):
                return None
            typed[role] = numbers
        elif kinds == {str} or (kinds <= {str, int} and role in ("topic", "doc", "run")):
            strings = column if kinds == {str} else [str(cell) for cell in column]
            try:
                whole = "\1".join(strings).encode()
            except UnicodeEncodeError:
                return None
            if b"\0" in whole or "" in strings:
                return None
            values[role] = Text.of(strings)
        else:
            return None
    return TextColumns(content, options.max_errors, values, typed=typed)


def _numbers(column: list[Any], real: bool) -> Ints | Floats | None:
    try:
        return np.array(column, dtype=np.float64) if real else np.array(column, dtype=np.int64)
    except OverflowError:
        return None
