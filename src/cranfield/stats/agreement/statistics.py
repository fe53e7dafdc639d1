"""Every coefficient with its interval: topics are resampled by weighting what each contributes to the tables."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import NO_INTS, Floats, Ints, ratio
from cranfield.stats.agreement.alpha import LEVELS, alpha, coincidences, fleiss, fleiss_parts
from cranfield.stats.agreement.coefficients import PAIRWISE, joint
from cranfield.stats.agreement.couples import Couples
from cranfield.stats.agreement.labels import Labels
from cranfield.stats.agreement.tables import Tables

_BLOCK = 250_000  # cells of resampled tables that are in memory at once


@dataclass(frozen=True)
class Statistic:
    """A coefficient, its 95 % interval (NaN where there is none), and on how many pairs it rests."""

    id: str
    label: str
    value: float
    low: float
    high: float
    pairs: int


@dataclass(frozen=True, eq=False)
class GroupContributions:
    """The counts that each group of pairs, usually a topic, contributes to the tables of all coefficients."""

    grades: Floats
    rel: float
    groups: int
    coincidence: Floats  # [group, grade, grade]
    equal: Floats  # [group, parts of Fleiss' kappa], of the pairs that have `size` labels
    size: int
    pooled: Floats  # [group, grade, grade], all couples
    couples: Couples  # those that count in the mean over couples
    pairs: int

    @classmethod
    def of(
        cls, labels: Labels, group: Ints, groups: int, everyone: Couples, couples: Couples, rel: float
    ) -> "GroupContributions":
        """Count the labels once; all coefficients are computed from the counts."""
        counts = labels.counts
        size = counts.sum(axis=1)
        most = int(np.bincount(size[size > 1]).argmax()) if (size > 1).any() else 0
        equal = np.flatnonzero(size == most) if most else NO_INTS
        return cls(
            grades=labels.grades,
            rel=rel,
            groups=groups,
            coincidence=coincidences(counts, group, groups),
            equal=fleiss_parts(counts[equal], group[equal], groups),
            size=most,
            pooled=everyone.pooled,
            couples=couples,
            pairs=int((size > 1).sum()),
        )

    def values(self, weight: Floats) -> dict[str, Floats]:
        """Every coefficient, for each row of weights of the groups."""
        coincidence = _summed(weight, self.coincidence)
        found = {"raw": joint(Tables.of(_summed(weight, self.pooled)))}
        found |= self._means(weight)
        found["fleiss"] = fleiss(weight @ self.equal)
        return found | {f"alpha-{level}": alpha(coincidence, self.grades, level) for level in LEVELS}

    def _means(self, weight: Floats) -> dict[str, Floats]:
        """The mean of each coefficient over the couples, weighted by the pairs that a couple judged."""
        grades, couples = len(self.grades), len(self.couples.first)
        cells = np.asarray(weight @ self.couples.matrix).reshape(len(weight), couples, grades, grades)
        tables = Tables.of(cells, self.grades, self.rel)
        size = tables.size.reshape(tables.shape)
        means = {}
        for id, coefficient in PAIRWISE.items():
            if id != "raw":
                value = coefficient(tables)
                counted = np.where(np.isnan(value), 0.0, size)
                means[id] = ratio(np.sum(counted * np.nan_to_num(value), axis=1), counted.sum(axis=1))
        return means

    def statistics(self, samples: int, seed: int) -> tuple[Statistic, ...]:
        """All coefficients with percentile intervals over resampled groups; one group alone has none."""
        point = {id: float(value[0]) for id, value in self.values(np.ones((1, self.groups))).items()}
        drawn: dict[str, list[Floats]] = {id: [] for id in point}
        for weight in self._draws(samples, seed) if self.groups > 1 else ():
            for id, value in self.values(weight).items():
                drawn[id].append(value)
        spans = {id: _span(np.concatenate(values)) if values else (np.nan, np.nan) for id, values in drawn.items()}
        labels = {id: coefficient.label for id, coefficient in PAIRWISE.items()} | {"fleiss": "Fleiss κ"}
        labels |= {f"alpha-{level}": f"Krippendorff α ({level})" for level in LEVELS}
        common = int(self.couples.common.sum()) if len(self.couples.first) else 0
        rests = {"fleiss": int(self.equal[:, 0].sum()), "raw": self.pairs}
        rests |= {f"alpha-{level}": self.pairs for level in LEVELS}
        one = len(self.couples.first) == 1
        return tuple(
            Statistic(id, labels[id], point[id], *spans[id], rests.get(id, self.pairs if one else common))
            for id in point
        )

    def _draws(self, samples: int, seed: int) -> Iterator[Floats]:
        """How often each group is drawn in each resample."""
        rng = np.random.default_rng(seed)
        cells = max(len(self.couples.first) * len(self.grades) ** 2, self.groups, 1)
        block = max(_BLOCK // cells, 1)
        for start in range(0, samples, block):
            size = min(block, samples - start)
            yield rng.multinomial(self.groups, np.full(self.groups, 1 / self.groups), size=size).astype(np.float64)


def _summed(weight: Floats, tables: Floats) -> Floats:
    groups, grades, _ = tables.shape
    summed: Floats = (weight @ tables.reshape(groups, -1)).reshape(len(weight), grades, grades)
    return summed


def _span(values: Floats) -> tuple[float, float]:
    """The percentile interval of the resamples in which the coefficient is defined."""
    known = values[~np.isnan(values)]
    if len(known) < 2:
        return np.nan, np.nan
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)
