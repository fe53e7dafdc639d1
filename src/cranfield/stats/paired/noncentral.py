"""The noncentral t distribution, solved for its noncentrality."""

import numpy as np

from cranfield.arrays import Floats


def noncentrality(t: Floats, freedom: Floats, share: float) -> Floats:
    r"""The noncentrality δ for which a noncentral t variable stays below `t` with that probability.

    SciPy solves it, but not for very large t. There δ is distributed like $t \sqrt{\chi^2 / m} - Z$, in which the
    normal Z hardly matters: its quantile is that of the first part, x, moved by half the slope of its log density.

    >>> noncentrality(np.array([0.0, 1e6]), np.array([5.0, 5.0]), 0.025).round(2)  # 1.96; 10⁶ √(12.8325 / 5)
    array([1.96000000e+00, 1.60203009e+06])
    """
    from scipy.special import chdtri, nctdtr, nctdtrinc

    far = t > 100 * np.sqrt(2 * freedom)
    solved = np.isfinite(t) & ~far
    found = np.full(t.shape, np.nan)
    m, at = freedom[solved], t[solved]
    rough = nctdtrinc(m, share, at)  # to about five digits; a step of Newton's doubles them
    slope = (nctdtr(m, rough + 1e-4, at) - nctdtr(m, rough - 1e-4, at)) / 2e-4
    found[solved] = rough - (nctdtr(m, rough, at) - share) / slope
    large = np.where(far & np.isfinite(t), t, 1.0)
    x = large * np.sqrt(chdtri(freedom, share) / freedom)
    moved = x - ((freedom - 1) / x - freedom * x / large**2) / 2
    return np.where(far & np.isfinite(t), moved, found)
