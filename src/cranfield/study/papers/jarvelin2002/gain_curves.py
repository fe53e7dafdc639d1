"""Gain by rank, for gain schemes and bases of the discount, and values read from the curves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, ratio
from cranfield.errors import PolicyError
from cranfield.measures.curves.kinds.gain import gain_vectors
from cranfield.measures.grammar import Measure, parse
from cranfield.study.data.collection import Collection
from cranfield.tables.curves.result import rank_needed


@dataclass(frozen=True)
class Scheme:
    """What each grade is worth, written as in `0-1-10-100`: of grade 0, 1, 2 and 3.

    >>> Scheme("0-1-10").gains(top=3)
    {1: 1, 2: 10, 3: 10}
    """

    name: str

    @property
    def worth(self) -> tuple[float, ...]:
        """The gain of each grade, from 0."""
        try:
            numbers = tuple(float(word) for word in self.name.split("-"))
        except ValueError:
            numbers = ()
        if len(numbers) < 2 or numbers[0] != 0 or sorted(numbers) != list(numbers) or numbers[-1] == 0:
            hint = "gains that do not fall, of grade 0, 1, 2 …, as in 0-1-10-100"
            raise PolicyError("E242", f"{self.name!r} is not a scheme of gains", hint=hint)
        return tuple(int(number) if number.is_integer() else number for number in numbers)

    def gains(self, top: float) -> dict[int, float]:
        """Grade -> gain, for all grades; grades above those of the scheme have the gain of its last grade."""
        known = self.worth
        return {grade: known[min(grade, len(known) - 1)] for grade in range(1, max(int(top), len(known) - 1) + 1)}

    def measure(self, name: str, top: float, last: int, base: float | None = None, average: bool = False) -> Measure:
        """`nDCG(dcg='jk', b=2, gains={…}, avg_pos=True)@200` and the like."""
        gains = ", ".join(f"{grade}: {gain:g}" for grade, gain in self.gains(top).items())
        discount = "" if base is None else f"dcg='jk', b={base:g}, "
        return parse(f"{name}({discount}gains={{{gains}}}{', avg_pos=True' if average else ''})@{last}")


@dataclass(frozen=True, eq=False)
class GainCurves:
    """Mean gain collected down to each rank, of every run and of the ideal list.

    >>> qrels = {"q1": {"a": 2, "b": 1, "c": 0}}
    >>> tiny = Collection.of(qrels, {"x": {"q1": ["b", "c", "a"]}}, "AP")
    >>> curves = GainCurves.of(tiny, Scheme("0-1-1"), None, 3)
    >>> curves.gained, curves.ideal, curves.normalised
    (array([[1., 1., 2.]]), array([1., 2., 2.]), array([[1. , 0.5, 1. ]]))
    """

    scheme: Scheme
    base: float | None  # None: no discount
    runs: tuple[str, ...]
    gained: Floats  # [run, rank]
    ideal: Floats  # [rank]
    by_topic: Floats  # [run, rank]: normalised for each topic, then averaged

    @classmethod
    def of(cls, data: Collection, scheme: Scheme, base: float | None, last: int) -> "GainCurves":
        """The curves of all runs, averaged over topics."""
        measure = scheme.measure("CG" if base is None else "DCG", data.hits.top_grade, last, base)
        vectors = gain_vectors(data.hits, measure, np.arange(1.0, last + 1))
        shape = (len(data.runs), len(data.topics), last)
        gained, ideal = (vectors[name].reshape(shape) for name in ("gained", "ideal"))
        normalised = ratio(gained, ideal)
        defined = ~np.isnan(normalised[0, :, -1])  # topics with some gain
        return cls(
            scheme,
            base,
            data.runs,
            gained.mean(axis=1),
            ideal[0].mean(axis=0),
            normalised[:, defined].mean(axis=1) if defined.any() else np.full(shape[::2], np.nan),
        )

    @property
    def name(self) -> str:
        """`CG 0-1-10-100`, `DCG 0-1-10-100, b = 2`."""
        return f"CG {self.scheme.name}" if self.base is None else f"DCG {self.scheme.name}, b = {self.base:g}"

    @property
    def normalised(self) -> Floats:
        """`[run, rank]`: mean gain over the mean of the ideal (`norm_of_mean`), as the paper draws it."""
        return ratio(self.gained, self.ideal)

    def readings(self, at: Sequence[int]) -> Mapping[str, float | None]:
        """Values read across and down the curves.

        `best, 10` is the rank at which the first run has collected what the ideal list has at rank 10, `worst, 10`
        that of the last run; None if it never does. `gap` is how far the best run stays below the ideal list, `spread`
        how far the others stay below the best run, at any rank.
        """
        found: dict[str, float | None] = {}
        for rank in (rank for rank in at if rank <= len(self.ideal)):
            needed = [rank_needed(curve, float(self.ideal[rank - 1])) for curve in self.gained]
            reached = [rank for rank in needed if rank is not None]
            worst = max(reached) if len(reached) == len(needed) else None
            found[f"best, {rank}"] = min(reached, default=None)
            found[f"worst, {rank}"] = worst
            found[f"ratio, {rank}"] = worst / min(reached) if worst else None
        best = self.gained.max(axis=0)
        below, others = self.ideal - best, best - self.gained
        rises = np.flatnonzero(np.diff(self.ideal) > 1e-12)
        found |= {"gap from": float(below.min()), "gap to": float(below.max()), "spread": float(others.max())}
        flat = int(rises[-1]) + 2 if len(rises) else 1
        found["ideal flat from"] = flat if flat < len(self.ideal) else None
        return found


def colour_order(curves: Sequence[GainCurves]) -> list[int]:
    """The runs in one order for all figures, so that a run has one colour: those with most normalised gain first."""
    last = np.array([curve.normalised[:, -1] for curve in curves])
    found: list[int] = np.argsort(-np.nan_to_num(last).mean(axis=0), kind="stable").tolist()
    return found
