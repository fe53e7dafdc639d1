r"""The variance of statAP and statNDCG over samples, by linearisation.

A ratio of two estimated sums changes, to first order, by a sum over the sampled documents: document *d* contributes
$z_d / \pi_d$. Of independent draws the variance of that sum is $\sum_d (1 - \pi_d) z_d^2 / \pi_d^2$ over the sampled
documents; of *n* documents drawn from the *M* of a stratum it is $M^2 (1 - n/M) s_z^2 / n$, stratum by stratum.
"""

import numpy as np

from cranfield.align.columns.sampled import SampledJudgments
from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ratio, running_sum, segment_size, segment_sum
from cranfield.measures.families.gain import worth
from cranfield.measures.families.incomplete.sampled import (
    attention,
    estimated_levels,
    estimated_relevant,
    over_ideal,
    sample_of,
    stat_average_precision,
    weight_above,
)


def variance_of_sum(table: SampledJudgments, z: Floats, topics: int) -> Floats:
    """The variance, for each topic, of the sum of z over the sampled documents, each divided by its probability.

    It is unknown (NaN) if one of several documents of a stratum was drawn alone.

    >>> from cranfield.align.columns.sampled import sampled_list
    >>> hits = sampled_list([1, 0, 1], probabilities=[0.5, 0.5, 1.0])
    >>> variance_of_sum(sample_of(hits), np.array([1.0, 0.0, 1.0]), 1)  # (1 - 1/2) / (1/2)^2
    array([2.])
    """
    judged = np.flatnonzero(table.judged)
    cell, z, chance = table.stratum[judged], z[judged], table.chance[judged]
    strata = len(table.first)
    number, share = segment_size(cell, strata), np.zeros(strata)
    share[cell] = table.share[judged]
    spread = segment_sum(cell, z**2, strata) - ratio(segment_sum(cell, z, strata) ** 2, number)
    drawn = ratio((1 - share) * number * np.maximum(spread, 0), share**2 * (number - 1))
    drawn[(number == 0) | (share == 1)] = 0.0
    alone = segment_sum(cell, (1 - chance) * z**2 / chance**2, strata)
    topic = np.zeros(strata, dtype=np.int64)
    topic[table.stratum] = table.topic
    return segment_sum(topic, np.where(np.isnan(table.together), alone, drawn), topics)


def stat_ap_variance(hits: Hits, *, rel: int = 1, **_: object) -> Floats:
    r"""The variance of statAP, for each topic; `hits` hold one ranking per topic.

    $$V = \frac{1}{\hat R^2} \sum_d \frac{1 - \pi_d}{\pi_d^2} u_d^2, \qquad
    u_d = \hat P(r_d) + \sum_{j \text{ below } d} \frac{1}{\pi_j r_j} - \mathrm{statAP}$$

    over the sampled relevant documents, with $\hat P(r_d)$ the estimated precision at the rank of *d*; a document that
    is not in the list has $u_d = -\mathrm{statAP}$ (Aslam and Pavlu 2007).

    >>> from cranfield.align.columns.sampled import sampled_list
    >>> hits = sampled_list(
    ...     [1, 0, 1, -1, 0, 1, -1, -1], [1, -1], probabilities=[0.9, 0.8, 0.7, 0.6, 0.5, 0.5, 0.4, 0.3, 0.3, 0.2]
    ... )
    >>> stat_ap_variance(hits).round(6)
    array([0.030572])
    """
    table, found = sample_of(hits), hits.relevant(rel)
    value = stat_average_precision(hits, rel=rel)
    weight = 1 / table.chance[found.document] / found.rank
    below = found.sum(weight)[found.ranking] - running_sum(found.ranking, weight)
    z = np.where(table.judged & (table.grade >= rel), -np.nan_to_num(value)[table.topic], 0.0)
    z[found.document] += (1 + weight_above(found, table)) / found.rank + below
    relevant = estimated_relevant(table, table.chance, rel, hits.topics)
    return ratio(variance_of_sum(table, z, hits.topics), relevant**2)


def stat_ndcg_variance(
    hits: Hits, *, dcg: str = "log2", ideal: str = "round", cutoff: int | None = None, **_: object
) -> Floats:
    r"""The variance of statNDCG, for each topic; `hits` hold one ranking per topic.

    As for statAP, with $z_d = g_d / \log_2(r_d + 1)$ for a document of the list, less statNDCG times what one more
    document of that grade adds to the ideal list, whose ranks are taken as shared.

    >>> from cranfield.align.columns.sampled import sampled_list
    >>> stat_ndcg_variance(sampled_list([1, 0, 1], probabilities=[1, 1, 1]))
    array([0.])
    """
    table, near = sample_of(hits), hits.top(cutoff)
    value = np.nan_to_num(over_ideal(hits, table.chance, dcg=dcg, ideal=ideal, cutoff=cutoff))
    topic, grade, number = estimated_levels(table, table.chance)
    gain = worth(grade, np.ones(len(grade), dtype=np.int64), dcg=dcg)
    end = running_sum(topic, number)
    best = segment_sum(topic, gain * (attention(end, cutoff) - attention(end - number, cutoff)), hits.topics)
    here = _discount(end, cutoff)
    pushed = gain * (here - _discount(end - number, cutoff))  # what the level loses if a better document comes
    later = segment_sum(topic, pushed, hits.topics)[topic] - running_sum(topic, pushed)
    added = dict(zip(zip(topic.tolist(), grade.tolist(), strict=True), (gain * here + later).tolist(), strict=True))
    graded = np.flatnonzero(table.grade > 0)
    more = [added[pair] for pair in zip(table.topic[graded].tolist(), table.grade[graded].tolist(), strict=True)]
    z = np.zeros(len(table.topic))
    z[graded] = -value[table.topic[graded]] * np.array(more, dtype=np.float64)
    z[near.document] += worth(near.grade, near.rank, dcg=dcg)
    return ratio(variance_of_sum(table, z, hits.topics), best**2)


def _discount(depth: Floats, cutoff: int | None) -> Floats:
    """What the rank that begins at a depth counts; nothing after the cut-off."""
    rank = np.floor(np.maximum(depth, 0.0) + 1e-9) + 1
    return np.where(rank > (np.inf if cutoff is None else cutoff), 0.0, 1 / np.log2(rank + 1))
