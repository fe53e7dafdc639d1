"""Randomised Tukey HSD: the largest difference of means, when scores are permuted within topics."""

from itertools import permutations
from math import factorial

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Floats, segment_sum
from cranfield.errors import PolicyError
from cranfield.stats.draws import check_draws
from cranfield.stats.several.all_pairs import PostHoc
from cranfield.stats.several.complete_blocks import CompleteBlocks, complete
from cranfield.stats.several.posthoc import posthoc

ASSUMES = "assumes that on each topic any system could have got the score of any other"
TOLERANCE = 1e-9  # means that differ by less are equal: exact ties are frequent
EXACT = 2**20  # so many arrangements are enumerated rather than sampled
_STATES = 2**19  # sums that an enumeration may hold together
_CELLS = 2**21  # scores that are permuted together
_HELD = 48  # bytes of a range, its weight, its place, and of both in order


@posthoc("tukey-randomized", "randomised Tukey HSD", omnibus="anova", aliases="tukey-randomised max-t", sampled=True)
def tukey_randomized(
    scores: ArrayLike,
    *,
    alpha: float = 0.05,
    samples: int = 100_000,
    rng: np.random.Generator | None = None,
    exact: bool | None = None,
) -> PostHoc:
    r"""Randomised Tukey HSD: all pairs at once, without assuming normal errors (Carterette 2012).

    Scores are permuted within each topic; with $q^*$ the range of the means of a permutation,

    $$p_{ij} = \frac{1 + \#\{q^* \ge |\bar x_i - \bar x_j|\}}{1 + B}$$

    If there are few permutations, or if `exact`, all of them are counted and p is their share. Without `rng`, one
    with seed 0 is used.

    >>> tukey_randomized([[0.0, 1.0, 2.0], [1.0, 2.0, 6.0]]).pvalue[0, 1]  # 2 of the 8 have a range of 6 / 3
    np.float64(0.25)
    """
    blocks = complete(scores, "the randomised Tukey test")
    k, b = blocks.values.shape
    few = k <= 10 and factorial(k) ** (b - 1) <= EXACT
    whole = few if exact is None else exact
    means = blocks.values.mean(axis=1)
    gaps = np.abs(means[:, None] - means)
    if whole:
        ranges, weights = _every(blocks)
        count = "all"
    else:
        ranges = _drawn(blocks, samples, np.random.default_rng(0) if rng is None else rng)
        weights, count = np.ones(samples), f"{samples:,}"
    order = np.argsort(ranges)
    ranges, below = ranges[order], np.concatenate(([0.0], np.cumsum(weights[order])))
    reached = below[-1] - below[np.searchsorted(ranges, gaps - TOLERANCE)]
    pvalue = reached / below[-1] if whole else (1 + reached) / (1 + samples)
    np.fill_diagonal(pvalue, 1.0)
    at = np.searchsorted(below[1:], (1 - alpha) * below[-1] * (1 - 1e-12))
    return PostHoc(
        method=f"randomised Tukey HSD, {count} permutations within topics",
        statistic=means[:, None] - means,
        pvalue=pvalue,
        centre=means,
        scale="mean",
        critical=float(ranges[min(at, len(ranges) - 1)]),
        alpha=alpha,
        n=b,
        dropped=blocks.dropped,
        note=ASSUMES,
        samples=factorial(k) ** b if whole else samples,
    )


def _drawn(blocks: CompleteBlocks, samples: int, rng: np.random.Generator) -> Floats:
    """The range of the means in each of the drawn permutations, computed in blocks of some thousands of scores."""
    check_draws(samples, _HELD)
    rows = np.ascontiguousarray(blocks.values.T)
    step = max(1, _CELLS // rows.size)
    ranges = np.empty(samples)
    for start in range(0, samples, step):
        size = min(step, samples - start)
        permuted = rng.permuted(np.broadcast_to(rows, (size, *rows.shape)), axis=2)
        ranges[start : start + size] = np.ptp(permuted.mean(axis=1), axis=1)
    return ranges


def _every(blocks: CompleteBlocks) -> tuple[Floats, Floats]:
    """The range of the means in every permutation, and how often it comes about.

    The systems of a permutation may be renamed, so sums are kept in ascending order and equal ones together: topic by
    topic, the distinct sums so far meet every order of the scores of the next topic.
    """
    k, b = blocks.values.shape
    orders = np.array(list(permutations(range(k)))) if k <= 8 else np.empty((0, k), dtype=np.int64)
    *before, last = blocks.values.T
    sums, counts = np.zeros((1, k)), np.ones(1)
    for scores in before:
        _refuse_more_than(_STATES, len(sums) * len(orders), blocks)
        met = np.sort((sums[:, None, :] + scores[orders]).reshape(-1, k), axis=1)
        _, first, place = np.unique(np.round(met, 10), axis=0, return_index=True, return_inverse=True)
        sums, counts = met[first], segment_sum(place.ravel(), np.repeat(counts, len(orders)), len(first))
    _refuse_more_than(8 * _STATES, len(sums) * len(orders), blocks)
    ranges = np.ptp((sums[:, None, :] + last[orders]).reshape(-1, k), axis=1) / b
    return ranges, np.repeat(counts, len(orders))


def _refuse_more_than(most: int, sums: int, blocks: CompleteBlocks) -> None:
    if not 0 < sums <= most:
        problem = f"the permutations of {blocks.runs} runs on {blocks.n} topics are too many to count"
        raise PolicyError("E246", problem, hint="sample some of them")
