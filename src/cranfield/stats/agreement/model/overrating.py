"""Overrating: for each grade that people gave, how much higher or lower the model's grades are."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.stats.agreement.model.mean_difference import MeanDifference, mean_differences
from cranfield.tables.scores import number
from cranfield.tables.summary import influence


@dataclass(frozen=True)
class Overrating:
    """The model's grades of the pairs to which people gave one grade.

    Attributes:
        grade: the grade that people gave; None: all grades together.
        pairs: how many pairs have it.
        difference: the mean of the model's grade minus this grade.
        overrated: the share of the pairs to which the model gave a higher grade.
        underrated: the share to which it gave a lower one.
    """

    grade: float | None
    pairs: int
    difference: MeanDifference
    overrated: float
    underrated: float

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "grade": self.grade,
            "pairs": self.pairs,
            **self.difference.as_dict("difference"),
            "overrated": number(self.overrated),
            "underrated": number(self.underrated),
        }


def overrating(confusion: Floats, grades: Floats, samples: int, seed: int) -> tuple[Overrating, ...]:
    """The overrating of each grade that people gave, and of all; `confusion[topic, people's grade, model's grade]`.

    Each pair counts once, whatever its topic. Intervals resample topics, by the influence of each on the mean, and do
    not extend beyond the differences that the scale allows.

    >>> by_topic = np.array([[[2.0, 1.0], [0.0, 1.0]], [[1.0, 0.0], [2.0, 2.0]]])
    >>> [
    ...     (each.grade, each.pairs, round(each.difference.value, 4))
    ...     for each in overrating(by_topic, np.array([0.0, 1.0]), 100, 0)
    ... ]
    [(0.0, 4, 0.25), (1.0, 5, -0.4), (None, 9, -0.1111)]
    """
    steps = grades[None, :] - grades[:, None]
    by_grade = np.eye(len(grades))[confusion.sum(axis=(0, 2)) > 0]  # the grades that people gave
    chosen = np.concatenate((by_grade, np.ones((1, len(grades)))))
    size = confusion.sum(axis=2) @ chosen.T  # [topic, row]
    shift = (confusion * steps).sum(axis=2) @ chosen.T
    means = np.divide(shift, size, out=np.full(size.shape, np.nan), where=size > 0)
    rows = np.array([influence(mean, weight) for mean, weight in zip(means.T, size.T, strict=True)])
    whole = confusion.sum(axis=0)
    above, below = ((whole * beyond).sum(axis=1) @ chosen.T / size.sum(axis=0) for beyond in (steps > 0, steps < 0))
    names = [*grades[confusion.sum(axis=(0, 2)) > 0].tolist(), None]
    given = np.array([[grades[0], grades[-1]] if name is None else [name, name] for name in names])
    limits = np.stack((grades[0] - given[:, 1], grades[-1] - given[:, 0]), axis=1)
    differences = [
        each.within(*ends) for each, ends in zip(mean_differences(rows, samples, seed), limits.tolist(), strict=True)
    ]
    pairs = size.sum(axis=0).astype(int).tolist()
    return tuple(map(Overrating, names, pairs, differences, above.tolist(), below.tolist()))
