"""Inner ranges: what completions drawn at random reach, where nothing better is known of a measure.

A measure of the user's own with many holes has no bounds: any value is possible as far as one knows. Completions show
which values occur. Their range is an *inner* one, not certified: other completions may lie outside. It settles that an
order is open, if completions reverse it; it never makes an order certain.
"""

from functools import cached_property

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.missing.bounds.method import NO_RUN
from cranfield.missing.completions import values
from cranfield.missing.pairs.attained import difference
from cranfield.missing.ranges import Bounder, Ranges
from cranfield.missing.situation import TopicHoles
from cranfield.random_streams import stream
from cranfield.tables.summary import summary

DRAWS = 128  # completions of a topic
NOT_CERTIFIED = "inner, not certified"


class InnerRanges:
    """Ranges of means over completions that are drawn once for all runs."""

    def __init__(self, bounder: Bounder, seed: int = 0) -> None:
        self._bounder, self._seed = bounder, seed

    @cached_property
    def _drawn(self) -> list[Floats]:
        """By topic `[completion, run]`: the values of all runs."""
        return [values(self._bounder.situation, topic, self._completions(topic)) for topic in self._bounder.topics]

    def _completions(self, topic: TopicHoles) -> Floats:
        """No hole relevant, all of the highest grade, and draws in which each hole is relevant with some chance."""
        levels, size = self._bounder.situation.levels, topic.holes + topic.unseen
        rng = stream(self._seed, "inner ranges", str(topic.topic))
        share = rng.random((DRAWS - 2, 1))
        grade = rng.choice(levels[1:], size=(DRAWS - 2, size)) if len(levels) > 1 else np.zeros((DRAWS - 2, size))
        drawn = np.where(rng.random((DRAWS - 2, size)) < share, grade, 0.0)
        return np.concatenate((np.zeros((1, size)), np.full((1, size), levels[-1]), drawn))

    def of(self, a: Ints, b: Ints) -> Ranges:
        """The lowest and the highest mean of each row that completions reach: of a run, or of the difference of two."""
        counts, _ = self._bounder.counted(a, b)
        ends = [
            [self._end(first, second, here, high=high) for high in (False, True)]
            for first, second, here in zip(a.tolist(), b.tolist(), counts, strict=True)
        ]
        low, high = np.array(ends, dtype=np.float64).reshape(len(a), 2).T
        return Ranges(low, high, np.zeros(len(a), dtype=bool))

    def _end(self, a: int, b: int, counts: Bools, *, high: bool) -> float:
        columns = np.full((2, len(self._drawn)), np.nan)
        for number in np.flatnonzero(counts).tolist():
            value = self._drawn[number]
            pair = np.stack((value[:, a], np.zeros(len(value)) if b == NO_RUN else value[:, b]))
            gap = pair[0] - pair[1]
            if not np.isnan(gap).all():
                columns[:, number] = pair[:, np.nanargmax(gap) if high else np.nanargmin(gap)]
        average = self._bounder.average
        if b != NO_RUN:
            return difference(columns, average)
        return summary(columns[0, ~np.isnan(columns[0])], average)


def shown(bounder: Bounder, found: Ranges, a: Ints, b: Ints) -> tuple[Ranges, Bools]:
    """The ranges with inner ones in the place of those without ends, and which of them are certified."""
    endless = np.isinf(found.low) | np.isinf(found.high)
    if not endless.any():
        return found, np.ones(len(a), dtype=bool)
    rows = np.flatnonzero(endless)
    drawn = bounder.inner.of(a[rows], b[rows])
    low, high = found.low.copy(), found.high.copy()
    low[rows], high[rows] = drawn.low, drawn.high
    return Ranges(low, high, found.exact & ~endless), ~endless
