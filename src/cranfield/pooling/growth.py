"""How a pool grows: relevant documents found by pairs judged, for strategies beside each other, on known judgments."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bools, Floats, Ints, ordinal, segment_size
from cranfield.pooling.adaptive import walk
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.strategies import Strategy, in_order, named


@dataclass(frozen=True, eq=False)
class PoolGrowth:
    """Relevant documents found after so many pairs, judged evenly: the first of every topic, then the second …

    Attributes:
        judged: pairs of all topics after each round, from 0 on.
        found: by strategy: relevant documents among them; of a random one, what is expected.
        ideal: the same if relevant documents came first.
        relevant: relevant candidates.
        unknown: candidates without a judgment, which count as not relevant.
    """

    judged: Ints
    found: dict[str, Floats]
    ideal: Floats
    relevant: int
    unknown: int


def growth(candidates: Candidates, grade: Floats, rel: float, strategies: Sequence[str], seed: int = 0) -> PoolGrowth:
    """The growth of the pool of all candidates under each strategy.

    >>> from cranfield.tables.run import Run
    >>> runs = [Run.of("r", ["1"] * 2, ["a", "b"], [2, 1]), Run.of("s", ["1"] * 2, ["c", "b"], [2, 1])]
    >>> candidates = Candidates.of(runs, depth=2)  # a, b and c; b is the relevant one
    >>> grown = growth(candidates, np.array([0.0, 1.0, 0.0]), 1, ["depth", "rrf", "sample"])
    >>> grown.found["depth"], grown.found["rrf"], grown.found["sample"].round(4)  # a c b; b a c; one third each
    (array([0., 0., 0., 1.]), array([0., 1., 1., 1.]), array([0.    , 0.3333, 0.6667, 1.    ]))
    """
    relevant = grade >= rel
    sizes = segment_size(candidates.topic, len(candidates.topics))
    good = segment_size(candidates.topic[relevant], len(candidates.topics))
    rounds = np.arange(int(sizes.max(initial=0)) + 1)[:, None]
    found = {
        name: _found(candidates, named(name, "strategies"), relevant, sizes, good, rounds, seed)
        for name in dict.fromkeys(strategies)
    }
    return PoolGrowth(
        judged=np.minimum(rounds, sizes).sum(axis=1),
        found=found,
        ideal=np.minimum(rounds, good).sum(axis=1).astype(np.float64),
        relevant=int(good.sum()),
        unknown=int(np.count_nonzero(np.isnan(grade))),
    )


def _found(
    candidates: Candidates, rule: Strategy, relevant: Bools, sizes: Ints, good: Ints, rounds: Ints, seed: int
) -> Floats:
    """Relevant documents after each round."""
    if rule.random:
        shares = np.minimum(rounds, sizes) / np.maximum(sizes, 1)
        return (shares * good).sum(axis=1)
    if rule.adaptive:
        order = walk(candidates, rule.name, relevant, None, seed)
    else:
        order = in_order(candidates, rule.function(candidates))
    turn = ordinal(candidates.topic[order])  # the round in which a pair is judged
    return np.cumsum(np.bincount(turn, weights=relevant[order], minlength=len(rounds)))
