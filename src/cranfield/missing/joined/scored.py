"""Scores beside missing judgments: what `unjudged="bounds"` and `"estimate"` add to each mean."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from cranfield.align.combining.combine import collapse
from cranfield.align.policy import Policy
from cranfield.errors.warning import kept
from cranfield.missing.bounds.method import NO_RUN
from cranfield.missing.holes import holes
from cranfield.missing.inner import shown
from cranfield.missing.joined.sources import bounders_of
from cranfield.missing.ranges import Bounder, of_means
from cranfield.missing.sheets.whole import grade_words, method_words
from cranfield.missing.universe import read_universe
from cranfield.read.objects import as_qrels, as_sources
from cranfield.tables.qrels import Qrels
from cranfield.tables.side.possible import PossibleScores, ranges_of
from cranfield.tables.source import ScoresOrigin

if TYPE_CHECKING:
    from cranfield.read.sources.runs import Sources
    from cranfield.tables.scores import Scores


@ranges_of("bounds")
def possible_bounds(scores: "Scores", origin: ScoresOrigin, universe: str, seed: int) -> PossibleScores:
    """The lowest and the highest possible mean of each run."""
    known = read_universe(universe)
    qrels, sources, policy = _opened(origin)
    bounders, reasons = bounders_of(scores, qrels, sources, policy, known)
    low, high = np.full((2, len(scores.runs), len(scores.measures)), np.nan)
    exact, sure = np.zeros(low.shape, dtype=bool), np.ones(low.shape, dtype=bool)
    for name, bounder in bounders.items():
        column, every = scores.measures.index(name), np.arange(len(bounder.situation.runs))
        ends = of_means(bounder.runs, bounder.average)
        found, sure[:, column] = shown(bounder, ends, every, np.full(len(every), NO_RUN))
        rows = _rows(scores, bounder)
        low[rows, column], high[rows, column], exact[rows, column] = found.low, found.high, found.exact
    words = {
        name: _assumptions(bounder, *(flags[:, scores.measures.index(name)].tolist() for flags in (exact, sure)))
        for name, bounder in bounders.items()
    }
    return PossibleScores("bounds", low, high, exact, notes=(*_lines(universe, words), *reasons))


@ranges_of("estimate")
def possible_estimates(scores: "Scores", origin: ScoresOrigin, universe: str, seed: int) -> PossibleScores:
    """The expected mean of each run under the prior, and the band in which 90 % of the completions lie."""
    qrels, sources, policy = _opened(origin)
    with kept():  # warnings of files that were read before
        found = holes(qrels, sources, scores.measures, policy=policy, universe=universe)
    expected, low, high = np.full((3, len(scores.runs), len(scores.measures)), np.nan)
    words = {}
    for column, name in enumerate(scores.measures):
        estimate = found.estimate(measure=name, seed=seed)
        rows = [scores.runs.index(run) for run in estimate.runs]
        expected[rows, column], (low[rows, column], high[rows, column]) = estimate.mean, estimate.band()
        situation = found.situations[name]
        words[name] = " · ".join([situation.words, grade_words(situation.grades.tolist())])
    drawn = "expected mean and 5–95 % band over 4,000 completions drawn from a prior fitted to the judgments"
    notes = (*_lines(universe, words), f"{drawn}: as good as the prior")
    return PossibleScores("estimate", low, high, np.zeros(low.shape, dtype=bool), expected, notes)


def _opened(origin: ScoresOrigin) -> "tuple[Qrels, Sources, Policy]":
    """The inputs, to be read again; measures are named with their level, and condensed ones with a prime."""
    qrels = as_qrels(origin.qrels)
    if origin.collapse is not None:
        qrels = collapse(qrels, origin.collapse)
    sources = as_sources(origin.runs)._replace(seen=lambda *_: None)
    return qrels, sources, origin.policy.with_(unjudged="nonrelevant", rel=1)


def _rows(scores: "Scores", bounder: Bounder) -> list[int]:
    return [scores.runs.index(run) for run in bounder.situation.runs]


def _assumptions(bounder: Bounder, exact: list[bool], certified: list[bool]) -> str:
    situation = bounder.situation
    return " · ".join([situation.words, grade_words(situation.grades.tolist()), method_words(exact, certified)])


def _lines(universe: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """The assumptions of all measures: one line, if they are the same."""
    if len({*words.values()}) == 1:
        return (f"universe={universe}: {next(iter(words.values()))}",)
    return tuple(f"universe={universe}, {name}: {said}" for name, said in words.items())
