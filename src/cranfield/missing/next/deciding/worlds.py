r"""Worlds: completions drawn from the prior, each as probable as the answers so far make it.

A world is one draw of coefficients and run effects, and a grade for every hole. The answer *g* to a hole multiplies
the weight of a world by $P(g)$ under its coefficients and effects, and takes the place of the grade that was drawn; so
an answer also says how good the documents are that the same run retrieves, or that belong to the same topic.

$$P(A > B) = \sum_i \omega_i \left([\Delta_i > 0] + \tfrac{1}{2} [\Delta_i = 0]\right)$$
"""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.missing.bounds.additive import Terms
from cranfield.missing.bounds.ideal import SharesOfIdeal
from cranfield.missing.completions import values
from cranfield.missing.next.deciding.pair import PairState
from cranfield.missing.prior.drawing import DrawnLevels, DrawnModel, Singles
from cranfield.tables.summary import summary

SAME = 1e-9
LEAST = 1e-12  # probability of an answer in a world that excludes it


@dataclass(frozen=True, eq=False)
class DrawnHoles:
    """Grades drawn to some holes, and how probable each step from a level to the next was.

    Attributes:
        levels: the grade of each level.
        level: `[draw, hole]`.
        chance: `[step, draw, hole]`.
    """

    levels: Floats
    level: DrawnLevels
    chance: Singles

    @classmethod
    def of(cls, model: DrawnModel, places: Ints, levels: Floats) -> "DrawnHoles":
        """Draw the holes at some places among the candidates of a model."""
        known = model.features.candidates.topic[places]
        level: DrawnLevels = np.zeros((model.draws, len(places)), dtype=np.int8)
        chance: Singles = np.zeros((len(levels) - 1, model.draws, len(places)), dtype=np.float32)
        for number in np.unique(known).tolist():
            here = np.flatnonzero(known == number)
            level[:, here] = model.of_topic(number, places[here])
            for step, likely in enumerate(model.chances(number, places[here])):
                chance[step][:, here] = likely
        return cls(levels, level, chance)

    def only(self, holes: Ints) -> "DrawnHoles":
        """Some of the holes, in the order given."""
        return DrawnHoles(self.levels, self.level[:, holes], self.chance[:, :, holes])


class Worlds:
    """Drawn completions of the holes of two runs, with their weights."""

    def __init__(self, state: PairState, drawn: DrawnHoles) -> None:
        self.state: PairState = state
        self.levels: Floats = drawn.levels
        self.level: DrawnLevels = drawn.level
        self.chance: Singles = drawn.chance
        own, draws = state.situation.levels, len(drawn.level)
        self._own = np.maximum(np.searchsorted(own, drawn.levels, side="right") - 1, 0)  # in the measure's levels
        self.weight: Floats = np.full(draws, 1 / draws)
        self._log = np.zeros(draws)
        self.value: Floats = np.stack(
            [self._difference(number) for number in range(len(state.topics))]
        )  # [topic, draw]
        self.gain: Singles = np.zeros(drawn.level.shape, dtype=np.float32)
        for number in range(len(state.topics)):
            self._gains(number)

    @property
    def probability(self) -> float:
        """P(A > B) on these topics: the weight of the worlds in which A scores higher; ties count half."""
        average = self.state.situation.measure.definition.average
        if average in ("mean", "sum"):
            total = np.nan_to_num(self.value).sum(axis=0)
        else:
            total = np.array([summary(column, average) for column in self.value.T])
        ahead = (total > SAME) + 0.5 * (np.abs(total) <= SAME)
        return float(min(1.0, max(0.0, self.weight @ ahead)))

    @property
    def size(self) -> float:
        """How many equally probable worlds tell as much."""
        return float(1 / np.sum(self.weight**2))

    def expected_gain(self) -> Floats:
        """The expected gain of each hole."""
        return np.asarray(self.weight.astype(np.float32) @ self.gain, dtype=np.float64)

    def judge(self, hole: int, grade: float) -> None:
        """Enter an answer, after the state knows it."""
        reached = int(np.searchsorted(self.levels, grade, side="right")) - 1
        likely = np.prod(self.chance[:reached, :, hole], axis=0, dtype=np.float64)
        if reached < len(self.levels) - 1:
            likely = likely * (1 - self.chance[reached, :, hole])
        self._log += np.log(np.maximum(likely, LEAST))
        weight = np.exp(self._log - self._log.max())
        self.weight = weight / weight.sum()
        number = int(self.state.topic[hole])
        self.value[number] = self._difference(number)
        self._gains(number)

    def _gains(self, number: int) -> None:
        here = self.state.left[number]
        self.gain[:, here] = self.state.gain[number][self._own].astype(np.float32)[self.level[:, here]]

    def _difference(self, number: int) -> Floats:
        """The difference of the two runs in a topic, in each world."""
        state, topic, own = self.state, self.state.topics[number], self._own
        method, level = state.bounder.method, self.level[:, state.left[number]]
        if isinstance(method, Terms):
            terms, judged = method.table.holes(topic), method.table.judged(topic)
            gap = (terms[:, 0] - terms[:, 1])[own]
            return judged[0] - judged[1] + gap[level, np.arange(topic.holes)].sum(axis=1)
        if isinstance(method, SharesOfIdeal):
            return self._share(method, number, level)
        filled = np.zeros((len(level), topic.holes + topic.unseen))
        filled[:, : topic.holes] = state.situation.levels[own][level]
        both = values(state.situation, topic, filled, np.array([0, 1]))
        return np.asarray(both[:, 0] - both[:, 1])

    def _share(self, method: SharesOfIdeal, number: int, level: DrawnLevels) -> Floats:
        topic, situation = self.state.topics[number], self.state.situation
        now, weight = method.table.judged(topic), method.table.holes(topic)[-1]
        taken = self._own[level]
        above = now[0] - now[1] + method.gain[taken] @ (weight[0] - weight[1])
        below = np.zeros(len(level))
        best = method.rule.best(np.arange(len(topic.base) + topic.holes + 1), **situation.measure.arguments)
        for step, grade in enumerate(situation.levels[1:]):
            count = np.count_nonzero(topic.base >= grade) + np.count_nonzero(taken > step, axis=1)
            below += method.step[step] * best[count]
        found = np.divide(above * method.unit, below, out=np.zeros(len(level)), where=below > 0)
        return np.asarray(situation.policy.counted(np.where(below > 0, found, np.nan), below == 0))
