r"""Bounds of interpolated precision, all runs at once.

With *j* relevant holes the highest *j* of a list are best, and nothing but the need for recall grows with relevant
documents that it does not list. So the highest value has none of these, the lowest has all of them and then the lowest
*j*, and as many numbers are tried as the list has holes. The average over eleven recalls is found in the same way.
"""

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.measures.families.interpolated import RECALLS, documents_at
from cranfield.missing.bounds.exchange import Exchanges, before
from cranfield.missing.bounds.method import Ends
from cranfield.missing.situation import TopicHoles


class InterpolatedPrecisions(Exchanges):
    """Bounds of the best precision at a recall or beyond, or of its mean over eleven recalls."""

    def alone(self, topic: TopicHoles) -> Ends:
        rel = self.situation.measure.rel
        judged = int(np.count_nonzero(topic.base >= rel))
        holes = topic.holes + topic.unseen if self.situation.levels[-1] >= rel else 0  # that can be relevant
        inside = (topic.hole >= 0) & (holes > 0) | (topic.grade >= rel)
        run, rank, hole = topic.run[inside], topic.rank[inside], topic.hole[inside] >= 0
        listed = np.bincount(run[hole], minlength=topic.runs)
        number = np.minimum(np.arange(listed.max(initial=0) + 1), listed[:, None])  # [run, step]
        known = (before(run, ~hole, topic.runs) + ~hole)[:, None]  # judged relevant documents down to each
        order = before(run, hole, topic.runs)[:, None]  # holes above each
        own = hole[:, None]
        lists = _PossibleDocuments(run, rank, topic.runs)

        def values(first: Ints, last: Ints, relevant: Ints) -> Floats:
            """The values if the holes from the first to before the last of each run are relevant."""
            chosen = ~own | (order >= first[run]) & (order < last[run])
            found = known + np.clip(order + own - first[run], 0, (last - first)[run])
            value = self._value(lists, chosen, found, relevant)
            return self.situation.policy.counted(value, relevant == 0)

        nothing, others = np.zeros_like(number), (holes - listed)[:, None]
        best = values(nothing, number, judged + number)
        worst = values(listed[:, None] - number, listed[:, None] + nothing, judged + others + number)
        unlisted = values(nothing[:, :1], nothing[:, :1], judged + others)  # where no list has a relevant document
        low = np.fmin(np.fmin.reduce(worst, axis=1), np.fmin(best[:, 0], unlisted[:, 0]))
        high = np.fmax(np.fmax.reduce(best, axis=1), unlisted[:, 0])
        return Ends(low, high, np.ones(topic.runs, dtype=bool))

    def _value(self, lists: "_PossibleDocuments", chosen: Bools, found: Ints, relevant: Ints) -> Floats:
        """`[run, step]`: the measure, where `chosen` documents are relevant, the n-th of a list being `found`."""
        arguments = self.situation.measure.arguments
        recalls = RECALLS if "recall" not in arguments else (arguments["recall"],)
        precision = np.where(chosen, found / lists.rank[:, None], 0.0)
        total = np.zeros(relevant.shape)
        for recall in recalls:
            enough = found >= documents_at(recall, relevant, arguments["rule"])[lists.run]
            total += lists.highest(np.where(enough, precision, 0.0))
        return np.where(relevant > 0, total / len(recalls), np.nan)


class _PossibleDocuments:
    """The documents of all runs that are relevant or may be, run by run from the highest rank on."""

    def __init__(self, run: Ints, rank: Ints, runs: int) -> None:
        self.run, self.rank, self.runs = run, rank, runs
        self._present, self._begin = np.unique(run, return_index=True)

    def highest(self, values: Floats) -> Floats:
        """`[run, step]`: the highest value of each run; 0 where it lists nothing."""
        found = np.zeros((self.runs, values.shape[1]))
        if len(self._begin):
            found[self._present] = np.maximum.reduceat(values, self._begin, axis=0)
        return found
