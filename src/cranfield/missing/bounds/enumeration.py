"""Bounds of measures of which no property is known: all completions if they are few, else the declared range.

A subclass may know a nearer range (`outer`).
"""

import numpy as np

from cranfield.arrays import Floats
from cranfield.missing.bounds.method import Ends
from cranfield.missing.bounds.separate import SeparateRuns
from cranfield.missing.completions import values
from cranfield.missing.situation import TopicHoles


class Enumeration(SeparateRuns):
    """Bounds by going through all completions of a topic."""

    def alone(self, topic: TopicHoles) -> Ends:
        low, high = np.full((2, topic.runs), np.nan)
        exact = np.zeros(topic.runs, dtype=bool)
        for run in range(topic.runs):
            found = self._enumerated(topic, [run], self.most)
            if found is None:
                continue
            value = values(self.situation, topic, found, np.array([run]))[:, 0]
            known = value[~np.isnan(value)]
            low[run], high[run] = (known.min(), known.max()) if len(known) else (np.nan, np.nan)
            exact[run] = True
        if not exact.all():
            under, over = self.outer(topic)
            low, high = np.where(exact, low, under), np.where(exact, high, over)
        return Ends(low, high, exact)

    def outer(self, topic: TopicHoles) -> tuple[Floats, Floats]:
        """Ends that no completion exceeds: the declared range of the measure."""
        definition = self.situation.measure.definition
        return np.full(topic.runs, definition.low), np.full(topic.runs, definition.high)

    def alone_witness(self, topic: TopicHoles, run: int, *, high: bool) -> Floats:
        found = self._enumerated(topic, [run], self.most)
        if found is None:
            ends = self.situation.levels[[0, -1]]
            found = np.repeat(ends[:, None], topic.holes + topic.unseen, axis=1)
        value = values(self.situation, topic, found, np.array([run]))[:, 0]
        known = np.where(np.isnan(value), -np.inf if high else np.inf, value)
        return found[known.argmax() if high else known.argmin()]


class ListLengths(Enumeration):
    """The same for measures to which no document of a list adds more than 1."""

    def outer(self, topic: TopicHoles) -> tuple[Floats, Floats]:
        return np.full(topic.runs, self.situation.measure.definition.low), topic.retrieved.astype(np.float64) + 1
