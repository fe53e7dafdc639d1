"""What a measure declares about equal scores: the gains of documents, and a formula for the mean over all orders.

`WeightedSum`     a sum of gains times weights of ranks: the mean weight of a group's ranks, for each of its documents
`Precisions`      average precision
`Stopping`        a user who stops at one of the documents: how probable it is to be still reading after each rank
`UNORDERED`       no order of documents with equal scores changes the value

With each of them the best order is that of the gains, from high to low, and the worst one its reverse.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Bools, Floats, Ints, ratio

if TYPE_CHECKING:
    from cranfield.measures.ties.tied import TiedHits

GainOf: TypeAlias = Callable[..., Floats]  # of hits and the parameters of the measure: the gain of each hit
WeightOf: TypeAlias = Callable[..., Floats]  # of ranks and the parameters


def relevance(hits: Hits, *, rel: float = 1, **_: Any) -> Floats:  # the parameters of the measure
    """1 for each relevant hit."""
    return (hits.grade >= rel).astype(np.float64)


def judged(hits: Hits, **_: Any) -> Floats:  # the parameters of the measure
    """1 for each hit."""
    return np.ones(len(hits.rank))


def alike(rank: Floats, **_: Any) -> Floats:  # the parameters of the measure
    """1 for each rank."""
    return np.ones(len(rank))


def reciprocal(rank: Floats, **_: Any) -> Floats:  # the parameters of the measure
    """One over each rank."""
    return 1 / rank


class TieRule(ABC):
    """What all rules share: gains, and the ranks down to the cut-off."""

    def __init__(self, gain: GainOf = relevance) -> None:
        self.gain = gain

    def but(self, **changes: Any) -> Self:  # what the rule is made of
        """The same rule with another part, as another measure has it."""
        other = copy(self)
        vars(other).update(changes)
        return other

    @abstractmethod
    def expected(self, tied: "TiedHits", **parameters: Any) -> Floats | None:  # those of the measure
        """The mean over all orders; None where there is no formula for these parameters."""

    def last(self, tied: "TiedHits", **parameters: Any) -> Ints:  # those of the measure
        """The last rank of each ranking that counts."""
        return np.full(len(tied.hits), tied.within(parameters.get("cutoff")))

    def effective(self, tied: "TiedHits", **parameters: Any) -> Bools:  # those of the measure
        """Which groups can change the value: documents of different gains, at ranks that count."""
        last = self.last(tied, **parameters)[tied.groups.ranking]
        return tied.mixed(self.gain(tied.hits, **parameters)) & (tied.groups.first <= last)


class WeightedSum(TieRule):
    """A sum of gains, each times the weight of its rank, and the value computed from that sum."""

    def __init__(
        self,
        gain: GainOf = relevance,
        weight: WeightOf = alike,
        value: Callable[..., Floats] = lambda hits, total, **_: total,
        last_of: Callable[..., Ints] | None = None,
        without: str = "",
    ) -> None:
        super().__init__(gain)
        self.weight = weight
        self.value = value  # of hits, the sum and the parameters
        self.last_of = last_of  # of hits and the parameters: the last rank, where it is no cut-off
        self.without = without  # the parameter with which there is no formula

    def expected(self, tied: "TiedHits", **parameters: Any) -> Floats | None:
        if self.without and parameters.get(self.without):
            return None
        return self.value(tied.hits, self.total(tied, **parameters), **parameters)

    def total(self, tied: "TiedHits", **parameters: Any) -> Floats:  # those of the measure
        """The mean of the sum over all orders."""
        gain = self.gain(tied.hits, **parameters)
        total = np.concatenate(([0.0], np.cumsum(self.weight(_ranks(tied), **parameters))))
        last = np.minimum(tied.last, self.last(tied, **parameters)[tied.hits.ranking])
        chance = np.where(last >= tied.first, total[last] - total[tied.first - 1], 0.0) / (tied.last - tied.first + 1)
        return tied.hits.sum(gain * chance)

    def last(self, tied: "TiedHits", **parameters: Any) -> Ints:
        if self.last_of is None:
            return super().last(tied, **parameters)
        return np.minimum(self.last_of(tied.hits, **parameters), tied.within(None))

    def effective(self, tied: "TiedHits", **parameters: Any) -> Bools:
        found = super().effective(tied, **parameters)
        if self.weight is not alike or (self.without and parameters.get(self.without)):
            return found
        return found & (self.last(tied, **parameters)[tied.groups.ranking] < tied.groups.last)


class Precisions(TieRule):
    """The sum of the precisions at relevant documents, and what it is divided by.

    >>> from cranfield.align.tie_groups import TieGroups
    >>> from cranfield.measures.ties.tied import TiedHits
    >>> hits = Hits.of([[(1, 1), (2, 1), (5, 1)]], levels=[[2, 3]], retrieved=[5])
    >>> groups = TieGroups(np.array([0]), first=np.array([2]), last=np.array([4]))
    >>> rule = Precisions(divisor=lambda hits, **_: hits.judged_at_least(1))
    >>> rule.expected(TiedHits(hits, groups), rel=1).round(6)  # (1 + (2/2 + 2/3 + 2/4) / 3 + 3/5) / 3
    array([0.774074])
    """

    def __init__(self, gain: GainOf = relevance, *, divisor: Callable[..., Ints]) -> None:
        super().__init__(gain)
        self.divisor = divisor  # of hits and the parameters

    def expected(self, tied: "TiedHits", *, cutoff: int | None = None, **parameters: Any) -> Floats:
        relevant = self.gain(tied.hits, **parameters) > 0
        found = tied.hits.where(relevant)
        first, end = tied.first[relevant], tied.last[relevant]
        opens = np.ones(len(first), dtype=bool)
        opens[1:] = (found.ranking[1:] != found.ranking[:-1]) | (first[1:] != first[:-1])
        inside = np.diff(np.append(np.flatnonzero(opens), len(first)))  # relevant documents of each group
        above = found.ordinal[opens] - 1
        before, size = first[opens] - 1, (end - first + 1)[opens]
        reached = np.clip(tied.within(cutoff) - before, 0, size)  # ranks of the group that count
        harmonic = np.concatenate(([0.0], np.cumsum(1 / _ranks(tied))))
        ranks = harmonic[before + reached] - harmonic[before]
        others = (inside - 1) / np.maximum(size - 1, 1)  # the chance that another rank of the group is relevant too
        total = inside / size * ((above + 1) * ranks + others * (reached - (before + 1) * ranks))
        precisions = np.bincount(found.ranking[opens], weights=total, minlength=len(tied.hits))
        return ratio(precisions, self.divisor(tied.hits, cutoff=cutoff, **parameters))


class Stopping(TieRule):
    """A user who reads down and stops at a document with the probability that is its gain.

    What counts is the weight of the rank at which the user stops.
    """

    def __init__(
        self,
        gain: GainOf = relevance,
        weight: WeightOf = reciprocal,
        value: Callable[..., Floats] = lambda hits, total, **_: total,
    ) -> None:
        super().__init__(gain)
        self.weight = weight
        self.value = value  # of hits, the mean weight and the parameters

    def expected(self, tied: "TiedHits", **parameters: Any) -> Floats:
        gain = self.gain(tied.hits, **parameters)
        stops = np.flatnonzero(gain > 0)
        chance, first, last = gain[stops], tied.first[stops], tied.last[stops]
        weight = self.weight(_ranks(tied), **parameters)[: tied.within(parameters.get("cutoff"))]
        start = np.searchsorted(tied.hits.ranking[stops], np.arange(len(tied.hits) + 1)).tolist()
        total = [_stopped(chance[a:b], first[a:b], last[a:b], weight) for a, b in pairwise(start)]
        return self.value(tied.hits, np.array(total), **parameters)

    def effective(self, tied: "TiedHits", **parameters: Any) -> Bools:
        found = super().effective(tied, **parameters)
        certain = self.gain(tied.hits, **parameters) >= 1
        stop = np.full(len(tied.hits), np.iinfo(np.int64).max)
        np.minimum.at(stop, tied.hits.ranking[certain], tied.first[certain])
        found &= tied.groups.first <= stop[tied.groups.ranking]  # no user reads on after that
        if self.weight is not alike:
            return found
        ending = np.bincount(tied.group[certain & (tied.group >= 0)], minlength=len(tied.groups))
        counted = self.last(tied, **parameters)[tied.groups.ranking] - tied.groups.first + 1
        return found & (counted <= tied.groups.size - ending)  # all that count can be documents that end nothing


class Unordered(TieRule):
    """No order changes the value, so the current order gives it."""

    def expected(self, tied: "TiedHits", **parameters: Any) -> None:
        return None

    def effective(self, tied: "TiedHits", **parameters: Any) -> Bools:
        return np.zeros(len(tied.groups), dtype=bool)


UNORDERED = Unordered()


def _ranks(tied: "TiedHits") -> Floats:
    """All ranks that hits can have."""
    return np.arange(1.0, tied.last.max(initial=0) + 1)


def _stopped(chance: Floats, first: Ints, last: Ints, weight: Floats) -> float:
    """The mean weight of the rank at which the user stops, in one ranking."""
    reading, total, at = 1.0, 0.0, 0
    while at < len(chance) and reading > 0 and first[at] <= len(weight):
        begin, size = int(first[at]) - 1, int(last[at] - first[at]) + 1
        members = chance[at : at + int(np.searchsorted(first[at:], first[at], side="right"))]
        left = still_reading(size, members)
        counted = weight[begin : begin + size]
        total += reading * float((left[:-1] - left[1:])[: len(counted)] @ counted)
        reading *= float(left[-1])
        at += len(members)
    return total


def still_reading(size: int, chance: Floats) -> Floats:
    """How probable it is that a user reads on after 0, 1, … of `size` documents in random order.

    `chance` holds the probabilities of stopping that are not 0. Documents are added one by one: the last of *t* is
    among the first *j* with probability *j/t*.

    >>> still_reading(3, np.array([1.0]))  # one of three documents ends the search
    array([1.        , 0.66666667, 0.33333333, 0.        ])
    """
    left = np.ones(size - len(chance) + 1)
    for stops in chance:
        among = np.arange(len(left) + 1) / len(left)
        longer = np.zeros(len(left) + 1)
        longer[:-1] = (1 - among[:-1]) * left
        longer[1:] += among[1:] * (1 - stops) * left
        left = longer
    return left
