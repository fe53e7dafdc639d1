"""Bounds of measures that a higher grade never lowers: all holes at the lowest grade, all at the highest."""

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import MeasureError
from cranfield.errors.wording import setting
from cranfield.missing.bounds.method import Ends
from cranfield.missing.bounds.separate import SeparateRuns
from cranfield.missing.completions import values
from cranfield.missing.situation import ZERO, TopicHoles

TRIED = 16  # completions beside the two ends


class Extremes(SeparateRuns):
    """Bounds of a monotone measure."""

    def alone(self, topic: TopicHoles) -> Ends:
        low, high = values(self.situation, topic, self._ends(topic))
        if self.situation.measure.definition.family == "own":
            self._check(topic, low, high)
        return Ends(low, high, np.ones(topic.runs, dtype=bool))

    def alone_witness(self, topic: TopicHoles, run: int, *, high: bool) -> Floats:
        return self._ends(topic)[int(high)]

    def _ends(self, topic: TopicHoles) -> Floats:
        return np.stack([np.full(topic.holes + topic.unseen, level) for level in self.situation.levels[[0, -1]]])

    def _check(self, topic: TopicHoles, low: Floats, high: Floats) -> None:
        """Refuse a measure of the user's own that is declared monotone and is not, in completions drawn at random."""
        rng = np.random.default_rng(topic.topic)
        drawn = rng.choice(self.situation.levels, size=(TRIED, topic.holes + topic.unseen))
        value = values(self.situation, topic, drawn)
        if (value < low - ZERO).any() or (value > high + ZERO).any():
            problem = f"{self.situation.named} is declared monotone, and a higher grade lowers it"
            raise MeasureError("E203", problem, hint=f"leave out {setting('bounds', 'monotone')}")
