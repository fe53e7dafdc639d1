"""Check columns that a caller gives: equal lengths, and valid numbers."""

from collections.abc import Iterable, Sized
from typing import TYPE_CHECKING, Annotated, TypeAlias

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import InputError
from cranfield.tables.text import Text

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

ColumnLike: TypeAlias = Annotated["ArrayLike", "looked at row by row"]


def text(strings: Text | Iterable[str]) -> Text:
    """A column of strings."""
    return strings if isinstance(strings, Text) else Text.of(strings)


def same_length(**columns: Sized | None) -> None:
    """Refuse columns of different lengths.

    >>> same_length(topic=["1", "1"], score=[2.5])
    Traceback (most recent call last):
    cranfield.errors.InputError: E121: the columns have different lengths: topic 2, score 1
    """
    lengths = {name: len(column) for name, column in columns.items() if column is not None}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InputError("E121", f"the columns have different lengths: {shown}")


def scores(values: "ArrayLike") -> Floats:
    """Scores: any numbers but NaN."""
    score = _numbers(values, "E106", "score")
    if len(wrong := np.flatnonzero(np.isnan(score))):
        problem = f"score is NaN, which has no place in a ranking (row {wrong[0] + 1})"
        raise InputError("E107", problem, hint="fix the system, or drop such documents first")
    return score


def grades(values: "ArrayLike") -> Ints | Floats:
    """Grades: whole numbers, or real ones if they came as such."""
    array = np.asarray(values)
    if array.ndim == 1 and array.dtype.kind in "bi":
        return array.astype(np.int64)
    grade = _numbers(values, "E110", "grade")
    if len(wrong := np.flatnonzero(~np.isfinite(grade))):
        raise InputError("E110", f"grade {str(grade[wrong[0]])!r} is not a number (row {wrong[0] + 1})")
    return grade if array.dtype.kind == "f" else grade.astype(np.int64)


def ranks(values: "ArrayLike") -> Ints:
    """Ranks: whole numbers."""
    array = np.asarray(values)
    if array.ndim == 1 and array.dtype.kind in "bi":
        return array.astype(np.int64)
    rank = _numbers(values, "E119", "rank")
    with np.errstate(invalid="ignore"):
        wrong = np.flatnonzero(~(np.isfinite(rank) & (rank == np.rint(rank))))
    if len(wrong):
        raise InputError("E119", f"rank {str(rank[wrong[0]])!r} is not a whole number (row {wrong[0] + 1})")
    return rank.astype(np.int64)


def _numbers(values: "ArrayLike", code: str, noun: str) -> Floats:
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError("E121", f"the {noun}s are not a column of numbers")
    if array.dtype.kind not in "biuf":
        row = next((row for row, value in enumerate(array.tolist()) if not isinstance(value, int | float)), None)
        if row is not None:
            raise InputError(code, f"{noun} {str(array[row])!r} is not a number (row {row + 1})")
    return array.astype(np.float64)
