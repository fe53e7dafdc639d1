"""Paths of pairs of runs: how many judgments until each stop, and whether the stop was right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.missing.situation import ZERO
from cranfield.missing.universe import RUNS, Universe
from cranfield.study.engine.definition import UnitResult
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.tables.sheets.numerals import percent
from cranfield.tables.sheets.sheet import MISSING, Column

CERTAIN = "certain"
TAIL = 0.9


@dataclass(frozen=True, eq=False)
class Stops:
    """Where one rule stopped on the paths of some pairs.

    Attributes:
        asked: `[path]`, the number of judgments.
        decided: `[path]`, whether the rule stopped; otherwise answers or the budget ended.
        wrong: `[path]`, whether it stopped at the run that is worse in the end.
    """

    asked: Ints
    decided: Bools
    wrong: Bools

    def summed(self) -> dict[str, float]:
        """Mean, median, tail and the others in numbers.

        >>> stops = Stops(np.array([0, 4, 8]), np.array([True, True, False]), np.array([False, True, False]))
        >>> {name: round(value, 3) for name, value in stops.summed().items()}
        {'pairs': 3, 'mean': 4.0, 'median': 4.0, 'tail': 7.2, 'most': 8, 'none': 0.333, 'undecided': 1, 'wrong': 1}
        """
        if len(self.asked) == 0:
            nothing = dict.fromkeys(("mean", "median", "tail", "most", "none"), np.nan)
            return {"pairs": 0, **nothing, "undecided": 0, "wrong": 0}
        return {
            "pairs": len(self.asked),
            "mean": float(self.asked.mean()),
            "median": float(np.median(self.asked)),
            "tail": float(np.quantile(self.asked, TAIL)),
            "most": int(self.asked.max()),
            "none": float(np.mean((self.asked == 0) & self.decided)),
            "undecided": int(np.count_nonzero(~self.decided)),
            "wrong": int(np.count_nonzero(self.wrong)),
        }

    def of(self, kept: Bools) -> "Stops":
        """Those of some paths."""
        return Stops(self.asked[kept], self.decided[kept], self.wrong[kept])


@dataclass(frozen=True, eq=False)
class Paths:
    """The paths of all measures and pairs.

    Attributes:
        measures: their names.
        runs: theirs.
        measure: `[path]`.
        pair: `[path, 2]`, the runs.
        found: `[path]`, low, high and probability after each judgment, and the number of holes.
        means: `[run, measure]`, the scores with all known judgments.
        stops: the probabilities at which asking may end.
        universe: which unjudged documents might have been relevant.
    """

    measures: tuple[str, ...]
    runs: tuple[str, ...]
    measure: Ints
    pair: Ints
    found: Sequence[UnitResult]
    means: Floats
    stops: tuple[float, ...]
    universe: Universe = RUNS

    @cached_property
    def difference(self) -> Floats:
        """`[path]`: the difference of the two runs with all known judgments."""
        a, b = self.means[self.pair[:, 0], self.measure], self.means[self.pair[:, 1], self.measure]
        return np.asarray(a - b)

    @cached_property
    def holes(self) -> Ints:
        """`[path]`: the holes of the pair at the beginning."""
        return np.array([int(each["holes"]) for each in self.found], dtype=np.int64)

    @cached_property
    def open(self) -> Bools:
        """`[path]`: whether the order was not certain at the beginning."""
        return np.array([not settled(each)[0] for each in self.found], dtype=bool)

    def rules(self) -> dict[str, float]:
        """The rules by name: certain is alpha 0."""
        return {CERTAIN: 0.0, **{f"{1 - alpha:g}": alpha for alpha in self.stops}}

    def at(self, alpha: float) -> Stops:
        """Where a rule stops on each path."""
        asked, decided, wrong = [], [], []
        for each, truth in zip(self.found, self.difference.tolist(), strict=True):
            likely = each["probability"]
            ends = settled(each) | ((likely <= alpha) | (likely >= 1 - alpha) if alpha else False)
            place = int(np.argmax(ends)) if ends.any() else len(ends) - 1
            said = float(likely[place]) - 0.5
            asked.append(place)
            decided.append(bool(ends.any()))
            wrong.append(bool(ends.any() and abs(truth) > ZERO and said * truth < 0))
        return Stops(np.array(asked, dtype=np.int64), np.array(decided, dtype=bool), np.array(wrong, dtype=bool))

    def findings(self, title: str, notes: tuple[str, ...]) -> Findings:
        """Tables and charts."""
        return Findings(
            title=title,
            shown=self._shown(),
            tidy=self._tidy(),
            notes=(*self._all_holes(), *self._outside(), *notes),
            details={"pairs": self._details()},
            drawings={f"decided-{m}" if m else "decided": self._drawing(m) for m in range(len(self.measures))},
        )

    def _rows(self) -> Iterator[tuple[int, str, str, Stops]]:
        for m in range(len(self.measures)):
            for name, alpha in self.rules().items():
                stops, here = self.at(alpha), self.measure == m
                yield m, name, "all", stops.of(here)
                yield m, name, "open at first", stops.of(here & self.open)

    def _shown(self) -> tuple[Column, ...]:
        rows = [(m, name, over, stops.summed()) for m, name, over, stops in self._rows()]
        forms = {"mean": ".1f", "median": ".1f", "tail": ".1f", "most": ".0f"}
        numbers = (
            Column("90 %" if key == "tail" else key, [row[3][key] for row in rows], form) for key, form in forms.items()
        )
        return (
            Column("measure", [self.measures[row[0]] for row in rows]),
            Column("until", [row[1] for row in rows]),
            Column("pairs", [f"{row[3]['pairs']:,} {row[2]}" for row in rows]),
            *numbers,
            Column("none needed", [MISSING if row[3]["pairs"] == 0 else percent(row[3]["none"]) for row in rows]),
            Column("undecided", [row[3]["undecided"] for row in rows]),
            Column("wrong", [row[3]["wrong"] for row in rows]),
        )

    def _tidy(self) -> tuple[Column, ...]:
        rows = [(m, name, over, stops.summed()) for m, name, over, stops in self._rows()]
        keys = {"pairs": "pairs", "mean": "mean", "median": "median", "tail": "q90", "most": "max"}
        keys |= {"none": "none_needed", "undecided": "undecided", "wrong": "wrong"}
        return (
            Column("measure", [self.measures[row[0]] for row in rows]),
            Column("until", [row[1] for row in rows]),
            Column("over", [row[2].split()[0] for row in rows]),
            *(Column(name, [row[3][key] for row in rows]) for key, name in keys.items()),
            Column("holes", [self._mean_holes(m, over) for m, _, over, _ in rows]),
        )

    def _mean_holes(self, measure: int, over: str) -> float:
        """Holes of a pair, on average: what judging all of them takes."""
        here = (self.measure == measure) & (self.open if over != "all" else True)
        return float(self.holes[here].mean()) if here.any() else np.nan

    def _all_holes(self) -> Iterator[str]:
        for m, name in enumerate(self.measures):
            if (self.measure == m).any():
                open_ = f", {self._mean_holes(m, 'open'):.1f} of one that is open at first"
                rest = open_ if (self.open & (self.measure == m)).any() else ""
                yield f"{name}: all holes are {self._mean_holes(m, 'all'):.1f} judgments for a pair on average{rest}"

    def _outside(self) -> Iterator[str]:
        """Why an order that was certain came out otherwise."""
        if self.at(0.0).wrong.any():
            said = "certain: whatever the two runs list; relevant documents that only others list changed the ideal"
            rest = "outside of the universe, which is what certain speaks of, relevant documents changed the ideal"
            yield said if self.universe == RUNS else rest

    def _details(self) -> tuple[Column, ...]:
        rules = {name: self.at(alpha) for name, alpha in self.rules().items()}
        number = len(self.found)
        a, b = ([self.runs[at] for at in self.pair[:, side]] * len(rules) for side in (0, 1))
        return (
            Column("measure", [self.measures[m] for m in self.measure] * len(rules)),
            Column("a", a),
            Column("b", b),
            Column("until", [name for name in rules for _ in range(number)]),
            Column("asked", np.concatenate([stops.asked for stops in rules.values()])),
            Column("decided", [int(each) for stops in rules.values() for each in stops.decided]),
            Column("wrong", [int(each) for stops in rules.values() for each in stops.wrong]),
            Column("open", [int(each) for each in self.open] * len(rules)),
            Column("holes", self.holes.tolist() * len(rules)),
            Column("difference", self.difference.tolist() * len(rules)),
        )

    def _drawing(self, measure: int) -> Drawing:
        here = self.measure == measure
        most = max((int(self.at(alpha).asked[here].max(initial=0)) for alpha in self.rules().values()), default=0)
        x = np.arange(0.0, most + 1)
        curves = []
        for name, alpha in self.rules().items():
            stops = self.at(alpha).of(here)
            ends = np.sort(stops.asked[stops.decided])
            share = np.searchsorted(ends, x, side="right") / max(len(stops.asked), 1)
            curves.append(Curve(name if name == CERTAIN else f"P {name}", x, share))
        title = f"Pairs of runs decided, {self.measures[measure]}"
        across = (0.0, float(max(most, 1)))
        return Drawing(title, "judgments", "share of the pairs", tuple(curves), across=across, up=(0, 1), steps=True)


def settled(path: UnitResult) -> Bools:
    """`[step]`: whether the order was certain, or both equal whatever is judged."""
    low, high = path["low"], path["high"]
    apart = (low > ZERO) | (high < -ZERO)
    return np.asarray(apart | (np.maximum(np.abs(low), np.abs(high)) <= ZERO))
