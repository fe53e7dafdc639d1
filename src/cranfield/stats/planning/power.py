"""The probability that a planned experiment finds a difference."""

import numpy as np

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting


def power_paired(n: int, d: float, alpha: float = 0.05) -> float:
    r"""The power of a two-sided paired t test on `n` topics.

    $$P(|T'| > t_{1-\alpha/2,\,n-1}), \qquad T' \sim t_{n-1}(\delta = d \sqrt n)$$

    `d` is the standardised difference: the mean difference divided by the standard deviation of the differences.

    >>> round(power_paired(50, 1 / 3), 6)
    0.637094
    """
    from scipy.special import nctdtr, stdtrit

    at_least(n=n, least=2)
    inside(alpha=alpha)
    df, shift = n - 1, abs(d) * np.sqrt(n)
    point = float(stdtrit(df, 1 - alpha / 2))
    return _probability(1 - _known(nctdtr(df, shift, point)) + _known(nctdtr(df, shift, -point)))


def power_anova(
    n: int, systems: int, difference: float, variance: float, alpha: float = 0.05, *, blocked: bool = False
) -> float:
    r"""The power of an analysis of variance of several systems on `n` topics (Sakai 2016).

    Two systems lie `difference` apart and all others half-way between them, which is the hardest case:

    $$P(F' > F_{1-\alpha}), \qquad F' \sim F_{m-1,\,\nu}\left(\lambda = \frac{n\,\Delta^2}{2 \sigma^2}\right)$$

    with ν = m(n - 1), or (m - 1)(n - 1) if topics are `blocked` out; `variance` is that of the error.

    >>> [power_anova(n, 2, 0.1, 0.03) >= 0.8 for n in (48, 49)]
    [False, True]
    """
    from scipy.special import fdtri, ncfdtr

    at_least(n=n, least=2)
    at_least(systems=systems, least=2)
    inside(alpha=alpha)
    above_zero(variance=variance)
    df = ((systems - 1) if blocked else systems) * (n - 1)
    shift = n * difference**2 / (2 * variance)
    point = float(fdtri(systems - 1, df, 1 - alpha))
    return _probability(1 - _known(ncfdtr(systems - 1, df, shift, point)))


def expected_width(n: int, variance: float, alpha: float = 0.05) -> float:
    r"""The expected width of the interval for a difference of two means over `n` topics.

    $$2\,t_{1-\alpha/2,\,n-1} \sqrt{\frac{2\sigma^2}{n}}\,\frac{E[s]}{\sigma}, \qquad
      \frac{E[s]}{\sigma} = \sqrt{\frac{2}{n-1}}\,\frac{\Gamma(n/2)}{\Gamma((n-1)/2)}$$

    `variance` is that of a score, so that a difference has twice as much.

    >>> [expected_width(n, 0.03) <= 0.1 for n in (94, 95)]
    [False, True]
    """
    from scipy.special import poch, stdtrit

    at_least(n=n, least=2)
    inside(alpha=alpha)
    above_zero(variance=variance)
    shrunk = np.sqrt(2 / (n - 1)) * float(poch((n - 1) / 2, 0.5))
    return float(2 * stdtrit(n - 1, 1 - alpha / 2) * np.sqrt(2 * variance / n) * shrunk)


def inside(**value: float) -> None:
    """Refuse a share that is not between 0 and 1."""
    for name, given in value.items():
        if not 0 < given < 1:
            raise PolicyError("E240", f"{setting(name, given)} is no share", hint="above 0 and below 1")


def above_zero(**value: float) -> None:
    """Refuse an amount that is not above 0."""
    for name, given in value.items():
        if not 0 < given < np.inf:
            raise PolicyError("E240", f"{setting(name, given)} is no amount", hint="a number above 0")


def at_least(*, least: int, **value: int) -> None:
    """Refuse a count that is too small."""
    for name, given in value.items():
        if given < least:
            raise PolicyError("E240", f"{setting(name, given)} is too few", hint=f"{least} or more")


def _known(probability: float) -> float:
    """A value of a noncentral distribution; SciPy gives NaN where it is too small for a number."""
    return 0.0 if np.isnan(probability) else float(probability)


def _probability(value: float) -> float:
    return min(max(value, 0.0), 1.0)
