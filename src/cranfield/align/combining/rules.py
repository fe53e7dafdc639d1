"""The rules that make one grade of several, for all pairs at once; `convert` and the export of a lab follow them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np

from cranfield.arrays import Bools, Floats, Ints, segment_sum
from cranfield.registry import Registry

ASSESSOR = "assessor:"  # before a name: the grades of that assessor


@dataclass(frozen=True, eq=False)
class GradeGroups:
    """The grades of several groups, ascending in each; no group is empty."""

    group: Ints  # of each grade, ascending
    grade: Ints | Floats
    size: Ints  # of each group

    @classmethod
    def of(cls, group: Ints, grade: Ints | Floats, groups: int) -> "GradeGroups":
        """Sort grades into their groups."""
        order = np.lexsort((grade, group))
        return cls(group[order], grade[order], np.bincount(group, minlength=groups))

    @property
    def begin(self) -> Ints:
        """Where each group begins."""
        return np.cumsum(self.size) - self.size


class GroupGrades(NamedTuple):
    """The grade of each group, and whether the group has one."""

    grade: Ints | Floats
    decided: Bools


DecideGrades: TypeAlias = Callable[[GradeGroups], GroupGrades]


@dataclass(frozen=True)
class GradeRule:
    """A rule: `whole` says that it gives a grade that an assessor gave, so that any format holds it."""

    name: str
    decide: DecideGrades
    whole: bool

    def of(self, grades: tuple[int, ...]) -> float | None:
        """The grade of one pair, None if no grade won.

        >>> GRADE_RULES["median"].of((2, 0)), GRADE_RULES["majority"].of((2, 0)), GRADE_RULES["mean"].of((2, 1))
        (0, None, 1.5)
        """
        return _of_one(self.decide, tuple(sorted(grades)))


GRADE_RULES: Registry[GradeRule] = Registry("rule")


def grade_rule(name: str, *, whole: bool = True) -> Callable[[DecideGrades], DecideGrades]:
    """Register a rule under its name."""

    def register(decide: DecideGrades) -> DecideGrades:
        GRADE_RULES.add(name, GradeRule(name, decide, whole), home=decide.__module__)
        return decide

    return register


@grade_rule("majority")
def majority(judged: GradeGroups) -> GroupGrades:
    """The most frequent grade; undecided where two grades were given equally often."""
    group, grade, groups = judged.group, judged.grade, len(judged.size)
    new = np.ones(len(group), dtype=bool)
    new[1:] = (group[1:] != group[:-1]) | (grade[1:] != grade[:-1])
    start = np.flatnonzero(new)
    votes = np.diff(np.append(start, len(group)))
    most = np.zeros(groups, dtype=np.int64)
    np.maximum.at(most, group[start], votes)
    winners = start[votes == most[group[start]]]
    place = np.zeros(groups, dtype=np.int64)
    place[group[winners]] = winners
    return GroupGrades(grade[place], np.bincount(group[winners], minlength=groups) == 1)


@grade_rule("median")
def median(judged: GradeGroups) -> GroupGrades:
    """The lower median, which is a grade that an assessor gave."""
    return _at(judged, (judged.size - 1) // 2)


@grade_rule("max")
def highest(judged: GradeGroups) -> GroupGrades:
    """The highest grade."""
    return _at(judged, judged.size - 1)


@grade_rule("min")
def lowest(judged: GradeGroups) -> GroupGrades:
    """The lowest grade."""
    return _at(judged, 0 * judged.size)


@grade_rule("mean", whole=False)
def mean(judged: GradeGroups) -> GroupGrades:
    """The mean of the grades, a real number."""
    sums = segment_sum(judged.group, judged.grade, len(judged.size))
    return GroupGrades(sums / np.maximum(judged.size, 1), np.ones(len(judged.size), dtype=bool))


def _at(judged: GradeGroups, step: Ints) -> GroupGrades:
    """The grades so many steps up from the lowest."""
    return GroupGrades(judged.grade[judged.begin + step], np.ones(len(judged.size), dtype=bool))


@cache  # of many pairs, few have different grades
def _of_one(decide: DecideGrades, grades: tuple[int, ...]) -> float | None:
    if not grades:
        return None
    found = decide(GradeGroups.of(np.zeros(len(grades), dtype=np.int64), np.array(grades), 1))
    grade: float = found.grade[0].item()
    return grade if found.decided[0] else None
