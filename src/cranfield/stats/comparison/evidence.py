"""Evidence: the results of one measure for every pair of runs."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.stats.comparison.contrasts import Contrasts
from cranfield.stats.comparison.pair import Pairs
from cranfield.stats.comparison.sheets.cells import marks
from cranfield.stats.several.all_pairs import PostHoc
from cranfield.stats.several.omnibus import OmnibusResult
from cranfield.tables.scores import number
from cranfield.tables.sheets.marked import DOUBT, p_words
from cranfield.tables.words import counted


@dataclass(frozen=True, eq=False)
class Check:
    """Another test of the same pairs, corrected in the same way or not, and the pairs on which it decides differently.

    A test with random draws is compared before correction if its draws cannot give a corrected p below alpha.
    """

    name: str
    title: str
    pvalue: Floats
    corrected: bool = False
    otherwise: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Evidence:
    """The results on one measure.

    `examine` makes it with uncorrected p values; `decide` corrects them and marks what is significant.

    Attributes:
        measure, column, average: its name, its place in the scores, how topics are summarised.
        contrasts: which runs are paired, and their values.
        pairs: what was found about every pair.
        unvaried: of each pair, the resamples without any variance: bootstrap tests count their t as infinite, and
            studentised intervals leave them out.
        procedure: the test, or the procedure that replaces it; `family` comparisons are corrected together.
        assumes: the assumptions of the procedure.
        notes: the notes below the table.
        checks: other tests, to show where they decide differently.
        omnibus: the test of all runs at once.
        posthoc: all pairs at once, if a procedure for them replaces test and correction.
    """

    measure: str
    column: int
    average: str
    contrasts: Contrasts
    pairs: Pairs
    unvaried: Ints
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
        above = (self.pairs.difference > 0) ^ self.contrasts.smaller
        better, worse = (
            np.where(above, self.contrasts.run, self.contrasts.baseline),
            np.where(above, self.contrasts.baseline, self.contrasts.run),
        )
        beaten = np.zeros((runs, runs), dtype=bool)
        told = self.pairs.significant & (self.pairs.difference != 0)
        beaten[better[told], worse[told]] = True
        return beaten

    def marked(self, runs: int, mark: str) -> Bools:
        """`[run, run]`: whether the star of the difference has that mark."""
        doubted = np.zeros((runs, runs), dtype=bool)
        places = self.contrasts.run, self.contrasts.baseline
        doubted[places] = doubted[places[::-1]] = [mark in marks(warning) for warning in self.pairs.warning]
        return doubted

    def worse(self) -> Bools:
        """Whether the run of each pair is significantly worse than its baseline."""
        below = self.pairs.difference > 0 if self.contrasts.smaller else self.pairs.difference < 0
        return below & self.pairs.significant

    @property
    def omnibus_line(self) -> str:
        """The test of all runs at once, in words."""
        found = self.omnibus
        if found is None:
            return ""
        if math.isnan(found.statistic):
            return f"{found.method}: undefined, the runs do not differ on any topic ({counted(found.n, 'topic')})."
        sizes = [f"{name} = {value:.3f}" for name, value in found.effects.items() if not math.isnan(value)]
        if math.isinf(found.statistic):
            return f"{found.method}: {', '.join([found.infinite, *sizes, counted(found.n, 'topic')])}."
        shown = f"F({found.df[0]}, {found.df[1]}) = {found.statistic:.4g}"
        said = [shown, p_words(found.pvalue) + DOUBT * bool(found.doubt), *sizes, counted(found.n, "topic")]
        doubt = f" {DOUBT} {found.doubt}." if found.doubt else ""
        return f"{found.method}: {', '.join(said)}.{doubt}"

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
