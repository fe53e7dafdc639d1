"""Stratified random reduction of judgments: how many are kept of each stratum, and which."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from cranfield.arrays import Bools, Ints
from cranfield.random_streams import stream
from cranfield.study.data.collection import Collection


@dataclass(frozen=True)
class Rules:
    """How judgments are reduced."""

    levels: tuple[float, ...]
    stratify: Literal["relevance", "grade", "none"] = "relevance"
    nested: bool = False
    min_relevant: int = 1
    min_nonrelevant: int = 10
    minima: Literal["each", "all"] = "each"
    rounding: Literal["ag07", "sk08"] = "ag07"

    def counts(self, sizes: Sequence[int], relevant: Sequence[bool]) -> Ints:
        """`[stratum, level]`: how many judgments of each stratum of a topic are kept.

        >>> Rules((95, 1)).counts([40, 200], [True, False])  # 38 and 190; one of 0.4, ten of 2
        array([[ 38,   1],
               [190,  10]])
        """
        counts = np.array([[rounded(size, level, self.rounding) for level in self.levels] for size in sizes])
        if self.stratify == "none":
            return counts
        least = np.where(relevant, self.min_relevant, self.min_nonrelevant)[:, None]
        size = np.array(sizes)[:, None]
        raised = np.minimum(size, np.maximum(counts, least))
        if self.minima == "each":
            return raised
        counts = np.where(np.array(relevant)[:, None], counts, raised)
        largest_first = sorted((at for at, rel in enumerate(relevant) if rel), key=lambda at: -sizes[at])
        for at in largest_first:  # what is lacking comes from the grade that has most
            lacking = np.maximum(self.min_relevant - counts[largest_first].sum(axis=0), 0)
            counts[at] += np.minimum(lacking, sizes[at] - counts[at])
        return counts


@dataclass(frozen=True, eq=False)
class TopicStrata:
    """For each topic its strata: the places of their judgments, by document id, and how many each level keeps."""

    rules: Rules
    topics: tuple[str, ...]
    members: tuple[tuple[tuple[Ints, Ints], ...], ...]
    places: int

    @classmethod
    def of(cls, data: Collection, rules: Rules) -> "TopicStrata":
        """The strata of a collection; unjudged documents are in none."""
        judgments, rel = data.judgments, data.policy.rel
        order = judgments.order[judgments.grade[judgments.order] >= 0]
        topic, grade = judgments.topic[order], judgments.grade[order]
        kinds = {"none": np.zeros_like(topic), "relevance": (grade >= rel).astype(np.int64)}
        label = kinds[rules.stratify] if rules.stratify in kinds else np.unique(grade, return_inverse=True)[1]
        by_label = order[np.lexsort((label, topic))]  # stable: by document id inside a stratum
        keys, sizes = np.unique(np.stack((topic, label), axis=1), axis=0, return_counts=True)
        found: list[list[Ints]] = [[] for _ in data.topics]
        for (number, _), places in zip(keys.tolist(), np.split(by_label, np.cumsum(sizes)[:-1]), strict=True):
            found[number].append(places)
        members = []
        for strata in found:
            counts = rules.counts([len(s) for s in strata], [bool(judgments.grade[s[0]] >= rel) for s in strata])
            members.append(tuple(zip(strata, counts, strict=True)))
        return cls(rules, data.topics, tuple(members), len(judgments))

    def judged(self, draw: int, seed: int) -> Bools:
        """`[level, place]`: the judgments that are left in a draw.

        Each topic has its own random stream; if levels are independent, each level of each topic has its own. So the
        draws for a topic and a level do not depend on the others.
        """
        judged = np.zeros((len(self.rules.levels), self.places), dtype=bool)
        for name, strata in zip(self.topics, self.members, strict=True):
            for chance, levels in self._streams(seed, draw, name):
                for places, count in strata:
                    judged[levels, places] = chance.permutation(len(places)) < count[levels, None]
        return judged

    def kept(self) -> Ints:
        """How many judgments each level keeps, of all topics."""
        none = np.zeros(len(self.rules.levels), dtype=np.int64)
        return sum((count for strata in self.members for _, count in strata), none)

    @property
    def total(self) -> int:
        """How many judgments there are."""
        return sum(len(places) for strata in self.members for places, _ in strata)

    def _streams(self, seed: int, draw: int, topic: str) -> Iterator[tuple[np.random.Generator, slice]]:
        """The random streams of a topic, each with the levels that are drawn from it."""
        if self.rules.nested:
            yield stream(seed, draw, topic), slice(None)
            return
        for at, level in enumerate(self.rules.levels):
            yield stream(seed, draw, topic, str(float(level))), slice(at, at + 1)


def rounded(size: int, level: float, rule: str) -> int:
    """`level` percent of `size`, rounded: a half goes down by the rule `ag07`, up by the rule `sk08`.

    Whole numbers are multiplied before dividing, because 0.15 · 20 is not exactly 3.

    >>> [rounded(n, 25, "ag07") for n in (10, 9, 11, 1)]  # 2.5, 2.25, 2.75, 0.25
    [2, 2, 3, 0]
    >>> rounded(10, 25, "sk08")
    3
    """
    exact = Fraction(str(level)) * size / 100 + Fraction(1, 2)
    down = exact.numerator // exact.denominator
    return down - (exact.denominator == 1) if rule == "ag07" else down
