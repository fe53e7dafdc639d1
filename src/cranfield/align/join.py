"""The only join of documents with judgments: qrels are indexed once, then every run is looked up in them."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.policy import Negative
from cranfield.align.rankings import Rankings, pair_key
from cranfield.align.subtopics import Subtopics, cell_key, table_of
from cranfield.arrays import Bools, Floats, Ints, Words, segment_size
from cranfield.errors import DataWarning, InputError
from cranfield.tables.intents import Intents
from cranfield.tables.qrels import Qrels


@dataclass(frozen=True, eq=False)
class JudgmentIndex:
    """Qrels ready to be looked up: one row per pair, sorted by key, contradictions refused.

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
    subtopics: Subtopics | None = None  # what the documents cover; they are numbered by their place here

    @classmethod
    def of(
        cls,
        qrels: Qrels,
        negative: Negative = "unjudged",
        extra_topics: Sequence[str] = (),
        measure: object = "AP",
    ) -> "JudgmentIndex":
        """Index qrels; `extra_topics` are topics without any judgment that shall be scored all the same.

        `measure` is one that will be computed, for the message about judgments that it cannot use.
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

    def with_subtopics(self, qrels: Qrels, intents: Intents | None, negative: Negative) -> "JudgmentIndex":
        """The same index, with what `qrels`, of which it holds one row per document, say about subtopics."""
        below = _below(qrels, negative)
        key = pair_key(qrels.topic, qrels.document.hash)
        row = _distinct(qrels, cell_key(key, qrels), quiet=self.repeated > 0)
        grade = np.maximum(qrels.grade, 0) if negative == "nonrelevant" else qrels.grade
        ids = self.qrels.document.take(self.row)
        table = table_of(qrels, row, np.searchsorted(self.key, key[row]), grade[row], ids, intents)
        return replace(self, repeated=len(qrels) - len(row), negative=below, subtopics=table)

    @cached_property
    def _base(self) -> tuple[Ints, Ints | Floats]:
        """Topic and grade of every judged document, by topic, best grade first."""
        judged = self.grade >= 0
        topic, grade = self.qrels.topic[self.row[judged]], self.grade[judged]
        order = np.lexsort((-grade, topic))
        return topic[order], grade[order]

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

    def hits(self, rankings: Rankings) -> Hits:
        """The judged documents of a run: one ranking per topic of these judgments, empty where the run has none."""
        run = rankings.run
        number = {name: position for position, name in enumerate(self.topics)}
        topic = np.array([number.get(name, -1) for name in run.topics], dtype=np.int64)[run.topic]
        found, place = self._find(topic, rankings)
        listed = rankings.row[found]
        ranking, rank, grade = topic[listed], rankings.rank[found], self.grade[place]
        order = np.argsort(ranking, kind="stable")  # lists stand in the order of the run's topics
        judged, pooled = (order[side[order]] for side in (grade >= 0, grade < 0))
        base_topic, base_grade = self._base
        known = topic[rankings.row]
        return Hits(
            rank=rank[judged],
            grade=grade[judged],
            ranking=ranking[judged],
            topic=np.arange(len(self.topics)),
            retrieved=segment_size(known[known >= 0], len(self.topics)),
            base_topic=base_topic,
            base_grade=base_grade,
            topics=len(self.topics),
            top_grade=float(self.grade.max(initial=0)),
            pooled_rank=rank[pooled],
            pooled_ranking=ranking[pooled],
            lists=rankings,
            begin=self._begin(rankings),
            place=found[judged],
            document=place[judged],
            subtopics=self.subtopics,
        )

    def _begin(self, rankings: Rankings) -> Ints:
        """Where the list of each topic begins in the rankings (0 for a topic the run does not have)."""
        begin = np.concatenate(([0], np.cumsum(rankings.retrieved)))
        position = {name: number for number, name in enumerate(rankings.run.topics)}
        return begin[[position.get(name, 0) for name in self.topics]]

    def _find(self, topic: Ints, rankings: Rankings) -> tuple[Ints, Ints]:
        """Positions in the rankings that are in the qrels, and their places in the index."""
        documents = rankings.run.document
        key = pair_key(topic, documents.hash)[rankings.row]
        if len(self.key) == 0 or len(key) == 0:
            return (np.empty(0, dtype=np.int64),) * 2
        place = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        found = np.flatnonzero((self.key[place] == key) & (topic[rankings.row] >= 0))
        place = place[found]
        same = self._same_pair(topic, rankings.row[found], place, rankings)
        return found[same], place[same]

    def _same_pair(self, topic: Ints, row: Ints, place: Ints, rankings: Rankings) -> Bools:
        """Equal keys are equal pairs but for one in 10^19; here nobody has to believe that."""
        theirs = self.row[place]
        here, there = rankings.run.document, self.qrels.document
        return here.equal(row, there, theirs) & (topic[row] == self.qrels.topic[theirs])


def _distinct(qrels: Qrels, key: Words, measure: object = "", quiet: bool = False) -> Ints:
    """The first row of each key, by key; rows with equal keys must say the same."""
    order = np.argsort(key, kind="stable")
    first = np.ones(len(qrels), dtype=bool)
    first[1:] = key[order][1:] != key[order][:-1]
    if not first.all():
        _refuse_contradictions(qrels, order, first, measure)
        if not quiet:
            again = f"{np.count_nonzero(~first):,} judgments are repeated word for word"
            warnings.warn(DataWarning("W104", again, qrels.source.name), stacklevel=4)
    return order[first]


def _refuse_contradictions(qrels: Qrels, order: Ints, first: Bools, measure: object) -> None:
    """Rows with equal keys must be the same judgment; subtopic judgments and contradictions are said so."""
    again = np.flatnonzero(~first)
    earlier, later = order[again - 1], order[again]
    same = qrels.document.equal(earlier, qrels.document, later) & (qrels.topic[earlier] == qrels.topic[later])
    if not same.all():
        raise RuntimeError("two documents of the qrels have one 64-bit key")  # one chance in 10^9 for 10^5 judgments
    if qrels.iteration is not None and not qrels.iteration.equal(earlier, qrels.iteration, later).all():
        subtopics = sorted(set(qrels.iteration), key=lambda name: (len(name), name))
        raise InputError(
            "E115",
            f"column 2 holds subtopics {subtopics[0]}…{subtopics[-1]}, {measure} needs one judgment per document",
            path=qrels.source.name or "qrels",
            hint="use alpha_nDCG@20, ERR_IA@20 …, or --collapse any",
        )
    differ = np.flatnonzero(qrels.grade[earlier] != qrels.grade[later])
    if len(differ):
        at = differ[np.argmin(later[differ])]
        raise _contradiction(qrels, int(earlier[at]), int(later[at]))


def _contradiction(qrels: Qrels, earlier: int, later: int) -> InputError:
    topic, line = qrels.topics[int(qrels.topic[later])], qrels.line_of(earlier)
    return InputError(
        "E109",
        f"topic {topic!r}, document {qrels.document[later]!r} has grade {qrels.grade[later]} here "
        f"and {qrels.grade[earlier]} " + ("before" if line is None else f"at line {line}"),
        path=qrels.source.name or "qrels",
        line=qrels.line_of(later),
        text=qrels.text_of(later),
        hint="the file has an assessor column: 'cranfield convert --rule majority' makes one grade of several"
        if qrels.source.assessors
        else "several assessors? give each a file, or an assessor column, and use 'cranfield agree'",
    )


def _below(qrels: Qrels, negative: Negative) -> int:
    """How many grades are negative; the policy may refuse them."""
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
        hint="--negative unjudged (pooled, nobody judged it) or --negative nonrelevant (spam)",
    )
