"""Ranges over topics: from the ends of each topic to those of a mean.

Judgments belong to topics, so the ends of a mean over fixed topics are the means of the ends. Where a completion
decides whether a topic counts, any choice of these topics is allowed for, and the range is an outer bound. Two runs are
compared on the topics in which both have a value, as `compare` does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.missing.bounds.additive import Terms
from cranfield.missing.bounds.budget import UNLIMITED, SearchBudget
from cranfield.missing.bounds.ideal import SharesOfIdeal
from cranfield.missing.bounds.method import MOST, NO_RUN, BoundsMethod, Ends, method_of
from cranfield.missing.bounds.separate import SeparateRuns
from cranfield.missing.completions import values
from cranfield.missing.situation import Situation, TopicHoles
from cranfield.tables.summary import summary

if TYPE_CHECKING:
    from cranfield.missing.inner import InnerRanges


@dataclass(frozen=True, eq=False)
class TopicRanges:
    """The ends of runs, or of differences, in each topic: `[row, topic]`."""

    low: Floats
    high: Floats
    exact: Bools
    counts: Bools  # whether the topic counts for the row
    optional: Bools  # whether some completion leaves the topic without a value

    def row(self, number: int) -> "TopicRanges":
        """One row alone."""
        at = slice(number, number + 1)
        return TopicRanges(self.low[at], self.high[at], self.exact[at], self.counts[at], self.optional[at])


@dataclass(frozen=True, eq=False)
class Ranges:
    """The ends of a mean for each row, and whether a completion attains them."""

    low: Floats
    high: Floats
    exact: Bools


class Bounder:
    """Finds the ranges of one measure; topics are prepared once and kept."""

    def __init__(
        self,
        situation: Situation,
        average: str | None = None,
        budget: SearchBudget = UNLIMITED,
        most: int = MOST,
    ) -> None:
        self.situation = situation
        self.budget = budget
        self.average: str = average or situation.measure.definition.average
        self.method: BoundsMethod = method_of(situation)
        self.method.most = most  # completions of a topic that are gone through, if no formula is known

    @cached_property
    def topics(self) -> tuple[TopicHoles, ...]:
        """All topics."""
        return tuple(self.situation)

    @cached_property
    def inner(self) -> "InnerRanges":
        """What completions drawn at random reach, for measures of which nothing better is known."""
        from cranfield.missing.inner import InnerRanges

        return InnerRanges(self)

    @cached_property
    def runs(self) -> TopicRanges:
        """The ends of each run in each topic."""
        rows = np.arange(len(self.situation.runs))
        return self.of(rows, np.full(len(rows), NO_RUN))

    def of(self, a: Ints, b: Ints) -> TopicRanges:
        """The ends of rows in each topic: runs (`b` is `NO_RUN`), or the differences of two."""
        found = [self._ends(topic, a, b) for topic in self.topics]
        low, high = (np.stack([getattr(ends, name) for ends in found], axis=1) for name in ("low", "high"))
        exact = np.stack([ends.exact for ends in found], axis=1)
        counts, optional = self.counted(a, b)
        return TopicRanges(low, high, exact, counts & ~(np.isnan(low) | np.isnan(high)), optional)

    def _ends(self, topic: TopicHoles, a: Ints, b: Ints) -> Ends:
        """The ends of rows in a topic; the declared range of the measure where the time for searches is over."""
        if not (isinstance(self.method, SeparateRuns) and self.budget.spent("ranges")):
            return self.method.ends(topic, a, b)
        definition, second = self.situation.measure.definition, b != NO_RUN
        low = definition.low - np.where(second, definition.high, 0.0)
        high = definition.high - np.where(second, definition.low, 0.0)
        return Ends(low, high, np.zeros(len(a), dtype=bool))

    def counted(self, a: Ints, b: Ints) -> tuple[Bools, Bools]:
        """`[row, topic]`: whether a topic can count for a row, and whether some completion leaves it without a value.

        Two runs are compared on the topics in which both have a value.
        """
        second = (b != NO_RUN)[:, None]
        counts, optional = self._defined
        return counts[a] & (~second | counts[b]), optional[a] | (second & optional[b])

    @cached_property
    def _defined(self) -> tuple[Bools, Bools]:
        """`[run, topic]`: whether some completion gives the topic a value, and whether some other one does not."""
        situation = self.situation
        shape = (len(situation.runs), len(self.topics))
        counts = situation.answered if situation.policy.topic_set == "intersection" else np.ones(shape, dtype=bool)
        if situation.measure.definition.partial:
            return counts, np.ones(shape, dtype=bool)
        counted = ~np.isnan(situation.policy.counted(np.array([np.nan]), True)).any()  # what has no relevant document
        if counted and isinstance(self.method, Terms | SharesOfIdeal):
            return counts, np.zeros(shape, dtype=bool)
        found = [np.isnan(values(situation, topic, _corners(situation, topic))) for topic in self.topics]
        never = np.stack([undefined.all(axis=0) for undefined in found], axis=1)
        optional = np.stack([undefined.any(axis=0) for undefined in found], axis=1)
        return counts & ~never, optional & ~never

    def refined(self, found: TopicRanges, row: int, a: int, b: int) -> TopicRanges:
        """The same with the ends of one pair made exact in the topics where few completions can change it."""
        if not isinstance(self.method, SeparateRuns):
            return found
        low, high, exact = found.low.copy(), found.high.copy(), found.exact.copy()
        for number, topic in enumerate(self.topics):
            if exact[row, number] or self.budget.spent("differences"):
                continue
            better = self.method.refined(topic, a, b)
            if better is not None:
                at = (row, number)
                low[at], high[at] = np.fmax(low[at], better.low[0]), np.fmin(high[at], better.high[0])
                exact[at] = better.exact[0]
        return TopicRanges(low, high, exact, found.counts, found.optional)


def _corners(situation: Situation, topic: TopicHoles) -> Floats:
    """All holes at the lowest grade, and all at the highest."""
    return np.stack([np.full(topic.holes + topic.unseen, level) for level in situation.levels[[0, -1]]])


def of_differences(bounder: Bounder, a: Ints, b: Ints, found: TopicRanges | None = None) -> Ranges:
    """The ranges of the differences of averages over the topics in which both runs have a value.

    The difference of two medians or geometric means is none of the differences in topics: it lies between those of the
    ends of the two runs.
    """
    if bounder.average in ("mean", "sum"):
        return of_means(bounder.of(a, b) if found is None else found, bounder.average)
    counts, optional = bounder.counted(a, b)
    runs = bounder.runs
    counts = counts & ~(np.isnan(runs.low[a]) | np.isnan(runs.low[b]))
    first, second = (
        of_means(TopicRanges(runs.low[at], runs.high[at], runs.exact[at], counts, optional), bounder.average)
        for at in (a, b)
    )
    low, high = first.low - second.high, first.high - second.low
    return Ranges(low, high, first.exact & second.exact & (low == high))


def of_means(found: TopicRanges, average: str) -> Ranges:
    """The range of the mean (or sum, median, geometric mean, ratio of sums) of each row.

    All of them rise with the value of a topic, and topics do not depend on each other: the lowest values give the
    lowest average. The ratio of the sums over topics (`micro`) is a mean whose weights judgments may change: it lies
    between the lowest and the highest end of all topics, which is an outer bound.

    >>> ends = np.array([[0.1, 0.3]]), np.array([[0.2, 0.7]])
    >>> sure, never = np.ones((1, 2), dtype=bool), np.zeros((1, 2), dtype=bool)
    >>> of_means(TopicRanges(*ends, sure, sure, never), "mean").high.round(4)
    array([0.45])
    >>> of_means(TopicRanges(*ends, sure, sure, sure), "mean").high  # the first topic may have no value
    array([0.7])
    """
    low = np.array([_end(*row, average, 1) for row in _rows(found, found.low)])
    high = np.array([_end(*row, average, -1) for row in _rows(found, found.high)])
    choice = (found.optional & found.counts).any(axis=1)
    exact: Bools = np.all(found.exact | ~found.counts, axis=1) & ~choice & (average != "micro")
    return Ranges(low, high, exact)


def _rows(found: TopicRanges, ends: Floats) -> Iterator[tuple[Floats, Bools]]:
    for row, counts, optional in zip(ends, found.counts, found.optional, strict=True):
        yield row[counts], optional[counts]


def _end(ends: Floats, optional: Bools, average: str, sign: int) -> float:
    """The lowest mean of ends (`sign` 1), or the highest (-1), over all choices of optional topics."""
    if average == "micro":
        return sign * min((sign * ends).tolist(), default=np.nan)
    if not optional.any():
        return summary(ends, average)
    kept, rest = ends[~optional].tolist(), sorted((sign * ends[optional]).tolist())
    choices = [[*kept, *(sign * end for end in rest[:number])] for number in range(len(rest) + 1)]
    found = [sign * summary(np.array(choice), average) for choice in choices if choice or average == "sum"]
    return sign * min(found, default=np.nan)
