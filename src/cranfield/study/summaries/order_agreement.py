"""How far the order of the runs with changed judgments agrees with the order with all judgments."""

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import PolicyError
from cranfield.stats.orders.coefficient import COEFFICIENTS
from cranfield.stats.orders.correlation import correlate_draws
from cranfield.study.engine.definition import option


def coefficient_option() -> str:
    """The option `coefficient` of a study."""
    chosen: str = option("tau-b", "how two orders are compared", metavar="NAME", names=COEFFICIENTS)
    return chosen


def coefficient_name(coefficient: str) -> str:
    """The name of a coefficient in tables.

    >>> coefficient_name("tau-b")
    'Kendall τ-b'
    """
    return COEFFICIENTS[coefficient].label


def agreement(full: Floats, changed: Floats, coefficient: str) -> Floats:
    """`[…, measure]`: agreement of the means `[run, measure]` with all judgments and others `[…, run, measure]`.

    >>> full = np.array([[0.3], [0.2], [0.1]])
    >>> agreement(full, np.array([full, -full]), "tau-b")
    array([[ 1.],
           [-1.]])
    """
    *lead, runs, measures = changed.shape
    flat = changed.reshape(-1, runs, measures)
    columns = [correlate_draws(full[:, m], flat[:, :, m], coefficient) for m in range(measures)]
    return np.stack(columns, axis=-1).reshape(*lead, measures)


def need_order(runs: int) -> None:
    """Refuse a study of the order of a single run."""
    if runs < 2:
        raise PolicyError("E233", f"an order needs at least 2 runs, {runs} is left", hint="name more runs")
