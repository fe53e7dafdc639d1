"""Common to all simulated collections: lists of the best documents, the pool of their first ones, and the tables."""

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text


def best_first(scores: Floats, length: int) -> Ints:
    """The best documents of each row, best first; equal ones by their number.

    >>> best_first(np.array([[1.0, 3.0, 3.0, 2.0]]), 3)
    array([[1, 2, 3]])
    >>> best_first(np.array([[1.0, 1.0, 1.0, 2.0]]), 2)
    array([[3, 0]])
    """
    near: Ints = np.sort(np.argpartition(-scores, length - 1, axis=1)[:, :length], axis=1)
    inside = np.take_along_axis(scores, near, axis=1)
    last = inside.min(axis=1, keepdims=True)
    if ((scores == last).sum(axis=1) > (inside == last).sum(axis=1)).any():  # equal ones on both sides of the end
        return np.argsort(-scores, axis=1, kind="stable")[:, :length]
    return np.take_along_axis(near, np.argsort(-inside, axis=1, kind="stable"), axis=1)


def pooled(first: Ints, documents: int) -> Bools:
    """`[topic, document]`: among the documents `first[topic, system, rank]`."""
    judged = np.zeros((len(first), documents), dtype=bool)
    judged[np.arange(len(judged))[:, None, None], first] = True
    return judged


def judged_table(topics: tuple[str, ...], documents: tuple[str, ...], grade: Ints, judged: Bools) -> Qrels:
    """The grades of the judged documents."""
    topic, document = np.nonzero(judged)
    return Qrels(topics, topic, Text.of(documents).take(document), grade[judged])


def run_table(name: str, topics: tuple[str, ...], documents: Text, order: Ints, score: Floats) -> Run:
    """A run from its lists `order[topic, rank]` and their scores."""
    length = order.shape[1]
    topic, rank = np.repeat(np.arange(len(topics)), length), np.tile(np.arange(1, length + 1), len(topics))
    return Run(name, topics, topic, documents.take(order.ravel()), score.ravel(), rank)
