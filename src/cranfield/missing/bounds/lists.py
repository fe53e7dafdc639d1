"""Bounds of search lengths, which look at whole lists: relevant holes from the highest rank on, and from the lowest on.

For a fixed number of relevant holes in a list, the highest ranks give the shortest search and the lowest the longest.
Relevant documents that the list does not hold change the value in one direction: none of them or all are tried.
"""

import numpy as np

from cranfield.arrays import Floats
from cranfield.missing.bounds.enumeration import Enumeration
from cranfield.missing.bounds.method import Ends
from cranfield.missing.completions import values
from cranfield.missing.situation import TopicHoles


class SearchLengths(Enumeration):
    """Bounds by the number of relevant holes in a list."""

    @property
    def levels(self) -> Floats:
        return self.situation.levels[[0, -1]]  # only relevance counts

    def alone(self, topic: TopicHoles) -> Ends:
        low, high = np.empty((2, topic.runs))
        for run in range(topic.runs):
            value = values(self.situation, topic, self._steps(topic, run), np.array([run]))[:, 0]
            low[run], high[run] = np.fmin.reduce(value), np.fmax.reduce(value)
        return Ends(low, high, np.ones(topic.runs, dtype=bool))

    def alone_witness(self, topic: TopicHoles, run: int, *, high: bool) -> Floats:
        filled = self._steps(topic, run)
        value = values(self.situation, topic, filled, np.array([run]))[:, 0]
        known = np.where(np.isnan(value), -np.inf if high else np.inf, value)
        return filled[known.argmax() if high else known.argmin()]

    def _steps(self, topic: TopicHoles, run: int) -> Floats:
        own = (topic.run == run) & (topic.hole >= 0)
        listed = topic.hole[own][np.argsort(topic.rank[own], kind="stable")]
        size = topic.holes + topic.unseen
        place = np.full(size, -1)
        place[listed] = np.arange(len(listed))
        number = np.arange(len(listed) + 1)[:, None]
        inside = place >= 0
        steps = [inside & (place < number), inside & (place >= len(listed) - number)]
        chosen = np.concatenate([step | (others & ~inside) for step in steps for others in (False, True)])
        return np.where(chosen, self.situation.levels[-1], 0.0)
