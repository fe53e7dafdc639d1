"""Evidence: for one measure, what the differences of every pair of runs are worth."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.stats.comparison.contrasts import Contrasts
from cranfield.stats.paired.effects import REPORTED
from cranfield.stats.several.all_pairs import PostHoc
from cranfield.stats.several.omnibus import OmnibusResult
from cranfield.tables.scores import number
from cranfield.tables.sheets.marked import p_words
from cranfield.tables.words import counted


@dataclass(frozen=True, eq=False)
class Check:
    """Another test of the same pairs, corrected in the same way, or not, and the pairs on which it decides otherwise.

    A test that draws is compared before correction where its draws cannot reach a corrected p below alpha.
    """

    name: str
    title: str
    pvalue: Floats
    corrected: bool
    otherwise: Ints


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was found on one measure; every array has one element per pair, NaN where nothing can be said.

    Attributes:
        measure, column, average: its name, its place in the scores, how topics are summarised.
        contrasts: the pairs.
        topics: how many topics both runs have a value for.
        difference, low, high: the mean difference and its interval.
        median: the median difference (of logarithms under a geometric mean).
        percent, d_z, hedges_g, cliffs_delta: effect sizes; their intervals are `percent_ci[pair, 2]` and so on.
        statistic, raw: of the test, not corrected.
        pvalue, significant: corrected, and below alpha.
        wins, ties, losses: topics on which the run is better, equal, worse.
        equivalence: corrected p of the test of equivalence.
        better, inside: posterior probabilities of a difference above 0, and inside the region of equivalence.
        dropped: resamples without any variance, which tests and intervals that studentise leave out.
        procedure: the test, or the procedure that stands in for it; `family` comparisons are corrected together.
        assumes: what it takes for granted.
        checks: other tests, to show where they decide otherwise.
        omnibus: the test of all runs at once.
        posthoc: all pairs at once, where a procedure for them stands in for test and correction.
    """

    measure: str
    column: int
    average: str
    contrasts: Contrasts
    topics: Ints
    difference: Floats
    low: Floats
    high: Floats
    median: Floats
    percent: Floats
    percent_ci: Floats
    d_z: Floats
    d_z_ci: Floats
    hedges_g: Floats
    hedges_g_ci: Floats
    cliffs_delta: Floats
    cliffs_delta_ci: Floats
    statistic: Floats
    raw: Floats
    pvalue: Floats
    significant: Bools
    wins: Ints
    ties: Ints
    losses: Ints
    dropped: Ints
    equivalence: Floats | None = None
    better: Floats | None = None
    inside: Floats | None = None
    procedure: str = ""
    assumes: str = ""
    family: int = 0
    notes: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    omnibus: OmnibusResult | None = None
    posthoc: PostHoc | None = None

    @property
    def tested(self) -> bool:
        """Whether there are p values."""
        return bool(self.procedure)

    def beaten(self, runs: int) -> Bools:
        """`[run, run]`: whether the first is significantly better than the second."""
        above = (self.difference > 0) ^ self.contrasts.smaller
        better, worse = (
            np.where(above, self.contrasts.run, self.contrasts.baseline),
            np.where(above, self.contrasts.baseline, self.contrasts.run),
        )
        beaten = np.zeros((runs, runs), dtype=bool)
        told = self.significant & (self.difference != 0)
        beaten[better[told], worse[told]] = True
        return beaten

    def worse(self) -> Bools:
        """Whether the run of each pair is significantly worse than its baseline."""
        below = self.difference > 0 if self.contrasts.smaller else self.difference < 0
        return below & self.significant

    def at(self, place: int) -> dict[str, Any]:
        """What was found about one pair, by the names of `Pair`."""

        def optional(values: Floats | None) -> float | None:
            return None if values is None else float(values[place])

        counts = {name: int(getattr(self, name)[place]) for name in ("topics", "wins", "ties", "losses")}
        sizes = ("difference", "median", *REPORTED, "statistic")
        return {
            **counts,
            **{name: float(getattr(self, name)[place]) for name in sizes},
            **{f"{name}_ci": tuple(getattr(self, f"{name}_ci")[place].tolist()) for name in REPORTED},
            "ci": (float(self.low[place]), float(self.high[place])),
            "p_raw": float(self.raw[place]),
            "p": float(self.pvalue[place]),
            "significant": bool(self.significant[place]),
            "equivalence_p": optional(self.equivalence),
            "probability_better": optional(self.better),
            "probability_equivalent": optional(self.inside),
        }

    @property
    def omnibus_line(self) -> str:
        """The test of all runs at once, in words."""
        found = self.omnibus
        if found is None:
            return ""
        if math.isnan(found.statistic):
            return f"{found.method}: undefined, the runs do not differ on any topic ({counted(found.n, 'topic')})."
        shown = "∞" if math.isinf(found.statistic) else f"{found.statistic:.4g}"
        sizes = [f"{name} = {value:.3f}" for name, value in found.effects.items() if not math.isnan(value)]
        said = [f"F({found.df[0]}, {found.df[1]}) = {shown}", p_words(found.pvalue), *sizes, counted(found.n, "topic")]
        return f"{found.method}: {', '.join(said)}."

    def as_dict(self) -> dict[str, Any]:
        """Plain data about the measure as a whole."""
        omnibus = self.omnibus
        return {
            "measure": self.measure,
            "procedure": self.procedure,
            "assumes": self.assumes,
            "comparisons": self.family,
            "notes": list(self.notes),
            "checks": [
                {
                    "test": check.name,
                    "corrected": check.corrected,
                    "p": [number(float(p)) for p in check.pvalue],
                    "otherwise": check.otherwise.tolist(),
                }
                for check in self.checks
            ],
            "omnibus": None
            if omnibus is None
            else {
                "method": omnibus.method,
                "statistic": number(omnibus.statistic),
                "df": list(omnibus.df),
                "p": number(omnibus.pvalue),
                "effects": {name: number(value) for name, value in omnibus.effects.items()},
                "topics": omnibus.n,
            },
        }
