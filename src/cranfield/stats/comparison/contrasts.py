"""Contrasts: which runs are compared with which, and their differences on every topic.

Topics are sorted and the pairs depend on the means alone, so neither the order of the topics nor the names of the runs
change any digit of the results.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield.arrays import Bools, Floats, Ints, ratio
from cranfield.stats.weights.weighted import WEIGHTED, products
from cranfield.tables.scores import Scores
from cranfield.tables.side.selection import best_first
from cranfield.tables.summary import FLOOR, influence


@dataclass(frozen=True, eq=False)
class Contrasts:
    """The pairs of runs of one measure.

    `run[pair]` and `baseline[pair]` are rows of `values[run, topic]`, whose differences are tested; `smaller` says that
    less is better.

    >>> pairs = Contrasts.of(np.array([[0.2, 0.4], [0.6, 0.8]]), np.array([0.3, 0.7]), baselines=[0])
    >>> pairs.run, pairs.baseline, pairs.differences.round(1)
    (array([1]), array([0]), array([[0.4, 0.4]]))
    """

    run: Ints
    baseline: Ints
    values: Floats
    smaller: bool = False

    @classmethod
    def of(
        cls,
        values: Floats,
        means: Floats,
        baselines: Sequence[int] = (),
        *,
        fixed: Sequence[int] = (),
        smaller: bool = False,
    ) -> "Contrasts":
        """Every run against every baseline, or all pairs; the better of two runs comes first in the order.

        A run is never compared with itself, two baselines are compared once, and `fixed` runs are baselines only.
        """
        order = best_first(means, smaller)
        if not len(baselines):
            upper, lower = np.triu_indices(len(order), 1)
            return cls(order[upper], order[lower], values, smaller)
        others = [order[~np.isin(order, [*baselines[: at + 1], *fixed])] for at in range(len(baselines))]
        against = np.repeat(np.asarray(baselines, dtype=np.int64), [len(runs) for runs in others])
        return cls(np.concatenate(others), against, values, smaller)

    def __len__(self) -> int:
        return len(self.run)

    def between(self, begin: int, end: int) -> "Contrasts":
        """Some of the pairs."""
        return replace(self, run=self.run[begin:end], baseline=self.baseline[begin:end])

    @cached_property
    def differences(self) -> Floats:
        """`[pair, topic]`: run minus baseline; NaN where one of them has no value."""
        return self.values[self.run] - self.values[self.baseline]

    @cached_property
    def common(self) -> Bools:
        """`[pair, topic]`: whether both have a value."""
        known = ~np.isnan(self.values)
        return known[self.run] & known[self.baseline]


def by_topic(scores: Scores) -> Scores:
    """The same scores with the topics in sorted order."""
    order = tuple(sorted(scores.topics))
    return scores if order == scores.topics else replace(scores.on_topics(order), audit=scores.audit)


def comparable(scores: Scores, column: int) -> Floats:
    """`[run, topic]`: the values whose means over topics are compared.

    The values themselves; logarithms under a geometric mean; the influence of each topic under a micro average;
    the values times their weights, over the mean weight, where topics have weights.
    """
    values = scores.values[:, :, column]
    if scores.averages[column] == "geometric":
        return np.log(np.maximum(values, FLOOR))
    if scores.averages[column] == WEIGHTED:
        return products(scores, column)
    if scores.weights is not None:
        return np.array(list(map(influence, values, scores.weights[:, :, column])))
    return values


def mean_differences(contrasts: Contrasts, average: str) -> Floats:
    """The difference between the averages of two runs on their common topics.

    >>> pairs = Contrasts.of(np.array([[0.2, 0.4], [0.6, np.nan]]), np.array([0.3, 0.6]), baselines=[0])
    >>> mean_differences(pairs, "mean").round(4)  # 0.6 - 0.2: only the first topic is common
    array([0.4])
    """
    if average == "geometric":
        sides = (np.where(contrasts.common, contrasts.values[at], np.nan) for at in (contrasts.run, contrasts.baseline))
        ours, theirs = (np.exp(_means(side)) for side in sides)
        return ours - theirs
    sums = np.where(contrasts.common, contrasts.differences, 0.0).sum(axis=1)
    return sums if average == "sum" else ratio(sums, contrasts.common.sum(axis=1))


def _means(rows: Floats) -> Floats:
    """The mean of the defined values of each row."""
    known = ~np.isnan(rows)
    return ratio(np.where(known, rows, 0.0).sum(axis=1), known.sum(axis=1))
