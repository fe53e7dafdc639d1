"""`swing`: judge what shrinks the open ranges most."""

import numpy as np

from cranfield.arrays import Floats
from cranfield.missing.next.question import Question, distances_between
from cranfield.missing.next.strategies import next_strategy


@next_strategy("swing")
def swing(question: Question) -> Floats:
    r"""The document that shrinks the ranges of the open pairs most.

    $$\frac{1}{T} \sum_{A,B \text{ open}} |w_A(d) - w_B(d)|$$

    with weights for the highest grade. For sums over documents the ranges shrink by so much whatever the grade is, and
    for one pair no other order is sooner done in the worst case. For other measures the weights are approximate.

    >>> import cranfield as cf
    >>> runs = {"A": {"1": ["a", "b", "c", "d"]}, "B": {"1": ["b", "e", "a", "f"]}}
    >>> cf.holes({"1": {"a": 1, "c": 0}}, runs, "RBP(p=0.8)").next(4).table()["document"].to_list()
    ['e', 'd', 'f', 'b']
    """
    found, between = np.zeros(len(question.holes)), question.between()
    for number, own in question.topics():
        found[own] = distances_between(question.present[number].weight, between) * question.share
    return np.round(found, 12)
