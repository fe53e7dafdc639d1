"""The same steps in NumPy, used if nothing was compiled: the same names, arguments and results as `_steps`.

`scan` and `collect` only save time, so here they do nothing, and their callers use the general code for unusual input.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.arrays import NO_INTS, Bytes, Floats, Ints, Words, by_key, segment_size, tied_with_next
from cranfield.arrays.strings import descending, equal, hashes, pair_key

__all__ = ["Judged", "collect", "find", "hashes", "rank", "repeats", "scan", "table", "ties"]


def scan(buffer: Bytes, size: int, kinds: Sequence[int], room: object = None) -> None:
    """None: the exact reader reads the file."""


def rank(
    topic: Ints, topics: int, key: Floats, buffer: Bytes | None, start: Ints | None, length: Ints | None
) -> tuple[Ints | None, Ints]:
    """Rows by topic, then key and, if a buffer is given, document from high to low; None if already in that order.

    The second result holds the start of each list.
    """
    order = by_key(topic, key)
    if buffer is not None and start is not None and length is not None:
        tied = tied_with_next(topic[order], key[order])
        if tied.any():
            members = np.flatnonzero(tied | np.concatenate(([False], tied[:-1])))  # every row that shares its key
            group = np.cumsum(~np.concatenate(([False], tied[:-1])))[members]
            rows = order[members]
            order[members] = rows[descending((buffer, start[rows], length[rows]), group)]
    begin = np.concatenate(([0], np.cumsum(segment_size(topic, topics))))
    return None if np.array_equal(order, np.arange(len(order))) else order, begin


def repeats(row: Ints | None, begin: Ints, code: Words) -> bool:
    """Whether two documents of one list may be the same, by their hashes."""
    key = np.sort(pair_key(_list_of(begin), _in_order(code, row, begin)))
    return bool((key[1:] == key[:-1]).any())


def ties(row: Ints | None, begin: Ints, key: Floats, cutoff: int) -> tuple[int, int, int]:
    """Groups of equal keys, those that reach across the cut-off, and neighbours equal in single precision only."""
    number, key = _list_of(begin), _in_order(key, row, begin)
    tied = tied_with_next(number, key)
    place = np.arange(1, len(key) + 1) - begin[number]
    with np.errstate(over="ignore"):
        single = key.astype(np.float32).astype(np.float64)
    return (
        int(np.count_nonzero(tied & ~np.concatenate(([False], tied[:-1])))),
        int(np.count_nonzero(tied & (place == cutoff))),
        int(np.count_nonzero(tied_with_next(number, single) & ~tied)),
    )


def ascending(key: Words) -> Ints:
    """The rows in which the keys ascend, equal ones as they stand."""
    return np.argsort(key, kind="stable")


def table(key: Words, topic: Ints, topics: int, start: Ints) -> tuple[Ints, Words, Ints]:
    """The table in which `find` looks up judgments: the columns themselves, keys ascending."""
    return topic, key, start


def find(
    judged_topic: Ints,
    judged_key: Words,
    judged_start: Ints,
    judged_buffer: Bytes,
    judged_length: Ints,
    row: Ints | None,
    begin: Ints,
    topic_of: Ints,
    code: Words,
    buffer: Bytes,
    start: Ints,
    length: Ints,
) -> tuple[Ints, Ints, Ints]:
    """The positions of judged documents in the lists, their ranks, and their places among the judgments."""
    number = _list_of(begin)
    if len(judged_key) == 0 or len(number) == 0:
        return NO_INTS, NO_INTS, NO_INTS
    own = topic_of[number]
    key = pair_key(own, _in_order(code, row, begin))
    place = np.minimum(np.searchsorted(judged_key, key), len(judged_key) - 1)
    found = np.flatnonzero((judged_key[place] == key) & (own >= 0))
    place = place[found]
    rows = found if row is None else row[found]
    # equal keys are equal pairs, except one in 10^19; here the pairs themselves are compared
    same = equal((buffer, start, length), rows, (judged_buffer, judged_start, judged_length), place)
    same &= own[found] == judged_topic[place]
    found, place = found[same], place[same]
    return found, found + 1 - begin[number[found]], place


def collect(run: object, judged: object, single: bool, cutoff: int) -> None:
    """None: the dictionary must become a table."""


def Judged(*columns: Any) -> None:  # the name of a class where it is compiled
    """A placeholder: without a compiled kernel no dictionary is looked up."""


def _list_of(begin: Ints) -> Ints:
    """The list that each place belongs to."""
    return np.repeat(np.arange(len(begin) - 1), np.diff(begin))


def _in_order(values: Any, row: Ints | None, begin: Ints) -> Any:  # an array of any kind
    return values[: begin[-1]] if row is None else values[row]
