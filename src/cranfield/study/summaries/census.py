"""Counts of a collection: the judgments of each topic, and what runs retrieve down to each rank."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.arrays.memory import afford_each
from cranfield.study.data.collection import Collection

FEW = 10  # a grade is rare where grade 1 is so many times as frequent (FFM14)


@dataclass(frozen=True, eq=False)
class JudgedCounts:
    """The judgments of each topic by grade; grades above `top` count as `top`, so numbers of relevant documents stay.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 3}, "q2": {"a": 2}}
    >>> pool = JudgedCounts.of(Collection.of(qrels, {"x": {"q1": ["a"]}}, "AP"), top=2)
    >>> pool.judged, pool.relevant, pool.graded
    (array([3, 1]), array([2, 1]), {0: array([1, 0]), 1: array([1, 0]), 2: array([1, 1])})
    """

    judged: Ints
    relevant: Ints
    pooled: Ints  # in the pool, but not judged
    graded: dict[float, Ints]  # grade -> how many, by topic

    @classmethod
    def of(cls, data: Collection, top: float | None = None) -> "JudgedCounts":
        """The judgments of a collection."""
        topic, grade = data.judgments.topic, data.judgments.grade
        capped = grade if top is None else np.minimum(grade, top)
        levels = sorted({0.0, *capped[capped >= 0].tolist()})
        return cls(
            judged=_by_topic(data, topic[grade >= 0]),
            relevant=_by_topic(data, topic[grade >= data.policy.rel]),
            pooled=_by_topic(data, topic[grade < 0]),
            graded={_plain(level): _by_topic(data, topic[capped == level]) for level in levels},
        )

    def rare(self, grade: float) -> Bools:
        """Whether a topic has documents of this grade, but ten times as many of grade 1 (FFM14)."""
        found = self.graded[grade]
        return np.asarray((found > 0) & (self.graded.get(1, np.zeros_like(found)) >= FEW * found))


@dataclass(frozen=True, eq=False)
class Tops:
    """What the lists hold down to some rank, `[run, topic]`.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    >>> tops = Tops.of(Collection.of(qrels, {"x": {"q1": ["u", "a", "b"]}}, "AP"), 2)
    >>> tops.retrieved, tops.relevant, tops.unjudged
    (array([[2]]), array([[1]]), array([[1]]))
    """

    retrieved: Ints
    relevant: Ints
    unjudged: Ints

    @classmethod
    def of(cls, data: Collection, depth: int) -> "Tops":
        """The counts for the first documents of every list."""
        hits, shape = data.hits, (len(data.runs), len(data.topics))
        near = hits.rank <= depth
        found = near & (hits.grade >= data.policy.rel)
        retrieved = np.minimum(hits.retrieved, depth).reshape(shape)
        judged = np.bincount(hits.ranking[near], minlength=len(hits)).reshape(shape)
        return cls(retrieved, np.bincount(hits.ranking[found], minlength=len(hits)).reshape(shape), retrieved - judged)


@dataclass(frozen=True, eq=False)
class Ranks:
    """At each rank, the share of the documents there that are relevant, judged not relevant, and unjudged.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    >>> Ranks.of(Collection.of(qrels, {"x": {"q1": ["u", "a"]}, "y": {"q1": ["b", "u"]}}, "AP"), 2).unjudged
    array([0.5, 0.5])
    """

    lists: Ints  # that reach the rank
    relevant: Floats
    nonrelevant: Floats
    unjudged: Floats

    @classmethod
    def of(cls, data: Collection, depth: int) -> "Ranks":
        """Over all runs and topics."""
        afford_each(depth, 64, "ranks")
        hits = data.hits
        found = hits.grade >= data.policy.rel
        ends = np.bincount(np.minimum(hits.retrieved, depth), minlength=depth + 1)
        lists = len(hits) - np.cumsum(ends)[:depth]

        def share(rank: Ints) -> Floats:
            count = np.bincount(rank[rank <= depth], minlength=depth + 1)[1:]
            return np.divide(count, lists, out=np.full(depth, np.nan), where=lists > 0)

        relevant, nonrelevant = share(hits.rank[found]), share(hits.rank[~found])
        return cls(lists, relevant, nonrelevant, 1 - relevant - nonrelevant)


def mean_words(texts: Sequence[str]) -> float:
    """Words per text.

    >>> mean_words(["two words", "three of them"])
    2.5
    """
    return sum(len(text.split()) for text in texts) / len(texts) if texts else float("nan")


def _by_topic(data: Collection, topic: Ints) -> Ints:
    return np.bincount(topic, minlength=len(data.topics))


def _plain(grade: float) -> float:
    return int(grade) if float(grade).is_integer() else grade


def judged_without_gap(data: Collection) -> Ints:
    """`[run, topic]`: how many documents from the top of each list are judged, before the first that is not.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    >>> judged_without_gap(Collection.of(qrels, {"x": {"q1": ["a", "b", "u", "c"]}}, "AP"))
    array([[2]])
    """
    hits = data.hits
    leading = hits.ranking[hits.rank == hits.ordinal]
    return np.bincount(leading, minlength=len(hits)).reshape(len(data.runs), -1)


def pool_depths(data: Collection) -> Ints:
    """`[run]`: the rank down to which all lists of a run are judged; lists judged to their end do not limit it.

    >>> qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}
    >>> pool_depths(Collection.of(qrels, {"x": {"q1": ["a", "b", "u"], "q2": ["a"]}}, "AP"))
    array([2])
    """
    depth, length = judged_without_gap(data), data.hits.retrieved.reshape(len(data.runs), -1)
    ended = np.where(depth == length, np.iinfo(np.int64).max, depth).min(axis=1)
    return np.minimum(ended, length.max(axis=1))
