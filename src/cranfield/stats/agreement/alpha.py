"""Coefficients of any number of assessors: Krippendorff's alpha, for which labels may be missing, and Fleiss' kappa."""

from typing import Literal, TypeAlias, get_args

import numpy as np

from cranfield.arrays import Floats, Ints, ratio, segment_sum
from cranfield.registry import unknown

MeasurementLevel: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[MeasurementLevel, ...] = get_args(MeasurementLevel)


def coincidences(counts: Floats | Ints, group: Ints, groups: int) -> Floats:
    """How often two labels of one pair coincide, summed over the pairs of each group: `[group, grade, grade]`.

    `counts[pair, grade]` says how many labels of that grade a pair got. A pair with *m* labels adds each ordered
    couple of them with weight 1 / (m - 1), so that every label counts once; one label alone counts nothing.

    >>> coincidences(np.array([[2, 1], [0, 1]]), np.array([0, 0]), 1)[0]  # 1-1, 1-1; 1-2 twice in both orders, over 2
    array([[1., 1.],
           [1., 0.]])
    """
    labels = counts.sum(axis=1)
    usable = labels > 1
    counts, group = np.asarray(counts[usable], dtype=np.float64), group[usable]
    weight = 1 / (labels[usable] - 1)
    grades = counts.shape[1]
    table = np.zeros((groups, grades, grades))
    for row in range(grades):
        for column in range(row, grades):
            together = counts[:, row] * (counts[:, column] - (row == column)) * weight
            table[:, row, column] = table[:, column, row] = segment_sum(group, together, groups)
    return table


def alpha(table: Floats, grades: Floats, level: MeasurementLevel = "ordinal") -> Floats:
    r"""Krippendorff's alpha: one minus the disagreement observed, over that expected by chance.

    $$\alpha = 1 - \frac{D_o}{D_e}, \quad D_o = \frac{1}{n} \sum_{c,k} o_{ck}\, \delta_{ck}^2, \quad
    D_e = \frac{1}{n (n - 1)} \sum_{c,k} n_c\, n_k\, \delta_{ck}^2$$

    over tables of coincidences *o*, of which $n_c$ are the row sums. The squared difference of two grades is 1 on the
    nominal level, $(c - k)^2$ on the interval level, $((c - k) / (c + k))^2$ on the ratio level, and on the ordinal
    level the square of the number of labels between them, half of those at both ends counted.

    >>> table = coincidences(np.array([[2, 0], [2, 0], [0, 2], [1, 1]]), np.zeros(4, dtype=int), 1)
    >>> alpha(table, np.array([0, 1]), "nominal").round(4)  # 1 - (2 / 8) / (2 · 5 · 3 / 56)
    array([0.5333])
    """
    n = table.sum(axis=-1)
    size = n.sum(axis=-1)
    apart = _squared_difference(n, np.asarray(grades, dtype=np.float64), level)
    observed = np.sum(table * apart, axis=(-2, -1)) * (size - 1)
    expected = np.einsum("...c,...ck,...k->...", n, np.broadcast_to(apart, table.shape), n)
    return 1 - ratio(observed, expected)


def fleiss_parts(counts: Floats | Ints, group: Ints, groups: int) -> Floats:
    """The counts for Fleiss' kappa in each group of pairs: number of pairs, their agreement, labels of each grade.

    Every pair has the same number *m* of labels, and agrees by $P_i = (\\sum_j n_{ij}^2 - m) / (m (m - 1))$.
    """
    labels = counts.sum(axis=1)
    agreed = ratio(np.sum(np.asarray(counts, dtype=np.float64) ** 2, axis=1) - labels, labels * (labels - 1))
    columns = [np.ones(len(counts)), agreed, *np.asarray(counts, dtype=np.float64).T]
    return np.stack([segment_sum(group, column, groups) for column in columns], axis=-1)


def fleiss(parts: Floats) -> Floats:
    r"""Fleiss' kappa: agreement beyond chance of equally many labels per pair, from any assessors.

    $$\kappa = \frac{\bar P - \bar P_e}{1 - \bar P_e}, \qquad \bar P_e = \sum_j p_j^2$$

    where $p_j$ is the share of grade *j* among all labels.

    >>> counts = np.array([[2, 0], [2, 0], [0, 2], [1, 1]])
    >>> fleiss(fleiss_parts(counts, np.zeros(4, dtype=int), 1)).round(4)  # (.75 - 34 / 64) / (1 - 34 / 64)
    array([0.4667])
    """
    pairs, agreed, counts = parts[..., 0], parts[..., 1], parts[..., 2:]
    shares = ratio(counts, counts.sum(axis=-1, keepdims=True))
    expected = np.sum(shares**2, axis=-1)
    return ratio(ratio(agreed, pairs) - expected, 1 - expected)


def known_level(level: str) -> MeasurementLevel:
    """A level of measurement, or an error that lists them."""
    for known in LEVELS:
        if level == known:
            return known
    raise unknown("level", level, LEVELS)


def _squared_difference(n: Floats, grades: Floats, level: MeasurementLevel) -> Floats:
    if level == "nominal":
        return 1 - np.eye(len(grades))
    if level == "interval":
        return (grades[:, None] - grades) ** 2
    if level == "ratio":
        if (grades < 0).any():  # there is no ratio between amounts below nothing
            return np.full((len(grades), len(grades)), np.nan)
        total = grades[:, None] + grades
        return np.nan_to_num(ratio(grades[:, None] - grades, total)) ** 2
    middle = np.cumsum(n, axis=-1) - n / 2
    difference: Floats = (middle[..., :, None] - middle[..., None, :]) ** 2
    return difference
