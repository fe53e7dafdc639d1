"""Kendall's tau and related coefficients: counts of pairs of systems in the same or in opposite orders."""

import math
from functools import cache

import numpy as np

from cranfield.arrays import Floats, Ints, ratio
from cranfield.stats.orders.coefficient import coefficient
from cranfield.stats.orders.orders import blocks, tied_pairs, tied_ranks, upright


@coefficient("tau-b", "Kendall τ-b", aliases="tau", cites="Kendall 1945")
def tau_b(x: Floats, y: Floats) -> Floats:
    r"""Kendall's tau, corrected for ties: the usual tau between two orders of systems.

    $$\tau_b = \frac{C - D}{\sqrt{(n_0 - T_x)(n_0 - T_y)}}$$

    where *C* pairs of systems are in the same order and *D* in opposite orders, $n_0 = n(n-1)/2$ is the number of
    pairs, and $T_x$ and $T_y$ are tied in the one and in the other vector.

    >>> tau_b(np.array([[4.0, 3, 3, 1]]), np.array([[4.0, 3, 2, 1]])).round(4)  # 5 / √(5 · 6)
    array([0.9129])
    """
    (balance, _), ties = pair_counts(x, y), (tied_pairs(*tied_ranks(x)), tied_pairs(*tied_ranks(y)))
    pairs = math.comb(x.shape[1], 2)
    return ratio(balance, np.sqrt((pairs - ties[0]).astype(np.float64) * (pairs - ties[1])))


@coefficient("tau-a", "Kendall τ-a", cites="Kendall 1938")
def tau_a(x: Floats, y: Floats) -> Floats:
    r"""Kendall's tau without correction: a tie counts as half right, half wrong.

    $$\tau_a = \frac{C - D}{n_0}$$

    with the counts of tau-b; without ties the two are equal.

    >>> tau_a(np.array([[4.0, 3, 3, 1]]), np.array([[4.0, 3, 2, 1]])).round(4)  # 5 / 6
    array([0.8333])
    """
    return ratio(pair_counts(x, y)[0], math.comb(x.shape[1], 2))


@coefficient("flips", "Reversed pairs", low=0, same=0, needs_order=False)
def flips(x: Floats, y: Floats) -> Floats:
    r"""Number of pairs of systems that the two orders put in opposite orders.

    $$D = \left|\{i < j : (x_i - x_j)(y_i - y_j) < 0\}\right|$$

    >>> flips(np.array([[4.0, 3, 2, 1]]), np.array([[4.0, 1, 2, 3]]))  # 3-2, 3-1 and 2-1
    array([3.])
    """
    return pair_counts(x, y)[1].astype(np.float64)


@coefficient("max-drop", "Largest fall in places", symmetric=False, low=0, same=0, needs_order=False)
def max_drop(x: Floats, y: Floats) -> Floats:
    r"""Most places that a system falls from the first order to the second.

    $$\max_i\, (\mathrm{rank}_y(i) - \mathrm{rank}_x(i))$$

    where the rank is one more than the number of better systems; 0 if none falls.

    >>> max_drop(np.array([[4.0, 3, 2, 1]]), np.array([[1.0, 2, 4, 3]]))  # the first becomes the last
    array([3.])
    """
    falls = tied_ranks(y)[0] - tied_ranks(x)[0]
    return np.maximum(falls.max(axis=1, initial=0), 0).astype(np.float64)


def pair_counts(x: Floats, y: Floats) -> tuple[Ints, Ints]:
    """`C - D` and `D` of each draw, from the signs of all pairs a fixed number of systems apart, at once.

    >>> pair_counts(np.array([[4.0, 3, 3, 1]]), np.array([[4.0, 2, 3, 1]]))
    (array([5]), array([0]))
    """
    (draws, systems), xs, ys = x.shape, tied_ranks(x)[0], tied_ranks(y)[0]
    balance, opposed = np.zeros(draws, dtype=np.int64), np.zeros(draws, dtype=np.int64)
    for part in blocks(draws, systems):
        left, right = upright(xs[part]), upright(ys[part])
        net, wrong = np.zeros_like(left), np.zeros_like(left)
        for apart in range(1, systems):
            product = (left[apart:] - left[:-apart]) * (right[apart:] - right[:-apart])
            net[apart:] += np.sign(product)
            wrong[apart:] += product < 0
        balance[part], opposed[part] = net.sum(axis=0), wrong.sum(axis=0)
    return balance, opposed


def critical_tau(systems: int, alpha: float = 0.05) -> float:
    """The smallest tau of two orders without ties that chance reaches with probability `alpha` at most.

    Two-sided and exact: all orders of the systems are equally likely. NaN where even a perfect tau is not enough.

    >>> round(critical_tau(30), 4), round(critical_tau(30, 0.01), 4)
    (0.2552, 0.3333)
    """
    shares = _inversions(systems)
    at_least = 2 * np.cumsum(shares)  # both tails of the chance that D is at most this, by symmetry
    enough = np.flatnonzero(at_least <= alpha)
    return float(1 - 2 * enough[-1] / (len(shares) - 1)) if len(enough) else math.nan


@cache
def _inversions(systems: int) -> Floats:
    """The chance that a random order of so many systems has 0, 1, 2 … inversions."""
    shares = np.ones(1)
    for size in range(2, systems + 1):
        shares = np.convolve(shares, np.full(size, 1 / size))
    return shares
