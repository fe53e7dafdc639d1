"""What known completions attain: values that two runs really take, beside the ends that bound them."""

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.missing.completions import values
from cranfield.missing.ranges import Bounder
from cranfield.tables.scores import Scores
from cranfield.tables.summary import micro, summary


def difference(columns: Floats, average: str, weights: Floats | None = None) -> float:
    """The difference of the averages of two rows over the topics in which both have a value.

    The ratio of sums (`micro`) needs the divisors of both rows as weights.

    >>> difference(np.array([[0.4, 0.9], [0.1, np.nan]]), "mean").__round__(4)  # the first topic alone
    0.3
    """
    common = ~np.isnan(columns).any(axis=0)
    if average == "micro":
        if weights is None:
            return np.nan
        return micro(columns[0, common], weights[0, common]) - micro(columns[1, common], weights[1, common])
    return summary(columns[0, common], average) - summary(columns[1, common], average)


def divisors(scores: Scores, measure: str, a: int, b: int) -> Floats | None:
    """`[run, topic]`: the divisors of two runs, if ratios of sums are taken."""
    return None if scores.weights is None else scores.weights[[a, b], :, scores.measures.index(measure)]


def attained(bounder: Bounder, a: int, b: int, *, high: bool | None) -> tuple[Floats, Ints]:
    """`[run, topic]`: two runs in a completion near an end of each topic, and how many holes are relevant in it.

    Without an end (`high` is None) no hole is relevant.
    """
    pair, situation = np.array([a, b]), bounder.situation
    columns, number = np.empty((2, len(bounder.topics))), np.zeros(len(bounder.topics), dtype=np.int64)
    counts = bounder.counted(pair[:1], pair[1:])[0][0]
    for place, topic in enumerate(bounder.topics):
        filled = np.zeros(topic.holes + topic.unseen)
        if high is not None:
            found = bounder.method.witness(topic, a, b, high=high)
            filled[: len(found)] = found
        number[place] = np.count_nonzero(filled)
        columns[:, place] = values(situation, topic, filled[None], pair)[0]
    return np.where(counts, columns, np.nan), number
