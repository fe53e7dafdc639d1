"""The mean over topics of which people judged a few and a model all: prediction-powered inference."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats


@dataclass(frozen=True)
class PoweredMean:
    """A mean with its standard error, and how much the model's labels weigh in it."""

    value: float
    error: float
    weight: float  # lambda: 0 leaves the model out


def powered_mean(people: Floats, model: Floats, others: Floats, *, tuned: bool = True) -> PoweredMean:
    r"""The mean score, from the scores of a few topics under people's labels and of all under a model's.

    $$\hat\theta = \lambda \bar f_N + \overline{(Y - \lambda f)}_n, \qquad
    \lambda^* = \frac{\mathrm{Cov}(Y, f)}{(1 + n/N) \mathrm{Var} f}, \qquad
    \mathrm{se}^2 = \frac{\lambda^2 \mathrm{Var} f_N}{N} + \frac{\mathrm{Var}(Y - \lambda f)}{n}$$

    *Y* and *f* are the scores of the *n* topics that people judged, $f_N$ those of the *N* other topics. With
    $\lambda = 1$ it is prediction-powered inference (Angelopoulos et al. 2023); with $\lambda^*$, the weight of the
    smallest variance, PPI++ (Angelopoulos, Duchi and Zrnic 2023). Variances are divided by one less than their number,
    and that of *f* is over all topics. The topics that people judged must be a random sample of all.

    Args:
        people: scores of topics under people's labels.
        model: scores of the same topics under the model's labels.
        others: scores under the model's labels of the topics that people did not judge.
        tuned: whether the model's labels weigh as much as they are worth, or fully.

    >>> people, model = np.array([0.3, 0.5, 0.4, 0.7, 0.2]), np.array([0.35, 0.45, 0.5, 0.6, 0.3])
    >>> found = powered_mean(people, model, np.array([0.55, 0.4, 0.65, 0.25, 0.5]))
    >>> round(found.value, 6), round(found.error, 6), round(found.weight, 6)
    (0.439064, 0.070453, 0.635468)
    """
    n, rest = len(people), len(others)
    if n == 0:
        return PoweredMean(np.nan, np.nan, np.nan)
    weight = 0.0 if rest == 0 else _weight(people, model, others) if tuned else 1.0
    value = float(np.mean(people - weight * model)) + (weight * float(np.mean(others)) if rest else 0.0)
    spread = weight**2 * _variance(others) / rest if weight else 0.0
    return PoweredMean(value, float(np.sqrt(spread + _variance(people - weight * model) / n)), weight)


def _weight(people: Floats, model: Floats, others: Floats) -> float:
    """The weight of the smallest variance; none where the model's scores do not vary, or one topic shows nothing."""
    spread = _variance(np.concatenate([model, others]))
    if len(people) < 2 or not spread > 0:
        return 0.0
    together = float(np.cov(people, model)[0, 1])
    return together / ((1 + len(people) / len(others)) * spread)


def _variance(values: Floats) -> float:
    return float(np.var(values, ddof=1)) if len(values) > 1 else np.nan
