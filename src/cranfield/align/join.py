"""The only join of documents with judgments: index the qrels once, then look up every run in the index."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cranfield import kernel
from cranfield.align.hits import Hits
from cranfield.align.policy import Negative
from cranfield.align.rankings import Rankings
from cranfield.arrays import NO_INTS, Floats, Ints, Words, ranges, segment_size, stable_order
from cranfield.arrays.strings import pair_key
from cranfield.errors import DataWarning, InputError
from cranfield.errors.warning import warn
from cranfield.errors.wording import setting
from cranfield.tables.qrels import Qrels

if TYPE_CHECKING:
    from cranfield.align.columns.sampled import SampledJudgments, SampleNeed
    from cranfield.align.columns.subtopics import Subtopics
    from cranfield.tables.side.intents import Intents


@dataclass(frozen=True, eq=False, repr=False)
class JudgmentIndex:
    """Qrels ready for look-ups: one row per pair, sorted by key; contradictory judgments are an error.

    >>> judged = JudgmentIndex.of(Qrels.of(["1", "1"], ["a", "b"], [0, 2]))
    >>> judged.topics, judged.relevant(1)
    (('1',), array([1]))
    """

    qrels: Qrels
    topics: tuple[str, ...]
    row: Ints  # rows of the qrels that count, by key
    key: Words  # ascending
    grade: Ints | Floats  # by key, after the policy for negative grades; below 0 is pooled but unjudged
    repeated: int  # identical rows that were left out
    negative: int  # rows with a negative grade
    subtopics: "Subtopics | None" = None  # what the documents cover; they are numbered by their place here
    sample: "SampledJudgments | None" = None  # how they were sampled; numbered likewise

    @classmethod
    def of(
        cls,
        qrels: Qrels,
        negative: Negative = "unjudged",
        extra_topics: Sequence[str] = (),
        measure: object = "AP",
    ) -> "JudgmentIndex":
        """Index qrels; `extra_topics` are topics without judgments that are scored too.

        `measure` is one of those that will be computed; the error message names it.
        """
        below = _below(qrels, negative)
        key = pair_key(qrels.topic, qrels.document.hash)
        row = _distinct(qrels, key, measure)
        grade: Ints | Floats = qrels.grade[row]
        return cls(
            qrels,
            (*qrels.topics, *extra_topics),
            row,
            key[row],
            np.maximum(grade, 0) if negative == "nonrelevant" else grade,
            repeated=len(qrels) - len(row),
            negative=below,
        )

    def with_subtopics(self, qrels: Qrels, intents: "Intents | None", negative: Negative) -> "JudgmentIndex":
        """The same index with the subtopic judgments of `qrels`, of which it holds one row per document."""
        from cranfield.align.columns.subtopics import cell_key, table_of

        below = _below(qrels, negative)
        key = pair_key(qrels.topic, qrels.document.hash)
        row = _distinct(qrels, cell_key(key, qrels), quiet=self.repeated > 0)
        grade = np.maximum(qrels.grade, 0) if negative == "nonrelevant" else qrels.grade
        ids = self.qrels.document.take(self.row)
        table = table_of(qrels, row, np.searchsorted(self.key, key[row]), grade[row], ids, intents)
        return replace(self, repeated=len(qrels) - len(row), negative=below, subtopics=table)

    def with_sample(self, needs: "Sequence[SampleNeed]", negative: Negative) -> "JudgmentIndex":
        """The same index with how its documents were sampled; an error if a measure needs what the qrels lack."""
        from cranfield.align.columns.sampled import sampled_of

        kept = negative != "nonrelevant"
        return replace(self, sample=sampled_of(self.qrels, self.row, self.grade, needs, kept_negative=kept))

    @cached_property
    def _base(self) -> tuple[Ints, Ints | Floats]:
        """Topic and grade of every judged document, by topic, best grade first."""
        return self.topic[self.base_place], self.grade[self.base_place]

    @cached_property
    def base_place(self) -> Ints:
        """The place in this index of every judged document, by topic, best grade first."""
        judged = np.flatnonzero(self.grade >= 0)
        grade, topic = self.grade[judged], self.topic[judged]
        levels = int(grade.max(initial=0)) + 1
        if grade.dtype.kind != "i" or levels > 1 << 16:  # real numbers, or numbers too large to be put together
            return judged[np.lexsort((-grade, topic))]
        below = levels - 1 - grade.astype(np.int64)
        return judged[stable_order(topic * levels + below, len(self.topics) * levels)]

    def _base_of(self, topics: Ints) -> tuple[Ints, Ints | Floats]:
        """The same for some topics, renumbered in the order given."""
        if len(topics) == len(self.topics) and (topics[1:] > topics[:-1]).all():  # all of them, in order
            return self._base
        begin = self._base_begin[topics]
        size = self._base_begin[topics + 1] - begin
        return np.repeat(np.arange(len(topics)), size), self._base[1][ranges(begin, size)]

    @cached_property
    def _base_begin(self) -> Ints:
        return np.searchsorted(self._base[0], np.arange(len(self.topics) + 1))

    @cached_property
    def _top_grade(self) -> float:
        return float(self.grade.max(initial=0))

    def relevant(self, rel: float) -> Ints:
        """How many documents of each topic have at least the grade `rel`."""
        topic, grade = self._base
        return segment_size(topic[grade >= rel], len(self.topics))

    def covering(self, rel: float) -> Ints:
        """How many documents of each topic have at least the grade `rel` for one of its subtopics."""
        if self.subtopics is None:
            return self.relevant(rel)
        cells = self.subtopics.grade >= rel
        _, first = np.unique(self.subtopics.document[cells], return_index=True)
        return segment_size(self.subtopics.topic[self.subtopics.subtopic[cells][first]], len(self.topics))

    @cached_property
    def number(self) -> dict[str, int]:
        """The position of each topic."""
        return {name: position for position, name in enumerate(self.topics)}

    def hits(self, rankings: Rankings) -> Hits:
        """The judged documents of a run: one ranking per topic of these judgments, empty where the run has none."""
        number, found, rank, place = self.look_up(rankings)
        return self.hits_by_topic(number, rankings.retrieved, rank, place, lists=rankings, found=found)

    def hits_by_topic(
        self, number: Ints, retrieved: Ints, rank: Ints, place: Ints, *, lists: Rankings | None, found: Ints
    ) -> Hits:
        """The same from lists that were looked up; without the lists, the hits have no positions in them."""
        known = number >= 0
        length, begin = np.zeros((2, len(self.topics)), dtype=np.int64)
        length[number[known]] = retrieved[known]
        if lists is not None:
            begin[number[known]] = lists.begin[:-1][known]
        return self.hits_at(rank, self.topic[place], place, length, lists, NO_INTS if lists is None else begin, found)

    def look_up(self, rankings: Rankings) -> tuple[Ints, Ints, Ints, Ints]:
        """The topic of each list, or -1; of judged documents the position in the lists, the rank, the place here."""
        topic = np.array([self.number.get(name, -1) for name in rankings.run.topics], dtype=np.int64)
        return topic, *self._find(topic, rankings)

    @cached_property
    def topic(self) -> Ints:
        """The topic of each judgment, by key."""
        return self.qrels.topic[self.row]

    def hits_at(
        self,
        rank: Ints,
        ranking: Ints,
        place: Ints,
        retrieved: Ints,
        lists: Rankings | None = None,
        begin: Ints = NO_INTS,
        found: Ints = NO_INTS,
        only: Ints | None = None,
    ) -> Hits:
        """Hits from their ranks, rankings and places in this index; `found` holds their positions in the lists.

        There is one ranking for each topic, or for `only` some of them.
        """
        if (ranking[1:] < ranking[:-1]).any():  # lists may be in another order than the topics
            order = stable_order(ranking, len(retrieved))
            rank, ranking, place = rank[order], ranking[order], place[order]
            found = found[order] if len(found) else found
        base_topic, base_grade = self._base if only is None else self._base_of(only)
        hits = Hits(
            rank=rank,
            grade=self.grade[place],
            ranking=ranking,
            topic=np.arange(len(retrieved)),
            retrieved=retrieved,
            base_topic=base_topic,
            base_grade=base_grade,
            topics=len(retrieved),
            top_grade=self._top_grade,
            lists=lists,
            begin=begin,
            place=found,
            document=place,
            subtopics=self.subtopics,
            sample=self.sample,
        )
        judged = hits.grade >= 0
        if judged.all():
            return hits
        return replace(
            hits.where(judged),
            pooled_rank=rank[~judged],
            pooled_ranking=ranking[~judged],
            pooled_document=place[~judged],
        )

    @cached_property
    def by_name(self) -> "kernel.Judged":
        """The judgments in the form in which runs that are dictionaries are looked up."""
        place = stable_order(self.topic, len(self.topics))
        begin = np.searchsorted(self.topic[place], np.arange(len(self.topics) + 1))
        documents = self.qrels.document.take(self.row[place])
        return kernel.judged_by_name(self.number, begin, place, documents.flat)

    @cached_property
    def _finder(self) -> kernel.Finder:
        return kernel.Finder(self.key, self.topic, len(self.topics), self.qrels.document.take(self.row).flat)

    def _find(self, topic: Ints, rankings: Rankings) -> tuple[Ints, Ints, Ints]:
        """Positions in the rankings that are in the qrels, their ranks, and their places in the index.

        `topic` gives each list its topic here, or -1. The third of the three costly steps.
        """
        documents = rankings.run.document
        return self._finder(rankings.order, rankings.begin, topic, documents.hash, documents.flat)


def _distinct(qrels: Qrels, key: Words, measure: object = "", quiet: bool = False) -> Ints:
    """The first row of each key, by key; rows with equal keys must say the same."""
    order = kernel.ascending(key)
    first = np.ones(len(qrels), dtype=bool)
    first[1:] = key[order][1:] != key[order][:-1]
    if not first.all():
        from cranfield.align.contradictions import refuse_contradictions

        refuse_contradictions(qrels, order, first, measure)
        if not quiet:
            again = f"{np.count_nonzero(~first):,} judgments are repeated word for word"
            warn(DataWarning("W104", again, qrels.source.name))
    return order[first]


def _below(qrels: Qrels, negative: Negative) -> int:
    """The number of negative grades; an error if the policy refuses them."""
    below = np.flatnonzero(qrels.grade < 0)
    if negative != "error" or len(below) == 0:
        return len(below)
    row = int(below[0])
    raise InputError(
        "E116",
        f"grade {qrels.grade[row]} is negative",
        path=qrels.source.name or "qrels",
        line=qrels.line_of(row),
        text=qrels.text_of(row),
        hint=f"{setting('negative', 'unjudged')} (not judged) or {setting('negative', 'nonrelevant')} (spam)",
    )
