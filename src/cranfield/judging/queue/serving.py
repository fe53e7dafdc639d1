"""What an assessor is served: which pairs are free for them, and which are held or done."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from cranfield.judging.queue.order import shuffled

Standing = Literal["free", "held", "own", "later", "done"]
_TINY = 1e-9  # a share such as 0.1 is no exact number


@dataclass(frozen=True)
class Candidate:
    """The state of a pair of a queue for one assessor."""

    item: str
    needed: int
    given: int  # judgments that count
    held: int  # leases of other assessors
    free_ms: int | None  # when the first of these ends
    mine: str | None  # the status of the assessor's own judgment
    own_lease: bool
    gold: bool


def standing(pair: Candidate) -> Standing:
    """Whether an assessor may have a pair now, at the end of the queue, once others give it back, or not at all.

    `own` is a pair that the assessor holds already.

    >>> fresh = Candidate("a", 1, 0, 0, None, None, False, False)
    >>> taken = Candidate("b", 1, 0, 1, 900, None, False, False)
    >>> standing(fresh), standing(taken), standing(Candidate("c", 2, 1, 0, None, "judged", False, False))
    ('free', 'held', 'done')
    """
    if pair.mine in ("judged", "cannot"):
        return "done"
    if pair.given >= pair.needed and not (pair.gold and pair.needed == 0):
        return "done"
    if pair.own_lease:
        return "own"
    if pair.needed and pair.given + pair.held >= pair.needed:
        return "held"
    return "later" if pair.mine == "later" else "free"


@dataclass(frozen=True)
class Waiting:
    """Pairs that other assessors hold: how many, and when the first is free."""

    held: int = 0
    first_free_ms: int | None = None

    def with_pairs(self, pairs: Iterable[Candidate]) -> "Waiting":
        """These and those among some pairs that are held."""
        ends = [pair.free_ms for pair in pairs if standing(pair) == "held" and pair.free_ms is not None]
        known = [*ends, *([] if self.first_free_ms is None else [self.first_free_ms])]
        return Waiting(self.held + len(ends), min(known, default=None))


def rotated(values: Sequence[int], first: int | None) -> list[int]:
    """The values from `first` on, then those before it.

    >>> rotated([1, 2, 4], 2), rotated([1, 2, 4], 3), rotated([1, 2], None)
    ([2, 4, 1], [4, 1, 2], [1, 2])
    """
    if first is None:
        return list(values)
    return [value for value in values if value >= first] + [value for value in values if value < first]


@dataclass(frozen=True)
class GoldWindow:
    """Where an assessor is between two pairs whose grade is known: in each window there is one, at a random place."""

    done: int  # pairs of the window that the assessor has judged or holds
    reached: bool  # whether the place is reached

    @classmethod
    def of(cls, done: int, rate: float, seed: int, assessor: str) -> "GoldWindow":
        """The window of an assessor who has judged or holds so many pairs; 1/rate pairs are in one.

        >>> [GoldWindow.of(done, 0.4, 7, "ann").done for done in range(8)]  # 3 pairs, then 2
        [0, 1, 2, 0, 1, 0, 1, 2]
        >>> [done for done in range(10) if GoldWindow.of(done, 0.1, 7, "ann").reached]
        [4, 5, 6, 7, 8, 9]
        """
        number = math.floor(done * rate + _TINY)
        begin, end = (math.ceil(each / rate - _TINY) for each in (number, number + 1))
        place = shuffled([str(each) for each in range(end - begin)], seed, assessor, f"gold {number}")[0]
        return cls(done - begin, done - begin >= place)


def expected_gold(pairs: int, rate: float, known: int) -> int:
    """How many pairs with a known grade come among other pairs; it does not tell which of them did already.

    >>> expected_gold(90, 0.1, 50), expected_gold(90, 0.1, 4), expected_gold(90, 0, 4)
    (10, 4, 0)
    """
    return min(known, math.ceil(pairs * rate / (1 - rate) - _TINY)) if rate < 1 else known
