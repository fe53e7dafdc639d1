"""Runs compared on the judgments of a lab: the table, the three marks of each score, and the topics."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np

from cranfield.align.policy import Policy
from cranfield.errors.warning import kept
from cranfield.judging.looking.scales import Axis, AxisTick
from cranfield.judging.looking.topic_deltas import DASH, TopicDelta, topic_deltas
from cranfield.missing.holes import holes
from cranfield.missing.joined.join import with_ranges
from cranfield.missing.joined.pair import RangedPair
from cranfield.missing.ranges import of_means
from cranfield.missing.result import Holes
from cranfield.stats.comparison.compare import compare
from cranfield.stats.comparison.pair import Pair
from cranfield.stats.comparison.result import Comparison
from cranfield.stats.mean_intervals import with_intervals
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.scores import Scores
from cranfield.tables.sheets.numerals import in_print

LEFT, RIGHT = 8.0, 200.0  # of the bars, which are 208 wide


@dataclass(frozen=True)
class CompareChoices:
    """What a person chose: measure, baseline (empty: the first run), test, correction, and policies."""

    measure: str = "nDCG@10"
    baseline: str = ""
    test: str = "t"
    adjust: str = "holm"
    unjudged: str = "nonrelevant"
    topic_set: str = "qrels"
    no_relevant: str = "zero"
    rel: int = 1

    @property
    def policy(self) -> Policy:
        """The policies that shape the numbers."""
        words: Any = {"unjudged": self.unjudged, "topic_set": self.topic_set, "no_relevant": self.no_relevant}
        return Policy(rel=self.rel, **words)  # which checks the words


@dataclass(frozen=True)
class ScoreBar:
    """The marks of one run: a pale bar for what is possible, a line for the interval, a dot for the score."""

    low: float
    high: float
    dot: float
    line: tuple[float, float] | None = None  # None: there is no interval


@dataclass(frozen=True)
class ComparedRun:
    """One row of the table, in print; an unknown value is a dash."""

    run: str
    mean: str
    best: bool
    baseline: bool
    delta: str
    interval: str
    d_z: str
    p: str
    significant: bool
    tally: str
    judged: str
    flip: str
    possible: str
    lowest: str
    highest: str
    over_topics: str  # the interval of the mean
    bar: ScoreBar
    warning: str

    @property
    def alternative(self) -> str:
        """The marks in words."""
        words = f"{self.mean} as judged, possible from {self.lowest} to {self.highest}"
        return words if self.over_topics == DASH else f"{words}, 95 % interval over topics {self.over_topics}"


@dataclass(frozen=True)
class ComparedRuns:
    """The page that compares runs.

    Attributes:
        choices: what was chosen.
        caption: measure, topics, test and correction.
        sentence: what is known, and what is not.
        rows: of the table, the baseline first, then the best ones.
        others: the runs beside the baseline, in the order of the columns of `topics`.
        topics: differences of each topic.
        marks: of the axis of the bars.
        notes: what shaped the numbers.
    """

    choices: CompareChoices
    caption: str
    sentence: str
    rows: tuple[ComparedRun, ...]
    others: tuple[str, ...]
    topics: tuple[TopicDelta, ...]
    marks: tuple[AxisTick, ...]
    notes: tuple[str, ...]


def compared_runs(qrels: Qrels, runs: Sequence[Run], choices: CompareChoices) -> ComparedRuns:
    """Compare runs with a baseline, and say what judgments that are missing could change.

    >>> from cranfield.read.objects import as_qrels, as_run
    >>> qrels = as_qrels({f"q{n}": {"a": 1, "b": 0} for n in range(1, 9)})
    >>> new = as_run({f"q{n}": ["a" if n > 2 else "b"] for n in range(1, 9)}).renamed("new")
    >>> old = as_run({f"q{n}": ["b" if n > 1 else "x"] for n in range(1, 9)}).renamed("old")
    >>> found = compared_runs(qrels, [old, new], CompareChoices("P@1", "old", test="sign"))
    >>> [(row.run, row.mean, row.delta, row.flip) for row in found.rows]
    [('old', '0.0000', '–', '–'), ('new', '0.7500', '+0.7500', 'no')]
    """
    policy = choices.policy
    every = Runs(tuple(runs))
    base = choices.baseline if choices.baseline in [run.name for run in runs] else runs[0].name
    with kept():  # warnings: the notes repeat them
        scored = compare(
            qrels, every, choices.measure, baseline=base, test=choices.test, adjust=choices.adjust, policy=policy
        )
        known = holes(qrels, every, choices.measure, policy=policy)
        found: Comparison = with_ranges(scored, known)
    return _page(found, known, base, choices)


def _page(found: Comparison, known: Holes, base: str, choices: CompareChoices) -> ComparedRuns:
    names, pairs = list(found.scores.runs), {pair.run: pair for pair in found.pairs()}
    means = {name: found.mean(name) for name in names}
    ends = of_means(known.bounder().runs, known.bounder().average)
    possible = {name: (float(ends.low[n]), float(ends.high[n])) for n, name in enumerate(known.runs)}
    spans = _mean_intervals(found.scores)
    ends_drawn = [end for both in (*possible.values(), *spans) for end in both if not isnan(end)]
    axis = Axis.around([*map(_number, means.values()), *ends_drawn], LEFT, RIGHT)
    order = [base, *sorted((name for name in names if name != base), key=lambda name: -_number(means[name]))]
    top = max(means.values(), key=_number)
    judged = found.scores.judged
    rows = tuple(
        _row(
            name,
            means[name],
            pairs.get(name),
            possible[name],
            spans[names.index(name)],
            axis,
            best=means[name] == top,
            share=float(np.nanmean(judged[names.index(name), :, 0])),
        )
        for name in order
    )
    return ComparedRuns(
        choices=choices,
        caption=f"{choices.measure} · {found.brief().strip().splitlines()[0]}",
        sentence=_sentence(base, [pairs[name] for name in order[1:]], known.bounder().situation.documents),
        rows=rows,
        others=tuple(order[1:]),
        topics=topic_deltas(found.scores, base, order[1:]),
        marks=axis.marks,
        notes=tuple(row.warning for row in rows if row.warning),
    )


def _row(
    name: str,
    mean: float,
    pair: Pair | None,
    possible: tuple[float, float],
    span: tuple[float, float],
    axis: Axis,
    *,
    best: bool,
    share: float,
) -> ComparedRun:
    ranged = pair if isinstance(pair, RangedPair) else None
    low, high = possible
    return ComparedRun(
        run=name,
        mean=_print(mean, ".4f"),
        best=best,
        baseline=pair is None,
        delta=DASH if pair is None else _print(pair.difference, "+.4f"),
        interval=DASH if pair is None else f"{_print(pair.ci[0], '+.4f')} … {_print(pair.ci[1], '+.4f')}",
        d_z=DASH if pair is None else _print(pair.d_z, ".2f"),
        p=DASH if pair is None else _probability(pair.p),
        significant=pair is not None and bool(pair.significant),
        tally=DASH if pair is None else f"{pair.wins}/{pair.ties}/{pair.losses}",
        judged=DASH if isnan(share) else in_print(share, ".1%"),
        flip=DASH if ranged is None or ranged.flip is None else ranged.flip,
        possible=DASH if ranged is None or ranged.possible_low is None else _span(ranged),
        lowest=_print(low, ".4f"),
        highest=_print(high, ".4f"),
        over_topics=DASH if isnan(span[0]) else f"{_print(span[0], '.4f')} … {_print(span[1], '.4f')}",
        bar=ScoreBar(
            axis.at(low),
            axis.at(high),
            axis.at(_number(mean)),
            None if isnan(span[0]) else (axis.at(span[0]), axis.at(span[1])),
        ),
        warning="" if pair is None else pair.warning,
    )


def _span(pair: RangedPair) -> str:
    low, high = pair.possible_low, pair.possible_high
    return DASH if low is None or high is None else f"{_print(low, '+.3f')} … {_print(high, '+.3f')}"


def _mean_intervals(scores: Scores) -> list[tuple[float, float]]:
    """The 95 % interval of each mean over topics; undefined for what is no mean, and for one topic."""
    if scores.averages[0] not in ("mean", "geometric") or len(scores.topics) < 2:
        return [(nan, nan) for _ in scores.runs]
    spans = with_intervals(scores, "t").intervals
    return [(nan, nan) for _ in scores.runs] if spans is None else [(float(a), float(b)) for a, b in spans[:, 0]]


def _sentence(base: str, pairs: Sequence[Pair], documents: str) -> str:
    """What is certain, whatever the unjudged ones of some documents are, and what is open, in words."""
    whatever = f"whatever the unjudged {documents} are"
    ranged = [pair for pair in pairs if isinstance(pair, RangedPair)]
    certain = [pair for pair in ranged if pair.flip == "no"]
    better = [pair.run for pair in certain if pair.difference > 0]
    worse = [pair.run for pair in certain if pair.difference < 0]
    open_ = [pair.run for pair in ranged if pair.flip not in ("no", None)]
    said = []
    if better:
        said.append(f"{_listed(better)} {_are(better)} better than {base}, {whatever}.")
    if worse:
        said.append(f"{_listed(worse)} {_are(worse)} worse than {base}, {whatever}.")
    if open_:
        said.append(f"Judgments that are missing could reverse the order of {base} and {_listed(open_, 'or')}.")
    return " ".join(said)


def _listed(names: Sequence[str], word: str = "and") -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _print(value: float, style: str) -> str:
    return DASH if isnan(value) else in_print(value, style)


def _probability(value: float) -> str:
    if isnan(value):
        return DASH
    return "< 0.0001" if value < 0.0001 else f"{value:.2g}"


def _number(value: float) -> float:
    return 0.0 if isnan(value) else value
