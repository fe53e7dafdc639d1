"""Deciding between two runs: the later judgments answer, and say what came out."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

import cranfield as cf
from benchmarks.holes_calibration import LaterJudgments
from cranfield.align.policy import Policy
from cranfield.arrays import Ints
from cranfield.measures.grammar import parse
from cranfield.missing.next.deciding.asked import AskedPairs
from cranfield.missing.next.deciding.decider import Decider, PairOrder
from cranfield.missing.next.deciding.making import situation_of_runs
from cranfield.missing.next.deciding.path import follow
from cranfield.missing.next.deciding.steps import DecisionStep, StopRule
from cranfield.missing.next.deciding.worlds import DrawnHoles, Worlds
from cranfield.missing.situation import ZERO
from cranfield.missing.universe import read_universe

UNIVERSES = (("P@10", "runs"), ("nDCG@10", "runs"), ("nDCG@10", "open:10"))  # unseen documents change nothing for P@10
LOOKED_AT = 10
ALPHAS = (0.01, 0.05)
EVERY = 1  # of the pairs; all take a quarter of an hour


@dataclass(frozen=True, eq=False)
class Deciding:
    """Paths of pairs of runs of which every document was judged in the end."""

    data: LaterJudgments
    draws: int = 4000

    @cached_property
    def drawn(self) -> tuple[DrawnHoles, Ints]:
        """The holes of all runs, drawn once, and the row of each candidate."""
        data = self.data
        near = np.zeros(len(data.candidates), dtype=bool)
        own = np.isin(data.candidates.run, data.completed) & (data.candidates.rank <= LOOKED_AT)
        near[data.candidates.pair[own]] = True
        places = np.flatnonzero(near & np.isnan(data.grade))
        row = np.full(len(near), -1)
        row[places] = np.arange(len(places))
        prior = data.prior
        return DrawnHoles.of(prior.model(self.draws), places, prior.levels), row

    def path(
        self, measure: str, a: int, b: int, order: PairOrder, universe: str = "runs"
    ) -> tuple[list[DecisionStep], int]:
        """The path until it is certain, or all holes are judged, and the number of holes."""
        data, known = self.data, read_universe(universe)
        topics = tuple(data.qrels.topics)
        situation, places = situation_of_runs(
            data.candidates, data.grade, topics, parse(measure), Policy(), (a, b), universe=known
        )
        drawn, row = self.drawn
        asked = AskedPairs(situation)
        decider = Decider(asked, Worlds(asked, drawn.only(row[places])), StopRule(), order)
        follow(decider, self.answer)
        return decider.steps[0], len(places)

    def judged_alone(self, measure: str, a: int, b: int) -> float:
        """What came out if only the documents of the two runs were judged later: as `LaterJudgments.outcome`.

        `evaluate` says it, which knows nothing of ranges.
        """
        data, found = self.data, self.data.candidates
        own = np.zeros(len(found), dtype=bool)
        own[found.pair[np.isin(found.run, (a, b)) & (found.rank <= LOOKED_AT)]] = True
        grade = np.where(own, data.known, data.grade)
        kept = np.flatnonzero(~np.isnan(grade))
        qrels = cf.Qrels(found.topics, found.topic[kept], found.document.take(kept), grade[kept].astype(np.int64))
        runs = [data.runs[found.runs[side]] for side in (a, b)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cf.DataWarning)
            first, second = cf.evaluate(qrels, runs, [measure]).means[:, 0]
        return 0.5 if abs(first - second) < ZERO else float(first > second)

    @cached_property
    def answer(self) -> Callable[[str, str], float]:
        """The grade in the end."""
        data = self.data
        known = np.flatnonzero(~np.isnan(data.known))
        names = zip(data.candidates.topic[known].tolist(), data.candidates.document.take(known), strict=True)
        grades = dict(zip(((data.candidates.topics[t], d) for t, d in names), data.known[known].tolist(), strict=True))
        return lambda topic, document: grades[topic, document]


def tables(folder: Path, every: int = EVERY, orders: Sequence[PairOrder] = ("progress",)) -> Iterator[str]:
    """How many judgments until two runs are decided."""
    data = LaterJudgments.covid(folder)
    deciding = Deciding(data)
    a, b = (side[::every].tolist() for side in data.pairs)
    yield f"### TREC-COVID, round 2: judgments until two runs are decided, {len(a):,} pairs"
    yield ""
    yield (
        "| measure | universe | order | until | mean | median | 90 % | most | mean if open at first | none needed "
        "| not decided | wrong | reversed by other documents |"
    )
    yield "|:---|:---|:---|:---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for measure, universe in UNIVERSES:
        alone = [deciding.judged_alone(measure, *pair) for pair in zip(a, b, strict=True)]
        outcome = data.outcome(measure)[::every]
        for order in orders:
            paths = [deciding.path(measure, *pair, order, universe) for pair in zip(a, b, strict=True)]
            holes = np.mean([number for _, number in paths])
            open_ = np.array([not steps[0].settled for steps, _ in paths])
            for alpha in (0.0, *(ALPHAS if universe == "runs" else ())):
                ends = [_end(steps, alpha) for steps, _ in paths]
                number = np.array([end.judged for end in ends])
                wrong = [_differ(end, o) for end, o in zip(ends, alone, strict=True)]
                in_the_end = [_differ(end, o) for end, o in zip(ends, outcome, strict=True)]
                others = sum(later and not own for later, own in zip(in_the_end, wrong, strict=True))
                until = "certain" if alpha == 0 else f"P outside [{alpha:g}, {1 - alpha:g}]"
                cells = [
                    f"{number.mean():.1f}",
                    f"{np.median(number):g}",
                    f"{np.quantile(number, 0.9):g}",
                    f"{number.max()}",
                    f"{number[open_].mean():.1f}",
                    f"{np.mean(number == 0):.0%}",
                    f"{sum(not end.decided for end in ends)}",
                    f"{sum(wrong)}",
                    f"{others}",
                ]
                yield f"| {measure} | {universe} | {order} | {until} | {' | '.join(cells)} |"
        if universe == "runs":
            yield f"| {measure} | | all holes of the pair | | {holes:.1f} | | | | | | | | |"
    yield ""


@dataclass(frozen=True)
class PathEnd:
    """Where a rule stopped: the number of judgments, P(A > B) then, and whether it stopped before answers ended."""

    judged: int
    probability: float
    decided: bool


def _differ(end: PathEnd, outcome: float) -> bool:
    """Whether one run was called better and the other one was."""
    called = end.decided and 0.5 not in (end.probability, outcome)
    return called and (end.probability > 0.5) != (outcome > 0.5)


def _end(steps: Sequence[DecisionStep], alpha: float) -> PathEnd:
    """Where a rule stopped; at the last answer if it did not."""
    rule = StopRule(alpha)
    at = next((n for n, step in enumerate(steps) if rule.reason(step) is not None), None)
    last = len(steps) - 1 if at is None else at
    return PathEnd(last, steps[last].probability, at is not None)
