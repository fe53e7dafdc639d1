"""The run effect: how far what a run retrieves is relevant, or not, beyond what the features say.

Documents that one run alone retrieves are good or bad together, so independent draws would be too sure. The size of the
effect is estimated by hiding judged documents that look like holes, fitting without them, and asking how large an
effect of each run makes the hidden judgments most probable.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.missing.prior.features import NEAR, ListFeatures
from cranfield.missing.prior.logistic import expit, fit_logistic
from cranfield.missing.prior.steps import SMOOTH, fit_steps
from cranfield.random_streams import stream

DEFAULT = 0.5
FEWEST = 100  # hidden judgments, and outcomes of either kind at a tenth of that
SIZES = np.geomspace(0.125, 3.0, 8)  # that are tried
_DOUBT = 0.5  # standard deviation of log(size / default) before anything is seen
_HIDDEN, _TIMES = 0.25, 3  # share of the judgments that is hidden, and how often


@dataclass(frozen=True)
class RunEffect:
    """The standard deviation of the effect of a run on the logit, and how it was found."""

    size: float
    hidden: int = 0  # judgments that it was estimated from; 0: it was not
    times: int = _TIMES  # how often others were hidden

    @property
    def words(self) -> str:
        """The effect in a few words.

        >>> RunEffect(0.5).words
        'run effect N(0, 0.50²), not estimated'
        """
        how = f"estimated on {self.hidden:,} judgments" if self.times == 1 else "not estimated"
        if self.hidden and self.times > 1:
            how = f"estimated on {self.times} × {self.hidden:,} hidden judgments"
        return f"run effect N(0, {self.size:.2f}²), {how}"


def estimated_effect(features: ListFeatures, grade: Floats, holes: Bools, seed: int) -> RunEffect:
    """The size that fits best, over several hidings; the default where too little is judged."""
    lowest = float(np.min(grade[grade > 0], initial=np.inf))
    evidence, number = [], 0
    for hidden in hidings(features, grade, holes, seed):
        outcome = grade[hidden] >= lowest
        if min(np.count_nonzero(outcome), np.count_nonzero(~outcome)) < FEWEST // 10:
            return RunEffect(DEFAULT)
        kept = grade.copy()
        kept[hidden] = np.nan
        (step,) = fit_steps(features, kept, (lowest,))
        evidence.append(effect_evidence(step.logit(hidden), features.shares(hidden), outcome))
        number = len(hidden)
    return RunEffect(likely_size(np.mean(evidence, axis=0)), number) if evidence else RunEffect(DEFAULT)


def likely_size(evidence: Floats) -> float:
    """The size that is most probable, given the evidence for each size and how far it may be from the default."""
    found = evidence - (np.log(SIZES / DEFAULT) / _DOUBT) ** 2 / 2
    best = int(np.argmax(found))
    if not 0 < best < len(SIZES) - 1:
        return float(SIZES[best])
    left, middle, right = found[best - 1 : best + 2]  # the top of the parabola through three sizes
    off = (left - right) / (2 * (left - 2 * middle + right))
    return float(SIZES[best] * (SIZES[1] / SIZES[0]) ** off)


def hidings(features: ListFeatures, grade: Floats, holes: Bools, seed: int) -> Iterator[Ints]:
    """Some judged pairs each time, drawn so that they are retrieved as holes are; none if too few are judged."""
    near = features.candidates.best_rank <= max(NEAR, _deepest(features, holes))
    judged = np.flatnonzero(~np.isnan(grade) & near & (features.retrieving > 0))
    number = int(_HIDDEN * len(judged))
    if number < FEWEST or not holes.any():
        return
    chance = hole_odds(features, judged, holes)
    for time in range(_TIMES):
        keys = np.log(stream(seed, "prior", "hidden", time).random(len(judged))) / chance
        yield np.sort(judged[np.argsort(-keys)[:number]])


def hole_odds(features: ListFeatures, judged: Ints, holes: Bools) -> Floats:
    """How much more a judged pair looks like a hole than like a judgment, by its ranks alone."""
    both = np.concatenate((judged, np.flatnonzero(holes)))
    outcome = np.arange(len(both)) >= len(judged)
    one = np.zeros(len(both), dtype=np.int64)
    fit = fit_logistic(features.listed[both], one, outcome, 1)
    return np.exp(np.clip(fit.logit(features.listed[judged], one[: len(judged)]), -6, 6))


def _deepest(features: ListFeatures, holes: Bools) -> int:
    best = features.candidates.best_rank[holes & (features.retrieving > 0)]
    return int(best.max(initial=1))


def effect_evidence(base: Floats, share: Floats, outcome: Bools) -> Floats:
    """The log probability of outcomes under each size of the effect, by Laplace's approximation over the runs.

    Logits are stretched as they are when completions are drawn, so that the effect changes no probability by itself.
    """
    found, effect = [], np.zeros(share.shape[1])
    alone = np.sum(share**2, axis=1)
    for size in SIZES:
        own = base * np.sqrt(1 + SMOOTH * size**2 * alone)
        for _ in range(5):
            chance = expit(own + share @ effect)
            inner = (share * (chance * (1 - chance))[:, None]).T @ share + np.eye(len(effect)) / size**2
            step = np.linalg.solve(inner, share.T @ (outcome - chance) - effect / size**2)
            effect = effect + step
            if np.abs(step).max(initial=0.0) < 0.05:
                break
        value = own + share @ effect
        likely = -np.sum(np.logaddexp(0, np.where(outcome, -value, value)))
        volume = np.linalg.slogdet(inner)[1] / 2 + len(effect) * np.log(size)
        found.append(likely - effect @ effect / (2 * size**2) - volume)
    return np.array(found)
