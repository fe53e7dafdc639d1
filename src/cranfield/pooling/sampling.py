"""Sampled pools: pairs are drawn at random, each candidate with a known probability."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from cranfield.align.columns.sampled import adaptive_sample
from cranfield.arrays import Bools, Floats, Ints, ordinal, segment_size, segment_sum
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.strategies import random_ones, strategy
from cranfield.random_streams import stream
from cranfield.tables.side.pool import Pool

BY_AP = "ap"
_STRATUM = re.compile(r"\s*(\d+)\s*-\s*(\d+)\s*:\s*(\d*\.?\d+)\s*(%?)\s*")
_HINT = "write 1-10:1,11-50:0.4,51-200:0.1, or ap"


@dataclass(frozen=True)
class Stratum:
    """Documents whose best rank lies in a range, and the share of them that is judged."""

    first: int
    last: int
    rate: float

    @property
    def name(self) -> str:
        """`11-50`."""
        return f"{self.first}-{self.last}"


StrataLike: TypeAlias = str | Sequence[Stratum | tuple[int, int, float]]


@dataclass(frozen=True, eq=False)
class Sample:
    """What was drawn from the candidates.

    `stratum[pair]` is a position in `strata`, and `probability[pair]` the chance that the pair was drawn: together
    the probabilities of a topic add up to the expected number of its pairs.
    """

    strata: tuple[str, ...]
    stratum: Ints
    probability: Floats
    drawn: Bools


def read_strata(strata: StrataLike) -> tuple[Stratum, ...]:
    """Strata by best rank: from 1, one after the other, each with the share to be judged.

    >>> read_strata("1-10:1,11-50:40%")
    (Stratum(first=1, last=10, rate=1.0), Stratum(first=11, last=50, rate=0.4))
    """
    if isinstance(strata, str):
        parts = [_STRATUM.fullmatch(part) for part in strata.split(",")]
        if wrong := next((text for text, part in zip(strata.split(","), parts, strict=True) if part is None), None):
            raise PolicyError("E242", f"{setting('strata')}: cannot read {wrong!r}", hint=_HINT)
        found = tuple(
            Stratum(int(part[1]), int(part[2]), float(part[3]) / (100 if part[4] else 1)) for part in parts if part
        )
    else:
        found = tuple(each if isinstance(each, Stratum) else Stratum(*each) for each in strata)
    if not found or found[0].first != 1 or any(b.first != a.last + 1 for a, b in pairwise(found)):
        raise PolicyError("E242", f"{setting('strata')} must begin at rank 1 and follow each other", hint=_HINT)
    for each in found:
        if each.last < each.first:
            raise PolicyError("E242", f"{setting('strata')}: {each.name} holds no rank", hint=_HINT)
        checked_rate(each.rate, f"{setting('strata')}: {each.name}")
    return found


def checked_rate(rate: float, where: str = "rate") -> float:
    """A share of documents: above 0, at most 1."""
    if not 0 < rate <= 1:
        raise PolicyError("E240", f"{where}: {rate:g} is not a share", hint="write a number above 0, at most 1")
    return rate


def refuse_adaptive(pool: Pool, measure: object) -> None:
    """Refuse an adaptive pool, for estimators that need random samples.

    >>> refuse_adaptive(Pool.of(["1"], ["d1"], ["mtf"], [np.nan]), "xinfAP")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E210: xinfAP needs a random sample, the pool was built by 'mtf'
      hint: use bounds, or pool with strategy="sample"
    """
    if pool.adaptive:
        chosen_by = pool.stratum[int(np.flatnonzero(np.isnan(pool.probability))[0])]
        raise adaptive_sample(measure, pool.source.name or "the pool", chosen_by, random_ones())


@strategy("sample", random=True)
def sample(
    candidates: Candidates,
    layers: Sequence[Stratum],
    strata: StrataLike | None,
    rate: float | None,
    budget: int | None,
    seed: int,
) -> Sample:
    """At random with known probabilities: shares of strata, a number, or by the weight of ranks in AP."""
    if strata == BY_AP:
        return by_ap_weight(candidates, budget, rate, seed)
    if budget is not None:
        return uniform(candidates, budget, seed)
    return stratified(candidates, layers or (Stratum(1, candidates.depth, rate or 1.0),), seed)


def stratified(candidates: Candidates, strata: Sequence[Stratum], seed: int = 0) -> Sample:
    """Of each topic and stratum of *M* documents, n = rate · M (rounded half up, at least 1), all equally likely.

    The probability n / M is exact: the draw is without replacement and of fixed size.
    """
    ends = np.array([each.last for each in strata])
    rates = np.array([each.rate for each in strata])
    stratum = np.searchsorted(ends, candidates.best_rank)
    cell = candidates.topic * len(strata) + stratum
    size = segment_size(cell, len(candidates.topics) * len(strata))
    wanted = np.floor(size * np.tile(rates, len(candidates.topics)) + 0.5).astype(np.int64)
    return _of_fixed_size(candidates, tuple(each.name for each in strata), stratum, cell, np.maximum(wanted, 1), seed)


def uniform(candidates: Candidates, budget: int, seed: int = 0) -> Sample:
    """A fixed number of documents of each topic (all, if there are fewer), all equally likely."""
    wanted = np.full(len(candidates.topics), budget)
    nothing = np.zeros(len(candidates), dtype=np.int64)
    return _of_fixed_size(candidates, (f"1-{candidates.depth}",), nothing, candidates.topic, wanted, seed)


def by_ap_weight(candidates: Candidates, budget: int | None = None, rate: float | None = None, seed: int = 0) -> Sample:
    r"""Independent draws, with probabilities proportional to the weight that ranks have in average precision.

    A rank *r* of a list of *Z* documents weighs $W(r) = \frac{1}{2Z}(1 + \sum_{i=r}^{Z} 1/i)$, which adds up to 1; a
    document's weight is the mean over runs. Probabilities are that weight times a constant, at most 1, and add up to
    the budget of the topic (or to `rate` times its documents). Pairs are drawn one by one (Poisson sampling), so the
    number drawn varies, and two pairs are drawn together with the product of their probabilities.
    """
    tail = np.cumsum(1 / np.arange(candidates.depth, 0, -1))[::-1]
    weight = (1 + tail) / (2 * candidates.depth)
    prior = segment_sum(candidates.pair, weight[candidates.rank - 1], len(candidates))
    size = segment_size(candidates.topic, len(candidates.topics))
    wanted = np.minimum(size, size * (rate or 1.0) if budget is None else budget)
    probability = np.zeros(len(candidates))
    begin = np.searchsorted(candidates.topic, np.arange(len(candidates.topics) + 1))
    for number, most in enumerate(wanted.tolist()):
        own = slice(begin[number], begin[number + 1])
        probability[own] = proportional(prior[own], most)
    stratum = np.zeros(len(candidates), dtype=np.int64)
    return Sample((BY_AP,), stratum, probability, _uniforms(candidates, seed) < probability)


def proportional(weight: Floats, total: float) -> Floats:
    """Probabilities proportional to the weights, none above 1, that add up to the total.

    >>> proportional(np.array([6.0, 3.0, 1.0]), 2)  # the first is certain; 1 is shared 3 : 1
    array([1.  , 0.75, 0.25])
    """
    certain = np.zeros(len(weight), dtype=bool)
    while True:
        rest = weight[~certain].sum()
        share = weight / rest * (total - np.count_nonzero(certain)) if rest > 0 else np.ones(len(weight))
        above = ~certain & (share >= 1)
        if not above.any():
            return np.where(certain, 1.0, share)
        certain |= above


def _of_fixed_size(
    candidates: Candidates, names: tuple[str, ...], stratum: Ints, cell: Ints, wanted: Ints, seed: int
) -> Sample:
    """The wanted number of pairs of each cell: those with the smallest random numbers."""
    size = segment_size(cell, len(wanted))
    taken = np.minimum(wanted, size)
    order = np.lexsort((_uniforms(candidates, seed), cell))
    drawn = np.zeros(len(candidates), dtype=bool)
    drawn[order] = ordinal(cell[order]) <= taken[cell[order]]
    return Sample(names, stratum, taken[cell] / size[cell], drawn)


def _uniforms(candidates: Candidates, seed: int) -> Floats:
    """A random number for each pair, from the stream of its topic."""
    size = segment_size(candidates.topic, len(candidates.topics)).tolist()
    streams = [
        stream(seed, name, "sample").random(number) for name, number in zip(candidates.topics, size, strict=True)
    ]
    return np.concatenate(streams) if streams else np.empty(0)
