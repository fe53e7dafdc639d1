"""Bounds of measures that a higher grade never lowers: all holes at the lowest grade, all at the highest."""

import numpy as np

from cranfield.arrays import Floats
from cranfield.missing.bounds.method import Ends
from cranfield.missing.bounds.separate import SeparateRuns
from cranfield.missing.completions import values
from cranfield.missing.situation import TopicHoles


class Extremes(SeparateRuns):
    """Bounds of a monotone measure."""

    def alone(self, topic: TopicHoles) -> Ends:
        low, high = values(self.situation, topic, self._ends(topic))
        return Ends(low, high, np.ones(topic.runs, dtype=bool))

    def alone_witness(self, topic: TopicHoles, run: int, *, high: bool) -> Floats:
        return self._ends(topic)[int(high)]

    def _ends(self, topic: TopicHoles) -> Floats:
        return np.stack([np.full(topic.holes + topic.unseen, level) for level in self.situation.levels[[0, -1]]])
