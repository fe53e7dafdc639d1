r"""Difference estimators: a model labels every document of the pool, people a sample with known probabilities.

A document counts what the model says, and a sampled one also the difference between people and model over its
probability: $\hat g_d = f_d + S_d (x_d - f_d) / \pi_d$, which is right on average whatever the model says. Sums of
$\hat g_d$ are unbiased; nDCG and AP are ratios of such sums and nearly so.
"""

from dataclasses import dataclass

import numpy as np

from cranfield.align.columns.sampled import SampledJudgments
from cranfield.arrays import Floats, Ints, ratio, running_sum, segment_sum
from cranfield.missing.sampled.linearised import variance_of_sum
from cranfield.missing.sampled.terms import DocumentTerms


@dataclass(frozen=True, eq=False)
class LabelledPool:
    """Pairs of topic and document with the labels of a model, and those of people for a sample of them.

    Attributes:
        topic: of each pair.
        model: the grade that the model gives it; 0 if none.
        people: the grade that people give it; NaN if it was not sampled.
        place: of each sampled pair in the table of the sample; -1 for others.
        sample: how people's judgments were sampled.
        topics: their number.
    """

    topic: Ints
    model: Floats
    people: Floats
    place: Ints
    sample: SampledJudgments
    topics: int

    @property
    def sampled(self) -> Ints:
        """The pairs that people judged."""
        return np.flatnonzero(~np.isnan(self.people))

    def corrected(self, model: Floats, people: Floats) -> tuple[Floats, Floats]:
        """What each pair counts, from what it counts under each label, and the difference where it was sampled."""
        difference = np.zeros(len(self.topic))
        at = self.sampled
        difference[at] = people[at] - model[at]
        counts = model.copy()
        counts[at] += difference[at] / self.sample.chance[self.place[at]]
        return counts, difference

    def variance(self, z: Floats) -> Floats:
        """The variance, for each topic, of the sum over sampled pairs of z over their probability."""
        by_place, at = np.zeros(len(self.sample.topic)), self.sampled
        by_place[self.place[at]] = z[at]
        return variance_of_sum(self.sample, by_place, self.topics)


def sums(pool: LabelledPool, terms: DocumentTerms, pair: Ints, rank: Ints, grades: Floats) -> tuple[Floats, Floats]:
    """The estimate of a sum over documents, or of its ratio to the ideal list, for each topic, and its variance.

    Args:
        pool: the labels.
        terms: weights of ranks, gains of levels, and the ideal list if there is one.
        pair: the pairs that a run lists.
        rank: their ranks.
        grades: of the levels.
    """
    level = (np.searchsorted(grades, each) for each in (pool.model, np.nan_to_num(pool.people)))
    model, people = (np.minimum(each, len(grades) - 1) for each in level)
    weight = np.zeros(len(pool.topic))
    weight[pair] = np.append(terms.weight, 0.0)[np.minimum(rank, len(terms.weight) + 1) - 1]
    counts, difference = pool.corrected(terms.gain[model], terms.gain[people])
    total = segment_sum(pool.topic, weight * counts, pool.topics)
    z = weight * difference
    if terms.ideal is None:
        return total, pool.variance(z)
    best, added = np.zeros(pool.topics), np.zeros(len(pool.topic))
    depth = np.arange(len(terms.ideal))
    for at, step in enumerate(np.diff(terms.gain), start=1):
        reached, more = pool.corrected((model >= at).astype(np.float64), (people >= at).astype(np.float64))
        number = np.maximum(segment_sum(pool.topic, reached, pool.topics), 0.0)
        best += step * np.interp(number, depth, terms.ideal)
        slope = np.append(np.diff(terms.ideal), 0.0)[np.minimum(number.astype(np.int64), len(depth) - 1)]
        added += step * slope[pool.topic] * more
    value = ratio(total, best)
    return value, ratio(pool.variance(z - np.nan_to_num(value)[pool.topic] * added), best**2)


def average_precision(pool: LabelledPool, pair: Ints, rank: Ints, rel: float) -> tuple[Floats, Floats]:
    """The estimate of average precision for each topic, and its variance.

    Two documents are taken as sampled independently, which those of one stratum are nearly if it is large.
    """
    counts, difference = pool.corrected(
        (pool.model >= rel).astype(np.float64), (np.nan_to_num(pool.people) >= rel).astype(np.float64)
    )
    order = np.lexsort((rank, pool.topic[pair]))
    pair, rank = pair[order], rank[order]
    topic, own = pool.topic[pair], counts[pair]
    above, below = running_sum(topic, own) - own, own / rank
    later = segment_sum(topic, below, pool.topics)[topic] - running_sum(topic, below)
    total = segment_sum(topic, own * (1 + above) / rank, pool.topics)
    relevant = segment_sum(pool.topic, counts, pool.topics)
    value = np.where(relevant > 0, ratio(total, relevant), np.nan)
    u = -np.nan_to_num(value)[pool.topic]
    u[pair] += (1 + above) / rank + later
    return value, np.where(relevant > 0, ratio(pool.variance(difference * u), relevant**2), np.nan)
