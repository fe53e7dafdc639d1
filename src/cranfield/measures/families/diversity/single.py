"""Discounts of ranks, and what one subtopic adds to a measure of novelty: the measures whose bounds are found there."""

from collections.abc import Callable
from typing import Any

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints
from cranfield.measures.definition import MEASURES
from cranfield.measures.facts.bounds import MONOTONE
from cranfield.measures.grammar import Measure, build

Discount = Callable[[Ints], Floats]  # what a document is worth at a rank


def _single(hits: Hits, *, alpha: float, rel: float, cutoff: int | None, discount: Discount) -> Floats:
    """The discounted novelty gain for one subtopic; a further relevant document never lowers it."""
    covers = hits.top(cutoff).relevant(rel)
    return covers.sum(np.power(1 - alpha, covers.ordinal - 1) * discount(covers.rank))


def of_one(discount: Discount, *, alpha: float, rel: float, cutoff: int | None = None, **_: object) -> Measure:
    """The measure of one subtopic."""
    values = (("alpha", alpha), ("rel", rel), ("cutoff", cutoff), ("discount", discount))
    whole = MEASURES["alpha_DCG"]
    return Measure(whole._replace(function=_single, parameters={}, needs_subtopics=False, bounds=MONOTONE), values)


def of_patience(*, beta: float, **parameters: Any) -> Measure:  # those of NRBP
    """The measure of one subtopic behind NRBP."""
    return of_one(geometric(beta), **parameters)


def of_gain(**parameters: Any) -> Measure:  # those of alpha_DCG
    """The measure of one subtopic behind alpha_DCG."""
    return of_one(logarithmic, **parameters)


def of_form(*, form: str, max_rel: float | None, cutoff: int, **parameters: Any) -> Measure:  # those of ERR_IA
    """The measure of one subtopic behind ERR_IA."""
    if form == "graded":
        return build(MEASURES["ERR"], {"max_rel": max_rel, "cutoff": cutoff})
    return of_one(reciprocal, cutoff=cutoff, **parameters)


def over_full(*, normalisation: str, alpha: float, cutoff: int | None, **_: object) -> float:
    """What the mean over subtopics is multiplied by in alpha_DCG."""
    return 1.0 if normalisation == "none" or cutoff is None else 1 / full(alpha, cutoff, logarithmic)


def full(alpha: float, cutoff: int, discount: Discount) -> float:
    """The discounted gain, for each subtopic, of a list in which every document covers all of them."""
    rank = np.arange(1, cutoff + 1)
    return float(np.sum(np.power(1 - alpha, rank - 1) * discount(rank)))


def logarithmic(rank: Ints) -> Floats:
    """The discount of DCG."""
    return 1 / np.log2(rank + 1.0)


def reciprocal(rank: Ints) -> Floats:
    """The discount of ERR."""
    return 1.0 / rank


def geometric(beta: float) -> Discount:
    """The discount of RBP."""
    return lambda rank: np.power(beta, rank - 1.0)
