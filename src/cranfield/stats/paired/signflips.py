"""The permutation test of a mean difference: swapping the two systems on a topic flips the sign of its difference."""

from collections.abc import Iterator

import numpy as np

from cranfield.arrays import Bools, Floats, Ints, Words
from cranfield.stats.paired.definition import Alternative, Tested, define_test
from cranfield.stats.paired.differences import CELLS, by_size, moments, rounded, row_sums

EXACT = 20  # differences other than 0 up to which all 2^m sign flips are counted
NOTE = "assumes that swapping the two systems on a topic would change nothing under the null hypothesis; tests the mean"


@define_test(
    "permutation",
    tests="mean",
    note=NOTE,
    aliases="randomisation randomization",
    samples=100_000,
    cites="Fisher 1935; Smucker et al. 2007",
)
def permutation(
    differences: Floats,
    *,
    rng: np.random.Generator,
    samples: int = 100_000,
    alternative: Alternative = "two-sided",
) -> Tested:
    r"""Fisher's randomisation test: how often do random swaps of the two systems give as large a mean difference?

    A swap on a topic without a difference changes nothing. All $2^m$ swaps are counted where up to 20 topics have a
    difference; with more, $B$ random ones, and then $p = (1 + \#\{|\bar d_b| \ge |\bar d|\}) / (1 + B)$, which is never
    0. The statistic is the mean difference.

    >>> permutation(np.array([[0.1, 0.3, 0.2]]), rng=np.random.default_rng(1)).pvalue  # +++ and --- of 2³
    array([0.25])
    """
    table = rounded(differences)
    of = moments(table)
    if alternative == "less":
        table = -table
    sums, size = row_sums(table), row_sums(np.abs(table))
    close = 1e-9 * size + 2e-12 * of.n  # differences are rounded, so equal sums may differ by that
    at = (np.abs(sums) if alternative == "two-sided" else sums) - close
    pvalue = np.full(len(table), np.nan)
    seed = int(rng.integers(2**63))
    moved = np.where(table == 0, np.nan, table)
    few = np.count_nonzero(~np.isnan(moved), axis=1) <= EXACT
    counted, drawn = False, False
    for places, values in by_size(moved[few], least=0):
        rows = np.flatnonzero(few)[places]
        counted |= bool((of.n[rows] > 1).any())
        share = exact_share(values, at[rows])
        pvalue[rows] = np.where(at[rows] > 0, 2 * share, 1.0) if alternative == "two-sided" else share
    for places, values in by_size(table[~few]):
        rows, drawn = np.flatnonzero(~few)[places], True
        count = sampled_count(values, at[rows], seed, samples, absolute=alternative == "two-sided")
        pvalue[rows] = (1 + count) / (1 + samples)
    ways = [f"{samples:,} draws"] * drawn + [f"exact up to {EXACT} topics that differ" if drawn else "exact"] * counted
    method = ", ".join(["sign-flip permutation test", *ways])
    return Tested(of.mean, np.where(of.n > 1, pvalue, np.nan), of.n, method, NOTE)


def too_few(differing: Ints, alpha: float) -> Bools:
    """Whether no sign-flip test can be significant, because two of so few flips are always as extreme.

    >>> too_few(np.array([5, 6]), 0.05)  # 2 / 2⁵ = .0625, 2 / 2⁶ = .03125
    array([ True, False])
    """
    return np.asarray(2.0 ** (1.0 - differing) >= alpha)


def exact_share(values: Floats, at: Floats) -> Floats:
    """The share of all sign flips whose sum reaches `at`, per pair.

    The sums of the first half of the topics are combined with those of the second: 2 · 2^(n/2) sums replace all 2^n.

    >>> exact_share(np.array([[1.0, 2.0, 3.0]]), np.array([4.0]))  # 1+2+3 and -1+2+3
    array([0.25])
    """
    pairs, n = values.shape
    left, right = all_signs(n // 2), all_signs(n - n // 2)
    count = np.zeros(pairs, dtype=np.int64)
    step = max(1, CELLS // len(right))
    for start in range(0, pairs, step):
        block = values[start : start + step]
        first = block[:, : n // 2] @ left.T
        second = np.sort(block[:, n // 2 :] @ right.T, axis=1)
        for row, sums in enumerate(second):
            below = np.searchsorted(sums, at[start + row] - first[row], side="left")
            count[start + row] = len(left) * len(right) - below.sum()
    return count / float(2**n)


def sampled_count(values: Floats, at: Floats, seed: int, samples: int, *, absolute: bool) -> Floats:
    """How many random sign flips have a sum that reaches `at`, per pair; the same flips for all pairs."""
    pairs, n = values.shape
    count = np.zeros(pairs)
    for signs in random_signs(n, samples, seed, rows=max(1, CELLS // max(n, pairs))):
        sums = signs @ values.T
        count += np.count_nonzero((np.abs(sums, out=sums) if absolute else sums) >= at, axis=0)
    return count


def all_signs(n: int) -> Floats:
    """All rows of n signs.

    >>> all_signs(2)
    array([[-1., -1.],
           [ 1., -1.],
           [-1.,  1.],
           [ 1.,  1.]])
    """
    bits = np.arange(2**n)[:, None] >> np.arange(n) & 1
    return bits.astype(np.float64) * 2 - 1


def random_signs(n: int, samples: int, seed: int, rows: int) -> Iterator[Floats]:
    """Blocks of random rows of n signs; the draws depend on n and the seed, not on the size of a block."""
    rng = np.random.default_rng([seed, n])
    for start in range(0, samples, rows):
        size = (min(rows, samples - start), -(-n // 64))
        words: Words = rng.integers(2**64, size=size, dtype=np.uint64).astype("<u8")
        yield np.unpackbits(words.view(np.uint8), axis=1, count=n).astype(np.float64) * 2 - 1
