"""The situation: what was retrieved, what was judged, and which pairs are holes; one for each measure.

    per pair       topic · document · grade      judged pairs, and holes (grade NaN), by topic
    per listing    run · pair · rank             where a run lists a judged pair or a hole, by topic, run and rank
    per list       retrieved[run, topic]         its length, or the number of ranks that the measure looks at

`TopicHoles` is one topic of it: all methods work topic by topic, because judgments belong to topics.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.arrays import NO_INTS, Bools, Floats, Ints, ordinal, segment_size
from cranfield.errors import MeasureError, PolicyError
from cranfield.errors.wording import setting
from cranfield.measures.definition import MEASURES
from cranfield.measures.facts.bounds import OfEstimated
from cranfield.measures.facts.looks_at import FirstRanks, SameAs, TopicRanks, UserAttention
from cranfield.measures.grammar import Measure, build, parse
from cranfield.missing.universe import Universe
from cranfield.pooling.candidates import Candidates
from cranfield.tables.text import Text

if TYPE_CHECKING:
    from cranfield.missing.bounds.by_subtopic.codes import SubtopicHoles

ZERO = 1e-9  # values that differ by no more are equal, and a difference that is not further from 0 is none


@dataclass(frozen=True, eq=False)
class TopicHoles:
    """One topic: what each run lists of its judged documents and holes.

    Listings are in the order of runs and ranks; `hole` is the number of a hole in the topic, or -1.
    """

    topic: int
    runs: int
    base: Floats  # grades of the judged documents
    holes: int
    unseen: int
    run: Ints
    rank: Ints
    grade: Floats  # of judged documents; NaN for a hole
    hole: Ints
    retrieved: Ints  # of each run
    known: Ints = field(default_factory=lambda: NO_INTS)  # their place among judged documents; -1 for a hole
    order: Ints = field(default_factory=lambda: NO_INTS)  # of judged documents, then holes, judged by subtopic: by id

    def judged(self, hole: int, grade: float) -> "TopicHoles":
        """The same topic after one hole was judged."""
        now, first = self.hole == hole, len(self.base)
        turn = [*range(first), first + hole, *range(first, first + hole), *range(first + hole + 1, len(self.order))]
        return replace(
            self,
            known=np.where(now, first, self.known),
            order=self.order[turn] if len(self.order) else self.order,
            base=np.append(self.base, grade),
            holes=self.holes - 1,
            grade=np.where(now, grade, self.grade),
            hole=np.where(now, -1, self.hole - (self.hole > hole)),
        )

    def with_judged(self, grade: Floats) -> "TopicHoles":
        """The same topic with judgments of documents that no list of it holds; relevant ones are no longer unseen."""
        unseen = max(self.unseen - int(np.count_nonzero(grade > 0)), 0)
        return replace(self, base=np.append(self.base, grade), unseen=unseen) if len(grade) else self


@dataclass(frozen=True, eq=False)
class Situation:
    """Runs, judgments and holes as one measure sees them."""

    measure: Measure  # on the lists as they are here: a condensed list is condensed already; no estimate
    policy: Policy
    universe: Universe
    depth: int | None  # the ranks that the measure looks at; None: all
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    topic: Ints
    document: Text
    grade: Floats
    run: Ints
    pair: Ints
    rank: Ints
    retrieved: Ints  # [run, topic]
    answered: Bools  # [run, topic]
    levels: Floats  # the grades that a hole may take, ascending; the first is 0
    top_grade: float
    named: Measure  # as the caller wrote it
    candidate: Ints  # by pair: its place among the candidates
    lists: tuple[Rankings, ...] = ()  # of each run, for measures that look at whole lists
    subtopics: "SubtopicHoles | None" = None  # for measures that judge by subtopic; then grades are its codes

    @classmethod
    def of(
        cls,
        candidates: Candidates,
        grade: Floats,
        topics: tuple[str, ...],
        measure: Measure,
        universe: Universe,
        policy: Policy,
        pooled: Bools | None = None,
        levels: Floats | None = None,
        lists: tuple[Rankings, ...] = (),
    ) -> "Situation":
        """Choose the holes of a measure.

        Args:
            candidates: what the runs list, deep enough for the measure, and all judged pairs.
            grade: of each pair; NaN if it is not judged.
            topics: those that were judged.
            measure: what is bounded.
            universe: which unjudged pairs are holes.
            policy: relevance level, topic set, undefined values.
            pooled: which pairs are in the pool of the universe, if it has one.
            levels: grades that a hole may take beside those of the judgments.
            lists: the lists of each run, for measures that look at whole lists.
        """
        named, measure = measure, estimated(measure)
        depth = depth_of(measure)
        whole = depth is None or measure.definition.needs_lists
        listed = np.ones(len(candidates.rank), dtype=bool) if whole else candidates.rank <= (depth or 0)
        reach = universe.depth or depth
        if measure.condensed and (universe.pool is not None or (reach or 0) < (depth or 0)):
            listed[:] = True  # documents below the cut-off move up
        unjudged = np.isnan(grade)
        hole = unjudged & (candidates.best_rank <= (reach or np.iinfo(np.int64).max) if pooled is None else pooled)
        number = {name: position for position, name in enumerate(topics)}
        own = np.array([number.get(name, -1) for name in candidates.topics], dtype=np.int64)
        known = (hole | ~unjudged) & (own[candidates.topic] >= 0)
        place = np.cumsum(known) - 1
        rows = np.flatnonzero(known)
        order = np.argsort(own[candidates.topic[rows]], kind="stable")
        rows, back = rows[order], np.empty(len(rows), dtype=np.int64)
        back[order] = np.arange(len(rows))
        kept = np.flatnonzero(listed & known[candidates.pair])
        pair, run, rank = back[place[candidates.pair[kept]]], candidates.run[kept], candidates.rank[kept]
        topic = own[candidates.topic[rows]]
        sort = np.lexsort((rank, run, topic[pair]))
        pair, run, rank = pair[sort], run[sort], rank[sort]
        length = np.zeros((len(candidates.runs), len(topics)), dtype=np.int64)
        length[:, own[own >= 0]] = candidates.length[:, own >= 0]
        retrieved = length if whole else np.minimum(length, depth or 0)
        if measure.condensed:
            ranking = topic[pair] * len(candidates.runs) + run
            rank = ordinal(ranking)
            retrieved = segment_size(ranking, retrieved.size).reshape(len(topics), -1).T
        seen = np.unique(grade[~unjudged & (grade >= 0)])
        given = np.array([0.0, 0.0 if seen.max(initial=0) > 0 else 1.0]) if levels is None else np.append(levels, 0.0)
        found = np.unique(np.append(seen, given))
        return cls(
            measure=replace(measure, condensed=False),
            policy=policy,
            universe=universe,
            depth=depth,
            runs=candidates.runs,
            topics=topics,
            topic=topic,
            document=candidates.document.take(rows),
            grade=grade[rows],
            run=run,
            pair=pair,
            rank=rank,
            retrieved=retrieved,
            answered=length > 0,
            levels=found,
            top_grade=float(found.max()),
            named=named,
            candidate=rows,
            lists=lists,
        )

    @property
    def holes(self) -> int:
        """Number of holes."""
        return int(np.count_nonzero(np.isnan(self.grade)))

    @property
    def documents(self) -> str:
        """The documents that may be relevant, in words."""
        return self.universe.documents(self.depth)

    @property
    def words(self) -> str:
        """Which documents may be relevant, and what is bounded, if the measure is an estimate of another."""
        said = self.universe.words(self.depth)
        rule = self.named.definition.bounds
        said += " · to any judged subtopic of their topic" if self.subtopics is not None else ""
        return f"{said} · range of {self.measure}, which is estimated" if isinstance(rule, OfEstimated) else said

    @cached_property
    def _begin(self) -> Ints:
        return np.searchsorted(self.topic, np.arange(len(self.topics) + 1))

    @cached_property
    def _listings(self) -> Ints:
        return np.searchsorted(self.topic[self.pair], np.arange(len(self.topics) + 1))

    def holes_of(self, topic: int) -> Ints:
        """The pairs of a topic that are holes, in the order in which they are numbered there."""
        begin, end = self._begin[topic : topic + 2]
        return begin + np.flatnonzero(np.isnan(self.grade[begin:end]))

    def of_topic(self, topic: int) -> TopicHoles:
        """One topic."""
        begin, end = self._begin[topic : topic + 2]
        first, last = self._listings[topic : topic + 2]
        grade = self.grade[begin:end]
        unjudged = np.isnan(grade)
        hole = np.where(unjudged, np.cumsum(unjudged) - 1, -1)
        pair = self.pair[first:last] - begin
        return TopicHoles(
            topic=topic,
            runs=len(self.runs),
            base=grade[~unjudged],
            holes=int(unjudged.sum()),
            unseen=self.universe.unseen,
            run=self.run[first:last],
            rank=self.rank[first:last],
            grade=grade[pair],
            hole=hole[pair],
            retrieved=self.retrieved[:, topic],
            known=np.where(unjudged, -1, np.cumsum(~unjudged) - 1)[pair],
            order=NO_INTS if self.subtopics is None else self._ordered(begin, unjudged),
        )

    def _ordered(self, begin: int, unjudged: Bools) -> Ints:
        places = np.concatenate((np.flatnonzero(~unjudged), np.flatnonzero(unjudged)))
        return self.subtopics.order[begin + places] if self.subtopics is not None else NO_INTS

    @property
    def grades(self) -> Floats:
        """The grades that a hole may take; by subtopic, if documents are judged so."""
        return self.levels if self.subtopics is None else self.subtopics.levels

    def __iter__(self) -> Iterator[TopicHoles]:
        return (self.of_topic(topic) for topic in range(len(self.topics)))


def depth_of(measure: Measure) -> int | None:
    """The deepest rank that a measure looks at; None: the end of the list.

    >>> [depth_of(parse(name)) for name in ("nDCG@10", "AP", "RBP(p=0.8)", "EU(model='P@5')", "Rprec")]
    [10, None, None, 5, None]
    """
    declared: Any = measure.definition.looks_at  # one of several kinds
    if isinstance(declared, SameAs):
        return depth_of(parse(str(measure.arguments[declared.parameter])))
    if isinstance(declared, TopicRanks):
        return None
    if isinstance(declared, UserAttention):
        return None if measure.arguments.get("hc") else measure.cutoff
    if isinstance(declared, FirstRanks):
        last = measure.arguments.get(declared.parameter)
        return last if isinstance(last, int) else None
    return None


def estimated(measure: Measure) -> Measure:
    """What a measure is an estimate of: its value once all holes are judged; any other measure is its own.

    >>> estimated(parse("statAP(rel=2)")), estimated(parse("infNDCG@10")), estimated(parse("P@5"))
    (AP(rel=2), nDCG@10, P@5)
    """
    rule = measure.definition.bounds
    if not isinstance(rule, OfEstimated):
        return measure
    given = {name: value for name, value in measure.values if name in rule.parameters}
    return build(MEASURES[rule.measure], given, measure.condensed)


def refuse_by_subtopic(measure: Measure, what: str) -> None:
    """Refuse a measure that judges by subtopic where grades of documents are needed."""
    if measure.definition.needs_subtopics:
        problem = f"{what} need one grade for each document, {measure} judges by subtopic"
        raise MeasureError("E230", problem, hint="holes and compare give its range")


def refuse_unsuitable(measure: Measure, policy: Policy) -> None:
    """Refuse a measure or a policy for which holes are not defined."""
    policy.require_one_order("a range")
    policy.require_single_values("a range")
    policy.require_no_ones("a range")
    if policy.topic_set == "union":
        raise PolicyError(
            "E243", f"{setting('topic_set', 'union')} has no meaning for holes", hint="one of qrels, intersection"
        )
    if measure.definition.needs_lists and measure.condensed:
        problem = f"{measure} has no bounds here"
        raise MeasureError("E230", problem, hint="measures of whole lists have bounds on the lists as they are")
