"""The order of a list: named tie policies, applied once for all measures of a call."""

import numpy as np
from numpy.typing import NDArray

from cranfield.align.policy import Ties
from cranfield.arrays import Bools, Ints
from cranfield.errors import InputError
from cranfield.tables.run import Run


def ordered(run: Run, ties: Ties) -> Ints:
    """The rows of a run, topic by topic (in the order of `run.topics`), best first.

    >>> run = Run.of("r", ["1", "1", "1"], ["d9", "d10", "x"], [1.0, 1.0, 7.0])
    >>> ordered(run, "trec"), ordered(run, "file")  # d9 beats d10 byte by byte
    (array([2, 0, 1]), array([0, 1, 2]))
    """
    if ties == "file":
        return np.argsort(run.topic, kind="stable")
    if ties == "given":
        return np.lexsort((_ranks(run), run.topic))
    key = sort_key(run, ties)
    order = by_key(run.topic, key)
    tied = tied_with_next(run.topic[order], key[order])
    if not tied.any():
        return order
    members = np.flatnonzero(tied | np.concatenate(([False], tied[:-1])))  # every row that shares its score
    group = np.cumsum(~np.concatenate(([False], tied[:-1])))[members]
    order[members] = order[members][run.document.take(order[members]).descending(group)]
    return order


def _ranks(run: Run) -> Ints:
    ranks = run.ranks()
    if ranks is None:
        raise InputError(
            "E119",
            f"run {run.name!r} has no rank column",
            path=run.source.name or None,
            hint="ties=trec orders by score, ties=file by line",
        )
    return ranks


def sort_key(run: Run, ties: Ties) -> NDArray[np.floating]:
    """The number a list is sorted by, ascending: minus the score, in the precision of the policy, or the rank."""
    if ties == "given":
        return _ranks(run).astype(np.float64)
    if ties != "trec9":
        return -run.score
    with np.errstate(over="ignore"):  # beyond single precision is infinite, as it is for trec_eval 9
        return -run.score.astype(np.float32)


def by_key(topic: Ints, key: NDArray[np.floating]) -> Ints:
    """Rows by topic, then key; files that are already in order are only looked at, not sorted."""
    same = topic[1:] == topic[:-1]
    if bool(np.all((same & (key[1:] >= key[:-1])) | (topic[1:] > topic[:-1]))):
        return np.arange(len(topic))
    return np.lexsort((key, topic))


def tied_with_next(topic: Ints, key: NDArray[np.floating]) -> Bools:
    """For rows in order: whether the next row belongs to the same topic and has the same key."""
    tied = np.zeros(len(topic), dtype=bool)
    tied[:-1] = (topic[1:] == topic[:-1]) & (key[1:] == key[:-1])
    return tied
