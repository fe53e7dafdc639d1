"""How well two orders of systems agree: one coefficient, for two vectors of means or for many pairs at once."""

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Bools, Floats
from cranfield.errors import InputError, MeasureError
from cranfield.errors.ranges import check_confidence, check_least
from cranfield.registry import registered
from cranfield.stats.draws import check_draws
from cranfield.stats.orders.coefficient import COEFFICIENTS, Coefficient, CoefficientChoices
from cranfield.stats.orders.orders import settled


@dataclass(frozen=True)
class Correlation:
    """A coefficient of two orders of systems, with an interval over resampled topics.

    >>> scores = np.array([[0.9, 0.8, 0.7], [0.5, 0.6, 0.5]])
    >>> found = correlation_interval(scores, 1 - scores)
    >>> found.coefficient, found.estimate, found.topics  # the second order is the first turned round
    ('tau-b', -1.0, 3)
    """

    coefficient: str  # its name
    estimate: float  # of the two orders
    interval: tuple[float, float]  # the middle share `level` of the resampled coefficients
    n: int  # systems
    topics: int  # that were resampled
    dropped: int  # topics left out, because a system has no score there
    level: float  # of confidence
    samples: int  # resamples whose coefficient is defined
    method: str  # how the interval was found


def correlate(x: ArrayLike, y: ArrayLike, coefficient: str = "tau-b", **options: Unpack[CoefficientChoices]) -> float:
    """The coefficient of two vectors of system means; means that agree to 12 decimals are tied.

    NaN where a mean is undefined, and (except for counts and rbo) where all systems of a vector are equal.

    >>> x, y = [0.50, 0.45, 0.45, 0.30, 0.20, 0.10], [0.48, 0.47, 0.40, 0.35, 0.35, 0.05]
    >>> round(correlate(x, y), 4), round(correlate(x, y, "tau-a"), 4)  # 13 pairs agree, none is reversed
    (0.9286, 0.8667)
    """
    left, right = (np.asarray(values, dtype=np.float64) for values in (x, y))
    if left.ndim != 1 or left.shape != right.shape:
        raise InputError(
            "E119",
            f"two vectors of the same systems are needed, found {_shape(left)} and {_shape(right)}",
            hint="correlate_draws takes many pairs at once",
        )
    return float(correlate_draws(left[None], right[None], coefficient, **options)[0])


def correlate_draws(
    x: ArrayLike, y: ArrayLike, coefficient: str = "tau-b", **options: Unpack[CoefficientChoices]
) -> Floats:
    """The coefficient of many pairs: `[draws, systems]` × `[draws, systems]` → `[draws]`.

    A vector on one side is compared with every row of the other.

    >>> correlate_draws([[3, 2, 1], [1, 2, 3], [1, 1, 1]], [0.3, 0.2, 0.1])
    array([ 1., -1., nan])
    """
    found = _known(coefficient, options)
    left, right = (np.atleast_2d(np.asarray(values, dtype=np.float64)) for values in (x, y))
    if left.shape[1] != right.shape[1] or not (len(left) == len(right) or 1 in (len(left), len(right))):
        raise InputError("E119", f"means of {_shape(left)} and {_shape(right)} do not belong together")
    left, right = np.broadcast_arrays(settled(left), settled(right))
    undefined = np.isnan(left).any(axis=1) | np.isnan(right).any(axis=1)
    if found.needs_order:
        undefined |= _constant(left) | _constant(right)
    values = np.full(len(left), np.nan)
    if not undefined.all():
        values[~undefined] = found.function(left[~undefined], right[~undefined], **options)
    return values


def correlation_interval(
    x: ArrayLike,
    y: ArrayLike,
    coefficient: str = "tau-b",
    *,
    level: float = 0.95,
    samples: int = 2000,
    seed: int = 0,
    **options: Unpack[CoefficientChoices],
) -> Correlation:
    """The coefficient of the mean orders of two matrices `[systems, topics]`, with a bootstrap interval over topics.

    Topics are drawn with replacement, the same for both matrices; the interval holds the middle share `level` of the
    coefficients. Resampled means are noisier than the means, so both orders vary more and the interval tends to lie
    low: it need not contain the estimate. A topic where a system has no score is left out and counted.

    >>> scores = np.array([[0.9, 0.8, 0.7, 0.9], [0.5, 0.6, 0.5, 0.4], [0.1, 0.2, 0.3, 0.1]])
    >>> found = correlation_interval(scores, scores**2)
    >>> found.estimate, found.interval, found.n, found.topics
    (1.0, (1.0, 1.0), 3, 4)
    """
    check_confidence(level=level)
    check_least(1, samples=samples)
    left, right = (np.asarray(values, dtype=np.float64) for values in (x, y))
    if left.ndim != 2 or left.shape != right.shape:
        raise InputError("E119", f"scores of {_shape(left)} and {_shape(right)} do not belong together")
    whole = np.asarray(~(np.isnan(left).any(axis=0) | np.isnan(right).any(axis=0)))
    left, right, topics = left[:, whole], right[:, whole], int(whole.sum())
    if topics < 2:
        raise InputError("E208", f"an interval needs at least 2 common topics, got {topics}")
    check_draws(samples, 8 * (2 * topics + 4 * len(left)))
    drawn = np.random.default_rng(seed).multinomial(topics, np.full(topics, 1 / topics), size=samples) / topics
    values = correlate_draws(drawn @ left.T, drawn @ right.T, coefficient, **options)
    values = values[~np.isnan(values)]
    low, high = np.quantile(values, [0.5 - level / 2, 0.5 + level / 2]) if len(values) else (np.nan, np.nan)
    return Correlation(
        coefficient=_known(coefficient, options).name,
        estimate=correlate(left.mean(axis=1), right.mean(axis=1), coefficient, **options),
        interval=(float(low), float(high)),
        n=len(left),
        topics=topics,
        dropped=len(whole) - topics,
        level=level,
        samples=len(values),
        method="percentile bootstrap over topics",
    )


def _known(name: str, options: CoefficientChoices) -> Coefficient:
    found = COEFFICIENTS[registered("coefficient", name, COEFFICIENTS)]
    if unknown := next((option for option in options if option not in found.parameters), None):
        takes = f"it takes {', '.join(found.parameters)}" if found.parameters else "it takes none"
        raise MeasureError("E204", f"{found.name} has no parameter {unknown!r}", hint=takes)
    return found


def _constant(values: Floats) -> Bools:
    return np.asarray((values == values[:, :1]).all(axis=1))


def _shape(values: Floats) -> str:
    return " × ".join(map(str, values.shape)) or "one number"
