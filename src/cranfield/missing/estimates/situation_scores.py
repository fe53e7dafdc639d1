"""Completions -> scores in a situation, for any measure: sums by a matrix product, others by the measure itself."""

from functools import cached_property

import numpy as np

from cranfield.arrays import Floats, Ints, ratio
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.missing.bounds.additive import Terms
from cranfield.missing.bounds.ideal import SharesOfIdeal
from cranfield.missing.bounds.method import BoundsMethod, method_of
from cranfield.missing.completions import values
from cranfield.missing.prior.drawing import DrawnLevels
from cranfield.missing.situation import Situation, TopicHoles


class SituationScores:
    """The scores of all runs on completions of a situation; documents that no run retrieved are not relevant in any.

    Args:
        situation: a measure, the holes, and where the runs list them.
        grades: of the levels that are drawn; each has to be one that a hole may take.
    """

    def __init__(self, situation: Situation, grades: Floats) -> None:
        self.situation = situation
        self.grades = grades
        if not set(grades.tolist()) <= set(situation.levels.tolist()):
            strange = [f"{grade:g}" for grade in grades if grade not in situation.levels]
            problem = f"grade {', '.join(strange)} is given to holes, and no judgment has it"
            raise PolicyError("E243", problem, hint=f"name all grades: {setting('scale', [*map(int, grades)])}")

    @property
    def topics(self) -> Ints:
        """The topics in the mean, as the situation numbers them."""
        return np.arange(len(self.situation.topics))

    def holes_of(self, topic: int) -> Ints:
        """The candidates of a topic that are holes."""
        return self.situation.candidate[self.situation.holes_of(topic)]

    @cached_property
    def _method(self) -> BoundsMethod:
        return method_of(self.situation)

    def values(self, topic: int, levels: DrawnLevels) -> Floats:
        """`[completion, run]` for the levels of the topic's holes; a topic that does not count for a run is NaN."""
        here = self.situation.of_topic(topic)
        found = self._values(here, levels)
        if self.situation.policy.topic_set == "intersection":
            found = np.where(self.situation.answered[:, topic], found, np.nan)
        return found

    def _values(self, topic: TopicHoles, levels: DrawnLevels) -> Floats:
        method, partial = self._method, self.situation.measure.definition.partial
        if isinstance(method, Terms) and not partial:  # the value of an empty list may be undefined
            return self._sums(method, topic, levels)
        if isinstance(method, SharesOfIdeal) and not partial:
            total, best = self._sums(method, topic, levels) * method.unit, self._best(method, topic, levels)
            return self.situation.policy.counted(ratio(total, best[:, None]), best[:, None] == 0)
        filled = np.zeros((len(levels), topic.holes + topic.unseen))
        filled[:, : topic.holes] = self.grades[levels]
        return values(self.situation, topic, filled)

    def _sums(self, method: "Terms | SharesOfIdeal", topic: TopicHoles, levels: DrawnLevels) -> Floats:
        """What the judged documents and the holes add up to, `[completion, run]`."""
        own = np.searchsorted(self.situation.levels, self.grades)
        terms = method.table.holes(topic)[own]
        total = np.tile(method.table.judged(topic) + terms[0].sum(axis=1), (len(levels), 1))
        for level in range(1, len(own)):
            total += (levels == level).astype(np.float64) @ (terms[level] - terms[0]).T
        return total

    def _best(self, method: SharesOfIdeal, topic: TopicHoles, levels: DrawnLevels) -> Floats:
        """What the ideal list of each completion collects."""
        total = np.zeros(len(levels))
        for step, grade in zip(method.step, self.situation.levels[1:], strict=True):
            reached = np.count_nonzero(self.grades[levels] >= grade, axis=1) + np.count_nonzero(topic.base >= grade)
            total += step * method.rule.best(reached, **self.situation.measure.arguments)
        return total
