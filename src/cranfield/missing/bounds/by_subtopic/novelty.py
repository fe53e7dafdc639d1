r"""Outer bounds of discounted novelty gain over that of a greedy ideal list: alpha_nDCG, nERR_IA, nNRBP.

The gain of a run is a sum over subtopics, and rises with every grade: its ends are those of all holes relevant to
nothing, and to everything. For the ideal list let $F_j$ be the gain of its first *j* documents before discounting, so
that its discounted gain is $\sum_j (\delta_j - \delta_{j+1}) F_j$. No *j* documents gain more than
$\sum_i \pi_i \sum_{m < \min(j, R_i)} (1-\alpha)^m$, $R_i$ being all documents that may be relevant to subtopic *i*. The
greedy list gains at least $1 - (1 - 1/j)^j$ of what the best *j* documents do, since the gain is submodular, and these
are no worse than any *j* judged ones. With one subtopic, or $\alpha = 0$, the greedy list is the best.
"""

import math

import numpy as np

from cranfield.arrays import Floats, ratio
from cranfield.measures.facts.subtopics import FacetBounds, NoveltyBounds
from cranfield.missing.bounds.by_subtopic.facets import BySubtopic, FacetValues
from cranfield.missing.bounds.method import NO_RUN
from cranfield.missing.situation import Situation, TopicHoles

GREEDY = 1 - 1 / math.e  # of the best gain that a greedy list has at least


class NoveltyRatios(BySubtopic):
    """Bounds of the gain of a run over that of the greedy ideal list."""

    def __init__(self, situation: Situation, rule: NoveltyBounds) -> None:
        super().__init__(situation)
        self._rule = rule
        self._values = FacetValues(situation, FacetBounds(rule.facet))

    def outer(self, topic: TopicHoles) -> tuple[Floats, Floats]:
        parts = self._values.parts(topic)
        sure, weight = self._values.sure(parts), self.scale.weights(topic.topic)
        runs = np.arange(topic.runs)
        low, high = np.zeros((2, topic.runs))
        for at, part in enumerate(parts):
            found = self._values.method.ends(part, runs, np.full(topic.runs, NO_RUN))
            low += weight[at] * found.low
            high += weight[at] * found.high
        least, most = self._ideal(topic, parts, weight)
        under = np.nan_to_num(ratio(low, np.full(topic.runs, most))) if sure.any() else np.zeros(topic.runs)
        limit = self.situation.measure.definition.high
        over = np.minimum(ratio(high, np.full(topic.runs, least)), limit) if least > 0 else np.full(topic.runs, limit)
        return under, np.where(high > 0, over, 0.0)

    def _ideal(self, topic: TopicHoles, parts: list[TopicHoles], weight: Floats) -> tuple[float, float]:
        """What the discounted gain of the ideal list is at least, and at most."""
        arguments = self.situation.measure.arguments
        alpha, cutoff = arguments["alpha"], arguments.get("cutoff")
        covers = np.array([part.base >= self._values.level for part in parts], dtype=np.float64)
        covers = covers.reshape(len(parts), len(topic.base)).T
        more = topic.holes + topic.unseen if self._values.possible(topic) else 0
        deepest = len(covers) + more if cutoff is None else min(len(covers) + more, cutoff)
        rank = np.arange(1, deepest + 1)
        discount = np.append(self._rule.at(rank, **arguments), 0.0)
        worth = np.power(1 - alpha, rank - 1.0)
        most = sum(
            weight[at] * float((worth * discount[:-1])[: int(covers[:, at].sum()) + more].sum())
            for at in range(len(parts))
        )
        gained = _greedy(covers, weight, alpha, deepest)
        share = np.where(rank <= len(gained), 1 - (1 - 1 / rank) ** rank, GREEDY)
        share = np.ones(len(rank)) if alpha == 0 or len(parts) == 1 else share
        reached = np.append(gained, np.full(deepest - len(gained), gained[-1] if len(gained) else 0.0))
        least = float((-np.diff(discount) * share * reached).sum())
        return least, float(most)


def _greedy(covers: Floats, weight: Floats, alpha: float, deepest: int) -> Floats:
    """The gain of the first 1, 2 … documents of a greedy list of the judged ones.

    >>> _greedy(np.array([[1, 0], [1, 1], [0, 1]]), np.ones(2), 0.5, 9)
    array([2. , 2.5, 3. ])
    """
    left, worth, gained = covers.astype(np.float64), weight.copy(), [0.0]
    for _ in range(min(len(covers), deepest)):
        gain = left @ worth
        best = int(gain.argmax())
        if gain[best] <= 0:
            break
        gained.append(gained[-1] + float(gain[best]))
        worth = np.where(left[best] > 0, worth * (1 - alpha), worth)
        left[best] = 0
    return np.array(gained[1:])
