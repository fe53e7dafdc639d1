"""The registry of pooling strategies, and those that order documents for judging from the runs alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from cranfield.arrays import Floats, Ints, segment_sum
from cranfield.pooling.candidates import Candidates
from cranfield.registry import Registry, unknown

F = TypeVar("F", bound=Callable[..., Any])  # what a strategy takes and returns depends on its kind
RRF = 60  # the constant of reciprocal-rank fusion


@dataclass(frozen=True)
class Strategy:
    """A way to choose documents.

    Attributes:
        name: what callers ask for.
        function: Candidates -> a value per pair; of adaptive ones see `adaptive.py`, of random ones `sampling.py`.
        adaptive: whether it looks at each judgment before it chooses the next document.
        random: whether it draws documents with known probabilities.
        cites: the paper that describes it.
    """

    name: str
    function: Callable[..., Any]  # what it takes and returns depends on the two fields below
    adaptive: bool = False
    random: bool = False
    cites: str = ""

    @property
    def summary(self) -> str:
        """The first sentence of its docstring."""
        return (self.function.__doc__ or "").partition("\n")[0]


STRATEGIES: Registry[Strategy] = Registry("pooling strategy", "cranfield.pooling")


def strategy(name: str, *, adaptive: bool = False, random: bool = False, cites: str = "") -> Callable[[F], F]:
    """Register a strategy."""

    def register(function: F) -> F:
        STRATEGIES.add(name, Strategy(name, function, adaptive, random, cites), home=function.__module__)
        return function

    return register


def named(name: str, option: str = "strategy") -> Strategy:
    """The strategy of that name."""
    found = STRATEGIES.find(name)
    if found is None:
        raise unknown(option, name, STRATEGIES, STRATEGIES.nearest(name))
    return found


def random_ones() -> list[str]:
    """The strategies that draw at random.

    >>> random_ones()
    ['sample']
    """
    return [name for name, each in STRATEGIES.items() if each.random]


@strategy("depth")
def by_depth(candidates: Candidates) -> Floats:
    """Best rank in any run first; among equals the document that most runs list near the top.

    >>> from cranfield.tables.run import Run
    >>> runs = [Run.of("r", ["1"] * 2, ["a", "b"], [2, 1]), Run.of("s", ["1"] * 2, ["c", "b"], [2, 1])]
    >>> by_depth(Candidates.of(runs, depth=2)).round(4)  # -1 + (1/61)/2, -2 + (2/62)/2
    array([-0.9918, -1.9839, -0.9918])
    """
    return -candidates.best_rank + reciprocal_rank(candidates) / max(1, len(candidates.runs))


@strategy("rrf", cites="Cormack, Clarke and Büttcher 2009")
def reciprocal_rank(candidates: Candidates) -> Floats:
    """Reciprocal-rank fusion: the sum of 1 / (60 + rank) over the runs that list the document.

    >>> from cranfield.tables.run import Run
    >>> runs = [Run.of("r", ["1"] * 2, ["a", "b"], [2, 1]), Run.of("s", ["1"] * 1, ["b"], [1])]
    >>> reciprocal_rank(Candidates.of(runs, depth=2)).round(4)  # 1/61, 1/62 + 1/61
    array([0.0164, 0.0325])
    """
    return _settled(segment_sum(candidates.pair, 1 / (RRF + candidates.rank), len(candidates)))


@strategy("borda", cites="Aslam and Montague 2001")
def borda(candidates: Candidates) -> Floats:
    """Borda count: a run gives depth + 1 - rank votes to each document it lists.

    >>> from cranfield.tables.run import Run
    >>> runs = [Run.of("r", ["1"] * 2, ["a", "b"], [2, 1]), Run.of("s", ["1"] * 1, ["b"], [1])]
    >>> borda(Candidates.of(runs, depth=2))  # 2, 1 + 2
    array([2., 3.])
    """
    return segment_sum(candidates.pair, candidates.depth + 1 - candidates.rank, len(candidates))


def in_order(candidates: Candidates, value: Floats) -> Ints:
    """Pairs by topic, then by value from high to low, equal ones by the bytes of the document."""
    return np.lexsort((-value, candidates.topic))


def _settled(values: Floats) -> Floats:
    """Round away the last bits, which depend on the order of the runs."""
    settled: Floats = np.round(values, 12)
    return settled
