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
from cranfield.missing.next.deciding.asked import AskedPairs
from cranfield.missing.prior.drawing import DrawnLevels, DrawnModel, Singles
from cranfield.missing.situation import ZERO

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

    def __init__(self, state: AskedPairs, drawn: DrawnHoles) -> None:
        self.state: AskedPairs = state
        self.levels: Floats = drawn.levels
        self.level: DrawnLevels = drawn.level
        self.chance: Singles = drawn.chance
        own, draws = state.situation.levels, len(drawn.level)
        self._own = np.maximum(np.searchsorted(own, drawn.levels, side="right") - 1, 0)  # in the measure's levels
        self.weight: Floats = np.full(draws, 1 / draws)
        self._log = np.zeros(draws)
        self.value: Floats = np.stack(
            [self._differences(number) for number in range(len(state.topics))]
        )  # [topic, pair, draw]
        self.gain: Singles = np.zeros(drawn.level.shape, dtype=np.float32)
        for number in range(len(state.topics)):
            self._gains(number)

    @property
    def probability(self) -> Floats:
        """P(A > B) of each pair on these topics: the weight of the worlds in which A scores higher; ties count half."""
        total = self.total
        ahead = (total > ZERO) + 0.5 * (np.abs(total) <= ZERO)
        return np.clip(np.round(ahead @ self.weight, 12), 0.0, 1.0)  # one half exactly where all worlds are ties

    @property
    def total(self) -> Floats:
        """`[pair, draw]`: the difference of each pair in each world; of means, the sum over topics."""
        return np.asarray(np.nan_to_num(self.value).sum(axis=0))

    @property
    def size(self) -> float:
        """How many equally probable worlds tell as much."""
        return float(1 / np.sum(self.weight**2))

    def expected_gain(self) -> Floats:
        """The expected gain of each hole."""
        return np.asarray(self.weight.astype(np.float32) @ self.gain, dtype=np.float64)

    def judge(self, hole: int, grade: float) -> None:
        """Enter an answer, after the state knows it."""
        self._weigh(self._log + self._evidence(hole, grade))
        self.update(int(self.state.topic[hole]))

    def take_back(self, hole: int, grade: float) -> None:
        """Forget an answer, after the state has forgotten it."""
        self._weigh(self._log - self._evidence(hole, grade))
        self.update(int(self.state.topic[hole]))

    def update(self, number: int) -> None:
        """Compute the differences of a topic again, after the state changed there."""
        self.value[number] = self._differences(number)
        self._gains(number)

    def _evidence(self, hole: int, grade: float) -> Floats:
        """The logarithm of the probability of an answer in each world."""
        reached = int(np.searchsorted(self.levels, grade, side="right")) - 1
        likely = np.prod(self.chance[:reached, :, hole], axis=0, dtype=np.float64)
        if reached < len(self.levels) - 1:
            likely = likely * (1 - self.chance[reached, :, hole])
        return np.log(np.maximum(likely, LEAST))

    def _weigh(self, log: Floats) -> None:
        self._log = log
        weight = np.exp(log - log.max())
        self.weight = weight / weight.sum()

    def _gains(self, number: int) -> None:
        here = self.state.left[number]
        self.gain[:, here] = self.state.gain[number][self._own].astype(np.float32)[self.level[:, here]]

    def _differences(self, number: int) -> Floats:
        """`[pair, draw]`: the difference of each pair in a topic, in each world."""
        state, topic, own = self.state, self.state.topics[number], self._own
        method, level = state.bounder.method, self.level[:, state.left[number]]
        both = list(zip(state.a.tolist(), state.b.tolist(), strict=True))
        if isinstance(method, Terms):
            terms, judged = method.table.holes(topic), method.table.judged(topic)
            column = np.arange(topic.holes)
            return np.stack(
                [judged[a] - judged[b] + (terms[:, a] - terms[:, b])[own][level, column].sum(axis=1) for a, b in both]
            )
        if isinstance(method, SharesOfIdeal):
            return self._shares(method, number, level)
        filled = np.zeros((len(level), topic.holes + topic.unseen))
        filled[:, : topic.holes] = state.situation.levels[own][level]
        runs = np.arange(len(state.situation.runs))
        value = values(state.situation, topic, filled, runs)
        return np.stack([value[:, a] - value[:, b] for a, b in both])

    def _shares(self, method: SharesOfIdeal, number: int, level: DrawnLevels) -> Floats:
        state, topic, situation = self.state, self.state.topics[number], self.state.situation
        now, weight = method.table.judged(topic), method.table.holes(topic)[-1]
        taken = self._own[level]
        gain, below = method.gain[taken], np.zeros(len(level))
        best = method.rule.best(np.arange(len(topic.base) + topic.holes + 1), **situation.measure.arguments)
        for step, grade in enumerate(situation.levels[1:]):
            count = np.count_nonzero(topic.base >= grade) + np.count_nonzero(taken > step, axis=1)
            below += method.step[step] * best[count]
        found = []
        for a, b in zip(state.a.tolist(), state.b.tolist(), strict=True):
            above = now[a] - now[b] + gain @ (weight[a] - weight[b])
            ratio = np.divide(above * method.unit, below, out=np.zeros(len(level)), where=below > 0)
            found.append(situation.policy.counted(np.where(below > 0, ratio, np.nan), below == 0))
        return np.stack(found)
