"""What a report is made of: scores, and whatever else is known about them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import Floats
from cranfield.missing.joined.join import joined
from cranfield.missing.situation import ZERO
from cranfield.stats.comparison.result import Comparison
from cranfield.stats.mean_intervals import with_intervals
from cranfield.tables.scores import Scores
from cranfield.tables.side.selection import best_first

if TYPE_CHECKING:
    from cranfield.missing.result import Holes
    from cranfield.stats.agreement.result import Agreement
    from cranfield.stats.by_group.comparing import GroupedComparison
    from cranfield.stats.by_group.grouped import GroupedScores
    from cranfield.stats.comparison.pair import Pair
    from cranfield.study.engine.result import StudyResult
    from cranfield.tables.side.documents import Documents
    from cranfield.tables.side.topics import Topics


@dataclass(frozen=True, eq=False)
class ReportMaterial:
    """Everything that sections are written from.

    Attributes:
        scores: of all runs and measures.
        comparison: of the same runs, with ranges where missing judgments are known.
        holes: what missing judgments could change.
        agreement: of the assessors of a lab.
        studies: on the collection.
        groups: scores or comparisons by groups of topics.
        topics: their texts.
        documents: their titles and texts.
        with_text: whether texts of documents may be printed.
        command: that makes the report again.
        stamp: when it was made, if that is to be said.
    """

    scores: Scores
    comparison: Comparison | None = None
    holes: "Holes | None" = None
    agreement: "Agreement | None" = None
    studies: "tuple[StudyResult, ...]" = ()
    groups: "tuple[GroupedScores | GroupedComparison, ...]" = ()
    topics: "Topics | None" = None
    documents: "Documents | None" = None
    with_text: bool = False
    command: str = ""
    stamp: str = ""

    @cached_property
    def measure(self) -> str:
        """The measure that the report is about: the first whose possible ranges are known, else the first."""
        known = self.holes.measures if self.holes else ()
        return next((name for name in self.scores.measures if name in known), self.scores.measures[0])

    @property
    def other_measures(self) -> list[str]:
        """The measures that are printed beside it."""
        return [name for name in self.scores.measures if name != self.measure]

    @property
    def column(self) -> int:
        """The place of that measure among the measures of the scores."""
        return self.scores.measures.index(self.measure)

    @property
    def smaller(self) -> bool:
        """Whether less is better."""
        return self.measure in self.scores.smaller

    @cached_property
    def ranked(self) -> list[str]:
        """The runs, best first."""
        return [self.scores.runs[at] for at in best_first(self.scores.means[:, self.column], self.smaller)]

    def mean(self, run: str) -> float:
        """The mean of a run."""
        return float(self.scores.means[self.scores.runs.index(run), self.column])

    @cached_property
    def intervals(self) -> Floats:
        """`[run, measure, end]`: the 95 % interval of each mean over topics; undefined for what is no mean."""
        scores = self.scores
        if scores.intervals is not None:
            return scores.intervals
        spans = np.full((len(scores.runs), len(scores.measures), 2), np.nan)
        for column, average in enumerate(scores.averages):
            if average in ("mean", "geometric") and len(scores.topics) > 1:
                found = with_intervals(scores.select(scores.measures[column]), "t").intervals
                spans[:, column] = np.nan if found is None else found[:, 0]
        return spans

    @cached_property
    def pairs(self) -> "list[Pair]":
        """The compared pairs of the measure, the better run, or the run that is no baseline, first."""
        if self.comparison is None or self.measure not in self.comparison.measures:
            return []
        found = list(self.comparison.pairs(self.measure))
        if self.comparison.baselines:
            return found
        place = {run: at for at, run in enumerate(self.ranked)}
        return [pair if place[pair.run] < place[pair.baseline] else pair.reversed() for pair in found]

    @property
    def reference(self) -> str:
        """The run that the others are compared with: the first baseline, else the best run."""
        return self.comparison.baselines[0] if self.comparison and self.comparison.baselines else self.ranked[0]

    def compared(self, number: int) -> list[str]:
        """The reference and the best other runs, so many in all."""
        return [self.reference, *(run for run in self.ranked if run != self.reference)][:number]

    def words_of(self, document: str) -> str:
        """The title of a document, and its text if that may be printed (REP-4); empty if nothing is known."""
        if self.documents is None or document not in self.documents:
            return ""
        found = self.documents[document]
        return " ".join(f"{found.title} {found.text if self.with_text else ''}".split())

    @cached_property
    def against_reference(self) -> "list[Pair]":
        """The pairs of the reference: as `pairs` has them, best first."""
        place = {run: at for at, run in enumerate(self.ranked)}
        found = [pair for pair in self.pairs if self.reference in (pair.run, pair.baseline)]
        return sorted(found, key=lambda pair: place[pair.run if pair.baseline == self.reference else pair.baseline])


def with_known_ranges(comparison: Comparison, holes: "Holes") -> Comparison:
    """The comparison with ranges, for the measure that the report is about: pairs cost more time than runs do."""
    known = [name for name in comparison.measures if name in holes.measures][:1]
    return joined(comparison, {name: holes.bounder(name) for name in known}, holes.universe) if known else comparison


def of_one_measure(holes: "Holes", measure: str) -> "Holes":
    """What missing judgments could change about this measure alone."""
    one = {name: values for name, values in holes.condensed.items() if name == measure}
    situations = {name: each for name, each in holes.situations.items() if name == measure}
    return replace(holes, scores=holes.scores.select(measure), condensed=one, situations=situations)


def same_scores(scores: Scores, others: Scores) -> bool:
    """Whether two tables of scores agree where both have a run and a measure."""
    runs = [run for run in others.runs if run in scores.runs]
    measures = [name for name in others.measures if name in scores.measures]
    ours, theirs = (_means(each, runs, measures) for each in (scores, others))
    return len(runs) == len(scores.runs) and bool(np.allclose(ours, theirs, rtol=0, atol=ZERO, equal_nan=True))


def _means(scores: Scores, runs: Sequence[str], measures: Sequence[str]) -> Floats:
    rows = [scores.runs.index(run) for run in runs]
    return scores.means[np.ix_(rows, [scores.measures.index(name) for name in measures])]
