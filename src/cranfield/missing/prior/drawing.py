"""Draw completions: a grade for every hole, again and again, the same for all runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Floats, Ints
from cranfield.missing.prior.features import ListFeatures
from cranfield.missing.prior.steps import SMOOTH, GradeStep
from cranfield.random_streams import stream

DrawnLevels: TypeAlias = NDArray[np.int8]  # 0, or the number of steps from grade 0
Singles: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class DrawnModel:
    """Coefficients and run effects drawn once; the holes of any topic are drawn from them when asked for.

    A topic is drawn from a random stream of its own, so that topics may be drawn in any order, or left out.
    """

    features: ListFeatures
    steps: Sequence[GradeStep]
    coefficients: Sequence[tuple[Singles, Singles] | None]  # by step: [draw, coefficient] and [draw, topic]
    effects: Singles | None  # [step, draw, run]
    size: float  # of the run effects
    draws: int
    seed: int

    def of_topic(self, topic: int, pairs: Ints) -> DrawnLevels:
        """The levels of some pairs of one topic, [draw, pair]: 0 is grade 0, 1 the lowest grade above it, and so on."""
        levels = np.zeros((self.draws, len(pairs)), dtype=np.int8)
        if len(pairs) == 0:
            return levels
        rng = stream(self.seed, "completions", self.features.candidates.topics[topic])
        alive = np.ones(levels.shape, dtype=bool)
        for chance in self.chances(topic, pairs):
            alive &= rng.random(levels.shape, dtype=np.float32) < chance
            levels += alive
        return levels

    def chances(self, topic: int, pairs: Ints) -> Iterator[Singles]:
        """For each step the probability that some pairs of one topic take it, [draw, pair], in each draw."""
        share, wide = self.features.shares(pairs).astype(np.float32).T, self._widened(pairs)
        for number, (step, drawn) in enumerate(zip(self.steps, self.coefficients, strict=True)):
            value = self._logits(step, drawn, topic, pairs)
            if self.effects is not None:
                value = value * wide + self.effects[number] @ share
            with np.errstate(over="ignore"):
                yield (1 / (1 + np.exp(-value))).astype(np.float32, copy=False)

    def _widened(self, pairs: Ints) -> Singles:
        """How far logits are stretched, so that run effects leave the probability of each pair as it is."""
        variance = self.size**2 / np.maximum(self.features.retrieving[pairs], 1)
        return np.sqrt(1 + SMOOTH * variance).astype(np.float32)

    def _logits(self, step: GradeStep, drawn: tuple[Singles, Singles] | None, topic: int, pairs: Ints) -> Singles:
        """The logits of a step, [draw, pair], or [1, pair] where they are the same in all draws."""
        fixed = step.logit(pairs).astype(np.float32)[None, :]
        if step.fit is None or drawn is None:
            return fixed
        own = step.fit.logit(step.features[pairs], step.topic[pairs])
        design = step.fit.standard.design(step.features[pairs]).astype(np.float32)
        value = drawn[0] @ design.T + drawn[1][:, topic, None] + step.shift(own).astype(np.float32)
        return value if step.given is None else np.where(np.isnan(step.given[pairs]), value, fixed)


def drawn_model(features: ListFeatures, steps: Sequence[GradeStep], effect: float, draws: int, seed: int) -> DrawnModel:
    """Draw the coefficients of every step and the effect of every run."""
    runs = len(features.candidates.runs)
    shape = (len(steps), draws, runs)
    effects = stream(seed, "prior", "runs").standard_normal(shape, dtype=np.float32) * np.float32(effect)
    return DrawnModel(
        features=features,
        steps=steps,
        coefficients=[_drawn(step, draws, seed, number) for number, step in enumerate(steps)],
        effects=effects if effect > 0 and runs else None,
        size=effect,
        draws=draws,
        seed=seed,
    )


def _drawn(step: GradeStep, draws: int, seed: int, number: int) -> tuple[Singles, Singles] | None:
    if step.fit is None or (step.given is not None and not np.isnan(step.given).any()):
        return None
    coefficient, intercept = step.fit.draw(stream(seed, "prior", "coefficients", number), draws)
    return coefficient.astype(np.float32), intercept.astype(np.float32)


def all_levels(model: DrawnModel, holes: Ints) -> DrawnLevels:
    """The levels of holes of all topics, [draw, hole]."""
    topic = model.features.candidates.topic[holes]
    levels = np.zeros((model.draws, len(holes)), dtype=np.int8)
    for number in np.unique(topic).tolist():
        here = np.flatnonzero(topic == number)
        levels[:, here] = model.of_topic(number, holes[here])
    return levels


def expected_gain(levels: DrawnLevels, grades: Floats) -> Floats:
    """The mean grade of each hole over draws.

    >>> expected_gain(np.array([[0, 2], [1, 2]], dtype=np.int8), np.array([0.0, 1.0, 3.0]))
    array([0.5, 3. ])
    """
    return grades[levels].mean(axis=0)
