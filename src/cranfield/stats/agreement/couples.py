"""Couples of assessors: the confusion table of each, counted by topic, without a loop over labels."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.arrays import NO_INTS, Floats, Ints, segment_sum
from cranfield.stats.agreement.labels import Labels

Matrix = Any  # an array, or a sparse matrix of SciPy, which has no types


@dataclass(frozen=True, eq=False)
class Couples:
    """How often two assessors gave which two grades: a row per couple, group of pairs, and cell of the table."""

    first: Ints  # [couple]
    second: Ints
    couple: Ints  # per row
    group: Ints
    cell: Ints
    count: Ints
    grades: int
    groups: int

    @cached_property
    def common(self) -> Ints:
        """How many pairs each couple judged together."""
        return np.bincount(self.couple, weights=self.count, minlength=len(self.first)).astype(np.int64)

    def at_least(self, pairs: int) -> "Couples":
        """The couples that judged at least so many pairs together."""
        kept = self.common >= pairs
        rows = kept[self.couple]
        number = np.cumsum(kept) - 1
        return replace(
            self,
            first=self.first[kept],
            second=self.second[kept],
            couple=number[self.couple[rows]],
            group=self.group[rows],
            cell=self.cell[rows],
            count=self.count[rows],
        )

    @property
    def tables(self) -> Floats:
        """The confusion table of each couple, over all groups: `[couple, grade, grade]`."""
        cells = self.grades**2
        flat = segment_sum(self.couple * cells + self.cell, self.count, len(self.first) * cells)
        return flat.reshape(len(self.first), self.grades, self.grades)

    @property
    def pooled(self) -> Floats:
        """The tables of all couples together, by group: `[group, grade, grade]`."""
        cells = self.grades**2
        flat = segment_sum(self.group * cells + self.cell, self.count, self.groups * cells)
        return flat.reshape(self.groups, self.grades, self.grades)

    @cached_property
    def matrix(self) -> Matrix:
        """`[group, couple and cell]`: the counts that are summed when groups are resampled; sparse for many couples."""
        if len(self.first) == 1:
            return self.pooled.reshape(self.groups, -1)
        from scipy.sparse import csr_array

        columns = self.couple * self.grades**2 + self.cell
        shape = (self.groups, len(self.first) * self.grades**2)
        return csr_array((self.count.astype(np.float64), (self.group, columns)), shape=shape)


def between(labels: Labels, group: Ints, groups: int) -> Couples:
    """The tables of every two assessors; `group` is a number for each pair.

    >>> from cranfield.tables.judgments import Judgments
    >>> judged = Judgments.of(["1"] * 4, ["d", "d", "e", "e"], ["ann", "bob", "bob", "ann"], [2, 0, 1, 1])
    >>> between(Labels.of(judged), np.array([0, 0]), 1).tables[0]  # ann in the rows
    array([[0., 0., 0.],
           [0., 1., 0.],
           [1., 0., 0.]])
    """
    many = len(labels.assessors)

    def orient(earlier: Ints, later: Ints) -> tuple[Ints, Ints, Ints]:
        swap = labels.assessor[earlier] > labels.assessor[later]
        one, other = np.where(swap, later, earlier), np.where(swap, earlier, later)
        key = labels.assessor[one] * many + labels.assessor[other]
        differ = labels.assessor[one] != labels.assessor[other]
        return one[differ], other[differ], key[differ]

    key, counted = _count(labels, group, groups, orient)
    return Couples(key // many, key % many, *counted, len(labels.grades), groups)


def within(labels: Labels, group: Ints, groups: int, together: bool = False) -> Couples:
    """The tables of earlier (rows) and later (columns) labels of each assessor, or of all of them together."""

    def orient(earlier: Ints, later: Ints) -> tuple[Ints, Ints, Ints]:
        return earlier, later, 0 * earlier if together else labels.assessor[earlier]

    key, counted = _count(labels, group, groups, orient)
    return Couples(key, key, *counted, len(labels.grades), groups)


def _count(
    labels: Labels, group: Ints, groups: int, orient: Callable[[Ints, Ints], tuple[Ints, Ints, Ints]]
) -> tuple[Ints, tuple[Ints, Ints, Ints, Ints]]:
    """The keys of the couples that occur, and couple, group, cell and count of each row."""
    grades = len(labels.grades)
    cells = grades**2
    keys: list[Ints] = [NO_INTS]
    counts: list[Ints] = [NO_INTS]
    for earlier, later in _label_pairs(labels.pair):
        one, other, key = orient(earlier, later)
        cell = labels.grade[one] * grades + labels.grade[other]
        found, count = np.unique((key * groups + group[labels.pair[one]]) * cells + cell, return_counts=True)
        keys.append(found)
        counts.append(count)
    found, place = np.unique(np.concatenate(keys), return_inverse=True)
    count = np.bincount(place, weights=np.concatenate(counts), minlength=len(found)).astype(np.int64)
    key, couple = np.unique(found // (cells * groups), return_inverse=True)
    return key, (couple, found // cells % groups, found % cells, count)


def _label_pairs(pair: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Every two labels of one pair: first neighbours in the table, then those two rows apart, and so on."""
    step, rows = 1, np.arange(len(pair))
    while len(rows := rows[rows + step < len(pair)]):
        rows = rows[pair[rows] == pair[rows + step]]
        if len(rows):
            yield rows, rows + step
        step += 1
