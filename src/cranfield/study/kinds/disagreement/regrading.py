"""Judgments drawn anew: the same documents with other grades."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.random_streams import stream
from cranfield.stats.agreement.coefficients import PAIRWISE
from cranfield.stats.agreement.tables import Tables
from cranfield.study.data.collection import Collection


def regraded(data: Collection, grade: Ints | Floats) -> Collection:
    """The collection with other grades for the same judgments, by place; the scale of grades stays, or grows.

    >>> qrels, runs = {"q1": {"a": 1, "b": 0}}, {"x": {"q1": ["a", "b"]}, "y": {"q1": ["b", "a"]}}
    >>> tiny = Collection.of(qrels, runs, ["RR"])
    >>> regraded(tiny, 1 - tiny.judgments.grade).full[:, 0, 0]  # b is relevant now, and a is not
    array([0.5, 1. ])
    """
    hits, judgments = data.hits, data.judgments
    base = judgments.base_place
    base = base[np.lexsort((-grade[base], judgments.topic[base]))]  # by topic, best grade first
    seen = replace(
        hits,
        grade=grade[hits.document],
        base_topic=judgments.topic[base],
        base_grade=grade[base],
        top_grade=max(hits.top_grade, float(grade.max(initial=0))),
    )
    return replace(data, hits=seen, judgments=replace(judgments, grade=grade, base_place=base))


@dataclass(frozen=True, eq=False)
class Sides:
    """For each topic the places of its relevant and of its nonrelevant judgments, by document id."""

    topics: tuple[str, ...]
    members: tuple[tuple[Ints, Ints], ...]

    @classmethod
    def of(cls, data: Collection) -> "Sides":
        """The judged documents of each topic."""
        judgments, rel = data.judgments, data.policy.rel
        order = judgments.order[judgments.grade[judgments.order] >= 0]
        ends = np.searchsorted(judgments.topic[order], np.arange(len(data.topics) + 1))
        by_topic = [order[begin:end] for begin, end in pairwise(ends.tolist())]
        good = [judgments.grade[places] >= rel for places in by_topic]
        members = ((places[mask], places[~mask]) for places, mask in zip(by_topic, good, strict=True))
        return cls(data.topics, tuple(members))

    def swapped(self, grade: Ints | Floats, kappa: float, draw: int, seed: int) -> Ints | Floats:
        """The grades after random relevant and nonrelevant documents of each topic have swapped grades.

        Of a topic with *R* relevant and *N* nonrelevant documents, *m* of each side swap their grades, so that nothing
        changes in the number of documents of a grade, and Cohen's kappa with the original is *1 - m (R + N) / (R N)*.
        *m = (1 - kappa) R N / (R + N)* is rounded up or down at random, so that kappa is met in expectation. A lower
        kappa of a draw swaps the documents that a higher one swaps, and more.
        """
        changed = grade.copy()
        for name, (good, bad) in zip(self.topics, self.members, strict=True):
            chance = stream(seed, "disagreement", draw, name)
            share, left, right = chance.random(), chance.permutation(good), chance.permutation(bad)
            swaps = int(swap_count(len(good), len(bad), kappa) + share)
            changed[left[:swaps]], changed[right[:swaps]] = grade[right[:swaps]], grade[left[:swaps]]
        return changed


def swap_count(relevant: int, nonrelevant: int, kappa: float) -> float:
    """How many documents of each side swap their grades, on average, for an expected kappa.

    >>> swap_count(10, 40, 0.5)  # 0.5 · 10 · 40 / 50
    4.0
    """
    both = relevant + nonrelevant
    return (1 - kappa) * relevant * nonrelevant / both if both else 0.0


@dataclass(frozen=True)
class Reached:
    """How far two sets of grades agree on what is relevant: Cohen's kappa and the overlap of the relevant sets."""

    kappa: float  # of all judgments together
    topic_kappa: float  # mean over topics where it is defined
    overlap: float  # mean over topics where it is defined

    @classmethod
    def of(cls, data: Collection, grade: Ints | Floats, among: Bools | None = None) -> "Reached":
        """The agreement of the original grades with others, on some judgments or all."""
        judgments, rel = data.judgments, data.policy.rel
        judged = judgments.grade >= 0 if among is None else among
        cell = judgments.topic[judged] * 4 + (judgments.grade[judged] >= rel) * 2 + (grade[judged] >= rel)
        tables = np.bincount(cell, minlength=4 * len(data.topics)).reshape(-1, 2, 2)
        each = Tables.of(tables)
        return cls(
            float(PAIRWISE["cohen"](Tables.of(tables.sum(axis=0)))),
            _mean(PAIRWISE["cohen"](each)),
            _mean(PAIRWISE["overlap"](each)),
        )


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")
