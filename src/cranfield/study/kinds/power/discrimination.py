"""Discriminative power: the pairs that each measure separates significantly, with all judgments and with fewer."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import Floats
from cranfield.study.data.collection import Collection
from cranfield.study.data.topic_sets import whole_topics
from cranfield.study.engine.definition import UnitResult
from cranfield.study.engine.findings import Curve, Drawing
from cranfield.study.kinds.power.inconsistency import Inconsistency
from cranfield.study.kinds.power.planned import Planned
from cranfield.study.summaries.bands import Band
from cranfield.study.summaries.by_level import labels
from cranfield.tables.sheets.sheet import Column

if TYPE_CHECKING:
    from cranfield.study.kinds.power.study import Power

FULL = 100.0  # percent of the judgments


@dataclass(frozen=True, eq=False)
class Discrimination:
    """The results of all units together."""

    study: "Power"
    data: Collection
    found: Sequence[UnitResult]

    @property
    def names(self) -> list[str]:
        """The measures."""
        return [str(measure) for measure in self.data.measures]

    @property
    def pairs(self) -> int:
        """How many pairs of runs there are."""
        return len(self.data.runs) * (len(self.data.runs) - 1) // 2

    def gathered(self, name: str) -> Floats:
        """`[level, draw, measure, …]`; with all judgments every draw is the same."""
        measures, study = len(self.names), self.study
        full = np.concatenate([each[name] for each in self.found[:measures]])
        fewer = [each[name] for each in self.found[measures:]]
        rest = np.array(fewer).reshape(len(study.at), study.draws, *full.shape) if fewer else np.empty((0, 1))
        whole = np.broadcast_to(full, (1, study.draws, *full.shape))
        return np.concatenate((whole, rest)) if fewer else whole

    def counts(self) -> dict[str, Floats]:
        """Counts of pairs, each `[level, draw, measure]`."""
        significant = self.gathered("level") < self.study.alpha
        difference = self.gathered("difference")
        shape = significant.shape[:3]
        counts = {name: np.zeros(shape) for name in ("significant", "inconsistent", "reversed", "lost")}
        for place in np.ndindex(shape):
            full = (0, *place[1:])
            each = Inconsistency.of(significant[full], difference[full], significant[place], difference[place])
            for name, value in asdict(each).items():
                counts[name][place] = value
        return counts

    def needed(self) -> Floats:
        """The difference needed, `[level, measure]`, averaged over draws; NaN if there is no finite one."""
        needed = self.gathered("needed")
        return np.where(np.isinf(needed), np.nan, needed).mean(axis=1)

    @property
    def unreachable(self) -> bool:
        """Whether some pair would not be significant with any finite difference."""
        return bool(np.isinf(self.gathered("needed")).any())

    def rows(self) -> tuple[Column, Column]:
        """Measure and level of every row: all levels of a measure together."""
        measure, level = labels((len(self.names), len(self.study.levels)), measure=self.names, kept=self.study.levels)
        return measure, level

    @cached_property
    def planned(self) -> Planned:
        """The plan of a new experiment from the scores with all judgments."""
        study, full = self.study, self.data.full
        scores = [full[:, whole_topics(self.data, full[..., m]), m] for m in range(len(self.names))]
        wanted = (study.difference, study.sd, study.power, study.alpha, study.design, study.systems)
        return Planned(self.names, scores, *wanted)

    def with_all(self, values: Sequence[float]) -> list[float | None]:
        """One value for each measure as rows: it belongs to the level with all judgments."""
        return [value if level == FULL else None for value in values for level in self.study.levels]

    def shown(self) -> tuple[Column, ...]:
        """A row for each measure and level."""
        counts = self.counts()
        share = _by_measure(Band.over(_draws_first(counts["significant"] / max(self.pairs, 1))).mean)
        significant = _words(counts["significant"])
        measure, _ = self.rows()
        percent = ".0%" if all(float(level).is_integer() for level in self.study.at) else ".1%"
        kept = Column("kept", [level / 100 for level in self.study.levels] * len(self.names), percent)
        columns = [
            measure,
            *([kept] if self.study.at else []),
            Column("separated", [f"{words} of {self.pairs:,}" for words in significant]),
            Column("share", share, ".1%"),
            Column("difference needed", _by_measure(self.needed()), ".2f"),
        ]
        if self.study.at:
            share = counts["inconsistent"].sum(axis=1) / np.maximum(counts["significant"].sum(axis=1), 1)
            share[0] = np.nan
            fewer = {name: self._fewer(_words(counts[name])) for name in ("inconsistent", "reversed", "lost")}
            columns += [
                Column("inconsistent", fewer["inconsistent"]),
                Column("share of separated", _by_measure(share), ".0%"),
                Column("reversed", fewer["reversed"]),
                Column("lost", fewer["lost"]),
            ]
        heads = {"detectable": ("detectable", ".3f"), "topics_needed": ("topics needed", ".0f")}
        planned = [
            (*heads[name], self.with_all(values)) for name, values in self.planned.columns().items() if name in heads
        ]
        return (*columns, *(Column(head, values, shape) for head, shape, values in planned))

    def _fewer(self, words: Sequence[str]) -> list[str | None]:
        """The cells of every row; empty in rows with all judgments, which are compared with nothing."""
        levels = self.study.levels * len(self.names)
        return [None if level == FULL else word for level, word in zip(levels, words, strict=True)]

    def tidy(self) -> tuple[Column, ...]:
        """The same in full precision."""
        counts = self.counts()
        rows = len(self.names) * len(self.study.levels)
        means = {name: _by_measure(values.mean(axis=1)) for name, values in counts.items()}
        return (
            *self.rows(),
            Column("test", [self.study.test] * rows),
            Column("pairs", [self.pairs] * rows),
            *(Column(name, values) for name, values in means.items()),
            Column("share", means["significant"] / max(self.pairs, 1)),
            Column("difference_needed", _by_measure(self.needed())),
            *(Column(name, self.with_all(values)) for name, values in self.planned.columns().items()),
            Column("draws", [self.study.draws] * rows),
        )

    def details(self) -> dict[str, tuple[Column, ...]]:
        """Every pair of every draw; with all judgments there is one draw."""
        one, two = np.triu_indices(len(self.data.runs), 1)
        level, difference = (np.moveaxis(self.gathered(name), 2, 0) for name in ("level", "difference"))
        draws = [(at, draw) for at in range(len(self.study.levels)) for draw in range(self.study.draws if at else 1)]
        parts = [(m, at, draw) for m in range(len(self.names)) for at, draw in draws]
        blocks = len(parts)
        runs = np.array(self.data.runs, dtype=object)
        return {
            "pairs": (
                Column("measure", [self.names[m] for m, _, _ in parts for _ in one]),
                Column("kept", np.repeat([self.study.levels[at] for _, at, _ in parts], len(one))),
                Column("draw", np.repeat([draw + 1 for _, _, draw in parts], len(one))),
                Column("run", np.tile(runs[one], blocks).tolist()),
                Column("other", np.tile(runs[two], blocks).tolist()),
                Column("difference", np.concatenate([difference[part] for part in parts])),
                Column("level", np.concatenate([level[part] for part in parts])),
            )
        }

    def drawings(self) -> dict[str, Drawing]:
        """The curve of significance levels (V12); power by judgments kept; power by topics."""
        levels = -np.sort(-self.gathered("level")[0, 0], axis=1)
        x = np.arange(1, self.pairs + 1, dtype=np.float64)
        asl = tuple(Curve(name, x, levels[m]) for m, name in enumerate(self.names))
        title = "Achieved significance level of every pair, sorted"
        drawings = {"significance": Drawing(title, "pairs of runs", "significance level", asl, (1, self.pairs), (0, 1))}
        if self.study.at:
            band = Band.over(_draws_first(self.counts()["significant"] / max(self.pairs, 1)))
            order = np.argsort(self.study.levels, kind="stable")
            kept = np.array(self.study.levels)[order]
            parts = [part[order] for _, part in band.parts()]
            curves = tuple(Curve(name, kept, *(part[:, m] for part in parts)) for m, name in enumerate(self.names))
            drawings["power"] = Drawing(
                "Share of pairs told apart", "judgments kept (%)", "discriminative power", curves, (0, 100), (0, 1)
            )
        return drawings | self.planned.drawings()


def _draws_first(values: Floats) -> Floats:
    return np.moveaxis(values, 1, 0)


def _by_measure(values: Floats) -> Floats:
    """`[level, measure]` as the rows of a table: all levels of a measure together."""
    return values.T.ravel()


def _words(counts: Floats) -> list[str]:
    """Counts of `[level, draw, measure]` as rows; with their band where draws differ."""
    band = Band.over(_draws_first(counts))
    whole = counts.shape[1] == 1
    turned = Band(*(np.ascontiguousarray(part.T) for _, part in band.parts()))
    return [f"{value:,.0f}" for value in turned.mean.ravel()] if whole else turned.words(1)
