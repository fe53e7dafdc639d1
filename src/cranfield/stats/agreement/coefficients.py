"""Coefficients of agreement of two assessors, each a function of their confusion tables.

All are undefined (NaN) if chance alone gives perfect agreement. The example in the docstrings is the table of a
lecture: 300 and 70 pairs on the diagonal, 20 and 10 beside it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from cranfield.arrays import Floats, ratio
from cranfield.registry import Registry
from cranfield.stats.agreement.tables import Tables, weights


@dataclass(frozen=True)
class AgreementCoefficient:
    """A coefficient on confusion tables; a share of pairs is printed in percent, and also said of several couples."""

    id: str
    label: str
    function: Callable[[Tables], Floats]
    cites: str = ""
    share: bool = False

    def __call__(self, tables: Tables) -> Floats:
        """The coefficient of each table, in the shape in which they were given."""
        return self.function(tables).reshape(tables.shape)


PAIRWISE: Registry[AgreementCoefficient] = Registry("coefficient of agreement")
F = TypeVar("F", bound=Callable[[Tables], Floats])


def pairwise(id: str, label: str, cites: str = "", *, share: bool = False) -> Callable[[F], F]:
    """Register a coefficient of two assessors."""

    def register(function: F) -> F:
        PAIRWISE.add(id, AgreementCoefficient(id, label, function, cites, share))
        return function

    return register


@pairwise("raw", "raw agreement", share=True)
def joint(tables: Tables) -> Floats:
    r"""Joint agreement: the share of pairs that got the same grade from both.

    $$p_o = \frac{1}{n} \sum_i n_{ii}$$

    >>> joint(Tables.of([[300, 20], [10, 70]])).round(6)  # 370 / 400
    array([0.925])
    """
    return tables.observed


@pairwise("cohen", "Cohen κ", cites="cohen1960")
def cohen(tables: Tables) -> Floats:
    r"""Cohen's kappa: agreement beyond chance, where each assessor has their own distribution of grades.

    $$\kappa = \frac{p_o - p_e}{1 - p_e}, \qquad p_e = \sum_i \frac{n_{i\cdot}\, n_{\cdot i}}{n^2}$$

    >>> cohen(Tables.of([[300, 20], [10, 70]])).round(6)  # (.925 - .665) / (1 - .665)
    array([0.776119])
    """
    return _beyond(tables.observed, ratio(np.sum(tables.rows * tables.columns, axis=0), tables.size**2))


@pairwise("linear", "κ weighted (linear)", cites="cohen1968")
def linear(tables: Tables) -> Floats:
    r"""Cohen's kappa with linear weights: a disagreement by one grade counts half of one by two.

    $$\kappa_w = \frac{\sum w_{ij} p_{ij} - \sum w_{ij} p_{i\cdot} p_{\cdot j}}{1 - \sum w_{ij} p_{i\cdot} p_{\cdot j}},
    \qquad w_{ij} = 1 - \frac{|g_i - g_j|}{g_{max} - g_{min}}$$

    >>> linear(Tables.of([[20, 5, 1], [4, 15, 6], [1, 3, 25]])).round(6)
    array([0.696761])
    """
    return _weighted(tables, 1)


@pairwise("quadratic", "κ weighted (quadratic)", cites="cohen1968")
def quadratic(tables: Tables) -> Floats:
    r"""Cohen's kappa with quadratic weights: a disagreement by two grades counts four times one by one.

    $$w_{ij} = 1 - \frac{(g_i - g_j)^2}{(g_{max} - g_{min})^2}$$

    >>> quadratic(Tables.of([[20, 5, 1], [4, 15, 6], [1, 3, 25]])).round(6)
    array([0.766764])
    """
    return _weighted(tables, 2)


@pairwise("scott", "Scott π", cites="scott1955")
def scott(tables: Tables) -> Floats:
    r"""Scott's pi: agreement beyond chance, where both assessors share one distribution of grades.

    $$p_e = \sum_i \left(\frac{n_{i\cdot} + n_{\cdot i}}{2n}\right)^2$$

    >>> scott(Tables.of([[300, 20], [10, 70]])).round(6)  # (.925 - .665313) / (1 - .665313)
    array([0.77591])
    """
    return _beyond(tables.observed, np.sum(tables.shares**2, axis=0))


@pairwise("ac1", "Gwet AC1", cites="gwet2008")
def ac1(tables: Tables) -> Floats:
    r"""Gwet's AC1: agreement beyond chance, where chance is small if one grade prevails.

    $$p_e = \frac{1}{q - 1} \sum_i \pi_i (1 - \pi_i), \qquad \pi_i = \frac{n_{i\cdot} + n_{\cdot i}}{2n}$$

    >>> ac1(Tables.of([[300, 20], [10, 70]])).round(6)
    array([0.887271])
    """
    chance = np.sum(tables.shares * (1 - tables.shares), axis=0)
    return _beyond(tables.observed, ratio(chance, len(tables.grades) - 1))


@pairwise("s", "Bennett S", cites="bennett1954")
def bennett(tables: Tables) -> Floats:
    r"""Bennett's S: agreement beyond chance, where all *q* grades are equally likely.

    $$p_e = 1 / q$$

    >>> bennett(Tables.of([[300, 20], [10, 70]])).round(6)  # (.925 - .5) / .5
    array([0.85])
    """
    return _beyond(tables.observed, np.asarray(1 / len(tables.grades)))


@pairwise("overlap", "overlap of relevant", cites="voorhees2000", share=True)
def overlap(tables: Tables) -> Floats:
    r"""Overlap (Jaccard): documents relevant for both, of those relevant for at least one.

    $$\frac{|A \cap B|}{|A \cup B|}$$

    >>> overlap(Tables.of([[300, 20], [10, 70]], grades=[1, 0])).round(6)  # relevant first: 300 / 330
    array([0.909091])
    """
    both, one, _ = tables.binary
    return ratio(both, both + one)


@pairwise("positive", "positive agreement", cites="cicchetti1990", share=True)
def positive(tables: Tables) -> Floats:
    r"""Positive agreement: of the verdicts "relevant", those that the other assessor shares.

    $$\frac{2a}{2a + b + c}$$

    >>> positive(Tables.of([[300, 20], [10, 70]])).round(6)  # 140 / 170
    array([0.823529])
    """
    both, one, _ = tables.binary
    return ratio(2 * both, 2 * both + one)


@pairwise("negative", "negative agreement", cites="cicchetti1990", share=True)
def negative(tables: Tables) -> Floats:
    r"""Negative agreement: of the verdicts "not relevant", those that the other assessor shares.

    $$\frac{2d}{2d + b + c}$$

    >>> negative(Tables.of([[300, 20], [10, 70]])).round(6)  # 600 / 630
    array([0.952381])
    """
    _, one, neither = tables.binary
    return ratio(2 * neither, 2 * neither + one)


@pairwise("tau", "Kendall τ-b", cites="kendall1945")
def tau(tables: Tables) -> Floats:
    r"""Kendall's tau-b of the two columns of grades.

    $$\tau_b = \frac{C - D}{\sqrt{(n_0 - T_x)(n_0 - T_y)}}$$

    >>> tau(Tables.of([[300, 20], [10, 70]])).round(6)  # in a 2 x 2 table it is Pearson's r
    array([0.77829])
    """
    free = [tables.size**2 - np.sum(margin**2, axis=0) for margin in (tables.rows, tables.columns)]
    balance = _concordant(tables.cells) - _concordant(tables.cells[:, ::-1])
    return ratio(2 * balance, np.sqrt(free[0]) * np.sqrt(free[1]))


@pairwise("spearman", "Spearman ρ", cites="spearman1904")
def spearman(tables: Tables) -> Floats:
    """Spearman's rho of the two columns of grades: Pearson's r of their mid-ranks.

    >>> spearman(Tables.of([[300, 20], [10, 70]])).round(6)
    array([0.77829])
    """
    ranks = [np.cumsum(margin, axis=0) - margin / 2 for margin in (tables.rows, tables.columns)]
    return tables.correlation(ranks[0], ranks[1])


@pairwise("pearson", "Pearson r", cites="pearson1895")
def pearson(tables: Tables) -> Floats:
    """Pearson's r of the two columns of grades, treated as numbers.

    >>> pearson(Tables.of([[300, 20], [10, 70]])).round(6)  # 20800 / √(320 · 80 · 310 · 90)
    array([0.77829])
    """
    values = tables.grades[:, None]
    return tables.correlation(values, values)


def cohen_errors(table: Floats) -> tuple[float, float]:
    """Standard errors of Cohen's kappa: if there is no agreement beyond chance, and for intervals.

    Fleiss, Cohen and Everitt (1969); this assumes independent pairs, which documents of one topic are not.

    >>> [round(error, 6) for error in cohen_errors(np.array([[300, 20], [10, 70]]))]
    [0.049861, 0.038888]
    """
    size = float(table.sum())
    if size == 0:
        return np.nan, np.nan
    shares = np.asarray(table, dtype=np.float64) / size
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    chance = float(rows @ columns)
    if chance == 1:
        return np.nan, np.nan
    kappa = (float(np.trace(shares)) - chance) / (1 - chance)
    null = chance + chance**2 - float(np.sum(rows * columns * (rows + columns)))
    same = np.diag(shares) @ (1 - (rows + columns) * (1 - kappa)) ** 2
    cross = shares * (columns[:, None] + rows) ** 2
    other = (1 - kappa) ** 2 * (cross.sum() - np.trace(cross))
    full = float(same + other) - (kappa - chance * (1 - kappa)) ** 2
    null_error, full_error = (np.sqrt(max(part, 0.0)) / ((1 - chance) * np.sqrt(size)) for part in (null, full))
    return float(null_error), float(full_error)


def _weighted(tables: Tables, power: int) -> Floats:
    weight = weights(tables.grades, power)
    expected = ratio(np.sum((weight @ tables.rows) * tables.columns, axis=0), tables.size**2)
    return _beyond(ratio(tables.weighted(weight), tables.size), expected)


def _beyond(observed: Floats, expected: Floats) -> Floats:
    """Agreement beyond chance; undefined if chance agreement is perfect."""
    return ratio(observed - expected, 1 - expected)


def _concordant(cells: Floats) -> Floats:
    """The number of couples of pairs that both assessors put in the same strict order."""
    higher = np.zeros(cells.shape[2])
    beyond = np.zeros(cells.shape[1:])  # of each column, pairs in higher rows and higher columns
    for row in reversed(range(1, len(cells))):
        beyond[:-1] += np.cumsum(cells[row, :0:-1], axis=0)[::-1]
        higher += np.sum(cells[row - 1] * beyond, axis=0)
    return higher
