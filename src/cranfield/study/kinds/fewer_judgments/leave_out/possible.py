"""Possible ranges where a group did not help to build the pool: its own documents are holes then."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cranfield.align.join import JudgmentIndex
from cranfield.arrays import Bools, Floats, Ints
from cranfield.measures.grammar import Measure
from cranfield.missing.bounds.method import NO_RUN
from cranfield.missing.holes import listed_documents
from cranfield.missing.pairs.verdicts import pair_ranges
from cranfield.missing.ranges import Bounder, of_means
from cranfield.missing.situation import Situation, refuse_unsuitable
from cranfield.missing.universe import Universe
from cranfield.pooling.candidates import Candidates
from cranfield.study.data.judged_runs import JudgedRuns
from cranfield.study.engine.definition import UnitResult


@dataclass(frozen=True, eq=False)
class ListedOnce:
    """What the runs list, and where each pair is among the judgments; all worlds share it.

    Attributes:
        candidates: what the runs list as deep as it matters, and all judged pairs.
        grade: of each candidate, with all judgments.
        place: of each candidate among the judgments of the collection; -1 if it has none.
        pooled: which candidates are in the pool of the universe, if it has one.
    """

    candidates: Candidates
    grade: Floats
    place: Ints
    pooled: Bools | None

    def situation(self, data: JudgedRuns, measure: Measure, universe: Universe, gone: Bools) -> Situation:
        """The situation of a measure without the judgments at some places; holes may have all grades that occur."""
        grade = np.where((self.place >= 0) & gone[self.place], np.nan, self.grade)
        kept = ~np.isnan(grade) | (self.candidates.listings > 0)  # holes are documents that runs list
        pooled = None
        if self.pooled is not None:
            kept |= self.pooled
            pooled = self.pooled[kept]
        levels = np.unique(self.grade[self.grade >= 0])
        collection = data.collection
        return Situation.of(
            self.candidates.only(kept),
            grade[kept],
            collection.topics,
            measure,
            universe,
            collection.policy,
            pooled,
            levels,
        )


@lru_cache(maxsize=1)
def listed_once(data: JudgedRuns, measures: tuple[Measure, ...], universe: Universe) -> ListedOnce:
    """The lists of all runs, read as deep as the measures look; all units of a process share them."""
    policy = data.collection.policy
    for measure in measures:
        refuse_unsuitable(measure, policy)
    found = listed_documents(data.qrels, data.runs.values(), measures, universe, policy)
    index = JudgmentIndex.of(data.qrels, policy.negative)
    place = np.full(len(data.qrels) + 1, -1)  # the last is that of candidates without a judgment
    place[index.row] = np.arange(len(index.row))
    return ListedOnce(found.candidates, found.grade, place[found.candidates.rows_in(index)], found.pooled)


def possible(
    data: JudgedRuns, measures: tuple[Measure, ...], universe: Universe, gone: Bools, runs: Ints
) -> UnitResult:
    """The ranges of some runs, and of their differences from all runs, without the judgments at some places.

    `low`, `high` and `exact` are `[run, measure]`, `pair_low` and `pair_high` `[run, other, measure]`; a run has no
    range of the difference from itself.
    """
    listed, every = listed_once(data, measures, universe), len(data.runs)
    shape = (len(runs), len(measures))
    found = {name: np.empty(shape) for name in ("low", "high", "exact")}
    pairs = {name: np.full((len(runs), every, len(measures)), np.nan) for name in ("pair_low", "pair_high")}
    row, other = np.nonzero(runs[:, None] != np.arange(every))
    for column, measure in enumerate(measures):
        bounder = Bounder(listed.situation(data, measure, universe, gone))
        ends = of_means(bounder.of(runs, np.full(len(runs), NO_RUN)), bounder.average)
        found["low"][:, column], found["high"][:, column] = ends.low, ends.high
        found["exact"][:, column] = ends.exact
        differ = pair_ranges(bounder, runs[row], other)
        pairs["pair_low"][row, other, column], pairs["pair_high"][row, other, column] = differ.low, differ.high
    return found | pairs
