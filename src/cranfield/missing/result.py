"""The result of `holes`: ranges, verdicts and coverage, in all forms."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield.align.policy import Policy
from cranfield.arrays import Floats, Ints
from cranfield.errors.arguments import checked_methods
from cranfield.errors.names import place
from cranfield.errors.wording import Wording, setting
from cranfield.missing.bounds.budget import UNLIMITED, SearchBudget
from cranfield.missing.bounds.by_subtopic.codes import one_grade
from cranfield.missing.bounds.method import NO_RUN
from cranfield.missing.coverage import AT, Coverage, CoverageBy
from cranfield.missing.inner import shown
from cranfield.missing.pairs.asked import PairsAsked, asked_pairs, pairs_asked
from cranfield.missing.pairs.attained import difference, divisors
from cranfield.missing.pairs.verdicts import PairRanges, Verdict, all_pairs, completed, verdicts_of
from cranfield.missing.ranges import Bounder, Ranges, of_means
from cranfield.missing.sheets.ranges import PossibleRange
from cranfield.missing.sheets.topics import topic_sheet
from cranfield.missing.sheets.whole import HolesPart, MeasureRanges, plain, range_rows, whole_sheet
from cranfield.missing.situation import Situation
from cranfield.missing.universe import Universe
from cranfield.pooling.candidates import Candidates
from cranfield.tables.audit import Audit
from cranfield.tables.charts import HolesChartChoices, draw
from cranfield.tables.qrels import Qrels
from cranfield.tables.result import Result
from cranfield.tables.scores import Scores
from cranfield.tables.sheets.blocks import SheetBlocks
from cranfield.tables.sheets.numerals import percent
from cranfield.tables.sheets.sheet import Sheet
from cranfield.tables.side.pool import Pool

if TYPE_CHECKING:
    import polars

    from cranfield.missing.estimates.estimate import Estimate
    from cranfield.missing.next.result import NextJudgments
    from cranfield.tables.charts import Figure


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Holes(Result):
    """What missing judgments could change, for each measure.

    Attributes:
        scores: as judged, where unjudged documents are not relevant.
        condensed: the scores on condensed lists, by measure.
        universe: which unjudged documents may be relevant.
        pairs: which pairs are printed: `all`, `adjacent` or `baseline`.
        baselines: runs that the others are compared with.
        at: depths at which coverage is shown.
        candidates: what the runs list, as deep as it matters, and all judged pairs.
        grade: of each candidate; NaN if it is not judged.
        qrels: the judgments.
        policy: the choices that shaped the numbers.
        situations: by measure: the holes, and where the runs list them.
        pool: the pool of the universe, if it is one.
        budget: the time that searches may take.

    >>> import cranfield as cf
    >>> qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
    >>> runs = {"new": {"q1": ["a", "x"], "q2": ["c", "y"]}, "old": {"q1": ["b", "a"], "q2": ["z", "c"]}}
    >>> h = cf.holes(qrels, runs, "P@1")
    >>> h.verdict("new", "old").status, h.verdict("new", "old").low
    ('certain', 0.5)
    """

    command: ClassVar[str] = "holes"

    scores: Scores
    condensed: Mapping[str, Floats]  # measure -> mean of each run
    universe: Universe
    candidates: Candidates
    grade: Floats  # of each candidate; NaN if it is not judged
    qrels: Qrels
    policy: Policy
    situations: Mapping[str, Situation]
    audit: Audit
    pairs: PairsAsked | None = None
    baselines: tuple[str, ...] = ()
    at: tuple[int, ...] = AT
    pool: Pool | None = None
    budget: SearchBudget = UNLIMITED

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return self.scores.runs

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures."""
        return self.scores.measures

    @cached_property
    def _bounders(self) -> dict[str, Bounder]:
        every = self.situations.items()
        return {name: Bounder(situation, self._average(name), self.budget) for name, situation in every}

    def bounder(self, measure: str | None = None) -> Bounder:
        """The object that finds the ranges of a measure."""
        return self._bounders[self._named(measure)]

    @cached_property
    def _ranges(self) -> dict[str, Ranges]:
        return {name: self._range(name) for name in self.measures}

    def _range(self, measure: str) -> Ranges:
        return of_means(self._bounders[measure].runs, self._average(measure))

    def _average(self, measure: str) -> str:
        return self.scores.averages[self.measures.index(measure)]

    def _named(self, measure: str | None) -> str:
        return self.measures[0] if measure is None else self.measures[place(measure, self.measures, "measure")]

    @cached_property
    def covered(self) -> Coverage:
        """Which documents of the lists were judged, pooled or neither."""
        single = one_grade(self.qrels, (situation.named for situation in self.situations.values()))
        return Coverage.of(self.candidates, single, self.at, self.policy, self.pool)

    def coverage(self, by: CoverageBy = "run") -> "polars.DataFrame":
        """Judged, pooled and unpooled share by run, topic or rank."""
        return self.covered.table(by)

    def bounds(self) -> "polars.DataFrame":
        """One row for each run and measure: lowest, as judged, condensed, highest, exact, judged."""
        return Sheet(range_rows(self._described())).polars()

    def topic_bounds(self, measure: str | None = None) -> "polars.DataFrame":
        """One row for each run and topic: the lowest and the highest value of a measure."""
        name = self._named(measure)
        values = self.scores.values[:, :, self.measures.index(name)]
        return topic_sheet(self.runs, self.scores.topics, values, self._bounders[name].runs).polars()

    def verdict(self, a: str, b: str, measure: str | None = None) -> Verdict:
        """Whether the order of two runs is certain, whatever the holes hold."""
        name = self._named(measure)
        first, second = (place(run, self.runs, "run") for run in (a, b))
        return self._verdicts(name, np.array([first]), np.array([second]))[0]

    def verdicts(self, pairs: PairsAsked | None = None, measure: str | None = None) -> tuple[Verdict, ...]:
        """The verdicts on all pairs, on neighbours in the order of scores, or on all runs against the baselines."""
        name = self._named(measure)
        return self._verdicts(name, *self._asked(name, pairs or self.pairs))

    def differences(self, measure: str | None = None) -> PairRanges:
        """The ranges of the differences of all pairs, as arrays: the quickest way for thousands of pairs."""
        return all_pairs(self._bounders[self._named(measure)])

    def witness(self, a: str, b: str | None = None, *, high: bool = True, measure: str | None = None) -> Qrels:
        """The judgments with one completion added that attains an end: of run `a`, or of the difference a - b.

        Unseen documents of the universe `open:N` are called `unseen-1`, `unseen-2` …
        """
        name = self._named(measure)
        first = place(a, self.runs, "run")
        second = NO_RUN if b is None else place(b, self.runs, "run")
        return completed(self._bounders[name], self.qrels, first, second, high=high)

    def next(
        self,
        n: int = 20,
        *,
        strategy: str = "swing",
        pairs: PairsAsked | None = None,
        measure: str | None = None,
        seed: int = 0,
    ) -> "NextJudgments":
        """The holes to judge next, so that open pairs are decided soon.

        Args:
            n: how many.
            strategy: `swing` shrinks the ranges of the open pairs most; `decisions` is expected to decide most pairs
                under the prior; `mtc` moves average precision most; `mtf`, `maxmean`, `thompson` and `depth` look for
                relevant documents; `random`.
            pairs: which pairs are to be decided: `all`, `adjacent` or `baseline`; those of the result by default.
            measure: its name; the first one by default.
            seed: of strategies with chance.
        """
        from cranfield.missing.next.choose import choose, open_pairs
        from cranfield.missing.next.question import Question

        name = self._named(measure)
        bounder = self._bounders[name]
        first, second = self._asked(name, pairs or self.pairs)
        question = Question(bounder, self.candidates, self.grade, *open_pairs(bounder, first, second), seed)
        return choose(question, n, strategy, len(first), replace(self.audit, seed=seed))

    def estimate(
        self,
        source: Any = "prior",  # or whatever `read_qrels` takes
        *,
        draws: int = 4000,
        seed: int = 0,
        measure: str | None = None,
        recalibrate: bool = False,
    ) -> "Estimate":
        """Scores, bands and P(A > B) over completions, which are drawn from a prior.

        Args:
            source: `"prior"`: fitted to the judgments; or probabilities or labels of documents, as a file or a table.
            draws: how many completions; with fewer than 4,000, P(A > B) differs visibly from seed to seed.
            seed: of the draws.
            measure: its name; the first by default.
            recalibrate: whether given probabilities or labels are mapped to what was observed on judged pairs.
        """
        from cranfield.missing.estimates.of_holes import estimate_holes

        return estimate_holes(self, self._named(measure), source, draws=draws, seed=seed, recalibrated=recalibrate)

    def asked(self, measure: str | None = None) -> list[tuple[str, str]]:
        """The pairs that are printed: the better run first, or the baseline second."""
        return [(self.runs[a], self.runs[b]) for a, b in np.stack(self._asked(self._named(measure), self.pairs), 1)]

    def _asked(self, measure: str, pairs: PairsAsked | None) -> tuple[Ints, Ints]:
        column = self.measures.index(measure)
        smaller = self.situations[measure].measure.definition.smaller
        return asked_pairs(
            self.runs, self.scores.means[:, column], smaller=smaller, pairs=pairs, baselines=self.baselines
        )

    def _verdicts(self, measure: str, first: Ints, second: Ints) -> tuple[Verdict, ...]:
        bounder, judged = self._bounders[measure], self.scores.values[:, :, self.measures.index(measure)]
        deltas = (
            difference(judged[[a, b]], bounder.average, divisors(self.scores, measure, a, b))
            for a, b in zip(first.tolist(), second.tolist(), strict=True)
        )
        return tuple(verdicts_of(bounder, first, second, deltas))

    # --- forms -------------------------------------------------------------------------------------------------

    def _described(self, *, verdicts: bool = False) -> tuple[MeasureRanges, ...]:
        found = []
        for column, name in enumerate(self.measures):
            situation, means = self.situations[name], self.scores.means[:, column]
            every = np.arange(len(self.runs))
            ends, sure = shown(self._bounders[name], self._ranges[name], every, np.full(len(every), NO_RUN))
            rows = zip(self.runs, ends.low, means, self.condensed[name], ends.high, ends.exact, sure, strict=True)
            found.append(
                MeasureRanges(
                    measure=name,
                    average=self._average(name),
                    universe=situation.words,
                    grades=tuple(situation.grades.tolist()),
                    ranges=tuple(PossibleRange.of(run, numbers, exact, known) for run, *numbers, exact, known in rows),
                    judged=tuple(self.scores.judged_shares[:, column].tolist()),
                    verdicts=self.verdicts(measure=name) if verdicts else (),
                )
            )
        return tuple(found)

    @cached_property
    def _everything(self) -> tuple[MeasureRanges, ...]:
        return self._described(verdicts=True)

    def sheet(self, only: HolesPart | None = None) -> SheetBlocks:
        """The printed tables: coverage, ranges, verdicts; or one of them."""
        measures = self._everything if only in (None, "pairs") else self._described()
        return whole_sheet(self.covered, measures, str(self.universe), tuple(self._notes(only)), only)

    def _notes(self, only: HolesPart | None) -> Iterator[str]:
        """Which pairs were left out, and the footer of the scores."""
        number = len(self.runs)
        asked, total = pairs_asked(self.runs, self.pairs, self.baselines), number * (number - 1) // 2
        if asked == "adjacent" and only in (None, "pairs") and number > 2:
            for name in self.measures:
                share = percent(float(self.differences(name).certain.mean()))
                said = f"neighbours in the order of scores; of all {total:,} pairs {share} are certain"
                yield Wording(
                    f"{'' if len(self.measures) == 1 else f'{name}: '}{said}; {setting('pairs', 'all')} prints all"
                )
        yield from self.budget.words()
        yield from self.audit.footer(self.scores.cutoff)
        yield self.audit.policy_line()

    def ranges(self, measure: str | None = None) -> MeasureRanges:
        """The possible ranges of all runs for a measure, as records."""
        return next(each for each in self._described() if each.measure == self._named(measure))

    def plot(self, kind: str = "coverage", **choices: Unpack[HolesChartChoices]) -> "Figure":
        """Draw what was judged (`coverage`), the possible ranges (`ranges`), or what to judge next (`next`).

        `microscope` shows the rankings of one topic, `judging` how more judging narrows the ranges.
        """
        return draw("holes", kind, self, **choices)

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        found = plain(self.covered, self._everything, str(self.universe))
        return found if self.budget.seconds is None else {**found, "cut": self.budget.as_dict()}
