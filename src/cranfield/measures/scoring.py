"""One run -> its part of the scores: order once, join once, then every measure on the same hits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cranfield.align.collect import Collected
from cranfield.align.hits import Hits
from cranfield.align.join import JudgmentIndex
from cranfield.align.pieces import WholeListsNeeded, joined, side_by_side
from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.align.ties import TieCounts, count_ties
from cranfield.arrays import Bools, Floats, Ints, ratio, segment_size
from cranfield.errors import Error, InputError
from cranfield.measures.definition import MEASURES
from cranfield.measures.grammar import Measure, build
from cranfield.read.sources.pieces import Irregular
from cranfield.read.sources.runs import RunDict, RunSource
from cranfield.tables.run import Run
from cranfield.tables.source import NOWHERE, Source
from cranfield.tables.text import Text


class ScoredPart(NamedTuple):
    """What a run, or a partition of one, contributes: a row for each judged topic it answered, and facts."""

    run: str
    source: Source
    rows: int
    topic: Ints  # the answered topics, as positions in those of the judgments
    extra: tuple[str, ...]  # topics that nobody judged
    values: Floats  # [topic, measure]
    judged: Floats  # [topic, measure]: share judged within the measure's cut-off
    near: Floats  # share judged within the cut-off of the audit
    retrieved: Ints
    residuals: Mapping[str, Floats]  # by measure
    weights: Floats | None  # [topic, measure], of a micro average
    ties: TieCounts
    duplicates: int
    infinite: int

    @property
    def place(self) -> str:
        """Where the run came from, for messages."""
        return self.source.name or self.run


class Joined(NamedTuple):
    """A run, or some topics of it, joined with the judgments: all that measures and audit need of it."""

    run: str
    source: Source
    rows: int
    topics: tuple[str, ...]
    hits: Hits
    ties: TieCounts
    duplicates: int
    infinite: int

    @classmethod
    def together(cls, pieces: "Sequence[Joined]") -> "Joined":
        """The parts of one run, which have different topics."""
        return cls(
            pieces[-1].run,
            pieces[-1].source,
            sum(piece.rows for piece in pieces),
            tuple(topic for piece in pieces for topic in piece.topics),
            joined([piece.hits for piece in pieces]),
            TieCounts.total(piece.ties for piece in pieces),
            sum(piece.duplicates for piece in pieces),
            sum(piece.infinite for piece in pieces),
        )


@dataclass(frozen=True, eq=False)
class EvaluationPlan:
    """What is computed for every run: the judgments, indexed once, the measures and the policy."""

    judgments: JudgmentIndex
    measures: tuple[Measure, ...]
    policy: Policy
    lengths: Mapping[str, float] | None = None
    micro: bool = False

    @property
    def cutoff(self) -> int:
        """The rank to which the audit looks: that of the first measure that has one."""
        return next((measure.cutoff for measure in self.measures if measure.cutoff), 10)

    @cached_property
    def without_relevant(self) -> tuple[Bools, ...]:
        """For each measure the topics that have no relevant document at its level, if grades matter to it."""
        return tuple((self.relevant(m) == 0) & m.definition.uses_grades for m in self.measures)

    def relevant(self, measure: Measure) -> Ints:
        """How many documents of each topic are relevant at the level of a measure."""
        diverse = measure.definition.needs_subtopics
        return (self.judgments.covering if diverse else self.judgments.relevant)(measure.rel)

    @cached_property
    def unanswered(self) -> ScoredPart:
        """What every topic scores without a list."""
        nothing = np.empty(0, dtype=np.int64)
        empty = Run("", (), nothing, Text.of([]), nothing.astype(np.float64), nothing)
        return self.score([self.join(empty)._replace(topics=self.judgments.topics)])[0]

    def join(self, run: Run) -> Joined:
        """Order a run, or some topics of it, and look it up in the judgments."""
        rankings = Rankings.of(run, self.policy)
        hits = self.judgments.hits(rankings)
        return Joined(
            run.name,
            run.source,
            len(run),
            run.topics,
            hits if self.lengths is None else hits.with_lengths(self.lengths),
            count_ties(rankings, self.cutoff),
            rankings.duplicates,
            int(np.count_nonzero(np.isinf(run.score))),
        )

    def light(self, source: RunSource) -> Joined | None:
        """The run in a source, its lists let go as they are read; None where it has to be opened as a whole."""
        if self.lengths is not None or self.policy.ties == "given":
            return None
        if isinstance(source, RunDict):
            return self._collected(source)
        found = []
        for piece in source.pieces():
            lists = Rankings.of(piece, self.policy)
            found.append(Collected.of_lists(lists, self.judgments, count_ties(lists, self.cutoff)))
        return _light(Collected.together(found), piece.name, piece.source)

    def _collected(self, run: RunDict) -> Joined | None:
        """The same for a dictionary that need not become a table; None where it must."""
        if self.policy.depth is not None:
            return None
        found = Collected.of(run.scores, self.judgments, self.policy.ties, self.cutoff)
        return None if found is None or not found.retrieved.any() else _light(found, run.label, NOWHERE)

    def score(self, runs: "Sequence[Joined]") -> "list[ScoredPart]":
        """Score runs, all of them at once: arithmetic on thousands of rankings costs hardly more than on fifty."""
        hits = runs[0].hits if len(runs) == 1 else side_by_side([run.hits for run in runs])
        shares = {k: _judged_share(hits, k) for k in (self.cutoff, *(measure.cutoff for measure in self.measures))}
        values = np.stack([self._defined(column, hits) for column in range(len(self.measures))], axis=1)
        judged = np.stack([shares[measure.cutoff] for measure in self.measures], axis=1)
        residuals = {str(m): residual_of(m)(hits) for m in self.measures if m.definition.residual}
        weights = np.stack([m.divisor(hits) for m in self.measures], axis=1) if self.micro else None
        number, topics = self.judgments.number, len(self.judgments.topics)
        parts = []
        for place, run in enumerate(runs):
            topic = np.array(sorted(number[name] for name in run.topics if name in number), dtype=np.int64)
            rows = topic + place * topics
            parts.append(
                ScoredPart(
                    run.run,
                    run.source,
                    run.rows,
                    topic,
                    tuple(name for name in run.topics if name not in number),
                    values[rows],
                    judged[rows],
                    shares[self.cutoff][rows],
                    hits.retrieved[rows],
                    {name: column[rows] for name, column in residuals.items()},
                    None if weights is None else weights[rows],
                    run.ties,
                    run.duplicates,
                    run.infinite,
                )
            )
        return parts

    def _defined(self, column: int, hits: Hits) -> Floats:
        """Undefined values of topics without relevant documents follow the policy; all others stay undefined."""
        values = self.measures[column](hits)
        if self.policy.no_relevant != "zero":
            return values
        return np.where(np.isnan(values) & self.without_relevant[column][hits.topic], 0.0, values)


def open_and_score(plan: EvaluationPlan, sources: "Sequence[RunSource]") -> "list[tuple[ScoredPart, ...] | Error]":
    """The parts of the runs in each source, which is opened for that and let go; the first error ends the list."""
    light = [_opened(plan, source) for source in sources]
    together = [run for run in light if run is not None]
    try:
        scored = iter(plan.score(together) if together else [])
    except (WholeListsNeeded, Error):  # an error is that of a run, and comes behind those of the runs before it
        scored, light = iter(()), [None] * len(sources)
    parts: list[tuple[ScoredPart, ...] | Error] = []
    for source, run in zip(sources, light, strict=True):
        try:
            parts.append(_as_a_whole(plan, source) if run is None else (_judged(plan, source, run, next(scored)),))
        except Error as error:
            return [*parts, error]
    return parts


def _as_a_whole(plan: EvaluationPlan, source: RunSource) -> "tuple[ScoredPart, ...]":
    """The parts of runs that are opened one file at a time."""
    runs = [plan.join(table) for table in source.open()]
    return tuple(_judged(plan, source, run, *plan.score([run])) for run in runs)


def _judged(plan: EvaluationPlan, source: RunSource, run: Joined, part: ScoredPart) -> ScoredPart:
    """The part of a run that has a judged topic; that of a partition need not have one."""
    if source.dataset is None and len(part.topic) == 0:
        raise no_common_topic(plan, run.source.name or run.run, run.topics)
    return part


def _light(found: Collected, name: str, source: Source) -> Joined:
    """A run whose lists are gone; topics with an empty list are none of it."""
    topics = tuple(topic for topic, size in zip(found.topics, found.retrieved.tolist(), strict=True) if size)
    return Joined(name, source, found.rows, topics, found.hits(), found.ties, found.duplicates, found.infinite)


def _opened(plan: EvaluationPlan, source: RunSource) -> Joined | None:
    """The run in a source without its lists; None where it has to be read as a whole, which also words the errors."""
    try:
        return plan.light(source)
    except (Irregular, InputError):
        return None


def topics_of(_: None, source: RunSource) -> tuple[str, ...]:
    """The topics of the runs in a source."""
    return tuple(dict.fromkeys(topic for run in source.open() for topic in run.topics))


def no_common_topic(plan: EvaluationPlan, place: str, topics: tuple[str, ...]) -> InputError:
    """The error for a run none of whose topics were judged."""
    here, there = topics[0], plan.judgments.topics[0] if plan.judgments.topics else ""
    return InputError(
        "E114",
        f"none of its {len(topics)} topics occurs in {plan.judgments.qrels.source.name or 'the qrels'}",
        path=place,
        hint=f"run topics look like {here!r}, qrels topics like {there!r}; see convert --map-topics",
    )


def residual_of(measure: Measure) -> Measure:
    """The measure that says how much this one could still grow, with the parameters both have."""
    definition = MEASURES[str(measure.definition.residual)]
    shared = {name: value for name, value in measure.values if name in definition.parameters}
    return build(definition, shared, measure.condensed)


def _judged_share(hits: Hits, cutoff: int | None) -> Floats:
    """Judged documents among the first ones of each list."""
    if cutoff is None:
        return ratio(hits.count, hits.retrieved)
    found = segment_size(hits.ranking[hits.rank <= cutoff], len(hits))
    return ratio(found, np.minimum(hits.retrieved, cutoff))
