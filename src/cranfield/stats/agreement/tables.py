"""Confusion tables of two assessors, thousands at once, with the sums that coefficients share."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Floats, ratio


@dataclass(frozen=True, eq=False)
class Tables:
    """`cells[i, j, table]`: pairs that got grade *i* from the first assessor and *j* from the second.

    The tables come last, so that a sum over few grades is a sum of long columns.

    >>> one = Tables.of([[300, 20], [10, 70]])
    >>> one.rows[:, 0], one.columns[:, 0], one.size
    (array([320.,  80.]), array([310.,  90.]), array([400.]))
    """

    cells: Floats
    grades: Floats
    rel: float = 1  # the lowest relevant grade
    shape: tuple[int, ...] = field(default=())

    @classmethod
    def of(cls, tables: ArrayLike, grades: ArrayLike | None = None, rel: float = 1) -> "Tables":
        """From an array `[..., grade, grade]`; without a scale the grades are 0, 1, 2 …"""
        array = np.asarray(tables, dtype=np.float64)
        count = array.shape[-1]
        cells = np.ascontiguousarray(array.reshape(-1, count**2).T).reshape(count, count, -1)
        scale = np.arange(count) if grades is None else np.asarray(grades)
        return cls(cells, scale.astype(np.float64), rel, array.shape[:-2])

    @cached_property
    def rows(self) -> Floats:
        """`[grade, table]`: how often the first assessor gave each grade."""
        return self.cells.sum(axis=1)

    @cached_property
    def columns(self) -> Floats:
        """`[grade, table]`: how often the second assessor gave each grade."""
        return self.cells.sum(axis=0)

    @cached_property
    def size(self) -> Floats:
        """Pairs in each table."""
        return self.rows.sum(axis=0)

    @cached_property
    def observed(self) -> Floats:
        """The share of pairs that got the same grade from both."""
        return ratio(sum(self.cells[place, place] for place in range(len(self.grades))), self.size)

    @cached_property
    def shares(self) -> Floats:
        """`[grade, table]`: the distribution of grades of both assessors together."""
        return ratio(self.rows + self.columns, 2 * self.size)

    @cached_property
    def binary(self) -> tuple[Floats, Floats, Floats]:
        """How many are relevant for both, for one, for neither."""
        relevant = self.grades >= self.rel
        both = self.cells[relevant][:, relevant].sum(axis=(0, 1))
        neither = self.cells[~relevant][:, ~relevant].sum(axis=(0, 1))
        return both, self.size - both - neither, neither

    def weighted(self, weight: Floats) -> Floats:
        """The weighted sum of the cells of each table."""
        return weight.ravel() @ self.cells.reshape(weight.size, -1)

    def correlation(self, x: Floats, y: Floats) -> Floats:
        """Pearson's r where row *i* has the value `x[i]` and column *j* the value `y[j]`, in each table."""
        x = x - ratio(np.sum(self.rows * x, axis=0), self.size)
        y = y - ratio(np.sum(self.columns * y, axis=0), self.size)
        spread = np.sqrt(np.sum(self.rows * x * x, axis=0)) * np.sqrt(np.sum(self.columns * y * y, axis=0))
        defined = (np.count_nonzero(self.rows, axis=0) > 1) & (np.count_nonzero(self.columns, axis=0) > 1)
        together = sum(x[place] * np.sum(self.cells[place] * y, axis=0) for place in range(len(self.grades)))
        return np.where(defined, ratio(together, spread), np.nan)


def weights(grades: Floats, power: int) -> Floats:
    """Weights of agreement between grades, 1 on the diagonal and 0 between the ends of the scale.

    >>> weights(np.array([0, 1, 2]), 2)[0]
    array([1.  , 0.75, 0.  ])
    """
    width = float(np.ptp(grades)) if len(grades) else 0.0
    return np.asarray(1 - (np.abs(grades[:, None] - grades) / (width or 1.0)) ** power)
