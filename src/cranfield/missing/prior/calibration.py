"""How good probabilities are: Brier score, log loss, and a reliability table of predicted and observed shares."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bools, Floats, Ints, ratio, segment_size, segment_sum

EDGES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
_LEAST = 1e-6  # a probability is taken for no less when its logarithm is needed


def brier_score(chance: Floats, outcome: Floats | Bools) -> float:
    """The mean squared difference between probability and outcome; 0 is perfect, NaN if there is none.

    >>> round(brier_score(np.array([0.8, 0.4]), np.array([True, False])), 4)  # (0.04 + 0.16) / 2
    0.1
    """
    return float(np.mean((chance - outcome) ** 2)) if len(chance) else np.nan


def log_loss(chance: Floats, outcome: Floats | Bools) -> float:
    """The mean of -log of the probability that was given to what came out; an outcome of 0.5 is half of each.

    >>> round(log_loss(np.array([0.8, 0.4]), np.array([True, False])), 4)  # -(log 0.8 + log 0.6) / 2
    0.367
    """
    if len(chance) == 0:
        return np.nan
    known, wanted = np.clip(chance, _LEAST, 1 - _LEAST), np.asarray(outcome, dtype=np.float64)
    return float(-np.mean(wanted * np.log(known) + (1 - wanted) * np.log1p(-known)))


@dataclass(frozen=True, eq=False)
class Reliability:
    """Probabilities in bins, beside the share of outcomes in each bin.

    >>> found = reliability(np.array([0.01, 0.25, 0.28, 0.9]), np.array([0.0, 0.0, 1.0, 1.0]))
    >>> found.number, found.predicted, found.observed
    (array([1, 2, 1]), array([0.01 , 0.265, 0.9  ]), array([0. , 0.5, 1. ]))
    """

    low: Floats  # by bin that is not empty
    high: Floats
    number: Ints
    predicted: Floats  # mean probability
    observed: Floats  # share of outcomes
    brier: float
    log_loss: float

    @property
    def error(self) -> float:
        """The mean difference between predicted and observed share, each bin by its number."""
        return float(np.average(np.abs(self.predicted - self.observed), weights=self.number))


def reliability(chance: Floats, outcome: Floats | Bools) -> Reliability:
    """The reliability table of some probabilities and what came out."""
    bins = len(EDGES) - 1
    place = np.clip(np.searchsorted(EDGES, chance, side="right") - 1, 0, bins - 1)
    number = segment_size(place, bins)
    held = number > 0
    means = [ratio(segment_sum(place, values, bins), number)[held] for values in (chance, outcome)]
    return Reliability(
        low=np.array(EDGES[:-1])[held],
        high=np.array(EDGES[1:])[held],
        number=number[held],
        predicted=means[0],
        observed=means[1],
        brier=brier_score(chance, outcome),
        log_loss=log_loss(chance, outcome),
    )
