"""Judgments that are hidden at first, and revealed when they are requested."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import Policy
from cranfield.arrays import Bools, Floats
from cranfield.measures.grammar import Measure
from cranfield.missing.situation import depth_of
from cranfield.pooling.candidates import Candidates
from cranfield.random_streams import stream
from cranfield.study.data.judged_runs import JudgedRuns
from cranfield.tables.qrels import Qrels
from cranfield.tables.side.matching import match_names

WHOLE = 1 << 40  # deeper than any list


@dataclass(frozen=True, eq=False)
class Answers:
    """What is judged at the beginning, and what is known in the end.

    Attributes:
        shown: the judgments at the beginning, of the same topics.
        known: all judgments.
        policy: the choices that shape the numbers.

    >>> data = JudgedRuns.of({"q1": {"a": 1, "b": 0, "c": 2}}, {"x": {"q1": ["a", "u"]}, "y": {"q1": ["b"]}}, "P@1")
    >>> answers = Answers.pooled(data, depth=1)
    >>> len(answers.shown), answers.grade("q1", "c"), answers.grade("q1", "u"), answers.levels
    (2, 2.0, None, (0.0, 1.0, 2.0))
    """

    shown: Qrels
    known: Qrels
    policy: Policy

    @classmethod
    def at_random(cls, data: JudgedRuns, percent: float, seed: int) -> "Answers":
        """Hide a share of the judgments of each topic; two judgments of one document stay together."""
        qrels = data.qrels
        hidden = np.zeros(len(qrels), dtype=bool)
        for number, name in enumerate(qrels.topics):
            rows = np.flatnonzero(qrels.topic == number)
            documents, code = qrels.document.take(rows).codes()
            order = stream(seed, "decide", "hidden", name).permutation(len(documents))
            out = np.zeros(len(documents), dtype=bool)
            out[order[: int(len(documents) * percent / 100 + 0.5)]] = True
            hidden[rows[out[code]]] = True
        return cls(_part(qrels, ~hidden), qrels, data.collection.policy)

    @classmethod
    def pooled(cls, data: JudgedRuns, depth: int) -> "Answers":
        """Hide the judgments of documents that no run has among its first."""
        qrels = data.qrels
        top = Candidates.of(data.runs.values(), depth, data.collection.policy)
        near = np.zeros(len(qrels), dtype=bool)
        rows = top.rows_in(JudgmentIndex.of(qrels))
        near[rows[rows >= 0]] = True
        return cls(_part(qrels, near), qrels, data.collection.policy)

    @classmethod
    def later(cls, data: JudgedRuns, path: str) -> "Answers":
        """Hide nothing: the judgments of a file come later; those of documents that were judged already stay."""
        from cranfield.read import read_qrels

        first, later = data.qrels, read_qrels(path)
        match_names(later.topics, first.topics, "topic", path=path)
        seen = set(_pairs(first))
        rows = [row for row, pair in enumerate(_pairs(later)) if pair not in seen and pair[0] in set(first.topics)]
        added = _part(later, np.isin(np.arange(len(later)), rows))
        names = [qrels.topics[at] for qrels in (first, added) for at in qrels.topic.tolist()]
        documents = [*first.document, *added.document]
        known = Qrels.of(names, documents, np.concatenate((first.grade, added.grade)))
        return cls(first, known, data.collection.policy)

    @cached_property
    def _grades(self) -> dict[tuple[str, str], float]:
        graded = zip(_pairs(self.known), self.known.grade.tolist(), strict=True)
        return {pair: max(float(grade), 0.0) for pair, grade in graded if grade >= 0 or self._negatives}

    @property
    def _negatives(self) -> bool:
        return self.policy.negative == "nonrelevant"

    def grade(self, topic: str, document: str) -> float | None:
        """The grade of a document; None if it is not known."""
        return self._grades.get((topic, document))

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """The grades that occur."""
        return tuple(sorted({0.0, *self._grades.values()}))

    def ask(self, unknown: float | None) -> Callable[[str, str], float | None]:
        """The function that answers; a document without a known judgment has the grade `unknown`."""
        return lambda topic, document: self._grades.get((topic, document), unknown)

    def complete(self, data: JudgedRuns, measure: Measure) -> Bools:
        """`[run]`: whether every document that the measure looks at has a known judgment."""
        depth = depth_of(measure)
        near = Candidates.of(data.runs.values(), WHOLE if depth is None else depth, self.policy)
        grade: Floats = near.grades(self.known, self.policy)
        asked = np.isin(near.topic, [at for at, name in enumerate(near.topics) if name in set(self.known.topics)])
        lacking = (np.isnan(grade) & asked)[near.pair]
        return np.bincount(near.run[lacking], minlength=len(near.runs)) == 0


def _part(qrels: Qrels, kept: Bools) -> Qrels:
    """Some of the judgments; a topic without any stays a topic."""
    return replace(
        qrels,
        topic=qrels.topic[kept],
        document=qrels.document.take(kept),
        grade=qrels.grade[kept],
        iteration=None,
        stratum=None,
        probability=None,
        line=None,
    )


def _pairs(qrels: Qrels) -> list[tuple[str, str]]:
    return list(zip((qrels.topics[at] for at in qrels.topic.tolist()), qrels.document, strict=True))
