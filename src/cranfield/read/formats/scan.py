"""Lines of white-space separated columns -> where each column begins and how long it is.

This is the first of the three costly steps, so it takes and returns plain arrays.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield.arrays import NO_INTS, Bools, Bytes, Ints

BLOCK = 1 << 20
_NEWLINE, _HASH = 10, 35


class Scan(NamedTuple):
    """`start[column][row]` and `length[column][row]` of the lines that have the right number of columns.

    Every column has its own arrays, so that the memory of a column is freed when it is no longer used.
    `line[row]` is absent where rows are simply lines 1 … n. The lines with another number of columns are
    `wrong_line`, with the position of the line and the number of columns found.
    """

    start: list[Ints]
    length: list[Ints]
    rows: int
    line: Ints | None
    wrong_line: Ints
    wrong_start: Ints
    wrong_columns: Ints


def scan(data: Bytes, columns: int, kept: Sequence[int] | None = None) -> Scan:
    r"""Find the columns of each line; `#` at the beginning of a line makes a comment, blank lines are skipped.

    Only the columns in `kept` are located, in that order; by default all.
    Blanks are the bytes 9 … 13 and 32, as for the C library; any number of them separates two columns.

    >>> data = np.frombuffer(b"#x\n301  0 d1\t1\r\n\n301 0 d2", dtype=np.uint8)
    >>> found = scan(data, 4)
    >>> found.start, found.length, found.line
    ([array([3]), array([8]), array([10]), array([13])], [array([3]), array([1]), array([2]), array([1])], array([2]))
    >>> found.wrong_line.tolist(), found.wrong_columns.tolist()
    ([4], [3])
    """
    capacity = int(np.count_nonzero(data == _NEWLINE)) + 1
    places = range(columns) if kept is None else kept
    start = [np.empty(capacity, dtype=np.int64) for _ in places]
    length = [np.empty(capacity, dtype=np.int64) for _ in places]
    line: list[Ints | range] = []  # line numbers of each block; a range where no line is skipped
    wrong: list[tuple[Ints, Ints, Ints]] = []
    row = before = offset = 0
    while offset < len(data):
        block, ends = _block(data, offset)
        tokens = _tokens(block)
        good = _regular(block, tokens, ends, columns)
        if good is None:
            good, numbers, bad = _irregular(block, tokens, ends, columns)
            line.append(numbers + before)
            wrong.append((bad[0] + before, bad[1] + offset, bad[2]))
        else:
            line.append(range(before + 1, before + len(good) + 1))
        rows = len(good)
        for number, place in enumerate(places):
            np.add(good[:, place, 0], offset, out=start[number][row : row + rows])
            np.subtract(good[:, place, 1], good[:, place, 0], out=length[number][row : row + rows])
        row, before, offset = row + rows, before + len(ends), offset + len(block)
    bad_line, bad_start, bad_columns = (np.concatenate(parts) for parts in zip(_NOTHING, *wrong, strict=True))
    start, length = ([column[:row] for column in side] for side in (start, length))
    return Scan(
        start=start,
        length=length,
        rows=row,
        line=_line_numbers(line, row),
        wrong_line=bad_line,
        wrong_start=bad_start,
        wrong_columns=bad_columns,
    )


_NOTHING = (NO_INTS, NO_INTS, NO_INTS)


def _block(data: Bytes, offset: int) -> tuple[Bytes, Ints]:
    """Whole lines from `offset` on, and where each of them ends."""
    size = BLOCK
    while True:
        block = data[offset : offset + size]
        ends = np.flatnonzero(block == _NEWLINE)
        if offset + size >= len(data):
            unfinished = len(block) > 0 and block[-1] != _NEWLINE
            return block, np.append(ends, len(block)) if unfinished else ends
        if len(ends):
            return block[: ends[-1] + 1], ends
        size *= 2


def _tokens(block: Bytes) -> Ints:
    """Start and end of every token, as pairs."""
    blank = np.ones(len(block) + 2, dtype=bool)
    inside = blank[1:-1]
    np.less(block - np.uint8(9), 5, out=inside)
    inside |= block == 32
    return np.flatnonzero(blank[1:] != blank[:-1]).reshape(-1, 2)


def _regular(block: Bytes, tokens: Ints, ends: Ints, columns: int) -> Ints | None:
    """Tokens as `[line, column, start and end]` if every line has exactly the columns and none may be a comment."""
    if len(tokens) != columns * len(ends):
        return None
    table = tokens.reshape(len(ends), columns, 2)
    first, last = table[:, 0, 0], table[:, -1, 1]
    if (last > ends).any() or (first[1:] < ends[:-1]).any() or (block[first] == _HASH).any():
        return None
    return table


def _irregular(block: Bytes, tokens: Ints, ends: Ints, columns: int) -> tuple[Ints, Ints, tuple[Ints, Ints, Ints]]:
    """The good lines of a block with comments, blank lines or wrong lines; their line numbers; the wrong lines."""
    begins = np.concatenate(([0], ends[:-1] + 1))
    comment: Bools = block[np.minimum(begins, len(block) - 1)] == _HASH
    place = np.searchsorted(ends, tokens[:, 0])
    found = np.bincount(place, minlength=len(ends))
    good = (found == columns) & ~comment
    bad = np.flatnonzero((found != columns) & (found > 0) & ~comment)
    table = tokens[good[place]].reshape(-1, columns, 2)
    return table, np.flatnonzero(good) + 1, (bad + 1, begins[bad], found[bad])


def _line_numbers(blocks: list[Ints | range], rows: int) -> Ints | None:
    """Line numbers of all rows, or None where row i is line i + 1."""
    if all(isinstance(block, range) for block in blocks):
        return None
    line = np.concatenate([np.asarray(block, dtype=np.int64) for block in blocks])
    return None if np.array_equal(line, np.arange(1, rows + 1)) else line
