"""The units of preference judgments: topic, judgment group, subgroup; a document occurs once in a subgroup."""

import numpy as np

from cranfield import kernel
from cranfield.arrays import NO_INTS, Ints
from cranfield.arrays.strings import pair_key
from cranfield.tables.text import Text


def numbered(outer: Ints, names: Text) -> Ints:
    """The names inside each outer unit, counted from 0 in byte order.

    >>> numbered(np.array([0, 0, 0, 1]), Text.of(["b", "a", "b", "b"]))
    array([1, 0, 1, 0])
    """
    if len(names) == 0:
        return NO_INTS
    known, code = names.codes()
    by_bytes = np.argsort(np.array([name.encode("utf-8", "surrogateescape") for name in known], dtype=object))
    place = np.empty(len(known), dtype=np.int64)
    place[by_bytes] = np.arange(len(known))
    pairs, inverse = np.unique(outer * len(known) + place[code], return_inverse=True)
    first = np.searchsorted(pairs // len(known), outer)
    number: Ints = inverse - first
    return number


def combined(outer: Ints, inner: Ints) -> Ints:
    """One number for two columns: equal where both columns are equal.

    >>> combined(np.array([0, 0, 1]), np.array([0, 1, 0]))
    array([0, 1, 2])
    """
    return outer * (int(inner.max(initial=0)) + 1) + inner


def twice(topics: tuple[str, ...], topic: Ints, document: Text, unit: Ints) -> dict[str, str]:
    """For each topic in which a unit holds a document twice, the first such document in byte order.

    >>> twice(("1",), np.array([0, 0, 0]), Text.of(["a", "a", "b"]), np.array([0, 0, 0]))
    {'1': 'a'}
    """
    if not _may_repeat(unit, document):
        return {}
    key = pair_key(unit, document.hash)
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(key[order][1:] == key[order][:-1])
    earlier, later = order[again], order[again + 1]
    same = document.equal(earlier, document, later) & (unit[earlier] == unit[later])
    found: dict[str, bytes] = {}
    for row in later[same].tolist():
        name, raw = topics[int(topic[row])], document.raw(row)
        found[name] = min(raw, found.get(name, raw))
    return {name: raw.decode("utf-8", "surrogateescape") for name, raw in found.items()}


def _may_repeat(unit: Ints, document: Text) -> bool:
    """Whether a unit may hold a document twice: False if all hashes differ."""
    order, begin = kernel.rank(unit, int(unit.max(initial=-1)) + 1, np.zeros(len(unit)))
    return kernel.repeats(order, begin, document.hash)
