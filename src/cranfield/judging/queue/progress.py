"""How far a pair is: open, agreed, in dispute or settled."""

from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.judging.records import PairProgress


@dataclass(frozen=True)
class PairTally:
    """The judgments of a pair that count: how many, and the lowest and highest grade among them."""

    judged: int
    cannot: int
    lowest: int | None
    highest: int | None
    state: PairProgress


def tally(grades: Sequence[int], cannot: int, needed: int, threshold: int, settled: int | None = None) -> PairTally:
    """How far a pair is that needs so many judgments; grades `threshold` apart are in dispute.

    A pair is in dispute when it has all its judgments, and also if one assessor could not judge what another did.

    >>> tally([1], 0, needed=2, threshold=1).state, tally([1, 1], 0, needed=2, threshold=1).state
    ('open', 'agreed')
    >>> tally([0, 1], 0, needed=2, threshold=1).state, tally([0, 1], 0, needed=2, threshold=2).state
    ('disputed', 'agreed')
    >>> tally([2], 1, needed=2, threshold=1).state, tally([2], 1, needed=2, threshold=1, settled=0).state
    ('disputed', 'settled')
    """
    lowest, highest = (min(grades), max(grades)) if grades else (None, None)
    return PairTally(len(grades), cannot, lowest, highest, _state(grades, cannot, needed, threshold, settled))


def _state(grades: Sequence[int], cannot: int, needed: int, threshold: int, settled: int | None) -> PairProgress:
    if settled is not None:
        return "settled"
    if len(grades) + cannot < needed:
        return "open"
    if needed and grades and (cannot or max(grades) - min(grades) >= threshold):
        return "disputed"
    return "agreed"
