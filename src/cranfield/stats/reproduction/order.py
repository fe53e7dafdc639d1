"""How far two runs put the same documents into the same order, topic by topic."""

from collections.abc import Mapping, Sequence

import numpy as np

from cranfield.align.rankings import Rankings
from cranfield.arrays import Floats
from cranfield.stats.orders.kendall import tau_b
from cranfield.stats.orders.overlap import rbo


def ranked(lists: Rankings) -> dict[str, list[str]]:
    """The documents of each topic, best first."""
    ids = list(lists.run.document.take(lists.row))
    begin = lists.begin.tolist()
    return {topic: ids[begin[number] : begin[number + 1]] for number, topic in enumerate(lists.run.topics)}


def tau_union(original: Sequence[str], reproduced: Sequence[str]) -> float:
    """Kendall's tau union of two lists: the tau of their ranks in the union of both, the original first.

    The longer list is cut to the length of the shorter. Undefined for less than two documents.

    >>> tau_union(["a", "b", "c"], ["a", "b", "d"]), tau_union(["a", "b", "c"], ["b", "a", "c"])  # 1 2 4; 2 1 3
    (1.0, 0.3333333333333333)
    """
    depth = min(len(original), len(reproduced))
    if depth < 2:
        return float("nan")
    union = {document: place for place, document in enumerate(dict.fromkeys([*original[:depth], *reproduced[:depth]]))}
    places = np.array([[union[document] for document in reproduced[:depth]]], dtype=np.float64)
    return float(tau_b(np.arange(depth, dtype=np.float64)[None], places)[0])


def by_topic(
    original: Mapping[str, Sequence[str]], reproduced: Mapping[str, Sequence[str]], p: float
) -> dict[str, tuple[float, float]]:
    """Tau union and rank-biased overlap of every topic that both runs have.

    >>> by_topic({"q1": ["a", "b"]}, {"q1": ["a", "b"], "q2": ["c"]}, 0.8)
    {'q1': (1.0, 1.0)}
    """
    return {
        topic: (tau_union(list_, reproduced[topic]), rbo(list_, reproduced[topic], p=p).ext)
        for topic, list_ in original.items()
        if reproduced.get(topic)
    }


def mean_of(values: Floats) -> float:
    """The mean of the defined values; undefined if there is none."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")
