"""JSON lines -> columns of text. Numbers stay text until their value is needed."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from cranfield.errors import Error, InputError
from cranfield.errors.json_problems import json_problem
from cranfield.read.checked_columns import TextColumns
from cranfield.read.formats.jsonquick import quick
from cranfield.read.options import ReadOptions, roles_of
from cranfield.read.sources.content import Content, check_lines, decoded
from cranfield.read.sources.lines import PlacedLine, lines
from cranfield.tables.text import Text

_ONE_OBJECT = "one JSON object per line"


class Number(str):
    """A numeral, spelt as in the file."""


class Real(Number):
    """A numeral with a fraction or exponent, NaN or Infinity."""


class Twice(ValueError):
    """A name that occurs twice in one object."""


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:  # a JSON value may be anything
    """An object whose names are distinct; the standard parser would silently keep the last."""
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        raise Twice(f"{next(name for name in names if names.count(name) > 1)!r} occurs twice in one object")
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=unique, parse_int=Number, parse_float=Real, parse_constant=Real)


def not_json(content: Content, reason: Exception, line: int, hint: str = "") -> InputError:
    """The error for text that is not JSON; `line` is the line where the text begins."""
    text: str | None = None
    if isinstance(reason, json.JSONDecodeError):
        words, down, column = json_problem(reason)
        problem = f"not valid JSON, {words} at column {column}"
        line += down - 1
        text = content.line_at(line)
    elif isinstance(reason, Twice):
        return InputError("E119", str(reason), path=content.name, line=line)
    else:
        words = "nested too deeply" if isinstance(reason, RecursionError) else "a number is too long"
        problem = f"not valid JSON, {words}"
    return InputError("E302", problem, path=content.name, line=line, text=text, hint=hint)


def records(
    content: Content, limit: int, decode: Callable[[str], Any] = _DECODER.decode
) -> Iterator[tuple[int, PlacedLine, dict[str, Any]]]:
    """Number, place and object of each line that is not blank; broken lines are reported at the end."""
    check_lines(content)
    problems: list[Error] = []
    line = 0
    for line, placed in enumerate(lines(content), 1):
        if len(problems) >= limit:
            break
        start, raw = placed
        if raw.strip():
            text = decoded(content, start, raw).strip()
            try:
                record = decode(text)
            except (ValueError, RecursionError) as reason:
                problems.append(not_json(content, reason, line, _ONE_OBJECT))
            else:
                if isinstance(record, dict):
                    yield line, placed, record
                else:
                    problem = f"not a JSON object but {_named(record)}"
                    error = InputError("E302", problem, path=content.name, line=line, hint=_ONE_OBJECT)
                    problems.append(error)
    if problems:
        raise Error.first(problems)
    if line == 0:
        raise InputError("E104", "the file is empty", path=content.name)


def table(
    content: Content, options: ReadOptions, needed: tuple[str, ...], *, qrels: bool, partial: tuple[str, ...] = ()
) -> TextColumns:
    """The recognised fields of the records. A field is in every record or in none, `partial` ones excepted."""
    if (clean := quick(content, options, needed, qrels=qrels)) is not None:
        return clean
    found = list(records(content, options.max_errors))
    if not found:
        raise InputError("E104", "the file holds no rows", path=content.name)
    names = list(dict.fromkeys(name for _, _, record in found for name in record))
    if "status" in names:  # judgments that failed have no grade
        needed = tuple(role for role in needed if role != "grade")
    roles = roles_of(names, needed, options, content.name, qrels=qrels)
    problems: list[Error] = []
    values: dict[str, Text] = {}
    for role, place in roles.items():
        cells: list[str] = []
        for line, _, record in found:
            cell = record.get(names[place], "" if role in partial else None)
            wrong = None
            if names[place] not in record and role not in partial:
                wrong = f"field {names[place]!r} is missing"
            elif not isinstance(cell, str):
                cell = "" if cell is None and role in partial else json.dumps(cell)
                wrong = f"field {names[place]!r} is {_named(record[names[place]])}, expected text or a number" * bool(
                    cell
                )
            elif role in ("topic", "doc", "run") and (isinstance(cell, Real) or not valid(cell)):
                wrong = f"field {names[place]!r} is {json.dumps(cell)}, expected an id as text"
            if wrong and len(problems) < options.max_errors:
                text = content.line_at(line)
                problems.append(InputError("E119", wrong, path=content.name, line=line, text=text))
            cells.append(cell if isinstance(cell, str) and valid(cell) else "")
        values[role] = Text.of(cells)
    lines = np.array([line for line, _, _ in found])
    return TextColumns(content, options.max_errors, values, lines, problems=problems)


def valid(text: str) -> bool:
    """Whether a string can be an identifier: JSON escapes can produce lone surrogates and zero bytes."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _named(value: object) -> str:
    kinds = {dict: "an object", list: "an array", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number" if isinstance(value, Number) else "a string")
