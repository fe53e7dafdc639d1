"""All completions of a few holes, and how many there are."""

from collections.abc import Iterable
from itertools import combinations_with_replacement, product
from math import comb

import numpy as np

from cranfield.arrays import Floats, Ints


def number_of_completions(listed: int, others: int, levels: int) -> int:
    """Every grade for every listed hole, and every number of each grade among the others, which only count.

    >>> number_of_completions(3, 2, 2)  # 8 times 0, 1 or 2 relevant ones
    24
    """
    return int(levels**listed * comb(others + levels - 1, levels - 1)) if listed < 64 else 1 << 62


def completions_of(listed: Ints, holes: int, unseen: int, levels: Floats) -> Floats:
    """`[completion, document]`: the grades of all holes and unseen documents.

    >>> completions_of(np.array([1]), 2, 0, np.array([0.0, 1.0]))
    array([[0., 0.],
           [0., 1.],
           [1., 0.],
           [1., 1.]])
    """
    total = holes + unseen
    rest = np.setdiff1d(np.arange(total), listed)
    own = _table(product(levels, repeat=len(listed)), len(listed))
    shared = _table(combinations_with_replacement(levels, len(rest)), len(rest))
    found = np.empty((len(shared), len(own), total))
    found[:, :, listed] = own
    found[:, :, rest] = shared[:, None]
    return found.reshape(len(shared) * len(own), total)


def _table(rows: Iterable[tuple[float, ...]], columns: int) -> Floats:
    found = list(rows)
    return np.array(found, dtype=np.float64).reshape(len(found), columns)
