"""Ridge logistic regression with an intercept of its own for each topic, shrunken towards 0; in plain NumPy.

The topics' intercepts make the matrix of second derivatives an arrow: a small dense block for the coefficients and a
diagonal for the topics, so that thousands of topics cost no more than their rows.
"""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bools, Floats, Ints, segment_size, segment_sum

_PULL = 1 / 1.5**2  # of the intercept towards 0: P = 0.5 where nothing is known
_RIDGE = 1.0  # of every coefficient of a standardised feature
_FARTHEST = 4.0  # standard deviations beyond which a feature has no further effect
_STEPS = 60
_CLOSE = 1e-7
_LONGEST = 4.0  # step of any coefficient


def expit(logit: Floats) -> Floats:
    """The probability of a logit, without overflow.

    >>> expit(np.array([-np.inf, 0.0, np.inf]))
    array([0. , 0.5, 1. ])
    """
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-logit))


def logit(chance: Floats) -> Floats:
    """The logit of a probability; 0 and 1 are infinite.

    >>> logit(np.array([0.0, 0.5, 1.0]))
    array([-inf,   0.,  inf])
    """
    with np.errstate(divide="ignore"):
        return np.log(chance) - np.log1p(-chance)


@dataclass(frozen=True, eq=False)
class Standard:
    """Where each feature has its mean and how far it spreads, over the pairs that a model is fitted to."""

    mean: Floats
    spread: Floats

    @classmethod
    def of(cls, features: Floats) -> "Standard":
        """Of the features of some pairs, [pair, feature]."""
        if len(features) == 0:
            return cls(np.zeros(features.shape[1]), np.ones(features.shape[1]))
        spread = features.std(axis=0)
        return cls(features.mean(axis=0), np.where(spread > 1e-9, spread, 1.0))

    def design(self, features: Floats) -> Floats:
        """A column of ones, the standardised features, and their squares, [pair, coefficient]."""
        scaled = np.clip((features - self.mean) / self.spread, -_FARTHEST, _FARTHEST)
        return np.column_stack((np.ones(len(scaled)), scaled, scaled**2 - 1))


@dataclass(frozen=True, eq=False)
class LogisticFit:
    """Coefficients and topics' intercepts with their joint normal posterior.

    With the features left out it is the prevalence of each topic, shrunken towards that of all:

    >>> relevant, topic = np.array([1.0, 1, 1, 0, 0, 0, 0, 0]), np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> fit = fit_logistic(np.empty((8, 0)), topic, relevant, topics=3)
    >>> expit(fit.logit(np.empty((3, 0)), np.arange(3))).round(2)  # the third has no judgments
    array([0.63, 0.17, 0.4 ])
    """

    standard: Standard
    coefficient: Floats  # of the ones, the features and their squares
    intercept: Floats  # by topic
    topic_spread: float  # standard deviation of the intercepts
    inner: Floats  # precision of the coefficients, the topics integrated out
    cross: Floats  # [coefficient, topic]
    precision: Floats  # by topic, given the coefficients

    def logit(self, features: Floats, topic: Ints) -> Floats:
        """The logit of each pair at the most probable coefficients."""
        return np.asarray(self.standard.design(features) @ self.coefficient + self.intercept[topic])

    def variance(self, features: Floats, topic: Ints) -> Floats:
        """How uncertain each pair's logit is because the coefficients are."""
        leaning = self.standard.design(features) - (self.cross / self.precision).T[topic]
        return np.einsum("ij,ij->i", leaning @ np.linalg.inv(self.inner), leaning) + 1 / self.precision[topic]

    def draw(self, rng: np.random.Generator, draws: int) -> tuple[Floats, Floats]:
        """Coefficients [draw, coefficient] and topics' intercepts [draw, topic] from their posterior."""
        root = np.linalg.cholesky(np.linalg.inv(self.inner))
        moved = rng.standard_normal((draws, len(self.coefficient))) @ root.T
        own = rng.standard_normal((draws, len(self.intercept))) / np.sqrt(self.precision)
        return self.coefficient + moved, self.intercept + own - moved @ (self.cross / self.precision)

    def errors(self) -> Floats:
        """The standard error of each coefficient."""
        return np.sqrt(np.diag(np.linalg.inv(self.inner)))


def fit_logistic(features: Floats, topic: Ints, outcome: Floats | Bools, topics: int) -> LogisticFit:
    """Fit by Newton's method; the spread of the topics' intercepts is estimated along the way.

    Args:
        features: of each pair, [pair, feature].
        topic: of each pair.
        outcome: 1 or 0 of each pair.
        topics: how many there are; those without a pair keep the intercept 0 and all its uncertainty.
    """
    standard = Standard.of(features)
    design, wanted = standard.design(features), np.asarray(outcome, dtype=np.float64)
    pull = np.r_[_PULL, np.full(design.shape[1] - 1, _RIDGE)]
    coefficient, intercept, spread = np.zeros(design.shape[1]), np.zeros(topics), 1.0
    seen = segment_size(topic, topics) > 0
    for _ in range(_STEPS):
        chance = expit(design @ coefficient + intercept[topic])
        weight, miss = np.maximum(chance * (1 - chance), 1e-9), wanted - chance
        precision = segment_sum(topic, weight, topics) + 1 / spread
        cross = np.stack([segment_sum(topic, weight * column, topics) for column in design.T])
        inner = (design * weight[:, None]).T @ design + np.diag(pull) - (cross / precision) @ cross.T
        slope = segment_sum(topic, miss, topics) - intercept / spread
        step = np.linalg.solve(inner, design.T @ miss - pull * coefficient - (cross / precision) @ slope)
        own = (slope - cross.T @ step) / precision
        longest = max(np.abs(step).max(), np.abs(own).max(initial=0.0))
        coefficient, intercept = (
            coefficient + step * min(1.0, _LONGEST / max(longest, 1e-12)),
            intercept + own * min(1.0, _LONGEST / max(longest, 1e-12)),
        )
        renewed = _spread(intercept, inner, cross, precision, seen)
        settled = abs(np.log(renewed / spread)) < 1e-3
        spread = renewed if longest < 1 else spread
        if longest < _CLOSE and settled:
            break
    return LogisticFit(
        standard=standard,
        coefficient=coefficient,
        intercept=intercept,
        topic_spread=float(np.sqrt(spread)),
        inner=inner,
        cross=cross,
        precision=precision,
    )


def _spread(intercept: Floats, inner: Floats, cross: Floats, precision: Floats, seen: Bools) -> float:
    """The mean square of the intercepts of topics with judgments, pulled a little towards 1."""
    lean = cross / precision
    variance = 1 / precision + np.einsum("ij,ij->j", lean, np.linalg.solve(inner, lean))
    return float((np.sum((intercept**2 + variance)[seen]) + 1) / (np.count_nonzero(seen) + 1))
