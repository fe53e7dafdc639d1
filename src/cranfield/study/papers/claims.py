"""Statements of a paper in words, and whether they hold on other data."""

from abc import abstractmethod
from collections.abc import Collection as Names
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield.study.data.views import Views
from cranfield.study.engine.definition import UnitResult
from cranfield.study.engine.findings import Findings
from cranfield.study.papers.printed_value import OTHER, PrintedValue
from cranfield.study.papers.reproduction import PaperStudy
from cranfield.tables.sheets.numerals import percent
from cranfield.tables.words import counted

HOLDS, FAILS, CONTEXT = "holds", "does not hold", OTHER


@dataclass(frozen=True)
class Claim(PrintedValue):
    """A statement of a paper, and what is found here; without a verdict it is a number from other data, for context.

    >>> Claim.of("Table 7", "last by τ", "AP", "RBP", holds=False).verdict
    'does not hold'
    """

    said: str = ""
    here: str = ""
    holds: bool | None = None

    @classmethod
    def of(cls, item: str, what: str, said: str, here: str, *, holds: bool) -> "Claim":
        """A statement with a verdict."""
        return cls(item, what, None, float("nan"), said=said, here=here, holds=holds)

    @classmethod
    def aside(cls, beside: PrintedValue) -> "Claim":
        """Numbers that need not agree, because they are from other data."""
        said, here = PrintedValue(beside.item, beside.what, beside.printed, beside.computed, beside.digits).words
        return cls(beside.item, beside.what, beside.printed, beside.computed, beside.digits, said=said, here=here)

    @classmethod
    def counts(cls, item: str, what: str, printed: tuple[float, float], here: tuple[float, float]) -> "Claim":
        """Counts from other data with their totals; data forms hold the shares.

        >>> Claim.counts("Table 3", "pairs", (80, 120), (36.5, 50)).words
        ('80 of 120 (67 %)', '36.5 of 50 (73 %)')
        """
        shares = printed[0] / printed[1], here[0] / here[1]
        said, found = (
            f"{_plain(part)} of {_plain(whole)} ({percent(part / whole, 0)})" for part, whole in (printed, here)
        )
        return cls(item, what, shares[0], shares[1], said=said, here=found)

    @property
    def verdict(self) -> str:
        """Whether it holds."""
        return CONTEXT if self.holds is None else HOLDS if self.holds else FAILS

    @property
    def words(self) -> tuple[str, str]:
        """The statement of the paper, and what is found."""
        return self.said, self.here


@dataclass(frozen=True)
class Ordering:
    """Measures in the order of some value, the largest first.

    >>> order = Ordering({"Q": 0.5, "AP": 0.4, "RBP": 0.1})
    >>> order.first(2), order.leads({"AP", "Q"}), order.ends(["AP", "RBP"])
    ('Q, AP', True, True)
    """

    values: Mapping[str, float]

    @property
    def names(self) -> list[str]:
        """All of them; equal ones as they were given."""
        return sorted(self.values, key=lambda name: -self.values[name])

    def first(self, count: int) -> str:
        """The first ones, in words."""
        return ", ".join(self.names[:count])

    def last(self, count: int) -> str:
        """The last ones, in words."""
        return ", ".join(self.names[-count:])

    def leads(self, some: Names[str]) -> bool:
        """Whether no other measure is above any of these."""
        others = [value for name, value in self.values.items() if name not in some]
        return all(self.values[name] >= max(others, default=-np.inf) for name in some)

    def ends(self, some: Sequence[str]) -> bool:
        """Whether these are the last ones, in this order."""
        return self.names[-len(some) :] == list(some)

    def knows(self, some: Names[str]) -> bool:
        """Whether all of these were measured."""
        return all(not np.isnan(self.values.get(name, np.nan)) for name in some)


@dataclass(frozen=True)
class Discussion(PaperStudy):
    """A paper whose data are not all available: its numbers and statements, compared with those on other data."""

    @abstractmethod
    def compared(self, data: Views, found: Mapping[str, Findings]) -> Sequence[PrintedValue]:
        """The printed numbers and statements, each with what is found."""

    def findings(self, data: Views, found: Sequence[UnitResult], seed: int) -> Findings:
        """The findings of a paper; the first line counts numbers and statements separately."""
        made = super().findings(data, found, seed)
        verdicts = next(column for column in made.tidy if column.name == "agree").raw
        numbers = len(verdicts) - sum(map(verdicts.count, (HOLDS, FAILS, CONTEXT)))
        held, told = verdicts.count(HOLDS), verdicts.count(HOLDS) + verdicts.count(FAILS)
        words = [
            f"{self.source}, printed and here",
            counted(len(data.first.runs), "run"),
            counted(len(data.first.topics), "topic"),
            *([f"{verdicts.count('yes')} of {numbers} printed numbers agree to the last digit"] if numbers else []),
            *([f"{held} of {told} statements hold"] if told else []),
        ]
        details = {name: columns for name, columns in made.details.items() if columns}  # a part may find nothing
        return replace(made, title=" · ".join(words), details=details)


def _plain(count: float) -> str:
    return f"{count:,.0f}" if float(count).is_integer() else f"{count:,.1f}"
