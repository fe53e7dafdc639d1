"""Operations on flat arrays: segment sums, ordinals, equality, and the ratio that is NaN where nothing is below.

A *segment* is a stretch of a flat array that belongs to one ranking (or topic); `segment` holds its number for each
element, ascending. `strings` does the same for columns of strings, `memory` hands out memory and knows how much there
is.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

# `NDArray[…]` written out: `numpy.typing` need not be loaded
Ints: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
Floats: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Bools: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]
Bytes: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.uint8]]
Words: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.uint64]]

NO_INTS: Ints = np.empty(0, dtype=np.int64)  # in place of a column that is not there


def segment_sum(segment: Ints, values: "ArrayLike", segments: int) -> Floats:
    """Sum of the values of each segment, added from top to bottom; an empty segment sums to 0.

    `np.bincount` adds in order, so the result is bitwise that of a plain loop (`np.add.reduceat` adds pairwise and
    cannot express an empty segment).

    >>> segment_sum(np.array([0, 0, 2]), [1.0, 2.0, 5.0], 3)
    array([3., 0., 5.])
    """
    sums = np.bincount(segment, weights=np.asarray(values, dtype=np.float64), minlength=segments)
    return np.asarray(sums, dtype=np.float64)  # as it is: the stubs of NumPy know only unweighted counts


def segment_size(segment: Ints, segments: int) -> Ints:
    """Number of elements of each segment.

    >>> segment_size(np.array([0, 0, 2]), 3)
    array([2, 0, 1])
    """
    return np.bincount(segment, minlength=segments)


def ordinal(segment: Ints) -> Ints:
    """Position of each element inside its segment, from 1.

    >>> ordinal(np.array([0, 0, 2, 2, 2]))
    array([1, 2, 1, 2, 3])
    """
    position = np.arange(len(segment))
    first = np.ones(len(segment), dtype=bool)
    first[1:] = segment[1:] != segment[:-1]
    return position - np.maximum.accumulate(np.where(first, position, 0)) + 1


def ranges(begin: Ints, size: Ints) -> Ints:
    """The numbers from each beginning on, as many as its size says, one range after the other.

    >>> ranges(np.array([5, 0]), np.array([2, 3]))
    array([5, 6, 0, 1, 2])
    """
    return np.repeat(begin - (np.cumsum(size) - size), size) + np.arange(size.sum())


def running_sum(segment: Ints, values: "ArrayLike") -> Floats:
    """Cumulated sum inside each segment.

    Summed in extended precision where the machine has it, so that a long table costs its last segments no digits.

    >>> running_sum(np.array([0, 0, 1, 1]), [1.0, 1.0, 1.0, 0.0])
    array([1., 2., 1., 1.])
    """
    total = np.cumsum(np.asarray(values), dtype=np.longdouble)
    if len(total) == 0:
        return np.empty(0)
    first = np.ones(len(segment), dtype=bool)
    first[1:] = segment[1:] != segment[:-1]
    before = np.concatenate((total[:1] * 0, total[:-1]))[first]
    own = total - np.repeat(before, np.diff(np.append(np.flatnonzero(first), len(segment))))
    return own.astype(np.float64)


def ratio(part: "ArrayLike", whole: "ArrayLike") -> Floats:
    """`part / whole`, undefined (NaN) where the whole is 0: the one home of that edge case.

    What an undefined value counts as is a policy: see `Policy.counted`.

    >>> ratio([1, 0, 0], [2, 4, 0])
    array([0.5, 0. , nan])
    """
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64))
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole != 0)


def zero_if_undefined(values: Floats, where: "Bools | bool" = True) -> Floats:
    """The values, 0 in place of those that are undefined (NaN), everywhere or `where` it is said.

    >>> zero_if_undefined(np.array([np.nan, np.nan, 0.5]), np.array([True, False, True]))
    array([0. , nan, 0.5])
    """
    return where_undefined(values, 0.0, where)


def where_undefined(values: Floats, number: float, where: "Bools | bool" = True) -> Floats:
    """The values, `number` in place of those that are undefined (NaN), everywhere or `where` it is said.

    >>> where_undefined(np.array([np.nan, 0.5]), 1.0)
    array([1. , 0.5])
    """
    return np.where(np.isnan(values) & where, number, values)


def stable_order(numbers: Ints, limit: int) -> Ints:
    """The order in which whole numbers from 0 to below the limit ascend; equal ones stay in the order they have.

    NumPy sorts numbers of 16 bits digit by digit, which takes a fraction of the time that comparisons take.

    >>> stable_order(np.array([2, 0, 2, 1]), 3)
    array([1, 3, 0, 2])
    """
    return np.argsort(numbers.astype(np.uint16) if limit <= 1 << 16 else numbers, kind="stable")


def by_key(segment: Ints, key: Floats) -> Ints:
    """Elements by segment, then by key from high to low; a column that is already in order is not sorted again.

    >>> by_key(np.array([0, 1, 0]), np.array([1.0, 5.0, 3.0]))
    array([2, 0, 1])
    """
    same = segment[1:] == segment[:-1]
    if bool(np.all((same & (key[1:] <= key[:-1])) | (segment[1:] > segment[:-1]))):
        return np.arange(len(segment))
    return np.lexsort((-key, segment))


def tied_with_next(segment: Ints, key: Floats) -> Bools:
    """For elements in order: whether the next one belongs to the same segment and has the same key.

    >>> tied_with_next(np.array([0, 0, 1]), np.array([1.0, 1.0, 1.0]))
    array([ True, False, False])
    """
    tied = np.zeros(len(segment), dtype=bool)
    tied[:-1] = (segment[1:] == segment[:-1]) & (key[1:] == key[:-1])
    return tied


class EqualByContent:
    """The base of tables (dataclasses) that are equal if all their fields are; they are no keys of dictionaries.

    A column that one table has and the other lacks is a difference. A field that does not count, such as where a table
    was read, is declared with `compare=False`.
    """

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [each.name for each in fields(self) if each.compare]  # type: ignore[arg-type]  # of dataclasses alone
        return all(same(getattr(self, name), getattr(other, name)) for name in names)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # unhashable: equal by content; mypy wants a method


def same(here: Any, there: Any) -> bool:  # columns of any kind, or None
    """Whether two columns are alike, undefined values included; numbers of another kind are a difference.

    >>> same(np.array([1.0, np.nan]), np.array([1.0, np.nan])), same(None, np.zeros(2)), same(np.ones(1), np.array([1]))
    (True, False, False)
    """
    if isinstance(here, np.ndarray) and isinstance(there, np.ndarray):
        return here.dtype.kind == there.dtype.kind and np.array_equal(here, there, equal_nan=here.dtype.kind == "f")
    if isinstance(here, np.ndarray) or isinstance(there, np.ndarray):
        return False
    if isinstance(here, Mapping) and isinstance(there, Mapping):
        return here.keys() == there.keys() and all(same(value, there[key]) for key, value in here.items())
    return bool(here == there)
