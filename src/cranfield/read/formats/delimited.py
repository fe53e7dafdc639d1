"""Fields between commas or tabs -> columns of text, with the line of every row.

Files without quotation marks are cut in NumPy; quoted CSV goes through the csv module. In tab-separated files a
quotation mark is an ordinary character.
"""

import csv
import io

import numpy as np

from cranfield.arrays import Bytes, Ints
from cranfield.errors import Error, InputError
from cranfield.errors.wording import setting
from cranfield.read.checked_columns import TextColumns
from cranfield.read.options import ReadOptions, roles_of
from cranfield.read.sources.content import Content, check_lines
from cranfield.tables.text import Text


def table(
    content: Content, options: ReadOptions, separator: str, needed: tuple[str, ...], *, qrels: bool
) -> TextColumns:
    """The recognised columns of a file with a header, or of one without a header whose `--columns` are positions."""
    check_lines(content)
    positions = options.positions
    fields, line, problems = cut(content, separator, len(positions) if positions else None, options.max_errors)
    if positions is not None:
        roles = {role: place for place, role in enumerate(positions) if role != "_"}
        for role in needed:
            if not any(choice in roles for choice in role.split("|")):
                raise InputError(
                    "E303", f"{setting('columns')} names no column for {role.split('|')[0]!r}", path=content.name
                )
        first = 0
    else:
        roles = roles_of([field[0] for field in fields], needed, options, content.name, qrels=qrels)
        first = 1
    values = {role: fields[place].take(slice(first, None)) for role, place in roles.items()}
    return TextColumns(content, options.max_errors, values, line[first:], problems=problems)


def cut(content: Content, separator: str, width: int | None, limit: int) -> tuple[list[Text], Ints, list[Error]]:
    """Fields by position, the line of each row, and an error for each row of another width than the first."""
    if content.size == 0:
        raise InputError("E104", "the file is empty", path=content.name)
    if separator == "," and content.buffer.find(b'"') >= 0:
        return _quoted(content, width, limit)
    array = content.array
    data = array[: content.size]
    begins, ends, line, last = _fields(data, ord(separator))
    if len(line) == 0:
        raise InputError("E104", "the file holds no rows", path=content.name)
    count = np.diff(np.concatenate(([0], last + 1)))
    width = width or int(count[0])
    good = count == width
    problems: list[Error] = [
        _width(content, width, int(count[row]), int(line[row])) for row in np.flatnonzero(~good)[:limit].tolist()
    ]
    if problems:
        kept = np.repeat(good, count)
        begins, ends, line = begins[kept], ends[kept], line[good]
    columns = [Text(array, begins[i::width], ends[i::width] - begins[i::width]) for i in range(width)]
    if len(columns[0]) == 0:
        raise Error.first(problems)
    return columns, line, problems


def _fields(data: Bytes, separator: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Begin and end of each field, the number of each line that is not blank, and the last field of each such line."""
    newline = data == 10
    ends = np.flatnonzero(newline | (data == separator))
    if len(data) and data[-1] != 10:
        ends = np.append(ends, len(data))
    begins = np.concatenate(([0], ends[:-1] + 1))
    closes = np.ones(len(ends), dtype=bool)  # the field is the last of its line
    closes[: len(ends)] = (ends == len(data)) | newline[np.minimum(ends, len(data) - 1)]
    returns = closes & (ends > begins) & (data[np.maximum(ends - 1, 0)] == 13)
    ends = ends - returns
    line = np.cumsum(closes) - closes + 1
    alone = closes & np.concatenate(([True], closes[:-1]))
    kept = ~(alone & (ends == begins))
    last = np.flatnonzero(closes[kept])
    return begins[kept], ends[kept], line[kept][last], last


def _quoted(content: Content, width: int | None, limit: int) -> tuple[list[Text], Ints, list[Error]]:
    rows: list[list[str]] = []
    line: list[int] = []
    problems: list[Error] = []
    reader = csv.reader(io.StringIO(content.text(), newline=""), strict=True)
    before = 0
    try:
        for row in reader:
            number, before = before + 1, reader.line_num
            if not row:
                continue
            width = width or len(row)
            if len(row) == width:
                rows.append(row)
                line.append(number)
            elif len(problems) < limit:
                problems.append(_width(content, width, len(row), number))
    except csv.Error as reason:
        problem = f"not valid CSV, {reason}"
        raise InputError(
            "E309", problem, path=content.name, line=before + 1, text=content.line_at(before + 1)
        ) from None
    if not rows:  # a quote is in some row, so there are rows of another width
        raise Error.first(problems)
    return [Text.of(column) for column in zip(*rows, strict=True)], np.array(line), problems


def _width(content: Content, expected: int, found: int, line: int) -> InputError:
    problem = f"expected {expected} columns, found {found}"
    return InputError("E105", problem, path=content.name, line=line, text=content.line_at(line))
