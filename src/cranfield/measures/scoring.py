"""One run -> its part of the scores: order once, join once, then every measure on the same hits."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.join import JudgmentIndex
from cranfield.align.joined_run import JoinedRun, RunFacts
from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.align.tie_groups import TieGroups, count_ties
from cranfield.arrays import NO_INTS, Bools, Floats, Ints
from cranfield.errors import InputError
from cranfield.errors.warning import warn
from cranfield.errors.wording import setting
from cranfield.measures.definition import MEASURES
from cranfield.measures.grammar import Measure, build
from cranfield.measures.judged_share import judged_among_first, judged_shares
from cranfield.measures.ties.columns import ScoreColumns
from cranfield.read.sources.runs import RunDict, RunSource
from cranfield.tables.averages import Averaging
from cranfield.tables.run import Run, unlike_topics
from cranfield.tables.source import Source
from cranfield.tables.text import Text

if TYPE_CHECKING:
    from cranfield.align.columns.sampled import SampleNeed
    from cranfield.align.spellings import Spellings
    from cranfield.measures.ties.tied import TiedHits


class ScoredPart(NamedTuple):
    """The scores of a run or of a partition: its facts, and a row for each judged topic that it has."""

    facts: RunFacts
    topic: Ints  # the answered topics, as positions in those of the judgments, ascending
    values: Floats  # [topic, measure]
    judged: Floats  # [topic, measure]: share judged of what the measure looks at
    judged_among_first: Mapping[int, Floats]  # the same of the first documents, by their number, for the audit
    retrieved: Ints
    residuals: Mapping[str, Floats]  # by measure
    weights: Floats | None  # [topic, measure], of a micro average
    tie_effect: int  # groups of equal scores that can change a value
    tie_method: Ints | None  # [topic, measure], of a policy of many orders: see `ties.values`
    tie_error: Floats | None  # [topic, measure], standard errors of values from random orders

    @classmethod
    def together(cls, parts: "Sequence[ScoredPart]", source: Source) -> "ScoredPart":
        """One run from its parts, which have different topics."""
        topic = np.concatenate([part.topic for part in parts])
        order = np.argsort(topic, kind="stable")
        return cls(
            facts=RunFacts.together([part.facts for part in parts], source),
            topic=topic[order],
            values=np.concatenate([part.values for part in parts])[order],
            judged=np.concatenate([part.judged for part in parts])[order],
            judged_among_first={
                k: np.concatenate([part.judged_among_first[k] for part in parts])[order]
                for k in parts[0].judged_among_first
            },
            retrieved=np.concatenate([part.retrieved for part in parts])[order],
            residuals={name: np.concatenate([p.residuals[name] for p in parts])[order] for name in parts[0].residuals},
            weights=_joined([part.weights for part in parts], order),
            tie_effect=sum(part.tie_effect for part in parts),
            tie_method=_joined([part.tie_method for part in parts], order),
            tie_error=_joined([part.tie_error for part in parts], order),
        )


def _side_by_side(runs: "Sequence[JoinedRun]") -> Hits:
    """The hits of all runs in one table."""
    if len(runs) == 1:
        return runs[0].hits
    from cranfield.align.side_by_side import side_by_side

    return side_by_side([run.hits for run in runs])


def _joined(columns: "Sequence[Any]", order: Ints) -> Any:  # arrays of any kind, or nothing in each place
    return None if columns[0] is None else np.concatenate(columns)[order]


class EvaluationPlan:
    """What is computed for every run: the judgments, indexed once, the measures and the policy."""

    def __init__(
        self,
        judgments: JudgmentIndex,
        measures: tuple[Measure, ...],
        policy: Policy,
        lengths: Mapping[str, float] | None = None,
        average: Averaging = "macro",
        seed: int = 0,
    ) -> None:
        self.judgments = judgments
        self.measures = measures
        self.policy = policy
        self.lengths = lengths
        self.average = average
        self.seed = seed  # of random orders

    @property
    def cutoff(self) -> int:
        """The rank to which the audit looks: that of the first measure that has one."""
        return next((measure.cutoff for measure in self.measures if measure.cutoff), 10)

    @property
    def cutoffs(self) -> tuple[int, ...]:
        """The ranks for which the audit says how much was judged: those of the measures, or 10."""
        return tuple(dict.fromkeys(measure.cutoff for measure in self.measures if measure.cutoff)) or (self.cutoff,)

    @cached_property
    def needs_lists(self) -> bool:
        """Whether whole lists are needed: by a measure that declares it, or for the lengths of all documents."""
        return self.lengths is not None or any(measure.definition.needs_lists for measure in self.measures)

    @cached_property
    def without_relevant(self) -> tuple[Bools, ...]:
        """For each measure the topics that have no relevant document at its level, if grades matter to it."""
        return tuple((self.relevant(m) == 0) & m.definition.uses_grades for m in self.measures)

    @cached_property
    def spellings(self) -> "Spellings | None":
        """The judged ids that a run may spell with other Unicode characters; none where all are ASCII."""
        qrels = self.judgments.qrels
        if qrels.document.ascii and all(topic.isascii() for topic in qrels.topics):
            return None
        from cranfield.align.spellings import Spellings

        found = Spellings.of(qrels)
        return found if found.topics or found.documents else None

    def relevant(self, measure: Measure) -> Ints:
        """How many documents of each topic are relevant at the level of a measure."""
        diverse = measure.definition.needs_subtopics
        return (self.judgments.covering if diverse else self.judgments.relevant)(measure.rel)

    @cached_property
    def unanswered(self) -> ScoredPart:
        """The score of every topic for an empty list."""
        nothing = NO_INTS
        empty = Run("", (), nothing, Text.of([]), nothing.astype(np.float64), nothing)
        joined = self.join(empty)
        joined.facts = joined.facts._replace(topics=self.judgments.topics)
        return self.score([joined])[0]

    def join(self, run: Run) -> JoinedRun:
        """Order a run, or some topics of it, and look it up in the judgments; its lists are kept if they are needed."""
        for note in self.spellings.warnings(run) if self.spellings else ():
            warn(note)
        lists = Rankings.of(run, self.policy)
        ties = count_ties(lists, self.cutoff)
        return JoinedRun.of_lists(lists, self.judgments, ties, keep_lists=self.needs_lists)

    def streamed(self, source: RunSource) -> JoinedRun | None:
        """The run in a source, joined piece by piece as it is read; None if it has to be opened as a whole."""
        if self.needs_lists or self.policy.ties == "given":
            return None
        if isinstance(source, RunDict):
            return self._looked_up(source)
        return JoinedRun.together([self.join(piece) for piece in source.pieces()])

    def _looked_up(self, run: RunDict) -> JoinedRun | None:
        """The same for a run that is a dictionary; None if it must become a table."""
        if self.policy.depth is not None or self.spellings or self.policy.cleans:
            return None
        joined = JoinedRun.of_dictionary(
            run.scores, self.judgments, self.policy.ties, name=run.label, cutoff=self.cutoff
        )
        return None if joined is None or not joined.facts.topics else joined

    def score(self, runs: "Sequence[JoinedRun]") -> "list[ScoredPart]":
        """Score runs, all of them at once; arithmetic on thousands of rankings takes hardly longer than on fifty."""
        hits = _side_by_side(runs)
        hits = hits if self.lengths is None else hits.with_lengths(self.lengths)
        tied = self._tied(hits, runs)
        columns = self._over_orders(tied, runs) if tied and self.policy.many_orders else self._in_order(hits)
        effect = np.zeros(len(runs), dtype=np.int64)
        if tied:
            from cranfield.measures.ties.effect import effect_by_run

            effect = effect_by_run(self.measures, tied, len(runs))
        hits = hits.top(self.policy.depth)  # which is done already where there is one order
        values = self._defined(columns.values, hits)
        weights = np.stack([m.divisor(hits) for m in self.measures], axis=1) if self.average == "micro" else None
        number, topics = self.judgments.number, len(self.judgments.topics)
        parts = []
        for place, run in enumerate(runs):
            topic = np.array(sorted(number[name] for name in run.facts.topics if name in number), dtype=np.int64)
            rows = topic + place * topics
            parts.append(
                ScoredPart(
                    facts=run.facts,
                    topic=topic,
                    values=values[rows],
                    judged=columns.judged[rows],
                    judged_among_first={k: share[rows] for k, share in columns.judged_among_first.items()},
                    retrieved=hits.retrieved[rows],
                    residuals={name: column[rows] for name, column in columns.residuals.items()},
                    weights=None if weights is None else weights[rows],
                    tie_effect=int(effect[place]),
                    tie_method=None if columns.method is None else columns.method[rows],
                    tie_error=None if columns.error is None else columns.error[rows],
                )
            )
        return parts

    def _in_order(self, hits: Hits) -> ScoreColumns:
        """Every measure on the lists as they are ordered."""
        return ScoreColumns(
            values=np.stack([measure(hits) for measure in self.measures], axis=1),
            judged=judged_shares(self.measures, hits),
            judged_among_first={k: judged_among_first(hits, k) for k in self.cutoffs},
            residuals={name: residual(hits) for name, residual in self._residuals.items()},
        )

    def _tied(self, hits: Hits, runs: "Sequence[JoinedRun]") -> "TiedHits | None":
        """The hits with the groups of equal scores; None where there is no group, and only one order is wanted."""
        if not self.policy.many_orders and not any(len(run.tied) for run in runs):
            return None
        from cranfield.measures.ties.tied import TiedHits

        groups = TieGroups.joined([run.tied for run in runs], len(self.judgments.topics))
        return TiedHits(hits, groups, self.policy.depth)

    def _over_orders(self, tied: "TiedHits", runs: "Sequence[JoinedRun]") -> ScoreColumns:
        """Every measure over all orders of documents with equal scores."""
        from cranfield.measures.ties.table import tied_columns
        from cranfield.random_streams import stream

        topics = self.judgments.topics

        def streams(ranking: int) -> "np.random.Generator":
            run, topic = divmod(ranking, len(topics))
            return stream(self.seed, "ties", runs[run].facts.name, topics[topic])

        return tied_columns(self.measures, self._residuals, self.cutoffs, tied, self.policy.ties, streams)

    @cached_property
    def _residuals(self) -> dict[str, Measure]:
        return {str(measure): residual_of(measure) for measure in self.measures if measure.definition.residual}

    def _defined(self, values: Floats, hits: Hits) -> Floats:
        """Undefined values of topics without relevant documents follow the policy; all others stay undefined."""
        return self.policy.counted(values, np.stack([empty[hits.topic] for empty in self.without_relevant], axis=1))


def no_common_topic(plan: EvaluationPlan, place: str, topics: tuple[str, ...]) -> InputError:
    """The error for a run without a judged topic."""
    here, there = topics[0], plan.judgments.topics[0] if plan.judgments.topics else ""
    return InputError(
        "E114",
        f"none of its {len(topics)} topics occurs in {plan.judgments.qrels.source.name or 'the qrels'}",
        path=place,
        hint=unlike_topics(here, there),
    )


def residual_of(measure: Measure) -> Measure:
    """The measure that says how much this one could still grow, with the parameters both have."""
    definition = MEASURES[str(measure.definition.residual)]
    shared = {name: value for name, value in measure.values if name in definition.parameters}
    return build(definition, shared, measure.condensed)


def refuse_empty_topics(plan: EvaluationPlan) -> None:
    """Refuse a topic without a document that is relevant for a measure."""
    for measure, empty in zip(plan.measures, plan.without_relevant, strict=True):
        for topic in np.flatnonzero(empty)[:1]:
            raise InputError(
                "E214",
                f"topic {plan.judgments.topics[topic]!r} has no document that is relevant for {measure}",
                path=plan.judgments.qrels.source.name or "qrels",
                hint=f"{setting('no_relevant', 'zero')} scores it 0, {setting('no_relevant', 'exclude')} leaves it out",
            )


def sample_needs(measures: Sequence[Measure]) -> "tuple[SampleNeed, ...]":
    """What measures that estimate from sampled judgments need to know about the sample."""
    estimated = [measure for measure in measures if measure.definition.needs_sample]
    if not estimated:
        return ()
    from cranfield.align.columns.sampled import SampleNeed

    return tuple(
        SampleNeed(measure, measure.definition.needs_sample == "strata", bool(measure.arguments.get("adaptive")))
        for measure in estimated
    )
