"""The rules: adjudicated, majority, median, max, min, mean."""

from collections import Counter

from cranfield.judging.exporting.pairs import ExportedPair
from cranfield.judging.exporting.rules.definition import export_rule


@export_rule("adjudicated", "the grade of the adjudicator, or the one that all assessors gave")
def adjudicated(pair: ExportedPair) -> float | None:
    """The adjudicated grade; else the common grade; else none."""
    if pair.settled is not None:
        return pair.settled
    return pair.grades[0] if len(set(pair.grades)) == 1 else None


@export_rule("majority", "the most frequent grade")
def majority(pair: ExportedPair) -> float | None:
    """The grade that was given most often; none where two were given equally often."""
    votes = Counter(pair.grades).most_common(2)
    tied = len(votes) == 2 and votes[0][1] == votes[1][1]
    return votes[0][0] if votes and not tied else None


@export_rule("median", "the lower median, which is a grade that an assessor gave")
def median(pair: ExportedPair) -> float | None:
    """The grade in the middle, of two in the middle the lower one."""
    return sorted(pair.grades)[(len(pair.grades) - 1) // 2] if pair.grades else None


@export_rule("max", "the highest grade")
def highest(pair: ExportedPair) -> float | None:
    """The highest grade."""
    return max(pair.grades, default=None)


@export_rule("min", "the lowest grade")
def lowest(pair: ExportedPair) -> float | None:
    """The lowest grade."""
    return min(pair.grades, default=None)


@export_rule("mean", "the mean of all grades, a real number", whole=False)
def mean(pair: ExportedPair) -> float | None:
    """The mean of the grades."""
    return sum(pair.grades) / len(pair.grades) if pair.grades else None
