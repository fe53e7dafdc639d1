"""Equivalence: showing that two systems differ by less than a margin, instead of failing to show that they differ."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.stats.paired.differences import moments, rounded, signed_ratio
from cranfield.stats.paired.student import tail

NOTE = "two one-sided paired t tests; the margin must be chosen before the scores are seen"


@dataclass(frozen=True, eq=False)
class Equivalence:
    """Two one-sided tests of many pairs; every array has one element per pair."""

    lower: Floats  # t of the test that the mean difference is above -margin
    upper: Floats  # t of the test that it is below +margin
    pvalue: Floats  # the larger of the two; small means equivalent
    n: Ints
    margin: Floats
    method: str
    note: str


def tost(differences: Floats, margin: float | Floats) -> Equivalence:
    r"""Two one-sided paired t tests: is the mean difference above $-M$ and below $+M$?

    p is the larger of the two p values. Constant differences give p = 0 inside the margin and 1 outside.

    >>> found = tost(np.array([[0.1, 0.3]]), 0.5)
    >>> found.lower.round(4), found.upper.round(4)  # (0.2 + 0.5) / 0.1, (0.2 - 0.5) / 0.1
    (array([7.]), array([-3.]))
    >>> found.pvalue.round(4)  # 1/2 - arctan(3) / π
    array([0.1024])
    """
    of = moments(rounded(differences))
    width = np.broadcast_to(np.asarray(margin, dtype=np.float64), of.mean.shape)
    if not (np.isfinite(width) & (width > 0)).all():
        raise PolicyError(
            "E240", f"{setting('equivalence', margin)} is no margin", hint="a number above 0, such as 0.01"
        )
    freedom = np.maximum(of.n - 1.0, 1.0)
    lower, upper = signed_ratio(of.mean + width, of.error), signed_ratio(of.mean - width, of.error)
    pvalue = np.maximum(tail(lower, freedom, "greater"), tail(upper, freedom, "less"))
    method = "two one-sided paired t tests"
    return Equivalence(
        lower=lower,
        upper=upper,
        pvalue=np.where(of.n > 1, pvalue, np.nan),
        n=of.n,
        margin=width,
        method=method,
        note=NOTE,
    )
