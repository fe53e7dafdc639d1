"""Bounds of measures that rise with documents of the first ranks and fall with all others, or the other way round.

Satisfaction is N / D, where N is at most D. A higher gain of a document of the first *k* adds as much to N as it can
add to D, and raises the ratio; a higher gain below *k* can only raise D. So the ends are attained where all holes of
one part have the highest grade and all of the other the lowest. Fallout falls with each relevant document retrieved,
and rises with each of the others. Where that end is undefined, no other completion that has a value lies beyond the
other.
"""

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.missing.bounds.enumeration import Enumeration
from cranfield.missing.bounds.method import Ends
from cranfield.missing.completions import values
from cranfield.missing.situation import TopicHoles


class PartExtremes(Enumeration):
    """Bounds of a measure that rises with one part of the documents and falls with the other."""

    def alone(self, topic: TopicHoles) -> Ends:
        low, high = np.empty((2, topic.runs))
        for run in range(topic.runs):
            ends = values(self.situation, topic, self._ends(topic, run), np.array([run]))[:, 0]
            low[run], high[run] = np.fmin.reduce(ends), np.fmax.reduce(ends)
        return Ends(low, high, np.ones(topic.runs, dtype=bool))

    def alone_witness(self, topic: TopicHoles, run: int, *, high: bool) -> Floats:
        filled = self._ends(topic, run)
        value = values(self.situation, topic, filled, np.array([run]))[:, 0]
        known = np.where(np.isnan(value), -np.inf if high else np.inf, value)
        return filled[known.argmax() if high else known.argmin()]

    def _ends(self, topic: TopicHoles, run: int) -> Floats:
        """All holes of the first part at the highest grade and the others at the lowest, conversely, and all alike."""
        first = self._first(topic, run)
        low, top = self.situation.levels[[0, -1]]
        same = [np.full(len(first), level) for level in (low, top)]  # where the value may be undefined, and counts 0
        return np.stack([np.where(first, top, low), np.where(first, low, top), *same])

    def _first(self, topic: TopicHoles, run: int) -> Bools:
        cutoff = self.situation.measure.cutoff or np.iinfo(np.int64).max
        first = np.zeros(topic.holes + topic.unseen, dtype=bool)
        first[topic.hole[(topic.run == run) & (topic.hole >= 0) & (topic.rank <= cutoff)]] = True
        return first
