"""Calibration for a new group: P(A > B) of its runs and others, without the documents that it alone found.

Each group of TREC-8 in turn was not there when the pool was made; all judgments say what came out.
"""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

import cranfield as cf
from benchmarks.holes_calibration import (
    MEASURES,
    PRESENT,
    LaterJudgments,
    reliability_chart,
    reliability_rows,
    score_row,
)
from benchmarks.holes_ranges import POOL_DEPTH, GroupsOfRuns
from cranfield.arrays import Floats, Ints
from cranfield.missing.prior.calibration import reliability
from cranfield.reporting.figure import Figure

DRAWS = 1000
PRIOR = "**prior, on these topics**"


@dataclass(frozen=True, eq=False)
class NewGroup(LaterJudgments):
    """Runs with the judgments that there would be without one group, and all others."""

    own: Ints  # the runs of the group

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Each of its runs with each run of another group."""
        others = np.setdiff1d(np.arange(len(self.candidates.runs)), self.own)
        first, second = np.meshgrid(self.own, others, indexing="ij")
        return first.ravel(), second.ravel()

    def said(self, measure: str) -> Mapping[str, Floats]:
        """What each way says of every pair."""
        prior = self.estimate(measure, draws=DRAWS).probabilities()[self.pairs]
        return {name: chances(self, measure) for name, chances in PRESENT.items()} | {PRIOR: prior}


def new_groups(data: GroupsOfRuns, runs: cf.Runs, known: Iterator[Floats]) -> Iterator[NewGroup]:
    """Each group, with the grades that are known without it."""
    for group, grade in enumerate(known):
        later = np.where(np.isnan(grade), data.full, np.nan)
        names = {data.candidates.runs[run] for run in np.flatnonzero(data.group == group)}
        own = np.array([place for place, run in enumerate(runs.values()) if run.name in names])
        yield NewGroup(runs, _qrels(data, grade), _qrels(data, later), own)


def _qrels(data: GroupsOfRuns, grade: Floats) -> cf.Qrels:
    """The judgments among the candidates that have a grade; every topic is kept."""
    kept, found = np.flatnonzero(~np.isnan(grade)), data.candidates
    return cf.Qrels(found.topics, found.topic[kept], found.document.take(kept), grade[kept].astype(np.int64))


def tables(folder: Path) -> Iterator[str | Figure]:
    """Brier score, log loss and reliability over the pairs of all groups."""
    data = GroupsOfRuns.trec8(folder)
    runs = cf.read_runs(f"{folder}/trec8/runs/*.gz", name_by="file")
    settings = {
        "all but its unique documents": data.without_uniques,
        f"documents of the first {POOL_DEPTH} of the others": data.shallow,
    }
    for judged, known in settings.items():
        yield f"### TREC-8: each of {len(data.names)} groups in turn new to the pool, judged: {judged}"
        yield ""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cf.DataWarning)
            yield from _tables_of(list(_chances(new_groups(data, runs, known()))))


def _chances(groups: Iterator[NewGroup]) -> Iterator[dict[str, tuple[Mapping[str, Floats], Floats]]]:
    """For each group and measure: what each way says of the pairs, and what came out."""
    for group in groups:
        yield {measure: (group.said(measure), group.outcome(measure)) for measure in MEASURES}
        LaterJudgments.scores.cache_clear()


def _tables_of(found: list[dict[str, tuple[Mapping[str, Floats], Floats]]]) -> Iterator[str | Figure]:
    said = {
        measure: {name: np.concatenate([group[measure][0][name] for group in found]) for name in found[0][measure][0]}
        for measure in MEASURES
    }
    outcome = {measure: np.concatenate([group[measure][1] for group in found]) for measure in MEASURES}
    yield f"{len(outcome[MEASURES[0]]):,} pairs of a run of the group with a run of another one."
    yield ""
    yield f"| said by | {' | '.join(f'{score} {each}' for score in ('Brier', 'log loss') for each in MEASURES)} |"
    yield f"|:---{'|---:' * 2 * len(MEASURES)}|"
    for name in said[MEASURES[0]]:
        yield score_row(name, [said[measure][name] for measure in MEASURES], outcome)
    for measure in MEASURES:
        bins = reliability(said[measure][PRIOR], outcome[measure])
        yield from ("", f"**{measure}: P(A > B) on these topics, and how often A was better in the end**", "")
        yield from reliability_rows(bins, "pairs", "A better")
        yield from ("", reliability_chart(bins, measure))
    yield ""
