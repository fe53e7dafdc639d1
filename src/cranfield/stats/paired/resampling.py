"""Topics drawn with replacement: how often each is drawn, and the mean and spread of what was drawn.

A resample is a row of counts, one per topic, so that a product of matrices evaluates all pairs on all resamples.
"""

from collections.abc import Iterator

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import PolicyError
from cranfield.stats.paired.differences import CELLS, ZERO

ALL = 100_000  # resamples up to which all n^n can be listed


def count_all(n: int) -> int:
    """The number of resamples of n topics, n^n; an error if there are too many to list.

    >>> count_all(6)
    46656
    """
    if n**n > ALL:
        raise PolicyError("E246", f"{n} topics have more than {ALL:,} resamples", hint="draw some of them")
    return n**n


def draws(n: int, samples: int, seed: int | None, *, pairs: int = 1) -> Iterator[Floats]:
    """Blocks of resamples: `samples` random ones, or all n^n where the seed is None.

    The draws depend on n and the seed. The number of pairs only bounds the size of a block.

    >>> (every,) = draws(2, 0, None)
    >>> every  # the topics 1 1, 1 2, 2 1, 2 2
    array([[2., 0.],
           [1., 1.],
           [1., 1.],
           [0., 2.]])
    """
    rows = max(1, CELLS // max(n, pairs))
    if seed is None:
        samples, places = count_all(n), n ** np.arange(n)[::-1]
    rng = np.random.default_rng([seed or 0, n])
    for start in range(0, samples, rows):
        stop = min(start + rows, samples)
        if seed is None:
            drawn = np.arange(start, stop)[:, None] // places % n
        else:
            drawn = rng.integers(n, size=(stop - start, n))
        cells = drawn + np.arange(0, drawn.size, n)[:, None]
        yield np.bincount(cells.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(np.float64)


def means(values: Floats, counts: Floats) -> Floats:
    """mean[pair, resample] of the drawn values.

    >>> means(np.array([[1.0, 3.0]]), np.array([[2.0, 0.0], [1.0, 1.0]]))
    array([[1., 2.]])
    """
    return values @ counts.T / values.shape[1]


def spreads(centred: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """mean[pair, resample] and standard deviation (n - 1) of the drawn values, which have mean 0 before drawing.

    Sums of squares decide quickly; where they nearly cancel, the deviations themselves are squared, so that a
    resample that drew one value only has a spread of exactly 0.

    >>> mean, sd = spreads(np.array([[-1.0, 1.0]]), np.array([[2.0, 0.0], [1.0, 1.0]]))
    >>> mean, sd.round(4)
    (array([[-1.,  0.]]), array([[0.    , 1.4142]]))
    """
    n = centred.shape[1]
    mean = means(centred, counts)
    squares = centred**2 @ counts.T
    scatter = squares - n * mean**2
    pair, resample = np.nonzero(scatter <= 1e-5 * squares)
    step = max(1, CELLS // n)
    for start in range(0, len(pair), step):
        some = slice(start, start + step)
        deviation = centred[pair[some]] - mean[pair[some], resample[some]][:, None]
        scatter[pair[some], resample[some]] = (counts[resample[some]] * deviation**2).sum(axis=1)
    sd = np.sqrt(np.maximum(scatter, 0.0) / (n - 1))
    sd[sd < ZERO] = 0.0
    return mean, sd
