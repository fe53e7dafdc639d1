"""Documents that several people judge at once: none whose answer makes another one useless, if it can be helped."""

import numpy as np

from cranfield.arrays import Bools, Ints
from cranfield.missing.next.deciding.asked import AskedPairs, Consequence
from cranfield.missing.situation import ZERO

TRIED = 6  # documents that are looked at for each one wanted


def kept_apart(asked: AskedPairs, order: Ints, held: Ints, undecided: Bools, n: int) -> Ints:
    """The first n holes of an order that do not make each other useless, or those held; if too few, others after them.

    A hole is useless after an answer if no pair of runs is left undecided that it could change: because the answer
    settles the pairs, or because nothing below a relevant document counts, as in reciprocal rank.

    Args:
        asked: the pairs of runs.
        order: the holes that wait, the most useful first.
        held: holes that others judge now.
        undecided: which pairs are.
        n: how many are wanted.
    """
    known: dict[int, list[Consequence]] = {}
    chosen: list[int] = []
    later: list[int] = []
    for hole in order[: TRIED * n].tolist():
        if len(chosen) == n:
            break
        beside = [*held.tolist(), *chosen]
        clash = any(
            _useless_after(asked, known, first, second, undecided)
            for other in beside
            for first, second in ((other, hole), (hole, other))
        )
        (later if clash else chosen).append(hole)
    rest = order[TRIED * n :].tolist()
    return np.array([*chosen, *later, *rest][:n], dtype=np.int64)


def _useless_after(
    asked: AskedPairs, known: dict[int, list[Consequence]], first: int, second: int, undecided: Bools
) -> bool:
    """Whether some answer to the first hole leaves nothing for the second to change."""
    if first not in known:
        known[first] = [asked.after(first, grade) for grade in asked.situation.levels.tolist()]
    return any(not _useful(asked, found, second, undecided) for found in known[first])


def _useful(asked: AskedPairs, found: Consequence, hole: int, undecided: Bools) -> bool:
    open_ = undecided & (found.low <= ZERO) & (found.high >= -ZERO)
    open_ &= np.maximum(np.abs(found.low), np.abs(found.high)) > ZERO
    place = int(np.searchsorted(found.left, hole))
    inside = place < len(found.left) and found.left[place] == hole
    gap = found.gap[:, place] if inside else asked.gap[:, hole]
    return bool((np.abs(gap[open_]) > ZERO).any())
