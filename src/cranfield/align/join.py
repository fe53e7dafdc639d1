"""The only join of documents with judgments: qrels are indexed once, then every run is looked up in them."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.policy import Negative
from cranfield.align.rankings import Rankings
from cranfield.arrays import Bools, Floats, Ints, Words, segment_size
from cranfield.errors import DataWarning, InputError
from cranfield.tables.qrels import Qrels

_SALT = np.uint64(0xD6E8FEB86659FD93)


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

    @classmethod
    def of(cls, qrels: Qrels, negative: Negative = "unjudged", extra_topics: Sequence[str] = ()) -> "JudgmentIndex":
        """Index qrels; `extra_topics` are topics without any judgment that shall be scored all the same."""
        below = qrels.grade < 0
        if negative == "error" and below.any():
            raise _negative(qrels, int(np.flatnonzero(below)[0]))
        key = pair_key(qrels.topic, qrels.document.hash)
        order = np.argsort(key, kind="stable")
        first = np.ones(len(qrels), dtype=bool)
        first[1:] = key[order][1:] != key[order][:-1]
        if not first.all():
            _refuse_contradictions(qrels, order, first)
        row = order[first]
        grade: Ints | Floats = qrels.grade[row]
        return cls(
            qrels,
            (*qrels.topics, *extra_topics),
            row,
            key[row],
            np.maximum(grade, 0) if negative == "nonrelevant" else grade,
            repeated=int(np.count_nonzero(~first)),
            negative=int(np.count_nonzero(below)),
        )

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


def pair_key(topic: Ints, document_hash: Words) -> Words:
    """One number per (topic, document), well spread."""
    return document_hash ^ (topic.astype(np.uint64) * _SALT)


def _refuse_contradictions(qrels: Qrels, order: Ints, first: Bools) -> None:
    """Rows with equal keys must be the same judgment; subtopic judgments and contradictions are said so."""
    again = np.flatnonzero(~first)
    earlier, later = order[again - 1], order[again]
    same = qrels.document.equal(earlier, qrels.document, later) & (qrels.topic[earlier] == qrels.topic[later])
    if not same.all():
        raise RuntimeError("two documents of the qrels have one 64-bit key")  # one chance in 10^9 for 10^5 judgments
    if qrels.iteration is not None and not qrels.iteration.equal(earlier, qrels.iteration, later).any():
        subtopics = sorted(set(qrels.iteration), key=lambda name: (len(name), name))
        raise InputError(
            "E115",
            f"column 2 holds subtopics {subtopics[0]}…{subtopics[-1]}, AP needs one judgment per document",
            path=qrels.source.name or "qrels",
            hint="use alpha_nDCG@20, ERR_IA@20 …, or --collapse any",
        )
    differ = np.flatnonzero(qrels.grade[earlier] != qrels.grade[later])
    if len(differ):
        at = differ[np.argmin(later[differ])]
        raise _contradiction(qrels, int(earlier[at]), int(later[at]))
    warnings.warn(
        DataWarning("W104", f"{len(again):,} judgments are repeated word for word", qrels.source.name), stacklevel=4
    )


def _contradiction(qrels: Qrels, earlier: int, later: int) -> InputError:
    topic, line = qrels.topics[int(qrels.topic[later])], qrels.line_of(earlier)
    return InputError(
        "E109",
        f"topic {topic!r}, document {qrels.document[later]!r} has grade {qrels.grade[later]} here "
        f"and {qrels.grade[earlier]} " + ("before" if line is None else f"at line {line}"),
        path=qrels.source.name or "qrels",
        line=qrels.line_of(later),
        hint="several assessors? give each a file, or an assessor column, and use 'cranfield agree'",
    )


def _negative(qrels: Qrels, row: int) -> InputError:
    return InputError(
        "E116",
        f"grade {qrels.grade[row]} is negative",
        path=qrels.source.name or "qrels",
        line=qrels.line_of(row),
        hint="--negative unjudged (pooled, nobody judged it) or --negative nonrelevant (spam)",
    )
