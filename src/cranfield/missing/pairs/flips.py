"""The smallest number of holes whose grades can reverse the order of two runs.

For each topic the lowest difference is found that 0, 1, 2 … relevant holes can give; the fewest holes of all topics
together are found by dynamic programming. That is exact where the curve of each topic is.
"""

from typing import NamedTuple

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.missing.bounds.additive import Terms
from cranfield.missing.bounds.ideal import SharesOfIdeal
from cranfield.missing.bounds.separate import SeparateRuns
from cranfield.missing.completions import steps_within, values
from cranfield.missing.pairs.attained import attained, difference
from cranfield.missing.ranges import Bounder
from cranfield.missing.situation import ZERO, TopicHoles

TURNS = 32  # in which the holes of a topic are taken, if no formula is known
MOST = 1 << 12  # documents of a set that is looked for


def smallest_flip(bounder: Bounder, a: int, b: int, delta: float) -> tuple[int | None, bool]:
    """How many holes can reverse the order of two runs, and whether fewer cannot.

    If no completion reverses it, the number of holes that make a tie; None if no such set is known. Runs that are equal
    as judged are reversed by what makes either of them better.
    """
    if not abs(delta) > ZERO:  # equal, or no topic in common as judged
        found = [_flip(bounder, *pair, (-ZERO,)) for pair in ((a, b), (b, a))]
        known = [(number, smallest) for number, smallest in found if number is not None]
        if known:
            return min(known)[0], all(smallest for _, smallest in found)
        return (None, False) if np.isnan(delta) else (0, True)
    better, worse = (a, b) if delta > 0 else (b, a)
    return _flip(bounder, better, worse, (-ZERO, ZERO))


def _flip(bounder: Bounder, a: int, b: int, targets: tuple[float, ...]) -> tuple[int | None, bool]:
    """How many holes bring the difference of two runs to the first target that can be reached."""
    counts, optional = (found[0] for found in bounder.counted(np.array([a]), np.array([b])))
    if bounder.average not in ("mean", "sum") or (counts & optional).any():
        return _by_topic(bounder, a, b, targets), False
    curves = _LowestByTopic(
        bounder, tuple(topic for topic, here in zip(bounder.topics, counts, strict=True) if here), a, b
    )
    for target in targets:  # a reversal; else a tie
        number = _fewest(curves, target * len(curves.topics))
        if curves.spent:
            return None, False
        if number is not None:
            return number, curves.exact
    return None, curves.exact


class _LowestByNumber(NamedTuple):
    """The lowest difference of two runs in a topic that 0, 1, 2 … relevant holes can give."""

    lowest: Floats
    exact: bool
    whole: bool  # whether more holes change nothing; if not, the rest was not computed


class _LowestByTopic:
    """The curves of some topics, each as far as it was asked for: most orders are reversed by a few documents."""

    def __init__(self, bounder: Bounder, topics: tuple[TopicHoles, ...], a: int, b: int) -> None:
        self.bounder = bounder
        self.topics = topics
        self.pair = a, b
        self.found: list[_LowestByNumber] = []
        self.spent = False  # whether the time for searches is over

    @property
    def exact(self) -> bool:
        """Whether no completion gives less, with so many holes, than any of the curves says."""
        return all(curve.exact for curve in self.found)

    @property
    def lowest(self) -> float:
        """The lowest sum of all curves; nothing is known about it while one of them is not whole."""
        return sum(float(np.min(curve.lowest)) if curve.whole else -np.inf for curve in self.found)

    def up_to(self, most: int) -> list[Floats]:
        """The curves up to a number of holes, or more where more is known; fewer if the time is over."""
        known, self.found = self.found, []
        for number, topic in enumerate(self.topics):
            self.spent = self.spent or self.bounder.budget.spent("flipping sets")
            if self.spent:
                break
            whole = number < len(known) and known[number].whole
            self.found.append(known[number] if whole else self._curve(topic, most))
        return [curve.lowest for curve in self.found]

    def _curve(self, topic: TopicHoles, most: int) -> _LowestByNumber:
        method, (a, b) = self.bounder.method, self.pair
        if isinstance(method, SharesOfIdeal):
            lowest = method.lowest_by_number(topic, a, b, most)
            return _LowestByNumber(lowest, exact=True, whole=len(lowest) <= most)
        if isinstance(method, Terms):
            return _LowestByNumber(method.lowest_by_number(topic, a, b), exact=True, whole=True)
        if isinstance(method, SeparateRuns) and (curve := method.lowest_by_number(topic, a, b)) is not None:
            return _LowestByNumber(curve, exact=True, whole=True)
        return _LowestByNumber(_climbed(self.bounder, topic, a, b), exact=False, whole=True)


def _by_topic(bounder: Bounder, a: int, b: int, targets: tuple[float, ...]) -> int | None:
    """The same by completing one topic after the other, those that change most first: a set that suffices."""
    (columns, _), (low, sizes) = (attained(bounder, a, b, high=high) for high in (None, False))
    change = np.nan_to_num((low[0] - low[1]) - (columns[0] - columns[1]), nan=0.0)
    reached, number = [(0, difference(columns, bounder.average))], 0
    for topic in np.argsort(change, kind="stable").tolist():
        columns[:, topic] = low[:, topic]
        number += int(sizes[topic])
        reached.append((number, difference(columns, bounder.average)))
    for target in targets:
        for number, value in reached:
            if value <= target:
                return number
    return None


def _climbed(bounder: Bounder, topic: TopicHoles, a: int, b: int) -> Floats:
    """The same by taking the holes that change most, one after the other or some at a time if they are many.

    A set that is found so suffices, but is not known to be smallest.
    """
    situation, pair = bounder.situation, np.array([a, b])
    listed = np.unique(topic.hole[(topic.hole >= 0) & np.isin(topic.run, pair)])
    filled = np.zeros(topic.holes + topic.unseen)
    found = [_gap(bounder, topic, filled[None], pair)[0]]
    together = -(-len(listed) // TURNS)  # holes that are taken in one turn
    for _ in range(steps_within(topic, len(listed), TURNS)):
        free = listed[filled[listed] == 0]
        tried = np.tile(filled, (len(free), 1))
        tried[np.arange(len(free)), free] = situation.levels[-1]
        chosen = free[np.argsort(_gap(bounder, topic, tried, pair), kind="stable")[:together]]
        tried = np.tile(filled, (len(chosen), 1))
        for number, hole in enumerate(chosen.tolist()):
            tried[number:, hole] = situation.levels[-1]
        reached = _gap(bounder, topic, tried, pair)
        if len(reached) == 0 or not reached.min() < found[-1] - 1e-12:
            break
        found += reached.tolist()
        filled = tried[-1]
    return np.array(found)


def _gap(bounder: Bounder, topic: TopicHoles, filled: Floats, pair: Ints) -> Floats:
    value = values(bounder.situation, topic, filled, pair)
    return value[:, 0] - value[:, 1]


def _fewest(curves: _LowestByTopic, target: float) -> int | None:
    """The fewest holes with which the sum of all curves falls to the target or below."""
    most = 4
    while True:
        found = curves.up_to(most)
        if curves.spent or not found or curves.lowest > target:
            return None
        reached = _lowest_sums(found, most) <= target
        if reached.any():
            return int(np.argmax(reached))
        if most > MOST:
            return None
        most *= 4


def _lowest_sums(curves: list[Floats], most: int) -> Floats:
    """The lowest sum of all curves that 0, 1, 2 … holes give, up to a number of them.

    >>> _lowest_sums([np.array([0.5, 0.1]), np.array([0.2, 0.1, -0.5])], 3).round(1)
    array([ 0.7,  0.3,  0. , -0.4])
    """
    best = np.zeros(most + 1)
    for curve in curves:
        falling = np.minimum.accumulate(curve)
        reach = min(len(falling), most + 1)
        grid = np.full((reach, most + 1), np.inf)
        for number in range(reach):
            grid[number, number:] = best[: most + 1 - number] + falling[number]
        best = grid.min(axis=0)
    return best
