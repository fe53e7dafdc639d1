"""Risk: losses against a baseline weigh more than gains."""

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.stats.paired.differences import moments, rounded


def weighted(differences: Floats, alpha: float = 1.0) -> Floats:
    """Differences with every loss multiplied by 1 + alpha.

    >>> weighted(np.array([[0.2, -0.1]]), alpha=1)
    array([[ 0.2, -0.2]])
    """
    if not (np.isfinite(alpha) and alpha >= 0):
        raise PolicyError(
            "E240", f"{setting('alpha', alpha)} is no weight of losses", hint="a number from 0; 1 doubles losses"
        )
    table = rounded(differences)
    return np.where(table > 0, table, (1 + alpha) * table)


def urisk(differences: Floats, alpha: float = 1.0) -> Floats:
    r"""Risk-sensitive gain: the mean difference with losses counted $1 + \alpha$ times (Wang et al. 2012).

    >>> urisk(np.array([[0.2, -0.1, 0.3]]), alpha=1).round(4)  # (0.2 - 0.2 + 0.3) / 3
    array([0.1])
    """
    return moments(weighted(differences, alpha)).mean


def trisk(differences: Floats, alpha: float = 1.0) -> Floats:
    r"""Risk-sensitive gain over its standard error, which reads like a t statistic (Dinçer et al. 2014).

    Differences that are all 0 give 0, other constant ones an infinite value.

    >>> trisk(np.array([[0.2, -0.1, 0.3]]), alpha=1).round(4)  # 0.1 / (0.2646 / √3)
    array([0.6547])
    """
    return moments(weighted(differences, alpha)).t
