"""Ranges beside what came out: judgments of TREC-COVID's later rounds, and judgments of TREC-8 that were hidden.

Nothing here learns from the later judgments: they only say what came out.
"""

import gzip
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import cranfield as cf
from benchmarks.holes_calibration import LaterJudgments
from cranfield.align.policy import Policy
from cranfield.arrays import Bools, Floats, Ints
from cranfield.measures.grammar import parse
from cranfield.missing.bounds.method import NO_RUN
from cranfield.missing.completions import values
from cranfield.missing.ranges import Bounder, of_means
from cranfield.missing.situation import ZERO, Situation, depth_of
from cranfield.missing.universe import read_universe
from cranfield.pooling.candidates import Candidates

ASKED = (
    ("P@10", "runs"),
    ("RBP(p=0.8)", "runs"),
    ("nDCG@10", "runs"),
    ("nDCG@10", "open:10"),
    ("AP", "runs"),
)
CLOSE = 0.02  # differences that look decided by nothing
HIDDEN = ("P@10", "RBP(p=0.8)@10", "nDCG@10")
POOL_DEPTH = 5
NEAR = 1e-9


@dataclass(frozen=True, eq=False)
class Outcome:
    """The ranges of one measure, and the values that came out."""

    measure: str
    universe: str
    low: Floats  # of each run
    high: Floats
    now: Floats
    later: Floats
    completed: Bools  # whether all that the measure looks at was judged in the end
    a: Ints
    b: Ints
    pair_low: Floats
    pair_high: Floats

    @property
    def outside(self) -> Bools:
        """Which runs came out outside of their range."""
        return (self.later < self.low - NEAR) | (self.later > self.high + NEAR)

    @property
    def pairs_outside(self) -> Bools:
        """Which differences came out outside of their range."""
        gap = self.later[self.a] - self.later[self.b]
        return (gap < self.pair_low - NEAR) | (gap > self.pair_high + NEAR)

    @property
    def certain(self) -> Bools:
        """Which pairs have one order in all completions."""
        return (self.pair_low > ZERO) | (self.pair_high < -ZERO)

    @property
    def reversed(self) -> Bools:
        """Which pairs came out in the other order."""
        now, later = self.now[self.a] - self.now[self.b], self.later[self.a] - self.later[self.b]
        return (np.abs(now) > ZERO) & (np.abs(later) > ZERO) & (np.sign(now) != np.sign(later))

    def row(self) -> str:
        """A row of the table."""
        whole = self.completed[self.a] & self.completed[self.b]
        close = np.abs(self.now[self.a] - self.now[self.b]) < CLOSE
        cells = (
            self.measure,
            self.universe,
            f"{self.certain.mean():.1%}",
            f"{self.reversed.mean():.1%}",
            f"{self.reversed[close].mean():.1%}",
            f"{np.count_nonzero(self.reversed & self.certain)}",
            f"{np.count_nonzero(self.outside & self.completed)} of {np.count_nonzero(self.completed)}",
            f"{np.count_nonzero(self.pairs_outside & whole):,} of {np.count_nonzero(whole):,}",
            f"{np.count_nonzero(self.outside)} of {len(self.low)}",
            f"{np.count_nonzero(self.pairs_outside):,} of {len(self.a):,}",
        )
        return f"| {' | '.join(cells)} |"


HEADER = (
    "| measure | universe | certain pairs | reversed later | of those closer than .02 | certain ones reversed "
    "| completed runs outside | completed pairs outside | all runs outside | all pairs outside |",
    "|---|---|---|---|---|---|---|---|---|---|",
)


def outcome(data: LaterJudgments, candidates: Candidates, measure: str, universe: str) -> Outcome:
    """The ranges from the judgments of the time, and the values with all judgments."""
    asked, policy = parse(measure), Policy()
    grade, later = candidates.grades(data.qrels), candidates.grades(data.later)
    known = np.where(np.isnan(grade), later, grade)
    situation = Situation.of(candidates, grade, data.qrels.topics, asked, read_universe(universe), policy)
    bounder = Bounder(situation)
    runs = of_means(bounder.runs, asked.definition.average)
    a, b = np.triu_indices(len(situation.runs), 1)
    pairs = of_means(bounder.of(a, b), asked.definition.average)
    now, then = (_means(data, candidates, measure, values) for values in (grade, known))
    depth = depth_of(asked)
    left = np.isnan(known[candidates.pair]) & (candidates.rank <= (depth or 1 << 40))
    counted = np.isin(candidates.topic[candidates.pair], [candidates.topics.index(name) for name in data.qrels.topics])
    completed = np.bincount(candidates.run[left & counted], minlength=len(candidates.runs)) == 0
    return Outcome(measure, universe, runs.low, runs.high, now, then, completed, a, b, pairs.low, pairs.high)


def _means(data: LaterJudgments, candidates: Candidates, measure: str, grade: Floats) -> Floats:
    """The mean of each run with the judgments that are known: by `evaluate`, which knows nothing of ranges."""
    known = np.flatnonzero(~np.isnan(grade))
    qrels = cf.Qrels(
        candidates.topics, candidates.topic[known], candidates.document.take(known), grade[known].astype(np.int64)
    )
    qrels = _of_topics(qrels, data.qrels.topics)
    return cf.evaluate(qrels, data.runs, measure).means[:, 0]


def _of_topics(qrels: cf.Qrels, topics: tuple[str, ...]) -> cf.Qrels:
    number = {name: place for place, name in enumerate(topics)}
    own = np.array([number.get(name, -1) for name in qrels.topics])[qrels.topic]
    kept = np.flatnonzero(own >= 0)
    return cf.Qrels(topics, own[kept], qrels.document.take(kept), qrels.grade[kept])


def covid_table(folder: Path, asked: tuple[tuple[str, str], ...] = ASKED) -> Iterator[str]:
    """TREC-COVID: ranges from rounds 1 and 2, and what rounds 3 to 5 brought."""
    data = LaterJudgments.covid(folder)
    every = with_later(data)
    candidates = Candidates.of(data.runs.values(), 1 << 40, None, every)
    yield "### TREC-COVID: ranges of round 2 beside the judgments of rounds 3 to 5"
    yield ""
    yield from HEADER
    for measure, universe in asked:
        yield outcome(data, candidates, measure, universe).row()
    yield ""


def with_later(data: LaterJudgments) -> cf.Qrels:
    """All pairs that were ever judged, so that candidates hold them."""
    topics = data.qrels.topics
    later = _of_topics(data.later, topics)
    return cf.Qrels.of(
        [*(topics[t] for t in data.qrels.topic.tolist()), *(topics[t] for t in later.topic.tolist())],
        [*data.qrels.document, *later.document],
        [*data.qrels.grade.tolist(), *later.grade.tolist()],
    )


@dataclass(frozen=True, eq=False)
class GroupsOfRuns:
    """TREC-8 with the groups that sent the runs."""

    candidates: Candidates
    qrels: cf.Qrels
    full: Floats  # the grade of each candidate; NaN if it was never judged
    group: Ints  # of each run
    names: tuple[str, ...]  # of groups
    pooled: dict[tuple[str, str], list[str]]  # topic and document -> the groups that brought it into the pool

    @classmethod
    def trec8(cls, folder: Path) -> "GroupsOfRuns":
        """Read it."""
        home = folder / "trec8"
        runs = cf.read_runs(f"{home}/runs/*.gz", name_by="file")
        qrels = cf.read_qrels(home / "qrels.gz")
        of_run = dict(line.split("\t") for line in (home / "groups.tsv").read_text().splitlines() if line.strip())
        candidates = Candidates.of(runs.values(), 10, None, qrels)
        own = [of_run[name.removeprefix("input.")] for name in candidates.runs]
        names = tuple(sorted(set(own)))
        with gzip.open(home / "pool.gz", "rt") as lines:
            pooled = {(words[0], words[2]): words[5:] for words in map(str.split, lines)}
        group = np.array([names.index(name) for name in own])
        return cls(candidates, qrels, candidates.grades(qrels), group, names, pooled)

    def without_uniques(self) -> Iterator[Floats]:
        """For each group the grades without the documents that it alone brought into the pool."""
        topics = self.candidates.topics
        pairs = zip(self.candidates.topic.tolist(), self.candidates.document, strict=True)
        alone = np.full(len(self.candidates), -1)
        for number, (topic, document) in enumerate(pairs):
            by = self.pooled.get((topics[topic], document), ())
            if len(by) == 1:
                alone[number] = self.names.index(by[0])
        for group in range(len(self.names)):
            yield np.where(alone == group, np.nan, self.full)

    def shallow(self) -> Iterator[Floats]:
        """For each group the grades of documents among the first five of another group's runs."""
        rank = np.full((len(self.names), len(self.candidates)), 1 << 40)
        np.minimum.at(rank, (self.group[self.candidates.run], self.candidates.pair), self.candidates.rank)
        for group in range(len(self.names)):
            yield np.where(np.delete(rank, group, axis=0).min(axis=0) <= POOL_DEPTH, self.full, np.nan)


def trec8_table(folder: Path) -> Iterator[str]:
    """TREC-8: each group in turn is new, and what it alone found is not judged."""
    data = GroupsOfRuns.trec8(folder)
    yield "### TREC-8: each of 41 groups in turn new to the pool"
    yield ""
    yield (
        "| measure | judged | holes in its first tens | scores outside | pairs of its runs with others | certain "
        "| certain ones wrong |"
    )
    yield "|---|---|---|---|---|---|---|"
    for measure in HIDDEN:
        yield _left_out(data, data.without_uniques(), measure, "all but its unique documents")
        yield _left_out(data, data.shallow(), measure, f"first {POOL_DEPTH} of the others")
    yield ""


def _left_out(data: GroupsOfRuns, known: Iterator[Floats], measure: str, judged: str) -> str:
    asked, policy, universe = parse(measure), Policy(), read_universe("open:10")

    def bounder_of(grade: Floats) -> Bounder:
        return Bounder(Situation.of(data.candidates, grade, data.qrels.topics, asked, universe, policy))

    real = _as_judged(bounder_of(data.full))
    outside = pairs = certain = wrong = holes = places = 0
    for group, grade in enumerate(known):
        bounder = bounder_of(grade)
        own, others = np.flatnonzero(data.group == group), np.flatnonzero(data.group != group)
        listed = np.isin(data.candidates.run, own)
        places += int(listed.sum())
        holes += int(np.isnan(grade[data.candidates.pair[listed]]).sum())
        ends = of_means(bounder.of(own, np.full(len(own), NO_RUN)), "mean")
        outside += int(np.count_nonzero((real[own] < ends.low - NEAR) | (real[own] > ends.high + NEAR)))
        a, b = (side.ravel() for side in np.meshgrid(own, others, indexing="ij"))
        found = of_means(bounder.of(a, b), "mean")
        sure = (found.low > ZERO) | (found.high < -ZERO)
        pairs, certain = pairs + len(a), certain + int(sure.sum())
        wrong += int(np.count_nonzero(sure & (np.sign(real[a] - real[b]) != np.sign(found.low + found.high))))
    cells = (
        *(measure, judged, f"{holes / places:.1%}", f"{outside} of {len(data.group)}"),
        *(f"{pairs:,}", f"{certain / pairs:.1%}", f"{wrong}"),
    )
    return f"| {' | '.join(cells)} |"


def _as_judged(bounder: Bounder) -> Floats:
    """The score of each run if what was never judged is not relevant."""
    rows = [values(bounder.situation, topic, np.zeros((1, topic.holes + topic.unseen)))[0] for topic in bounder.topics]
    return np.mean(rows, axis=0)


def tables(folder: Path) -> Iterator[str]:
    """All tables, as Markdown."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from covid_table(folder)
        yield from trec8_table(folder)
