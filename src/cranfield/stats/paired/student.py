"""Student's paired t test, and the tail probabilities that go with it."""

import numpy as np

from cranfield.arrays import Floats
from cranfield.stats.paired.definition import Alternative, Tested, define_test
from cranfield.stats.paired.differences import moments, rounded

NOTE = "assumes that the mean difference of that many topics is about normal; tests the mean"


def tail(t: Floats, freedom: Floats, alternative: Alternative) -> Floats:
    """The probability of a t at least as extreme, with so many degrees of freedom.

    >>> tail(np.array([12.7062]), np.array([1.0]), "two-sided").round(4)
    array([0.05])
    """
    from scipy.special import stdtr

    if alternative == "two-sided":
        return np.minimum(2 * stdtr(freedom, -np.abs(t)), 1.0)
    return stdtr(freedom, -t if alternative == "greater" else t)


@define_test("t", tests="mean", note=NOTE, aliases="student ttest paired-t", cites="Student 1908")
def student(
    differences: Floats,
    *,
    rng: np.random.Generator | None = None,
    samples: int = 0,
    alternative: Alternative = "two-sided",
) -> Tested:
    r"""Student's paired t test: is the mean difference larger than its standard error explains?

    $$t = \frac{\bar d}{s / \sqrt n}$$

    with $n - 1$ degrees of freedom. Differences that are all 0 give t = 0 and p = 1; other constant differences have
    no error at all: t is infinite, and there is no p, because even two topics with the same difference would be
    significant.

    >>> tested = student(np.array([[0.1, 0.3]]))
    >>> tested.statistic.round(4), tested.pvalue.round(4)  # 0.2 / (0.1414 / 1.4142); 2 (1/2 - arctan(2) / π)
    (array([2.]), array([0.2952]))
    """
    of = moments(rounded(differences))
    pvalue = tail(of.t, np.maximum(of.n - 1.0, 1.0), alternative)
    pvalue = np.where(of.constant, np.where(of.mean == 0, 1.0, np.nan), pvalue)
    pvalue = np.where(of.n > 1, pvalue, np.nan)
    return Tested(of.t, pvalue, of.n, "paired t test", NOTE)
