"""The order of a list: named tie policies, applied once for all measures of a call."""

import numpy as np

from cranfield import kernel
from cranfield.align.policy import Ties
from cranfield.arrays import Bools, Floats, Ints, segment_size
from cranfield.errors import InputError
from cranfield.tables.run import Run


def ordered(run: Run, ties: Ties) -> tuple[Ints | None, Ints]:
    """The rows of a run, topic by topic (in the order of `run.topics`), best first, and where each list begins.

    The rows are None where they stand in that order already. The second of the three costly steps.

    >>> run = Run.of("r", ["1", "1", "1"], ["d9", "d10", "x"], [1.0, 1.0, 7.0])
    >>> ordered(run, "trec"), ordered(run, "file")  # d9 beats d10 byte by byte
    ((array([2, 0, 1]), array([0, 3])), (None, array([0, 3])))
    """
    key, by_document = sort_key(run, ties), ties in ("trec", "trec9")
    if kernel.compiled is not None:
        documents = run.document.flat if by_document else (None, None, None)
        order, begin = kernel.compiled.rank(kernel.flat(run.topic), len(run.topics), kernel.flat(key), *documents)
        return order, begin
    order = by_key(run.topic, key)
    if by_document:
        order = _by_document(run, order, tied_with_next(run.topic[order], key[order]))
    begin = np.concatenate(([0], np.cumsum(segment_size(run.topic, len(run.topics)))))
    return None if np.array_equal(order, np.arange(len(order))) else order, begin


def _by_document(run: Run, order: Ints, tied: Bools) -> Ints:
    """The same order, documents of one topic and key from high to low."""
    if not tied.any():
        return order
    members = np.flatnonzero(tied | np.concatenate(([False], tied[:-1])))  # every row that shares its score
    group = np.cumsum(~np.concatenate(([False], tied[:-1])))[members]
    order[members] = order[members][run.document.take(order[members]).descending(group)]
    return order


def sort_key(run: Run, ties: Ties) -> Floats:
    """The number a list is sorted by, from high to low: the score as the policy sees it, or minus the rank."""
    if ties == "trec":
        return run.score
    if ties == "trec9":
        with np.errstate(over="ignore"):  # beyond single precision is infinite, as it is for trec_eval 9
            return run.score.astype(np.float32).astype(np.float64)
    if ties == "file":
        return np.zeros(len(run))
    ranks = run.ranks()
    if ranks is None:
        raise InputError(
            "E119",
            f"run {run.name!r} has no rank column",
            path=run.source.name or None,
            hint="ties=trec orders by score, ties=file by line",
        )
    return -ranks.astype(np.float64)


def by_key(topic: Ints, key: Floats) -> Ints:
    """Rows by topic, then key from high to low; files that are already in order are only looked at, not sorted."""
    same = topic[1:] == topic[:-1]
    if bool(np.all((same & (key[1:] <= key[:-1])) | (topic[1:] > topic[:-1]))):
        return np.arange(len(topic))
    return np.lexsort((-key, topic))


def tied_with_next(topic: Ints, key: Floats) -> Bools:
    """For rows in order: whether the next row belongs to the same topic and has the same key."""
    tied = np.zeros(len(topic), dtype=bool)
    tied[:-1] = (topic[1:] == topic[:-1]) & (key[1:] == key[:-1])
    return tied
