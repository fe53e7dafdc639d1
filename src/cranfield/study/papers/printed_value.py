"""A number that a paper prints, and the same number computed here, side by side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.sheet import MISSING, Column

ROUNDING = 0.51  # of the last printed digit
OTHER = "other data"  # the printed number is of other judgments or runs


@dataclass(frozen=True)
class Published:
    """A number that a paper prints, for each collection.

    Attributes:
        item: the table or figure.
        what: the quantity, in words that are unique in the paper.
        values: collection -> number.
        digits: how many are printed after the point.
        within: the difference that chance may cause; 0 if nothing is random.
    """

    item: str
    what: str
    values: Mapping[str, float]
    digits: int = 3
    within: float = 0.0

    def beside(self, collection: str, computed: float) -> "PrintedValue":
        """The printed number with the computed one."""
        return PrintedValue(self.item, self.what, self.values.get(collection), computed, self.digits, self.within)


@dataclass(frozen=True)
class PrintedValue:
    """A printed number and a computed one.

    >>> PrintedValue("Table 8", "τ of AP and RankEff", 0.856, 0.856349, 3).verdict
    'yes'
    >>> PrintedValue("Table 5", "δ of RankEff", 0.038, 0.040, 3, within=0.004).verdict
    'within 0.004'
    """

    item: str
    what: str
    printed: float | None  # None: the paper prints no number
    computed: float
    digits: int = 3
    within: float = 0.0
    other: bool = field(default=False, kw_only=True)  # whether the printed number is of other judgments or runs

    @property
    def verdict(self) -> str:
        """Whether they agree to the printed digit, or as far as chance allows."""
        if self.printed is None or np.isnan(self.computed):
            return MISSING
        apart = abs(self.computed - self.printed)
        if apart <= ROUNDING * 10.0**-self.digits:
            return "yes"
        if self.other:
            return OTHER
        return f"within {self.within:g}" if apart <= self.within + 1e-9 else "no"

    @property
    def words(self) -> tuple[str, str]:
        """Both numbers with the digits of the paper; ours with one more digit if they differ only by rounding.

        >>> PrintedValue("Table 5", "variance", 0.0252, 0.02525, 4).words
        ('0.0252', '0.02525')
        """
        printed, here = (_worded(value, self.digits) for value in (self.printed, self.computed))
        rounded = self.verdict == "yes" and printed != here
        return printed, _worded(self.computed, self.digits + 1) if rounded else here


def lined_up(published: Sequence[Published], collection: str, computed: Mapping[str, float]) -> list[PrintedValue]:
    """The computed numbers in the order of the paper; those that could not be computed are left out."""
    return [each.beside(collection, computed[each.what]) for each in published if each.what in computed]


def shown(rows: Iterable[PrintedValue], theirs: str = "printed") -> tuple[Column, ...]:
    """The table for people; `theirs` is the heading of the printed numbers."""
    rows = list(rows)
    return (
        Column("item", [row.item for row in rows]),
        Column("what", [row.what for row in rows]),
        Column(theirs, [row.words[0] for row in rows]),
        Column("here", [row.words[1] for row in rows]),
        Column("agree", [row.verdict for row in rows]),
    )


def tidy(rows: Iterable[PrintedValue]) -> tuple[Column, ...]:
    """The table for programs."""
    rows = list(rows)
    return (
        Column("item", [row.item for row in rows]),
        Column("what", [row.what for row in rows]),
        Column("printed", [None if row.printed is None else float(row.printed) for row in rows]),
        Column("computed", [float(row.computed) for row in rows]),
        Column("digits", [row.digits for row in rows]),
        Column("within", [row.within for row in rows]),
        Column("agree", [row.verdict for row in rows]),
    )


def vectors(rows: Iterable[PrintedValue], theirs: str = "printed") -> tuple[Column, ...]:
    """The table for people with the numbers of one item in one row.

    >>> two = [PrintedValue("CG", "rank 1", 3, 3, 1), PrintedValue("CG", "rank 2", 5.1, 5, 1)]
    >>> [column.values for column in vectors(two)]
    [['CG'], ['3.0, 5.1'], ['3.0, 5.0'], ['all but rank 2']]
    """
    items: dict[str, list[PrintedValue]] = {}
    for row in rows:
        items.setdefault(row.item, []).append(row)
    others = [", ".join(row.what for row in each if row.verdict == "no") for each in items.values()]
    return (
        Column("vector", list(items)),
        Column(theirs, [", ".join(row.words[0] for row in each) for each in items.values()]),
        Column("here", [", ".join(row.words[1] for row in each) for each in items.values()]),
        Column("agree", [f"all but {names}" if names else "yes" for names in others]),
    )


def agreeing(rows: Iterable[PrintedValue], noun: str = "printed numbers") -> str:
    """`39 of 40 printed numbers agree to the last digit`."""
    verdicts = [row.verdict for row in rows if row.verdict != MISSING]
    exact, near = verdicts.count("yes"), sum(verdict.startswith("within") for verdict in verdicts)
    more = f", {near} more as far as chance allows" if near else ""
    if others := verdicts.count(OTHER):
        more += f", {others} {'is' if others == 1 else 'are'} of other data"
    return f"{exact} of {len(verdicts)} {noun} agree to the last digit{more}"


def _worded(value: float | None, digits: int) -> str:
    return MISSING if value is None or np.isnan(value) else in_print(value, f",.{digits}f")
