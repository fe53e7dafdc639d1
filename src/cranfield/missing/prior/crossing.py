"""Cross-validation of a prior: every judged pair is predicted by a model that was fitted without it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.missing.prior.calibration import brier_score
from cranfield.missing.prior.features import ListFeatures
from cranfield.missing.prior.isotonic import IsotonicCurve, isotonic
from cranfield.missing.prior.steps import fit_steps
from cranfield.random_streams import stream

FOLDS = 5
_GAIN = 0.995  # a recalibrated Brier score is better if it is at most this share of the other


@dataclass(frozen=True, eq=False)
class CrossedStep:
    """The probabilities of one step for the pairs judged at least the grade below, each from a fit without it."""

    pair: Ints
    fold: Ints
    chance: Floats
    outcome: Floats

    def recalibration(self) -> IsotonicCurve | None:
        """An isotonic curve, if one that is fitted to the other folds improves the Brier score of each fold."""
        if not 0 < self.outcome.sum() < len(self.outcome) or len(self.pair) < 20 * FOLDS:
            return None
        better = brier_score(self.recalibrated(), self.outcome) < _GAIN * brier_score(self.chance, self.outcome)
        return isotonic(self.chance, self.outcome) if better else None

    def recalibrated(self) -> Floats:
        """The probabilities, each recalibrated on the other folds."""
        value = self.chance.copy()
        for fold in np.unique(self.fold).tolist():
            here = self.fold == fold
            if not here.all():
                value[here] = isotonic(self.chance[~here], self.outcome[~here])(self.chance[here])
        return value


def crossed_steps(
    features: ListFeatures, grade: Floats, grades: Sequence[float], seed: int, by_features: bool
) -> list[CrossedStep]:
    """Predict the judged pairs that some run retrieves, a fifth of each topic at a time."""
    judged = np.flatnonzero(~np.isnan(grade) & (features.retrieving > 0))
    fold: Ints = stream(seed, "prior", "folds").permuted(np.arange(len(judged)) % FOLDS)
    chance = np.full((len(grades), len(judged)), np.nan)
    for number in range(FOLDS if len(judged) >= FOLDS else 0):
        here = fold == number
        kept = grade.copy()
        kept[judged[here]] = np.nan
        for row, step in enumerate(fit_steps(features, kept, grades, by_features)):
            chance[row, here] = step.chance(judged[here])
    found, below = [], -np.inf
    for value, own in zip(grades, chance, strict=True):
        used = (grade[judged] >= below) & ~np.isnan(own)
        outcome = (grade[judged[used]] >= value).astype(np.float64)
        found.append(CrossedStep(judged[used], fold[used], own[used], outcome))
        below = value
    return found
