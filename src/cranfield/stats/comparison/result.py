"""Comparison: the results of `compare` for every pair of runs, in every output form."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield.errors import PolicyError, UnknownNameError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.names import place
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.method import Method
from cranfield.stats.comparison.pair import Pair
from cranfield.stats.comparison.run_means import RunMeans
from cranfield.tables.audit import Audit
from cranfield.tables.charts import ComparisonChartChoices, draw
from cranfield.tables.result import Result
from cranfield.tables.scores import Scores
from cranfield.tables.sheets.blocks import SheetBlocks
from cranfield.tables.side.gates import CHECKERS, GateResult

if TYPE_CHECKING:
    import polars

    from cranfield.tables.charts import Figure
    from cranfield.tables.sheets.sheet import Sheet


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """The comparison of runs: see `cranfield.compare`.

    Attributes:
        scores: the scores that were compared, topics in sorted order; saved runs come last.
        method: test, correction, level, draws.
        baselines: the runs with which the others were compared; empty: all pairs were compared.
        evidence: for each measure, the pairs and their results.
        against: the file of the saved runs.

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
    def audit(self) -> Audit:
        """What shaped the numbers."""
        return replace(self.scores.audit.computed_with("scipy"), seed=self.method.seed)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that were compared."""
        return self.scores.measures

    def of(self, measure: str | None = None) -> Evidence:
        """The evidence on a measure, which need not be named if there is only one."""
        if measure is None and len(self.evidence) == 1:
            return self.evidence[0]
        if measure is None:
            raise PolicyError("E247", "several measures were compared", hint=f"name one of {', '.join(self.measures)}")
        return self.evidence[place(measure, self.measures, "measure")]

    def mean(self, run: str, measure: str | None = None) -> float:
        """The mean of a run on a measure."""
        return float(self.scores.means[place(run, self.scores.runs, "run"), self.of(measure).column])

    def pair(self, run: str, baseline: str, measure: str | None = None) -> Pair:
        """One run against another, in this direction."""
        found = self.of(measure)
        at = [place(name, self.scores.runs, "run") for name in (run, baseline)]
        for (left, right), turned in ((at, False), (at[::-1], True)):
            places = np.flatnonzero((found.contrasts.run == left) & (found.contrasts.baseline == right))
            if len(places):
                pair = found.pairs.at(int(places[0]))
                return pair.reversed() if turned else pair
        raise UnknownNameError("E223", f"{run!r} was not compared with {baseline!r}", hint="compare without a baseline")

    def pairs(self, measure: str | None = None) -> Iterator[Pair]:
        """Every pair, measure by measure."""
        for found in self.evidence if measure is None else (self.of(measure),):
            yield from found.pairs

    def significant(self, measure: str | None = None) -> list[Pair]:
        """The pairs whose corrected p lies below alpha."""
        return [pair for pair in self.pairs(measure) if pair.significant]

    def check(self, *conditions: str, universe: str = "runs") -> "GateResult":
        """Check what must hold: `comparison.check("not worse(nDCG@10)").require()` in a test.

        Args:
            conditions: `TERM OP NUMBER [for RUNGLOB]`, as those of `compare --require`; `not worse(M)`,
                `drop(M) <= 5%`, `delta(M)` and `p(M)` need a baseline.
            universe: of `lower`, `upper` and `undecided`: which unjudged documents may be relevant.

        Returns:
            The verdicts, which are true if all conditions passed.

        >>> from cranfield.stats.comparison.compare import compare
        >>> qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(1, 6)}
        >>> runs = {"new": dict.fromkeys(qrels, ["a", "b"]), "old": dict.fromkeys(qrels, ["b", "a"])}
        >>> compare(qrels, runs, "RR", baseline="old", test="permutation").check("not worse(RR)", "drop(RR) <= 5%")
        passed  not worse(RR): Δ = +0.5000, corrected p = 0.062 (5 topics)
        passed  drop(RR) <= 5%: largest is −100 % (new)
        """
        return CHECKERS["comparison"](self, conditions, universe)

    # --- forms -------------------------------------------------------------------------------------------------

    def table(self) -> "polars.DataFrame":
        """One row per pair and measure, in full precision."""
        return self.to_polars()

    def sheet(self) -> SheetBlocks:
        """The printed tables, one for each measure."""
        from cranfield.stats.comparison.sheets.sheet import sheet

        return sheet(self)

    def paper_sheet(self) -> "Sheet":
        """One table of all runs and measures, as papers print it: stars against a baseline, else letters."""
        from cranfield.stats.comparison.sheets.paper import paper_sheet

        return paper_sheet(self)

    def to_latex(self, paper: bool = False) -> str:
        """The tables for a LaTeX document (booktabs), or for a paper: one table of all runs and measures."""
        return self.paper_sheet().latex() if paper else super().to_latex()

    def to_markdown(self, paper: bool = False) -> str:
        """The tables in GitHub's Markdown, or for a paper: one table of all runs and measures."""
        return self.paper_sheet().markdown() if paper else super().to_markdown()

    def brief(self) -> str:
        """A line for each run and measure."""
        from cranfield.stats.comparison.sheets.brief import brief

        return brief(self)

    def topic_sheet(self) -> SheetBlocks:
        """The differences on every topic."""
        from cranfield.stats.comparison.sheets.topic_sheet import topic_sheet

        return topic_sheet(self)

    def result(self, per_topic: bool = False) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        from cranfield.stats.comparison.replicated import spread_rows
        from cranfield.stats.comparison.sheets.topic_sheet import topic_rows

        runs = [row for column in range(len(self.measures)) for row in RunMeans.of(self.scores, column).as_dicts()]
        return {
            **self.method.as_dict(),
            "baselines": list(self.baselines),
            "runs": runs,
            **(
                {"looks_at": dict(zip(self.measures, self.scores.looks_at, strict=True))}
                if self.scores.looks_at
                else {}
            ),
            "pairs": [pair.as_dict() for pair in self.pairs()],
            "measures": [found.as_dict() for found in self.evidence],
            **({"topics": topic_rows(self)} if per_topic else {}),
            **({"replicates": spread_rows(self.scores)} if self.scores.replicates is not None else {}),
        }

    def plot(self, kind: str = "deltas", **choices: Unpack[ComparisonChartChoices]) -> "Figure":
        """A chart: `deltas` of two runs topic by topic, the `matrix` of all pairs, or `critical-difference`."""
        return draw("comparison", kind, self, **choices)
