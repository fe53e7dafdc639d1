"""Possible scores: what unjudged documents could make of each mean.

Scores may not import the modules that find ranges. Those register their functions here, and are found by their folder
when the first range is asked for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from cranfield.arrays import Bools, EqualByContent, Floats, Ints
from cranfield.registry import Registry
from cranfield.tables.source import ScoresOrigin

if TYPE_CHECKING:
    from cranfield.tables.scores import Scores

RangeKind = Literal["bounds", "estimate"]


@dataclass(frozen=True, eq=False)
class PossibleScores(EqualByContent):
    """The range of each mean.

    Attributes:
        kind: `bounds`: no grades of the holes give a mean outside; `estimate`: 90 % of the draws lie inside.
        low: `[run, measure]`; NaN where no range is known.
        high: the same.
        exact: of bounds: whether both ends can be attained.
        expected: of estimates: the expected mean.
        notes: universe, grades and method, in words.
    """

    kind: RangeKind
    low: Floats
    high: Floats
    exact: Bools
    expected: Floats | None = None
    notes: tuple[str, ...] = ()

    def select(self, columns: Sequence[int]) -> "PossibleScores":
        """The ranges of some of the measures."""
        return replace(
            self,
            low=self.low[:, columns],
            high=self.high[:, columns],
            exact=self.exact[:, columns],
            expected=None if self.expected is None else self.expected[:, columns],
        )

    def in_order(self, runs: Ints) -> "PossibleScores":
        """The ranges with the runs in another order."""
        expected = None if self.expected is None else self.expected[runs]
        return replace(self, low=self.low[runs], high=self.high[runs], exact=self.exact[runs], expected=expected)

    def row(self, run: int, measure: int) -> dict[str, Any]:  # plain data
        """What the JSON row of a run and measure says of its range."""
        ends = [_number(float(values[run, measure])) for values in (self.low, self.high)]
        if self.expected is not None:
            return {"expected": _number(float(self.expected[run, measure])), "band": ends}
        return {"possible": ends, "possible_exact": bool(self.exact[run, measure])}

    @classmethod
    def of_rows(
        cls, rows: Sequence[Mapping[str, Any]], runs: Sequence[str], measures: Sequence[str], notes: Sequence[str]
    ) -> "PossibleScores | None":
        """The ranges that rows of saved scores hold; None if they hold none."""
        known = {(row["run"], row["measure"]): row for row in rows}
        cells = [[known[run, measure] for measure in measures] for run in runs]
        first = next((row for row in known.values()), {})
        name = next((name for name in ("possible", "band") if name in first), None)
        if name is None:
            return None
        low, high = (np.array([[row[name][end] for row in line] for line in cells], dtype=np.float64) for end in (0, 1))
        exact = np.array([[bool(row.get("possible_exact")) for row in line] for line in cells])
        if name == "possible":
            return cls("bounds", low, high, exact, notes=tuple(notes))
        expected = np.array([[row["expected"] for row in line] for line in cells], dtype=np.float64)
        return cls("estimate", low, high, exact, expected, tuple(notes))


def _number(value: float) -> float | None:
    return None if np.isnan(value) or np.isinf(value) else value


RangeFinder: TypeAlias = Callable[["Scores", ScoresOrigin, str, int], PossibleScores]  # scores, inputs, universe, seed
RANGES: Final = Registry[RangeFinder]("range of scores", "cranfield.missing.joined")


def ranges_of(kind: RangeKind) -> Callable[[RangeFinder], RangeFinder]:
    """Register the function below as what finds the ranges of that kind."""

    def add(finder: RangeFinder) -> RangeFinder:
        RANGES.add(kind, finder, home=finder.__module__)
        return finder

    return add


def with_possible(scores: "Scores", universe: str, seed: int) -> "Scores":
    """The scores with the ranges that their policy `unjudged` asks for."""
    origin = scores.origin
    if origin is None:
        return scores
    found = RANGES[origin.policy.unjudged](scores, origin, universe, seed)
    audit = replace(scores.audit, policies={**scores.audit.policies, "universe": universe})
    return replace(scores, possible=found, audit=audit)
