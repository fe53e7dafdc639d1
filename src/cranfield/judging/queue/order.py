"""In which order an assessor gets the documents of a topic."""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Marks = NDArray[np.uint64]
_SHIFTS = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))
_LAST = np.uint64(31)


def shuffled(documents: Sequence[str], seed: int, *key: str) -> list[int]:
    """The places of the documents in a random order of this seed and key (the assessor and the topic).

    The order depends on the documents' ids alone: documents added later do not change the order of the others.

    >>> shuffled(["d1", "d2", "d3", "d4"], 7, "ann", "q1"), shuffled(["d1", "d2", "d3", "d4"], 7, "bob", "q1")
    ([3, 1, 2, 0], [0, 2, 1, 3])
    >>> shuffled(["d1", "d3", "d4"], 7, "ann", "q1")
    [2, 1, 0]
    """
    return shuffled_marks(marks_of(documents), seed, *key)


def marks_of(documents: Sequence[str]) -> Marks:
    """A number for each id, the same for all seeds and keys: found once, it serves the orders of all assessors."""
    data = b"".join(blake2b(_bytes(document), digest_size=8).digest() for document in documents)
    return np.frombuffer(data, dtype=">u8").astype(np.uint64)


def shuffled_marks(marks: Marks, seed: int, *key: str) -> list[int]:
    """The order of documents with these marks: that of the marks mixed with two numbers of seed and key."""
    secret = blake2b(digest_size=16)
    for part in (str(seed), *key):
        data = _bytes(part)
        secret.update(len(data).to_bytes(8, "big") + data)
    first, second = np.frombuffer(secret.digest(), dtype=">u8").astype(np.uint64)
    return np.argsort(_mixed(_mixed(marks ^ first) ^ second), kind="stable").tolist()


def _mixed(marks: Marks) -> Marks:
    """Numbers whose bits all depend on all bits of those given; different ones stay different (splitmix64)."""
    for shift, factor in _SHIFTS:
        marks = (marks ^ (marks >> shift)) * factor
    return marks ^ (marks >> _LAST)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def drawn(documents: Sequence[str], share: float, seed: int, *key: str) -> set[int]:
    """The places of a share of the documents, drawn at random by seed and key; the number is rounded.

    >>> len(drawn([f"d{i}" for i in range(4180)], 0.2, 7, "overlap"))
    836
    """
    return set(shuffled(documents, seed, *key)[: round(share * len(documents))])
