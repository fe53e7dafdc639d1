"""Order each list and break ties, once for all measures of a call."""

import numpy as np

from cranfield import kernel
from cranfield.align.policy import MANY_ORDERS, Ties
from cranfield.arrays import Floats, Ints
from cranfield.errors import InputError
from cranfield.errors.wording import setting
from cranfield.tables.run import Run


def ordered(run: Run, ties: Ties) -> tuple[Ints | None, Ints]:
    """The rows of a run, topic by topic (in the order of `run.topics`), best first, and where each list begins.

    The rows are None if they are already in that order. The second of the three costly steps.

    >>> run = Run.of("r", ["1", "1", "1"], ["d9", "d10", "x"], [1.0, 1.0, 7.0])
    >>> ordered(run, "trec"), ordered(run, "file")  # d9 beats d10 byte by byte
    ((array([2, 0, 1]), array([0, 3])), (None, array([0, 3])))
    """
    key, by_document = sort_key(run, ties), ties not in ("given", "file")
    return kernel.rank(run.topic, len(run.topics), key, run.document.flat if by_document else None)


def sort_key(run: Run, ties: Ties) -> Floats:
    """The number a list is sorted by, from high to low: the score as the policy sees it, or minus the rank."""
    if ties == "trec" or ties in MANY_ORDERS:  # the order to begin with; groups of equal scores are reordered later
        return run.score
    if ties == "trec9":
        return single_precision(run.score)
    if ties == "file":
        return np.zeros(len(run))
    ranks = run.ranks()
    if ranks is None:
        raise InputError(
            "E119",
            f"run {run.name!r} has no rank column",
            path=run.source.name or None,
            hint=f"{setting('ties', 'trec')} orders by score, {setting('ties', 'file')} by line",
        )
    return -ranks.astype(np.float64)


def single_precision(scores: Floats) -> Floats:
    """Scores as trec_eval 9 sees them; what single precision cannot hold is infinite.

    >>> single_precision(np.array([1 + 1e-12, 1e300]))
    array([ 1., inf])
    """
    with np.errstate(over="ignore"):
        return scores.astype(np.float32).astype(np.float64)
