"""One step from a grade to the next: how probable it is that a document of at least the lower grade has the higher."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.missing.prior.features import ListFeatures
from cranfield.missing.prior.isotonic import IsotonicCurve
from cranfield.missing.prior.logistic import LogisticFit, expit, fit_logistic, logit

FEWEST = 10  # outcomes of either kind that a regression on features needs
SMOOTH = np.pi / 8  # how much a logit shrinks for the variance around it (MacKay 1992)


@dataclass(frozen=True, eq=False)
class GradeStep:
    """P(grade ≥ this | grade ≥ the one below) of every pair.

    Attributes:
        grade: the higher one.
        fit: the regression; without one, `given` holds everything.
        features: of every pair, as the regression uses them; no columns if it is prevalence alone.
        given: probabilities from elsewhere, NaN where there are none and the regression decides.
        curve: recalibrates the probabilities of the regression.
        judged: how many judgments it was fitted to.
        reached: how many of them have the grade or a higher one.
    """

    grade: float
    fit: LogisticFit | None
    features: Floats
    topic: Ints
    given: Floats | None = None
    curve: IsotonicCurve | None = None
    judged: int = 0
    reached: int = 0

    @property
    def by_features(self) -> bool:
        """Whether the lists decide, and not prevalence alone."""
        return self.features.shape[1] > 0

    def logit(self, pairs: Ints) -> Floats:
        """The logit of each of some pairs at the most probable coefficients."""
        own = np.zeros(len(pairs)) if self.fit is None else self.fit.logit(self.features[pairs], self.topic[pairs])
        return self._with_given(own + self.shift(own), pairs)

    def shift(self, own: Floats) -> Floats:
        """What recalibration adds to logits."""
        return np.zeros_like(own) if self.curve is None else logit(self.curve(expit(own))) - own

    def _with_given(self, own: Floats, pairs: Ints) -> Floats:
        if self.given is None:
            return own
        given = self.given[pairs]
        return np.where(np.isnan(given), own, logit(given))

    def chance(self, pairs: Ints) -> Floats:
        """The probability of each of some pairs, averaged over coefficients."""
        variance = np.zeros(len(pairs))
        if self.fit is not None:
            variance = variance + self.fit.variance(self.features[pairs], self.topic[pairs])
        if self.given is not None:
            variance = np.where(np.isnan(self.given[pairs]), variance, 0.0)
        return expit(self.logit(pairs) / np.sqrt(1 + SMOOTH * variance))

    def recalibrated(self, curve: IsotonicCurve) -> "GradeStep":
        """The same step with its probabilities recalibrated."""
        return replace(self, curve=curve)


def grades_of(grade: Floats) -> tuple[float, ...]:
    """The grades above 0 that were given, ascending.

    >>> grades_of(np.array([0.0, 2.0, np.nan, 1.0]))
    (1.0, 2.0)
    """
    return tuple(np.unique(grade[grade > 0]).tolist())


def fit_steps(
    features: ListFeatures, grade: Floats, grades: Sequence[float], by_features: bool = True
) -> tuple[GradeStep, ...]:
    """Fit each step to the judged pairs; one with few outcomes of either kind is the prevalence of its topic."""
    known = features.candidates
    columns = features.with_quality(grade) if by_features else np.empty((len(known), 0))
    below, steps = -np.inf, []
    for value in grades:
        used: Bools = ~np.isnan(grade) & (grade >= below)
        steps.append(_step(columns, known.topic, grade, used, value, len(known.topics)))
        below = value
    return tuple(steps)


def _step(columns: Floats, topic: Ints, grade: Floats, used: Bools, value: float, topics: int) -> GradeStep:
    outcome = grade[used] >= value
    reached = int(np.count_nonzero(outcome))
    enough = min(reached, len(outcome) - reached) >= FEWEST
    own = columns if enough else columns[:, :0]
    if reached == len(outcome):  # nothing was judged lower: how often it happens is not known
        used, outcome = np.zeros_like(used), outcome[:0]
    fit = fit_logistic(own[used], topic[used], outcome, topics)
    return GradeStep(value, fit, own, topic, judged=len(grade[used]), reached=reached)
