"""The swap method: how often two disjoint sets of topics order two runs in opposite ways."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting

BINS = 100  # of equal width; one more holds all larger differences
EDGE = 1e-9  # of a bin: a difference that rounding puts just below an edge lies above it
PLACES = 12  # decimals of a mean: equal means are equal numbers
MOST = 200_000  # pairs of topic sets up to which all can be compared
_CELLS = 1 << 16  # comparisons at once: what fits into a processor's cache


@dataclass(frozen=True, eq=False)
class Swaps:
    """Comparisons and swaps by the size of the first difference; the last bin holds all from `BINS · width` on."""

    comparisons: Ints
    swaps: Ints
    width: float

    @property
    def edges(self) -> Floats:
        """The smallest difference of each bin."""
        return np.round(np.arange(BINS + 1) * self.width, PLACES)

    @property
    def rate(self) -> float:
        """The share of swaps among all comparisons."""
        return float(self.swaps.sum() / max(int(self.comparisons.sum()), 1))

    @property
    def rates(self) -> Floats:
        """The share of swaps in each bin; undefined where nothing was compared."""
        return _shares(self.swaps, self.comparisons)

    @property
    def tail_rates(self) -> Floats:
        """The share of swaps among all differences from each bin on."""
        return _shares(_from_here(self.swaps), _from_here(self.comparisons))

    def least(self, error: float) -> float:
        """The smallest difference from which on at most that share of all comparisons are swaps (AG07)."""
        with np.errstate(invalid="ignore"):
            enough = np.flatnonzero(self.tail_rates <= error)
        return float(self.edges[enough[0]]) if len(enough) else np.nan

    def least_per_bin(self, error: float) -> float:
        """The smallest difference after the last bin with a larger share of swaps (VB02)."""
        with np.errstate(invalid="ignore"):
            above = np.flatnonzero(self.rates > error)
        first = int(above[-1]) + 1 if len(above) else 0
        seen = first <= BINS and self.comparisons[first:].any()
        return float(self.edges[first]) if seen else np.nan


def counted_swaps(scores: Floats, first: Bools, second: Bools, width: float) -> Swaps:
    """Compare all pairs of runs of `scores[run, topic]` on pairs of topic sets, `[set, topic]` each.

    >>> scores = np.array([[0.3, 0.1], [0.2, 0.3]])  # differences .1 and -.2
    >>> found = counted_swaps(scores, np.eye(2, dtype=bool), np.eye(2, dtype=bool)[::-1], 0.1)
    >>> found.comparisons[:3], found.swaps[:3]
    (array([0, 1, 1]), array([0, 1, 1]))
    """
    one, two = (_means(scores, chosen) for chosen in (first, second))
    runs, left = len(scores), np.zeros((2, BINS + 1), dtype=np.int64)
    i, j = np.triu_indices(runs, 1)
    step = max(1, _CELLS // max(len(i), 1))
    for start in range(0, one.shape[1], step):
        some = slice(start, start + step)
        d1, d2 = (means[i, some] - means[j, some] for means in (one, two))
        size = np.minimum(np.abs(d1) * (1 / width) + EDGE, BINS).astype(np.int64)
        size += (BINS + 1) * (d1 * d2 < 0)
        left += np.bincount(size.ravel(), minlength=left.size).reshape(left.shape)
    return Swaps(left.sum(axis=0), left[1], width)


def random_sets(topics: int, size: int, sets: int, chance: np.random.Generator) -> tuple[Bools, Bools]:
    """Random pairs of disjoint sets of so many topics, as two tables `[set, topic]`."""
    place = chance.permuted(np.tile(np.arange(topics), (sets, 1)), axis=1)
    return place < size, (place >= size) & (place < 2 * size)


def every_set(topics: int, size: int) -> tuple[Bools, Bools]:
    """All ordered pairs of disjoint sets of so many topics.

    >>> first, second = every_set(3, 1)
    >>> len(first), bool((first & second).any())
    (6, False)
    """
    count = comb(topics, size) * comb(topics - size, size)
    if count > MOST:
        raise PolicyError(
            "E246",
            f"{topics} topics have {count:,} pairs of sets of {size}",
            hint=f"{setting('sets', 1000)} draws some",
        )
    pairs = [
        (one, two)
        for one in combinations(range(topics), size)
        for two in combinations([topic for topic in range(topics) if topic not in one], size)
    ]
    first, second = np.zeros((2, count, topics), dtype=bool)
    rows = np.arange(count)[:, None]
    first[rows, np.array([one for one, _ in pairs])] = True
    second[rows, np.array([two for _, two in pairs])] = True
    return first, second


def predicted(rates: Floats, weights: Floats, sizes: Floats, wanted: float) -> Floats:
    r"""Error rates on sets of another size: $A e^{-Bz}$ is fitted to each bin (VB02).

    `rates[size, bin]` are weighted by `weights` (swaps seen); a bin needs two sizes with swaps.

    >>> rates = np.array([[0.4], [0.2], [0.1]])  # halved by every five topics more
    >>> predicted(rates, np.ones((3, 1)), np.array([5.0, 10.0, 15.0]), 25.0).round(6)
    array([0.025])
    """
    seen = (rates > 0) & (weights > 0)
    w = np.where(seen, weights, 0.0)
    height = np.log(np.where(seen, rates, 1.0))
    total = w.sum(axis=0)
    enough = np.count_nonzero(seen, axis=0) >= 2
    z, y = ((w * part).sum(axis=0) / np.where(enough, total, 1.0) for part in (sizes[:, None], height))
    apart = sizes[:, None] - z
    slope = (w * apart * (height - y)).sum(axis=0) / np.where(enough, (w * apart**2).sum(axis=0), 1.0)
    fitted = np.where(enough, y + slope * (wanted - z), np.nan)
    return np.exp(np.minimum(fitted, 0.0))


def _means(scores: Floats, chosen: Bools) -> Floats:
    """`[run, set]`: the mean of each run on each set."""
    return np.round(scores @ (chosen / chosen.sum(axis=1, keepdims=True)).T, PLACES)


def _from_here(counts: Ints) -> Ints:
    return counts[::-1].cumsum()[::-1]


def _shares(part: Ints, whole: Ints) -> Floats:
    return np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)
