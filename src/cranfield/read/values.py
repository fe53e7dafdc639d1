"""Check identifiers and numbers that are Python objects, and turn them into columns."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import InputError
from cranfield.read.options import REAL_GRADES
from cranfield.tables.source import Grades
from cranfield.tables.text import Text

PLAIN: set[type] = {int, float, bool, np.float64, np.float32, np.int64, np.int32}  # numbers that become arrays at once
LARGE = 2**53  # from there on not every whole number is a float
TOO_LARGE = "grade {} is too large: it must be below 2^53"
Place = Callable[[int], str]


def ids(values: Sequence[Any], noun: str) -> list[str]:  # whatever a caller uses as identifiers
    """Identifiers as strings; whole numbers are accepted and written in decimal, anything else is refused.

    >>> ids(["d1", 7, np.int32(8)], "document")
    ['d1', '7', '8']
    >>> ids([1.0], "topic")
    Traceback (most recent call last):
    cranfield.errors.InputError: E121: topic id 1.0 is a float, expected text
      hint: convert the ids to strings first, so that 1 and 1.0 cannot be mixed up
    """
    if (kinds := {*map(type, values)}) - {str}:
        given, values = values, [value if type(value) is str else _id(value, noun) for value in values]
        if any(issubclass(kind, str) for kind in kinds):
            _refuse_equal(given, values, noun)
    try:
        whole = "\0".join(values).encode()
    except UnicodeEncodeError:
        bad = next(value for value in values if not _encodes(value))
        raise InputError("E119", f"{noun} id {bad!r} is not valid Unicode") from None
    if whole.count(b"\0") >= max(1, len(values)) or "" in values:
        raise InputError("E119", f"a {noun} id is empty or holds a zero byte")
    return list(values)


def scores(values: Any, place: Place) -> Floats:  # a list, or an array of any kind
    """Scores as float64; text and NaN are refused."""
    numbers, wrong = _numbers(values)
    _refuse(wrong, "E106", "score {} is not a number", values, place, "give each document a number as its score")
    problem = "score is NaN, which has no place in a ranking"
    _refuse(np.isnan(numbers), "E107", problem, values, place, "fix the system, or drop such documents first")
    return numbers


def grades(values: Any, place: Place, kind: Grades) -> Ints | Floats:  # a list, or an array of any kind
    """Grades as whole numbers, or as real numbers if the options allow them."""
    if kind == "int" and (array := _integers(values)) is not None:
        _refuse((array >= LARGE) | (array <= -LARGE), "E110", TOO_LARGE, values, place, REAL_GRADES)
        return array
    numbers, wrong = _numbers(values)
    wrong |= ~np.isfinite(numbers)
    if kind == "float":
        _refuse(wrong, "E110", "grade {} is not a number", values, place, "")
        return numbers
    _refuse(~wrong & (np.abs(numbers) >= LARGE), "E110", TOO_LARGE, values, place, REAL_GRADES)
    wrong |= numbers != np.rint(numbers)
    hint = REAL_GRADES
    _refuse(wrong, "E110", "grade {} is not an integer", values, place, hint)
    return numbers.astype(np.int64)


def _integers(values: Any) -> Ints | None:  # a list, or an array of any kind
    """An array if all values are whole numbers, else None."""
    try:
        array = np.asarray(values)
    except ValueError:  # some of them are lists
        return None
    return array.astype(np.int64) if array.ndim == 1 and array.dtype.kind in "bi" else None


def in_document(topic: Sequence[str] | Text, document: Sequence[str] | Text) -> Place:
    """The topic and document of a row, for messages."""
    return lambda row: f"topic {topic[row]!r}, document {document[row]!r}"


def _numbers(values: Any) -> tuple[Floats, Bools]:
    """The values as float64, and a mask of those that are not numbers."""
    array = np.asarray(values) if isinstance(values, np.ndarray) else _array(values)
    if array.dtype.kind in "biuf":
        # a read-only array is shared
        return array.astype(np.float64, copy=array.flags.writeable), np.zeros(len(array), dtype=bool)
    numbers = np.zeros(len(array), dtype=np.float64)
    wrong = np.zeros(len(array), dtype=bool)
    for row, value in enumerate(values):
        try:
            number = hasattr(value, "__float__") and not isinstance(value, str)  # NumPy's text has it too
            numbers[row] = float(value) if number else np.nan
            wrong[row] = not number
        except (TypeError, ValueError):
            wrong[row] = True
        except OverflowError:
            numbers[row] = np.inf if value > 0 else -np.inf
    numbers[wrong] = 0.0
    return numbers, wrong


def _array(values: Any) -> Any:
    """An array of numbers where all values are plain ones, else of objects (`np.array` would turn mixtures to text)."""
    kinds = {*map(type, values)}
    if kinds <= PLAIN:
        try:
            return np.array(values, dtype=np.float64) if values else np.empty(0)
        except OverflowError:
            pass
    return np.empty(len(values), dtype=object)


def _refuse(mask: Bools, code: str, problem: str, values: Any, place: Place, hint: str) -> None:
    if mask.any():
        row = int(np.flatnonzero(mask)[0])
        more = int(mask.sum()) - 1
        also = f", and {more:,} more" if more else ""
        raise InputError(code, f"{problem.format(repr(str(values[row])))} ({place(row)}{also})", hint=hint)


def _refuse_equal(given: Sequence[Any], written: Sequence[str], noun: str) -> None:
    """Refuse a number and a text that are written alike, because they would become one id."""
    numbers = {text: value for value, text in zip(given, written, strict=True) if not isinstance(value, str)}
    if both := next(
        (text for value, text in zip(given, written, strict=True) if isinstance(value, str) and text in numbers), None
    ):
        problem = f"{noun} ids {int(numbers[both])} (a number) and {both!r} (text) would become equal"
        raise InputError("E121", problem, hint="convert the ids to strings first")


def _id(value: Any, noun: str) -> str:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return str(int(value))
    kind = type(value).__name__
    hint = "convert the ids to strings first, so that 1 and 1.0 cannot be mixed up"
    raise InputError("E121", f"{noun} id {value!r} is a {kind}, expected text", hint=hint)


def _encodes(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
