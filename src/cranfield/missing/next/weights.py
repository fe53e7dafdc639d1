r"""The weight of each hole: by how much the value of each run moves if the hole has gain 1.

$$M_r \approx \mathrm{now}_r + \sum_h w_{r,h} \, \mathrm{gain}(g_h)$$

For sums over documents that is exact. A ratio to the ideal list is divided by the ideal of the judgments, or by the one
that is expected under a prior. Average precision has a formula; of other measures each hole is tried alone.
"""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints, segment_sum
from cranfield.missing.bounds.additive import Terms
from cranfield.missing.bounds.exchange import AveragePrecisions
from cranfield.missing.bounds.ideal import SharesOfIdeal
from cranfield.missing.completions import values
from cranfield.missing.ranges import Bounder
from cranfield.missing.situation import Situation, TopicHoles


@dataclass(frozen=True, eq=False)
class TopicWeights:
    """A measure in one topic, taken for a sum over its holes.

    Attributes:
        now: of each run: its value if no hole is relevant.
        weight: `[run, hole]`: what a hole of gain 1 adds.
        gain: of each level that a hole may take; the first is 0 and the last 1.
    """

    now: Floats
    weight: Floats
    gain: Floats


def weights(bounder: Bounder, topic: TopicHoles, chance: Floats | None = None) -> TopicWeights:
    """The weights of the holes of a topic.

    Args:
        bounder: the measure.
        topic: one of its topics.
        chance: `[hole, level]`: the probability of each level; if None, holes are not relevant beside the one weighed.

    >>> import cranfield as cf
    >>> h = cf.holes({"1": {"a": 1}}, {"r": {"1": ["a", "x"]}, "s": {"1": ["x", "y"]}}, "RBP(p=0.5)")
    >>> bounder = Bounder(h.situations["RBP(p=0.5)"])
    >>> weights(bounder, bounder.topics[0]).weight  # by run; columns: x, y
    array([[0.25, 0.  ],
           [0.5 , 0.25]])
    """
    method, situation = bounder.method, bounder.situation
    if isinstance(method, Terms):
        return _of_terms(method, topic)
    if isinstance(method, SharesOfIdeal):
        return _of_shares(method, topic, chance)
    if isinstance(method, AveragePrecisions):
        return _of_precisions(situation, topic, chance)
    return _tried(situation, topic)


def _of_terms(method: Terms, topic: TopicHoles) -> TopicWeights:
    terms = method.table.holes(topic)
    top = terms[-1] - terms[0]
    total = float((top**2).sum())
    share = np.tensordot(terms - terms[0], top, axes=((1, 2), (0, 1))) / total if total else np.zeros(len(terms))
    if not total:
        share[-1] = 1.0
    return TopicWeights(method.table.judged(topic) + terms[0].sum(axis=1), top, share)


def _of_shares(method: SharesOfIdeal, topic: TopicHoles, chance: Floats | None) -> TopicWeights:
    levels, arguments = method.situation.levels, method.situation.measure.arguments
    judged = np.array([np.count_nonzero(topic.base >= level) for level in levels[1:]])
    reached = np.zeros(len(judged)) if chance is None else _at_least(chance).sum(axis=0)[1:]
    deepest = int(np.ceil(judged + reached).max(initial=0)) + 2
    best = method.rule.best(np.arange(deepest), **arguments)
    ideal = float(method.step @ np.interp(judged + reached, np.arange(deepest), best)) or method.unit
    return TopicWeights(
        method.table.judged(topic) * method.unit / ideal,
        method.table.holes(topic)[-1] * method.unit / ideal,
        method.gain,
    )


def _at_least(chance: Floats) -> Floats:
    """The probability of each level or a higher one."""
    return np.cumsum(chance[:, ::-1], axis=1)[:, ::-1]


def _of_precisions(situation: Situation, topic: TopicHoles, chance: Floats | None) -> TopicWeights:
    rel, arguments = situation.measure.rel, situation.measure.arguments
    gain = (situation.levels >= rel).astype(np.float64)
    likely = np.zeros(topic.holes) if chance is None else chance @ gain
    cutoff = arguments.get("cutoff")
    deepest = cutoff if isinstance(cutoff, int) else None
    relevant = float(np.count_nonzero(topic.base >= rel) + likely.sum())
    now, added = precision_sums(topic, likely, rel, deepest)
    before, after = relevant or 1.0, relevant + 1
    if deepest is not None and arguments.get("denominator") == "min":
        before, after = min(before, deepest), min(after, deepest)
    return TopicWeights(now / before, (now[:, None] + added) / after - now[:, None] / before, gain)


def precision_sums(
    topic: TopicHoles, likely: Floats, rel: float = 1, cutoff: int | None = None
) -> tuple[Floats, Floats]:
    r"""The expected sum of precisions of each run, and `[run, hole]` how much a relevant hole adds to it.

    The sum is $\sum_{i \le j} x_i x_j / \max(r_i, r_j)$. With $p_j$ in place of what is not known, the hole at rank *r*
    adds $(1 + \sum_{j < r} p_j) / r + \sum_{j > r} p_j / j$.
    """
    kept = topic.rank <= (np.iinfo(np.int64).max if cutoff is None else cutoff)
    run, rank, hole = topic.run[kept], topic.rank[kept], topic.hole[kept]
    found = np.where(hole >= 0, likely[hole] if topic.holes else 0.0, topic.grade[kept] >= rel)
    above, below = _sum_before(run, found), found / rank
    own = (1 + above) / rank + segment_sum(run, below, topic.runs)[run] - _sum_before(run, below) - below
    added = np.zeros((topic.runs, topic.holes))
    open_ = hole >= 0
    added[run[open_], hole[open_]] = own[open_]
    return segment_sum(run, found * (1 + above) / rank, topic.runs), added


def _sum_before(segment: Ints, numbers: Floats) -> Floats:
    """The sum of the numbers before each element in its segment."""
    total = np.cumsum(numbers) - numbers
    first = np.ones(len(segment), dtype=bool)
    first[1:] = segment[1:] != segment[:-1]
    starts = np.flatnonzero(first)
    return total - np.repeat(total[starts], np.diff(np.append(starts, len(segment))))


def _tried(situation: Situation, topic: TopicHoles) -> TopicWeights:
    """Each hole alone at the highest grade, and then lower ones as far as they move the values on average."""
    total = topic.holes + topic.unseen
    alone = np.concatenate((np.zeros((1, total)), np.eye(topic.holes, total)))
    value = np.nan_to_num(values(situation, topic, alone * situation.levels[-1]))
    top = (value[1:] - value[0]).T
    gain = np.linspace(0, 1, len(situation.levels))
    for number, level in enumerate(situation.levels[1:-1], start=1):
        moved = (np.nan_to_num(values(situation, topic, alone * level))[1:] - value[0]).T
        size = float((top**2).sum())
        gain[number] = float((moved * top).sum()) / size if size else gain[number]
    return TopicWeights(value[0], top, gain)
