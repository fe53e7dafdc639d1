"""Rows of text: what an identifier may contain in each kind of file, and how a number is spelt."""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from cranfield.arrays import Bools
from cranfield.errors import InputError
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text

_SPECIAL = re.compile('[,"\r\n]|^ | $|^\ufeff')  # a byte-order mark must not begin a line
_BLANKS = b" \t\n\v\f\r"


def holding(column: Text, forbidden: bytes) -> Bools:
    """Which strings contain one of the bytes, or nothing at all."""
    among = np.zeros(256, dtype=bool)
    among[list(forbidden)] = True
    before = np.concatenate(([0], np.cumsum(among[column.buffer])))
    return (column.length == 0) | (before[column.start + column.length] > before[column.start])


def no_blanks(table: Run | Qrels, **columns: Text) -> None:
    """Refuse identifiers that a white-space separated file cannot hold, with the line they came from."""
    hint = "write CSV, JSONL or Parquet instead, which hold any id"
    for noun, column in columns.items():
        wrong = holding(column, _BLANKS)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            what = "is empty" if column.length[row] == 0 else "contains a blank"
            raise _refused(table, row, f"{noun} id {column[row]!r} {what}", hint)


def no_comments(table: Run | Qrels, topics: Sequence[str]) -> None:
    """Refuse topics that would turn their lines into comments."""
    for number, topic in enumerate(topics):
        if topic.startswith("#"):
            row = int(np.flatnonzero(table.topic == number)[0])
            hint = "write CSV, JSONL or Parquet instead, which hold any id"
            raise _refused(table, row, f"topic id {topic!r} would begin a comment line", hint)


def no_tabs(column: Text, noun: str) -> None:
    """Refuse strings that a tab-separated file cannot hold."""
    wrong = holding(column, b"\t\r\n")
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        problem = f"{noun} {column[row]!r} (row {row + 1}) is empty or holds a tab or line break"
        raise InputError("E117", problem, hint="write JSONL instead")


def lines(rows: Iterable[str]) -> bytes:
    """Lines with their ends."""
    return "".join(f"{row}\n" for row in rows).encode()


def csv_cell(text: str) -> str:
    r"""A field of CSV, quoted only where it must be.

    >>> csv_cell("d1"), csv_cell("a,b")
    ('d1', '"a,b"')
    """
    if _SPECIAL.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text


def _refused(table: Run | Qrels, row: int, problem: str, hint: str) -> InputError:
    path, line, text = table.source.name or None, table.line_of(row), table.text_of(row)
    return InputError("E117", problem, path=path, line=line, text=text, hint=hint)
