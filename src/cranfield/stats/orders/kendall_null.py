"""The exact distribution of Kendall's tau where two orders have nothing to do with each other."""

import numpy as np


def critical_tau(systems: int, alpha: float) -> float:
    r"""The smallest tau of two orders without ties that is significant at level `alpha`, two-sided.

    Of *n!* equally likely orders, the numbers with 0, 1, 2 … reversed pairs are the coefficients of
    $\prod_{k=2}^{n} (1 + x + \dots + x^{k-1})$. NaN if no order is rare enough.

    >>> round(critical_tau(4, 0.1), 4)  # 2 of 24 orders are as extreme as tau = 1
    1.0
    """
    share = np.ones(1)
    for size in range(2, systems + 1):
        share = np.convolve(share, np.full(size, 1 / size))
    extreme = 2 * np.cumsum(share)  # so few reversed pairs, or so many
    reversed_pairs = int((extreme <= alpha).sum()) - 1
    return 1 - 4 * reversed_pairs / (systems * (systems - 1)) if reversed_pairs >= 0 else float("nan")
