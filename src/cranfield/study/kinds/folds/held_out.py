"""Results of tuning: held-out scores, chosen settings, and the optimism of the best setting."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.kinds.folds.tuning import Tuner
from cranfield.study.summaries.bands import Band
from cranfield.study.summaries.by_level import labels
from cranfield.tables.sheets.marked import p_words
from cranfield.tables.sheets.numerals import in_print, percent
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.comparison.result import Comparison
    from cranfield.tables.scores import Scores

PICKED = "(picked)"  # the system that topics for validation picked
_PAIRS = 6  # comparisons that are printed below the table


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The folds of all splits.

    Attributes:
        tuner: systems and measures.
        chosen: `[repeat, fold, system, measure]`, the setting.
        tuned, tested: the mean of that setting on the topics that chose it, and on those tested.
        held: `[repeat, system, topic, measure]`, the scores of tested topics; the last system is the one picked.
        picked: `[repeat, fold, measure]`, the system that was picked, or -1.
        split: how topics were split, in words.
        test, adjust, baseline: how systems are compared.
        seed: of tests that draw.
    """

    tuner: Tuner
    chosen: Ints
    tuned: Floats
    tested: Floats
    held: Floats
    picked: Ints
    split: str
    test: str
    adjust: str
    baseline: str | None
    seed: int

    @cached_property
    def is_nested(self) -> bool:
        """Whether some topics were for validation."""
        return bool((self.picked >= 0).all())

    @cached_property
    def rows(self) -> list[str]:
        """The systems, and the one that was picked."""
        return [system.name for system in self.tuner.systems] + ([PICKED] if self.is_nested else [])

    @cached_property
    def topics(self) -> Bools:
        """The topics that were tested."""
        return np.asarray(~np.isnan(self.held[0, :-1]).all(axis=(0, 2)))

    @cached_property
    def means(self) -> Floats:
        """`[repeat, row, measure]`: the held-out score."""
        return self.tuner.data.means(self.held[:, : len(self.rows)][:, :, self.topics])

    @cached_property
    def best(self) -> tuple[Ints, Floats]:
        """`[row, measure]`: the setting (of a row that was picked: the system) that is best on all tested topics."""
        found = [self.tuner.best(system.runs, self.topics) for system in self.tuner.systems]
        setting, mean = (np.stack(part) for part in zip(*found, strict=True))
        if self.is_nested:
            column, measures = self.tuner.column, range(len(self.tuner.column))
            top = [int(np.argmax((mean * self._better)[:, column[m]])) for m in measures]
            setting = np.concatenate((setting, [top]))
            mean = np.concatenate((mean, [[mean[top[m], m] for m in measures]]))
        return setting, mean

    @cached_property
    def optimism(self) -> Floats:
        """`[repeat, row, measure]`: how much better the best setting looks on the topics it was chosen on."""
        return (self.best[1] - self.means) * self._better

    @property
    def names(self) -> list[str]:
        """The measures."""
        return [str(measure) for measure in self.tuner.data.measures]

    @property
    def _better(self) -> Floats:
        return np.array([-1.0 if measure.definition.smaller else 1.0 for measure in self.tuner.data.measures])

    def findings(self) -> Findings:
        """Tables by system, and the tuning curve."""
        repeats, systems = len(self.held), self.tuner.systems
        over = f" (mean over {counted(repeats, 'split')}, 5–95 %)" if repeats > 1 else ""
        settings = sum(len(system.settings) for system in systems)
        counts = f"{counted(len(systems), 'system')} · {counted(settings, 'setting')}"
        held = counted(int(np.count_nonzero(self.topics)), "topic")
        comparison = self._compared()
        notes = [] if comparison is None else self._said(comparison)
        if settings == len(systems):
            notes.append("No system has more than one setting: name the runs of a grid NAME:param=value.")
        return Findings(
            title=f"Held-out score of tuned systems{over} · {counts} · {held} · {self.split}",
            shown=self._shown(),
            tidy=self._tidy(),
            notes=tuple(notes),
            details={
                "chosen": self._choices(),
                "topics": self._by_topic(),
                **({} if comparison is None else {"tests": _tests(comparison)}),
            },
            drawings={"tuning": self._drawing()},
        )

    def _setting(self, row: int, number: int) -> str:
        """The name of a setting; of the row that was picked, of a system."""
        systems = self.tuner.systems
        return systems[number].name if row == len(systems) else systems[row].settings[number]

    def _often(self, row: int, m: int) -> tuple[str, float]:
        """The choice that was made most often, and its share of all folds."""
        made = self.picked[..., m] if row == len(self.tuner.systems) else self.chosen[:, :, row, m]
        ((number, times),) = Counter(made.ravel().tolist()).most_common(1)
        return self._setting(row, number), times / made.size

    def _shown(self) -> tuple[Column, ...]:
        sizes = [len(system.settings) for system in self.tuner.systems]
        columns = [Column("system", self.rows), Column("settings", [*sizes, None][: len(self.rows)])]
        held, gap = Band.over(self.means), Band.over(self.optimism)
        rows = range(len(self.rows))
        for m, name in enumerate(self.names):
            choices = [self._often(row, m) for row in rows]
            often = [f"{name} ({percent(share, 0)})" if name else None for name, share in choices]
            columns += [
                Column(f"{name} held out", [held.words(4)[row * len(self.names) + m] for row in rows]),
                Column("best on all", self.best[1][:, m], ".4f"),
                Column("optimism", [_signed(value) for value in gap.mean[:, m].tolist()]),
                Column("chosen", often),
            ]
        return tuple(columns)

    def _tidy(self) -> tuple[Column, ...]:
        shape = (len(self.rows), len(self.names))
        setting, mean = self.best
        cells = list(np.ndindex(shape))
        often = [self._often(row, m) for row, m in cells]
        held, gap = Band.over(self.means), Band.over(self.optimism)
        return (
            *labels(shape, system=self.rows, measure=self.names),
            *(Column(f"held_out{end}", part.ravel()) for end, part in held.parts()),
            Column("best_setting", [self._setting(row, int(setting[row, m])) for row, m in cells]),
            Column("best_on_all", mean.ravel()),
            *(Column(f"optimism{end}", part.ravel()) for end, part in gap.parts()),
            Column("chosen", [name for name, _ in often]),
            Column("chosen_share", [share for _, share in often]),
            Column("splits", [len(self.held)] * len(cells)),
        )

    def _choices(self) -> tuple[Column, ...]:
        """Every fold of every split: the setting, its mean on the topics that chose it and on those tested."""
        repeats, folds = self.chosen.shape[:2]
        axes = {"split": range(1, repeats + 1), "fold": range(1, folds + 1)}
        names = [system.name for system in self.tuner.systems]
        places = zip(np.ndindex(self.chosen.shape), self.chosen.ravel().tolist(), strict=True)
        return (
            *labels(self.chosen.shape, **axes, system=names, measure=self.names),
            Column("setting", [self._setting(place[2], number) for place, number in places]),
            Column("tuned", self.tuned.ravel()),
            Column("tested", self.tested.ravel()),
        )

    def _by_topic(self) -> tuple[Column, ...]:
        """The held-out score of every topic, the mean over splits."""
        values = self._averaged()
        topics = [name for name, tested in zip(self.tuner.data.topics, self.topics, strict=True) if tested]
        axes = {"system": self.rows, "topic": topics, "measure": self.names}
        return (*labels(values.shape, **axes), Column("held_out", values.ravel()))

    def _averaged(self) -> Floats:
        return self.held[:, : len(self.rows)][:, :, self.topics].mean(axis=0)

    def _compared(self) -> "Comparison | None":
        """One test over all topics of their held-out scores, averaged over splits."""
        if self.test == "none" or len(self.tuner.systems) < 2 or np.count_nonzero(self.topics) < 2:
            return None
        from cranfield.stats.comparison.compare import compare

        return compare(self._scores(), baseline=self.baseline, test=self.test, adjust=self.adjust, seed=self.seed)

    def _scores(self) -> "Scores":
        from cranfield.tables.scores import Scores

        values = self._averaged()[: len(self.tuner.systems)].copy()
        runs, topics, measures = values.shape
        data = self.tuner.data
        return Scores(
            runs=tuple(self.rows[:runs]),
            topics=tuple(name for name, tested in zip(data.topics, self.topics, strict=True) if tested),
            measures=tuple(self.names),
            averages=tuple(measure.definition.average for measure in data.measures),
            values=values,
            scored=np.asarray(~np.isnan(values).all(axis=2)),
            judged=np.full(values.shape, np.nan),
            retrieved=np.zeros((runs, topics), dtype=np.int64),
            relevant=np.ones((topics, measures), dtype=np.int64),
            audit=data.audit,
        )

    def _said(self, comparison: "Comparison") -> list[str]:
        """The comparisons in words, if there are few."""
        pairs = list(comparison.pairs())
        said = [
            f"{pair.measure}: {pair.run} – {pair.baseline} {_signed(pair.difference)}, {p_words(pair.p)}"
            for pair in pairs[:_PAIRS]
        ]
        test = comparison.evidence[0].procedure
        more = f"; {len(pairs) - _PAIRS} more in tests.csv" if len(pairs) > _PAIRS else ""
        correction = "not corrected" if self.adjust == "none" else f"corrected by {self.adjust}"
        return [f"Held-out scores, {test}, {correction}: {'; '.join(said)}{more}"]

    def _drawing(self) -> Drawing:
        """The mean of each setting on all tested topics, by its value where that is one number."""
        data = self.tuner.data
        means = data.means(data.full[:, self.topics])[:, 0]
        several = [system for system in self.tuner.systems if len(system.settings) > 1] or list(self.tuner.systems)
        values = [_numbers(system.settings) for system in several]
        names = {name for name, _ in values}
        by_value = len(names) == 1 and "" not in names
        curves = []
        for system, (_, numbers) in zip(several, values, strict=True):
            x = np.array(numbers if by_value else range(1, len(system.settings) + 1), dtype=np.float64)
            order = np.argsort(x, kind="stable")
            curves.append(Curve(system.name, x[order], means[list(system.runs)][order]))
        axis = names.pop() if by_value else "setting, in the order given"
        return Drawing(f"{self.names[0]} by setting", axis, f"mean {self.names[0]}", tuple(curves))


def _signed(value: float) -> str:
    """`+0.0012`, `−0.0300`, `0.0000` where there is nothing to see.

    >>> _signed(0.0012), _signed(-0.03), _signed(-1e-9)
    ('+0.0012', '−0.0300', '0.0000')
    """
    shown = in_print(value, "+.4f")
    return "0.0000" if shown[1:] == "0.0000" else shown


def _numbers(settings: tuple[str, ...]) -> tuple[str, list[float]]:
    """The one parameter of the settings and its values; no name where there are several, or other than numbers.

    >>> _numbers(("k1=0.9", "k1=1.2")), _numbers(("a=1,b=2",)), _numbers(("stem=porter",))
    (('k1', [0.9, 1.2]), ('', []), ('', []))
    """
    parts = [setting.partition("=") for setting in settings]
    try:
        values = [float(value) for _, _, value in parts]
    except ValueError:
        return "", []
    names = {name for name, _, _ in parts}
    return (names.pop(), values) if len(names) == 1 and np.isfinite(values).all() else ("", [])


def _tests(comparison: "Comparison") -> tuple[Column, ...]:
    """Every comparison."""
    pairs = list(comparison.pairs())
    known = ("run", "baseline", "measure", "topics", "difference", "d_z", "test", "statistic", "p_raw", "p")
    plain = (*known, "significant", "reason", "warning")
    ends = [Column(name, [pair.ci[at] for pair in pairs]) for at, name in enumerate(("low", "high"))]
    return (*(Column(name, [getattr(pair, name) for pair in pairs]) for name in plain), *ends)
