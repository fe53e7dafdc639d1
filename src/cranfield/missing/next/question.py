"""The question: which pairs of runs are still open, and what is known about the holes that could decide them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.missing.next.weights import TopicWeights, weights
from cranfield.missing.prior.fitting import fit_prior, with_holes
from cranfield.missing.prior.result import Prior
from cranfield.missing.ranges import Bounder
from cranfield.missing.situation import Situation
from cranfield.pooling.candidates import Candidates


@dataclass(frozen=True, eq=False)
class Question:
    """Open pairs of runs, and the holes of one measure.

    Attributes:
        bounder: the measure, its holes, and their topics.
        candidates: what the runs list.
        grade: of each candidate; NaN if it is not judged.
        a: the first run of each open pair.
        b: the second one.
        seed: of strategies with chance.
        given: a prior; if None, one is fitted when it is needed.
    """

    bounder: Bounder
    candidates: Candidates
    grade: Floats
    a: Ints
    b: Ints
    seed: int = 0
    given: Prior | None = None

    @property
    def situation(self) -> Situation:
        """The holes of the measure."""
        return self.bounder.situation

    @cached_property
    def holes(self) -> Ints:
        """The pairs of the situation that are holes, topic after topic: values are in this order."""
        return np.flatnonzero(np.isnan(self.situation.grade))

    @cached_property
    def places(self) -> Ints:
        """The holes as places among the candidates."""
        return self.situation.candidate[self.holes]

    @property
    def share(self) -> float:
        """The share of one topic in the score of a run."""
        return 1.0 if self.situation.measure.definition.average == "sum" else 1 / max(len(self.bounder.topics), 1)

    @cached_property
    def beginning(self) -> Ints:
        """Where the holes of each topic begin, and the end of the last."""
        return np.append(0, np.cumsum([topic.holes for topic in self.bounder.topics])).astype(np.int64)

    def topics(self) -> Iterator[tuple[int, slice]]:
        """The number of each topic with holes, and the place of its holes."""
        ends = self.beginning.tolist()
        return ((n, slice(ends[n], ends[n + 1])) for n in range(len(ends) - 1) if ends[n] < ends[n + 1])

    def place(self, hole: int) -> tuple[int, int]:
        """The number of the topic of a hole, and that of the hole in the topic."""
        topic = int(np.searchsorted(self.beginning, hole, side="right")) - 1
        return topic, hole - int(self.beginning[topic])

    @cached_property
    def present(self) -> tuple[TopicWeights, ...]:
        """The weights of each topic under the judgments as they are."""
        return tuple(weights(self.bounder, topic) for topic in self.bounder.topics)

    @cached_property
    def prior(self) -> Prior:
        """How probable each grade of a hole is."""
        drawn = np.zeros(len(self.candidates), dtype=bool)
        drawn[self.places] = True
        return with_holes(self.given, drawn) if self.given else fit_prior(self.candidates, self.grade, drawn)

    @cached_property
    def chance(self) -> Floats:
        """`[hole, level]`: the probability of each grade that a hole may take, under the prior."""
        steps = [np.ones(len(self.places)), *(step.chance(self.places) for step in self.prior.steps)]
        reached = np.cumprod(np.column_stack([*steps, np.zeros(len(self.places))]), axis=1)
        own, levels = -np.diff(reached, axis=1), self.situation.levels
        found = np.zeros((len(self.holes), len(levels)))
        at = np.maximum(np.searchsorted(levels, self.prior.levels, side="right") - 1, 0)
        for column, level in enumerate(at.tolist()):
            found[:, level] += own[:, column]
        return found

    @cached_property
    def expected(self) -> tuple[TopicWeights, ...]:
        """The weights of each topic under the prior."""
        ends = self.beginning
        return tuple(
            weights(self.bounder, topic, self.chance[ends[number] : ends[number + 1]])
            for number, topic in enumerate(self.bounder.topics)
        )

    def between(self, strength: Floats | float = 1.0) -> Floats:
        """`[run, run]`: the strength of each open pair, 0 for others."""
        runs = len(self.situation.runs)
        found = np.zeros((runs, runs))
        found[self.a, self.b] = found[self.b, self.a] = strength
        return found


def squares_between(weight: Floats, between: Floats) -> Floats:
    """For each column the sum over pairs of runs of strength times squared difference of weights.

    >>> squares_between(np.array([[1.0], [3.0], [0.0]]), np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]]))  # 4 + 2 · 9
    array([22.])
    """
    whole: Floats = between.sum(axis=1) @ weight**2 - np.einsum("rh,rh->h", weight, between @ weight)
    return np.maximum(whole, 0.0)


def distances_between(weight: Floats, between: Floats) -> Floats:
    """For each column the sum over pairs of runs of strength times absolute difference of weights.

    >>> distances_between(np.array([[1.0], [3.0], [0.0]]), np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]]))  # 2 + 2 · 3
    array([8.])
    """
    found = np.zeros(weight.shape[1])
    for run in range(len(weight) - 1):
        others = run + 1 + np.flatnonzero(between[run, run + 1 :])
        if len(others):
            found += between[run, others] @ np.abs(weight[others] - weight[run])
    return found
