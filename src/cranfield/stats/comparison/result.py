"""Comparison: what the differences between runs are worth, pair by pair, in every form that it is written in."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from cranfield.errors import PolicyError
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.method import Method
from cranfield.stats.paired.definition import TESTS
from cranfield.tables.audit import Audit
from cranfield.tables.result import Result
from cranfield.tables.scores import Scores, number
from cranfield.tables.sheets.blocks import Blocks

if TYPE_CHECKING:
    import polars


Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Pair:
    """One run against another on one measure; `p` is corrected, `p_raw` is not, and what is undefined is NaN.

    >>> from cranfield.stats.comparison.compare import compare
    >>> qrels = dict.fromkeys(["q1", "q2", "q3"], {"a": 1, "b": 0})
    >>> runs = {"new": dict.fromkeys(qrels, ["a", "b"]), "old": dict.fromkeys(qrels, ["b", "a"])}
    >>> pair = compare(qrels, runs, "RR", test="sign").pair("new", "old")
    >>> pair.difference, pair.wins, pair.p  # 1 - 1/2 on each of three topics; 2 / 2³
    (0.5, 3, 0.25)
    >>> pair.percent, pair.reversed().percent  # of 1/2; -1/2 of 1
    (100.0, -50.0)
    """

    run: str
    baseline: str
    measure: str
    topics: int
    difference: float
    ci: Interval
    median: float  # difference; of logarithms under a geometric mean
    percent: float  # the difference in percent of the baseline
    percent_ci: Interval
    d_z: float
    d_z_ci: Interval
    hedges_g: float
    hedges_g_ci: Interval
    cliffs_delta: float
    cliffs_delta_ci: Interval
    test: str  # whose statistic this is
    statistic: float
    p_raw: float
    p: float
    significant: bool
    wins: int
    ties: int
    losses: int
    equivalence_p: float | None = None  # corrected; small: the difference lies inside the margin
    probability_better: float | None = None
    probability_equivalent: float | None = None

    def reversed(self) -> "Pair":
        """The same pair seen from the other side."""
        better = self.probability_better
        return replace(
            self,
            run=self.baseline,
            baseline=self.run,
            difference=-self.difference,
            ci=_negated(self.ci),
            median=-self.median,
            percent=_inverse(self.percent),
            percent_ci=_inverted(self.percent_ci),
            d_z=-self.d_z,
            d_z_ci=_negated(self.d_z_ci),
            hedges_g=-self.hedges_g,
            hedges_g_ci=_negated(self.hedges_g_ci),
            cliffs_delta=-self.cliffs_delta,
            cliffs_delta_ci=_negated(self.cliffs_delta_ci),
            statistic=self._swapped_statistic(),
            wins=self.losses,
            losses=self.wins,
            probability_better=None if better is None else 1 - better,
        )

    def _swapped_statistic(self) -> float:
        rule = TESTS[self.test].swapped if self.test in TESTS else "negated"
        counted = self.wins + self.losses - self.statistic
        return {"negated": -self.statistic, "same": self.statistic, "counted": counted}[rule]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for the JSON envelope; undefined is None."""
        return {name: _plain(value) for name, value in vars(self).items()}


def _plain(value: Any) -> Any:  # names, counts, numbers and intervals alike
    if isinstance(value, tuple):
        return [number(end) for end in value]
    return number(value) if isinstance(value, float) else value


def _negated(interval: Interval) -> Interval:
    return -interval[1], -interval[0]


def _inverse(percent: float) -> float:
    """The percentage that leads back: a rise by a fourth is undone by a fall by a fifth.

    >>> _inverse(25.0)
    -20.0
    """
    return -100 * percent / (100 + percent) if percent != -100 else math.nan


def _inverted(interval: Interval) -> Interval:
    """The interval of the percentage that leads back; there is none if the run may have nothing to fall from."""
    return (_inverse(interval[1]), _inverse(interval[0])) if interval[0] > -100 else (math.nan, math.nan)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """The comparison of runs: see `cranfield.compare`.

    Attributes:
        scores: what was compared, topics in sorted order; saved runs come last.
        method: test, correction, level, draws.
        baselines: what the others were held against; none: all pairs were compared.
        evidence: for each measure, the pairs and what was found.
        against: where saved runs came from.

    >>> from cranfield.stats.comparison.compare import compare
    >>> qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(1, 6)}
    >>> runs = {"new": dict.fromkeys(qrels, ["a", "b"]), "old": dict.fromkeys(qrels, ["b", "a"])}
    >>> comparison = compare(qrels, runs, "RR", baseline="old", test="permutation")
    >>> comparison.pair("new", "old").p, len(comparison.significant())  # 2 of 2⁵ flips
    (0.0625, 0)
    """

    command: ClassVar[str] = "compare"

    scores: Scores
    method: Method
    baselines: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    against: str = ""

    @property
    def audit(self) -> Audit:  # type: ignore[override]  # the base class declares an attribute
        """What shaped the numbers."""
        return replace(self.scores.audit.computed_with("scipy"), seed=self.method.seed)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that were compared."""
        return self.scores.measures

    def of(self, measure: str | None = None) -> Evidence:
        """What was found on a measure; it need not be named if there is only one."""
        if measure is None and len(self.evidence) == 1:
            return self.evidence[0]
        if measure not in self.measures:
            problem = "several measures were compared" if measure is None else f"measure {measure!r} was not compared"
            raise PolicyError("E213", problem, hint=f"name one of {', '.join(self.measures)}")
        return self.evidence[self.measures.index(measure)]

    def mean(self, run: str, measure: str | None = None) -> float:
        """The mean of a run on a measure."""
        return float(self.scores.means[self.scores.runs.index(run), self.of(measure).column])

    def pair(self, run: str, baseline: str, measure: str | None = None) -> Pair:
        """One run against another, in this direction."""
        found = self.of(measure)
        at = [self.scores.runs.index(name) if name in self.scores.runs else -1 for name in (run, baseline)]
        for (left, right), turned in ((at, False), (at[::-1], True)):
            places = np.flatnonzero((found.contrasts.run == left) & (found.contrasts.baseline == right))
            if len(places):
                pair = self._pair(found, int(places[0]))
                return pair.reversed() if turned else pair
        raise PolicyError(
            "E213", f"{run!r} was not compared with {baseline!r}", hint=f"the runs are {', '.join(self.scores.runs)}"
        )

    def pairs(self, measure: str | None = None) -> Iterator[Pair]:
        """Every pair, measure by measure."""
        for found in self.evidence:
            if measure in (None, found.measure):
                yield from (self._pair(found, place) for place in range(len(found.contrasts)))

    def significant(self, measure: str | None = None) -> list[Pair]:
        """The pairs whose corrected p lies below alpha."""
        return [pair for pair in self.pairs(measure) if pair.significant]

    def _pair(self, found: Evidence, place: int) -> Pair:
        names = {
            "run": self.scores.runs[found.contrasts.run[place]],
            "baseline": self.scores.runs[found.contrasts.baseline[place]],
            "measure": found.measure,
        }
        return Pair(**names, test=self.method.test, **found.at(place))

    # --- forms -------------------------------------------------------------------------------------------------

    def table(self) -> "polars.DataFrame":
        """One row per pair and measure, in full precision."""
        return self.to_polars()

    def sheet(self) -> Blocks:
        """The printed tables, one for each measure."""
        from cranfield.stats.comparison.sheet import sheet

        return sheet(self)

    def brief(self) -> str:
        """A line for each run and measure."""
        from cranfield.stats.comparison.words import brief

        return brief(self)

    def topic_sheet(self) -> Blocks:
        """The differences on every topic."""
        from cranfield.stats.comparison.topic_sheet import topic_sheet

        return topic_sheet(self)

    def result(self, per_topic: bool = False) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        from cranfield.stats.comparison.topic_sheet import topic_rows

        runs = [
            {
                "run": run,
                "measure": measure,
                "mean": number(float(self.scores.means[r, m])),
                "judged": number(float(self.scores.judged_shares[r, m])),
            }
            for m, measure in enumerate(self.measures)
            for r, run in enumerate(self.scores.runs)
        ]
        return {
            **self.method.as_dict(),
            "baselines": list(self.baselines),
            "runs": runs,
            "pairs": [pair.as_dict() for pair in self.pairs()],
            "measures": [found.as_dict() for found in self.evidence],
            **({"topics": topic_rows(self)} if per_topic else {}),
        }

    def plot(self, kind: str = "deltas", **choices: Any) -> Any:  # the Figure of the reporting layer, further right
        """A chart: `deltas` of two runs topic by topic, the `matrix` of all pairs, or `critical-difference`."""
        from importlib import import_module

        return import_module("cranfield.reporting.comparisons").comparison_chart(self, kind, **choices)
