"""Means on topics drawn with replacement: a draw is a row of counts, and a matrix product gives all means."""

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.measures.grammar import Measure
from cranfield.random_streams import stream
from cranfield.study.data.collection import Collection
from cranfield.study.data.topic_sets import by_name
from cranfield.tables.summary import FLOOR


def drawn_topics(data: Collection, kept: Bools, draws: int, seed: int) -> Floats:
    """`[draw, topic]`: how often each topic is drawn; only the kept topics are drawn, as many as there are."""
    order = by_name(data.topics)
    order = order[kept[order]]
    counts = np.zeros((draws, len(data.topics)))
    if len(order):
        chance = stream(seed, "topics", *(data.topics[at] for at in order))
        counts[:, order] = chance.multinomial(len(order), np.full(len(order), 1 / len(order)), size=draws)
    return counts


def means_of(scores: Floats, counts: Floats, measure: Measure) -> Floats:
    """`[draw, run]` of `scores[run, topic]`: the summary of each run over the topics of each draw.

    A topic without a score is left out; without any score the mean is undefined.

    >>> from cranfield.measures.grammar import parse
    >>> means_of(np.array([[0.2, 0.4], [0.1, np.nan]]), np.array([[1.0, 1.0], [0.0, 2.0]]), parse("AP")).round(2)
    array([[0.3, 0.1],
           [0.4, nan]])
    """
    kind = measure.definition.average
    values = np.log(np.maximum(scores, FLOOR)) if kind == "geometric" else scores
    known = ~np.isnan(scores)
    total = counts @ np.where(known, values, 0.0).T
    if kind == "sum":
        return total
    size = counts @ known.T.astype(np.float64)
    mean = np.divide(total, size, out=np.full(total.shape, np.nan), where=size > 0)
    return np.exp(mean) if kind == "geometric" else mean
