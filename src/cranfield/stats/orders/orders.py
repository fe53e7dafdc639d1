"""Orders of systems by their means, with ties: the input of every coefficient of agreement."""

from collections.abc import Iterator

import numpy as np

from cranfield.arrays import Floats, Ints

PLACES = 12  # means that agree so far are equal: the rest is the noise of summing in another order
_CELLS = 1 << 16  # of one array in work: what fits into a processor's cache


def settled(values: Floats) -> Floats:
    """The values rounded to 12 decimals, so that equal means compare as equal.

    >>> settled(np.array([0.1 + 0.2])) == settled(np.array([0.3]))
    array([ True])
    """
    return np.round(values, PLACES)


def tied_ranks(values: Floats) -> tuple[Ints, Ints]:
    """First and last rank of the tie group of each value, the largest value of a row first.

    >>> tied_ranks(np.array([[0.2, 0.5, 0.2, 0.1]]))
    (array([[2, 1, 2, 4]]), array([[3, 1, 3, 4]]))
    """
    order = np.argsort(-values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    position = np.arange(1, values.shape[1] + 1)
    new = np.ones(ordered.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    ends = np.ones(ordered.shape, dtype=bool)
    ends[:, :-1] = new[:, 1:]
    starts = np.maximum.accumulate(np.where(new, position, 0), axis=1)
    stops = np.minimum.accumulate(np.where(ends, position, len(position))[:, ::-1], axis=1)[:, ::-1]
    first, last = np.empty_like(order), np.empty_like(order)
    np.put_along_axis(first, order, starts, axis=1)
    np.put_along_axis(last, order, stops, axis=1)
    return first, last


def tied_pairs(first: Ints, last: Ints) -> Ints:
    """How many pairs of each row are tied.

    >>> tied_pairs(*tied_ranks(np.array([[0.2, 0.5, 0.2, 0.2]])))
    array([3])
    """
    return (last - first).sum(axis=1) // 2


def blocks(draws: int, systems: int) -> Iterator[slice]:
    """Blocks of draws that are processed together."""
    step = max(1, _CELLS // max(systems, 1))
    return (slice(start, start + step) for start in range(0, draws, step))


def upright(ranks: Ints) -> Ints:
    """Ranks as `[systems, draws]`, in the smallest integers whose products do not overflow."""
    kind = np.int32 if ranks.shape[1] < 2**15 else np.int64
    return np.ascontiguousarray(ranks.T.astype(kind))
