"""What an assessor is served: which pairs are free for them, and which are held or done."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from cranfield.judging.queue.order import shuffled

Standing = Literal["free", "held", "own", "later", "done"]


@dataclass(frozen=True)
class Candidate:
    """A pair of a queue as it stands for one assessor."""

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


def gold_is_due(done: int, gold_done: int, rate: float, seed: int, assessor: str) -> bool:
    """Whether the next pair of an assessor should be one whose grade is known: one in 1/rate, at a random place.

    >>> [done for done in range(10) if gold_is_due(done, 0, 0.1, 7, "ann")]
    [4, 5, 6, 7, 8, 9]
    """
    if rate <= 0:
        return False
    length = max(1, round(1 / rate))
    block, place = divmod(done, length)
    first = shuffled([str(number) for number in range(length)], seed, assessor, f"gold {block}")[0]
    return gold_done <= block and place >= first
