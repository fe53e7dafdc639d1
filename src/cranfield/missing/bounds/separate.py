"""Methods that bound each run on its own; the difference of two runs lies between the differences of their ends.

That is an outer bound: the worst completion for one run need not be the best for the other. `refined` goes through all
completions that can change the two runs, if they are few, and is exact.
"""

from abc import abstractmethod

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.missing.bounds.grids import completions_of, number_of_completions
from cranfield.missing.bounds.method import MOST, NO_RUN, BoundsMethod, Ends
from cranfield.missing.completions import steps_within, values
from cranfield.missing.situation import TopicHoles


class SeparateRuns(BoundsMethod):
    """Bounds of each run on its own."""

    @property
    def levels(self) -> Floats:
        """The grades of a hole that have to be told apart."""
        return self.situation.levels

    @abstractmethod
    def alone(self, topic: TopicHoles) -> Ends:
        """The ends of each run."""

    @abstractmethod
    def alone_witness(self, topic: TopicHoles, run: int, *, high: bool) -> Floats:
        """A completion that attains an end of a run, if the end is exact."""

    def ends(self, topic: TopicHoles, a: Ints, b: Ints) -> Ends:
        found = self.alone(topic)
        second = b != NO_RUN
        settled = topic.holes + topic.unseen == 0
        return Ends(
            found.low[a] - np.where(second, found.high[b], 0.0),
            found.high[a] - np.where(second, found.low[b], 0.0),
            np.where(second, settled, found.exact[a]),
        )

    def refined(self, topic: TopicHoles, a: int, b: int, most: int = MOST) -> Ends | None:
        """The exact ends of a difference, if few completions can change it; else None."""
        found = self._enumerated(topic, [a, b], most)
        if found is None:
            return None
        value = values(self.situation, topic, found, np.array([a, b]))
        gap = value[:, 0] - value[:, 1]
        return ends_of(gap)

    def lowest_by_number(self, topic: TopicHoles, a: int, b: int, most: int = MOST) -> Floats | None:
        """The lowest difference of two runs that 0, 1, 2 … relevant holes give, if few completions can change it."""
        found = self._enumerated(topic, [a, b], most)
        if found is None:
            return None
        value = values(self.situation, topic, found, np.array([a, b]))
        lowest = np.full(found.shape[1] + 1, np.inf)
        np.minimum.at(lowest, np.count_nonzero(found, axis=1), value[:, 0] - value[:, 1])
        return lowest

    def _enumerated(self, topic: TopicHoles, runs: list[int], most: int) -> Floats | None:
        """All completions that differ for some runs, or None if they are too many."""
        listed = np.unique(topic.hole[(topic.hole >= 0) & np.isin(topic.run, runs)])
        others = topic.holes - len(listed) + topic.unseen
        if number_of_completions(len(listed), others, len(self.levels)) > most:
            return None
        return completions_of(listed, topic.holes, topic.unseen, self.levels)

    def witness(self, topic: TopicHoles, a: int, b: int, *, high: bool) -> Floats:
        if b == NO_RUN:
            return self.alone_witness(topic, a, high=high)
        found = self._enumerated(topic, [a, b], MOST)
        tried = found if found is not None else self._likely(topic, a, b, high=high)
        value = values(self.situation, topic, tried, np.array([a, b]))
        gap = np.nan_to_num(value[:, 0] - value[:, 1]) * (1 if high else -1)
        best = tried[gap.argmax()]
        return best if found is not None else self._climbed(topic, a, b, best, high=high)

    def _likely(self, topic: TopicHoles, a: int, b: int, *, high: bool) -> Floats:
        """Completions that are likely to be near an end: good for one run, bad for the other."""
        better, worse = (a, b) if high else (b, a)
        top = self.situation.levels[-1]
        rank = np.full((2, topic.holes + topic.unseen), np.inf)
        for row, run in enumerate((better, worse)):
            own = (topic.run == run) & (topic.hole >= 0)
            rank[row, topic.hole[own]] = topic.rank[own]
        ahead = np.argsort(rank[0] - np.where(np.isinf(rank[1]), 1e9, rank[1]), kind="stable")
        helps = int(np.count_nonzero(rank[0] < rank[1]))
        rows = [np.zeros(topic.holes + topic.unseen), np.full(topic.holes + topic.unseen, top)]
        for number in np.unique(np.linspace(1, max(helps, 1), 16).astype(int)) if helps else ():
            some = rows[0].copy()
            some[ahead[:number]] = top
            rows.append(some)
        for run, up in ((better, True), (worse, False)):
            found = self.alone_witness(topic, run, high=up)
            rows.append(np.append(found, np.zeros(topic.holes + topic.unseen - len(found))))
        return np.stack(rows)

    def _climbed(self, topic: TopicHoles, a: int, b: int, start: Floats, *, high: bool) -> Floats:
        """The completion after single changes, as long as one of them moves the difference on."""
        sign, pair = (1 if high else -1), np.array([a, b])
        listed = np.unique(topic.hole[(topic.hole >= 0) & np.isin(topic.run, pair)])
        best, at = start, None
        for _ in range(steps_within(topic, len(listed), STEPS)):
            other = np.where(best[listed] > 0, 0.0, self.situation.levels[-1])
            tried = np.tile(best, (len(listed) + 1, 1))
            tried[np.arange(len(listed)), listed] = other
            value = values(self.situation, topic, tried, pair)
            gap = np.nan_to_num(value[:, 0] - value[:, 1]) * sign
            if at is not None and gap.max() <= at + 1e-12:
                break
            best, at = tried[gap.argmax()], float(gap.max())
        return best


STEPS = 20  # of a search that is not exhaustive


def ends_of(value: Floats) -> Ends:
    """The ends of one row of values; undefined values are left out."""
    known = value[~np.isnan(value)]
    low, high = (known.min(), known.max()) if len(known) else (np.nan, np.nan)
    return Ends(np.array([low]), np.array([high]), np.array([True]))
