"""The estimate of one run and measure from two kinds of labels."""

from dataclasses import dataclass

import numpy as np

from cranfield.measures.grammar import Measure


@dataclass(frozen=True, eq=False)
class RunEstimate:
    """One run and measure: both kinds of labels together, people's alone, the model's alone."""

    value: float
    error: float
    interval: tuple[float, float]
    people: float
    people_error: float
    model: float
    weight: float


def within(measure: Measure, value: float, half: float) -> tuple[float, float]:
    """An interval that ends where the measure ends."""
    low, high = np.clip([value - half, value + half], measure.definition.low, measure.definition.high)
    return float(low), float(high)
