"""Tuning over a grid: the settings of each system, the choice on some topics, the score on others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.stats.orders.orders import settled
from cranfield.study.data.collection import Collection
from cranfield.study.kinds.folds.splits import TEST, TRAIN, VALIDATION


@dataclass(frozen=True)
class TunedSystem:
    """A system and the runs of its settings, in the order in which they were given."""

    name: str
    settings: tuple[str, ...]
    runs: tuple[int, ...]


def systems_of(runs: Sequence[str]) -> tuple[TunedSystem, ...]:
    """The systems of runs that are called `NAME:param=value`; a name without a colon is a system of one setting.

    >>> systems_of(["bm25:k1=0.9", "ql", "bm25:k1=1.2"])[0]
    TunedSystem(name='bm25', settings=('k1=0.9', 'k1=1.2'), runs=(0, 2))
    """
    members: dict[str, list[int]] = {}
    for number, run in enumerate(runs):
        members.setdefault(run.partition(":")[0], []).append(number)
    return tuple(
        TunedSystem(name, tuple(runs[at].partition(":")[2] for at in rows), tuple(rows))
        for name, rows in members.items()
    )


@dataclass(frozen=True, eq=False)
class Tuner:
    """Chooses settings on some topics and tests them on others.

    Attributes:
        data: the collection.
        systems: the systems.
        column: `[measure]`, the measure that chooses the setting for each.
    """

    data: Collection
    systems: tuple[TunedSystem, ...]
    column: Ints

    def best(self, runs: Sequence[int], topics: Bools) -> tuple[Ints, Floats]:
        """For each measure the best of some runs on some topics (the first of equals), and its mean."""
        means = self.data.means(self.data.full[list(runs)][:, topics])
        at = np.argmax(self._upright(means)[:, self.column], axis=0)
        return at, means[at, np.arange(len(at))]

    def tuned(self, roles: Ints) -> dict[str, Ints | Floats]:
        """Every fold of one split.

        `chosen[fold, system, measure]` settings; `tuned` and `tested` their means on the topics that chose and on
        those tested; `held[system, topic, measure]` the scores of tested topics; `picked[fold, measure]` systems, and
        a last row in `held` for them, where there are topics for validation.
        """
        measures = np.arange(len(self.column))
        shape = (len(roles), len(self.systems), len(self.column))
        chosen, tuned, tested = np.zeros(shape, dtype=np.int64), np.full(shape, np.nan), np.full(shape, np.nan)
        held = np.full((len(self.systems) + 1, len(self.data.topics), len(self.column)), np.nan)
        picked = np.full((len(roles), len(self.column)), -1)
        for fold, role in enumerate(roles):
            train, test = role == TRAIN, np.flatnonzero(role == TEST)
            runs = np.empty(shape[1:], dtype=np.int64)
            for s, system in enumerate(self.systems):
                chosen[fold, s], tuned[fold, s] = self.best(system.runs, train)
                runs[s] = np.array(system.runs)[chosen[fold, s]]
                held[s, test] = self.data.full[runs[s], test[:, None], measures]
                tested[fold, s] = self.data.means(held[s, test])
            if (validation := role == VALIDATION).any():
                picked[fold] = [self.best(runs[:, m].tolist(), validation)[0][m] for m in measures]
                held[-1, test] = held[picked[fold], test[:, None], measures]
        return {"chosen": chosen, "tuned": tuned, "tested": tested, "held": held, "picked": picked}

    def _upright(self, means: Floats) -> Floats:
        """Means with the sign for which larger is better, rounded to 12 decimals; undefined ones come last."""
        better = np.array([-1.0 if measure.definition.smaller else 1.0 for measure in self.data.measures])
        return np.nan_to_num(settled(means) * better, nan=-np.inf)
