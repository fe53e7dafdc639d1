"""The smallest number of holes whose grades can reverse the order of two runs.

For each topic the lowest difference is found that 0, 1, 2 … relevant holes can give; the fewest holes of all topics
together are found by dynamic programming. That is exact where the curve of each topic is.
"""

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
    curves = []
    for topic, here in zip(bounder.topics, counts, strict=True):
        if bounder.budget.spent("flipping sets"):
            return None, False
        curves += [_curve(bounder, topic, a, b)] if here else []
    exact = all(known for _, known in curves)
    for target in targets:  # a reversal; else a tie
        number = _fewest([curve for curve, _ in curves], target * len(curves))
        if number is not None:
            return number, exact
    return None, exact


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


def _curve(bounder: Bounder, topic: TopicHoles, a: int, b: int) -> tuple[Floats, bool]:
    """The lowest difference of two runs in a topic that 0, 1, 2 … relevant holes can give; whether it is exact."""
    method = bounder.method
    if isinstance(method, Terms | SharesOfIdeal):
        return method.lowest_by_number(topic, a, b), True
    if isinstance(method, SeparateRuns) and (curve := method.lowest_by_number(topic, a, b)) is not None:
        return curve, True
    return _climbed(bounder, topic, a, b), False


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


def _fewest(curves: list[Floats], target: float) -> int | None:
    """The fewest holes with which the sum of all curves falls to the target or below.

    >>> _fewest([np.array([0.5, 0.1]), np.array([0.2, 0.1, -0.5])], 0.0)
    2
    """
    curves = [np.minimum.accumulate(curve) for curve in curves]
    if not curves or sum(float(curve[-1]) for curve in curves) > target:
        return None
    most = 4
    while True:
        best = np.zeros(most + 1)
        for curve in curves:
            reach = min(len(curve), most + 1)
            grid = np.full((reach, most + 1), np.inf)
            for number in range(reach):
                grid[number, number:] = best[: most + 1 - number] + curve[number]
            best = grid.min(axis=0)
        if (best <= target).any():
            return int(np.argmax(best <= target))
        if most > MOST:
            return None
        most *= 4
