"""Strings as bytes in one buffer, in NumPy: hashed, compared and sorted eight bytes at a time.

`Text` holds a column of them; the functions here take plain arrays.
"""

from typing import TypeAlias

import numpy as np

from cranfield.arrays import Bools, Bytes, Ints, Words

Strings: TypeAlias = tuple[Bytes, Ints, Ints]  # a buffer that ends with eight spare bytes, start and length of each

LONG = 256  # bytes; longer strings are hashed and compared one by one
_MIX, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


def raw(strings: Strings, row: int) -> bytes:
    """The bytes of one string."""
    buffer, start, length = strings
    first = int(start[row])
    return buffer[first : first + int(length[row])].tobytes()


def word(strings: Strings, number: int, rows: Ints | slice = slice(None)) -> Words:
    """Bytes 8·number … 8·number+7 of the given rows, zero beyond the end of a string."""
    buffer, start, length = strings
    place = np.minimum(start[rows] + 8 * number, len(buffer) - 8)
    kept = np.clip(length[rows] - 8 * number, 0, 8).astype(np.uint64)
    # a shift by 64 is undefined, so strings that ended before are blanked by the product
    mask = (np.uint64(2**64 - 1) >> ((np.uint64(8) - np.maximum(kept, 1)) * np.uint64(8))) * (kept > 0)
    return _unaligned(buffer)[place] & mask


def _unaligned(buffer: Bytes) -> Words:
    """A view of the buffer that reads eight bytes from any position."""
    first = buffer[:8].view("<u8")
    return np.lib.stride_tricks.as_strided(first, shape=(len(buffer) - 7,), strides=(1,), writeable=False)


def hashes(buffer: Bytes, start: Ints, length: Ints) -> tuple[Words, bool]:
    """A 64-bit hash of each string, and whether one is long; only the first bytes of long strings are read here.

    >>> from cranfield.tables.text import Text
    >>> column = Text.of(["d1", "d2", "d1"])
    >>> code, any_long = hashes(*column.flat)
    >>> code[0] == code[2], code[0] == code[1], any_long
    (np.True_, np.False_, False)
    """
    mixed = length.astype(np.uint64) * _MIX
    shortest, longest = int(length.min(initial=LONG)), int(length.max(initial=0))
    for number in range(-(-min(longest, LONG) // 8)):
        # only strings that reach this word are mixed: a hash must not depend on the other strings of a column
        rows: Ints | slice = slice(None) if shortest > 8 * number else np.flatnonzero(length > 8 * number)
        part = word((buffer, start, length), number, rows)
        value = (mixed[rows] ^ part) * _MIX
        # the word enters twice, in two ways, so that two ids of one hash cannot be found by solving for a word
        mixed[rows] = (value ^ (value >> np.uint64(29))) + (part ^ (part >> np.uint64(31))) * _SECOND
    return mixed ^ (mixed >> np.uint64(32)), longest > LONG


def pair_key(topic: Ints, document_hash: Words) -> Words:
    """One number per (topic, document), well spread."""
    return document_hash ^ (topic.astype(np.uint64) * _SECOND)


def equal(here: Strings, rows: Ints, there: Strings, others: Ints) -> Bools:
    """Whether string `rows[i]` here and `others[i]` there are the same bytes."""
    length = here[2][rows]
    same: Bools = length == there[2][others]
    longest = int(length[same].max(initial=0))
    for number in range(-(-min(longest, LONG) // 8)):
        open_ = np.flatnonzero(same & (length > 8 * number))
        same[open_] = word(here, number, rows[open_]) == word(there, number, others[open_])
    for i in np.flatnonzero(same & (length > LONG)).tolist():
        same[i] = raw(here, int(rows[i])) == raw(there, int(others[i]))
    return same


def descending(strings: Strings, group: Ints) -> Ints:
    """An order of the strings: by group, then by bytes from high to low."""
    longest = int(strings[2].max(initial=0))
    if longest > LONG:
        raws = [raw(strings, row) for row in range(len(strings[2]))]
        backwards = sorted(range(len(raws)), key=raws.__getitem__, reverse=True)
        return np.array(backwards)[np.argsort(group[backwards], kind="stable")]
    words = [~word(strings, number).byteswap() for number in range(-(-longest // 8))]
    return np.lexsort((-strings[2], *reversed(words), group))
