"""`jarvelin2002`: the case study of Järvelin and Kekäläinen, on any graded collection."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from string import ascii_uppercase
from typing import Any, ClassVar

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats
from cranfield.measures.curves.kinds.gain import gain_vectors
from cranfield.stats.several.anova import anova
from cranfield.stats.several.friedman import conover, friedman
from cranfield.study.data.collection import Collection
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.papers.jarvelin2002 import printed
from cranfield.study.papers.jarvelin2002.gain_curves import GainCurves, Scheme, colour_order
from cranfield.study.papers.printed_value import PrintedValue, vectors
from cranfield.study.summaries.by_level import labels
from cranfield.study.summaries.order_agreement import need_order
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.summary import summary
from cranfield.tables.words import counted

READ = (
    "Read off the curves: the rank at which the best and the worst run have the ideal gain of rank 5, and of 10; "
    "gap of the best run to the ideal, spread of the runs"
)
STARS = {"**": 0.01, "*": 0.05}
NOTES = (
    "Means over topics of the average over ranks 1 to {last}; each topic is normalised by its own ideal list.",
    "sign.: X>Y, by Conover's comparison of rank sums, where Friedman's test (T2) permits it; * 0.05, ** 0.01. "
    "Pairs are not adjusted.",
    "ANOVA: two-way, with topics as blocks; one-way p: without them, so that what topics differ by is error.",
)


@define(
    "jarvelin2002",
    "Järvelin & Kekäläinen 2002: gain by rank, schemes, bases",
    cites="jarvelin2002",
    examples=(
        "cranfield study jarvelin2002 qrels.gz 'runs/*.gz'",
        "cranfield study jarvelin2002 qrels.gz 'runs/*.gz' --schemes 0-1-1,0-1-100",
        "cranfield study jarvelin2002 qrels.gz 'runs/*.gz' --bases 2,10 -o gains/",
    ),
)
@dataclass(frozen=True)
class Jarvelin2002(Study[Collection]):
    """Repeat the case study of Järvelin & Kekäläinen (2002): cumulated gain by rank, plain, discounted, normalised.

    A scheme such as `0-1-10-100` says what grades 0, 1, 2 and 3 are worth; higher grades are worth as much as the last.
    Charts divide mean gain by mean ideal gain, as the paper does; the table normalises each topic first.
    """

    usual: ClassVar[tuple[str, ...]] = ("AP",)

    schemes: tuple[str, ...] = option(
        ("0-1-1-1", "0-1-10-100", "0-0-0-1"), "gains of the grades", metavar="G-G-…,…", check=bool, rule="0-1-10-100"
    )
    bases: tuple[float, ...] = option(
        (2,), "bases of the discount's logarithm", metavar="B,…", check=lambda b: all(x > 1 for x in b), rule="above 1"
    )
    last: int = option(200, "last rank of the averages", metavar="K", check=lambda k: k >= 1, rule="from 1")
    ranks: int = option(100, "ranks of the charts", metavar="K", check=lambda k: k >= 2, rule="from 2")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.schemes:
            Scheme(name).worth  # noqa: B018  # raises where it is none

    def units(self, data: Collection) -> Sequence[Any]:
        """All at once."""
        need_order(len(data.runs))
        return [{}]

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The averages of every run and topic, `[row, run, topic]`."""
        rows = [_averages(data, scheme, base, self.last) for scheme, base in self._rows]
        return {"averages": np.array(rows)}

    @property
    def _rows(self) -> list[tuple[Scheme, float | None]]:
        """Schemes without and with discount, in the order of Table II."""
        return list(product(map(Scheme, self.schemes), (None, *self.bases)))

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """Table II, the curves, and values read from them."""
        averages = found[0]["averages"]
        names = [_named(f"n{kind}", scheme, base) for kind, scheme, base in self._kinds()]
        means = np.array([[summary(topics, "mean") for topics in runs] for runs in averages])
        tests = [_tested(runs) for runs in averages]
        curves = [GainCurves.of(data, scheme, base, self.ranks) for scheme, base in self._rows]
        letters = _letters(len(data.runs))
        counts = f"{counted(len(data.runs), 'run')} · {counted(len(data.topics), 'topic')}"
        legend = " · ".join(f"{letter} {run}" for letter, run in zip(letters, data.runs, strict=True))
        used = sorted({test["topics"] for test in tests})
        entered = f"{counted(used[0], 'topic')}" if len(used) == 1 else f"{used[0]} to {used[-1]} topics"
        return Findings(
            title=f"Average over ranks 1 to {self.last}, as in Table II of {printed.SOURCE} · {counts} · none removed",
            shown=(
                Column("measure", names),
                *(Column(letter, means[:, at], ".3f") for at, letter in enumerate(letters)),
                Column("sign.", [_signs(test, letters) for test in tests]),
                Column("Friedman p", [test["friedman"] for test in tests], ".2g"),
                Column("two-way ANOVA p", [test["anova"] for test in tests], ".2g"),
                Column("one-way p", [test["anova_one_way"] for test in tests], ".2g"),
            ),
            tidy=self._tidy(data, names, means, tests),
            notes=(
                legend,
                *(note.format(last=self.last) for note in NOTES),
                f"{entered} entered: those with a document that is worth something.",
            ),
            aside={
                READ: _readings(curves),
                f"The worked example of {printed.SOURCE}, printed and here": vectors(worked_example()),
            },
            details={"curves": _points(curves)},
            drawings=dict(drawing for each in curves for drawing in _drawings(each, colour_order(curves))),
        )

    def _kinds(self) -> list[tuple[str, Scheme, float | None]]:
        return [("CG" if base is None else "DCG", scheme, base) for scheme, base in self._rows]

    def _tidy(
        self, data: Collection, names: list[str], means: Floats, tests: Sequence[dict[str, Any]]
    ) -> tuple[Column, ...]:
        measure, run = labels(means.shape, measure=names, run=data.runs)
        each = len(data.runs)
        return (
            measure,
            run,
            Column("mean", means.ravel()),
            *(
                Column(name, np.repeat([test[name] for test in tests], each))
                for name in ("topics", "friedman", "anova", "anova_one_way")
            ),
            Column("rank_sum", np.concatenate([test["rank_sums"] for test in tests])),
        )


def worked_example() -> list[PrintedValue]:
    """The vectors of the paper's example list, printed and computed."""
    listed = [(rank, grade) for rank, grade in enumerate(printed.LIST, start=1)]
    levels = [[printed.LIST.count(0), *(printed.IDEAL.count(grade) for grade in (1, 2, 3))]]
    hits, ranks = Hits.of([listed], levels, [len(listed)]), np.arange(1.0, len(listed) + 1)
    computed: dict[str, list[float]] = {}
    for name, base in (("CG", None), ("DCG", 2.0)):
        found = gain_vectors(hits, Scheme("0-1-2-3").measure(name, 3, len(listed), base), ranks)
        gained, ideal = found["gained"][0], found["ideal"][0]
        computed |= {name: gained.tolist(), f"ideal {name}": ideal.tolist(), f"n{name}": (gained / ideal).tolist()}
    return printed.example(computed)


def _averages(data: Collection, scheme: Scheme, base: float | None, last: int) -> Floats:
    measure = scheme.measure("nCG" if base is None else "nDCG", data.hits.top_grade, last, base, average=True)
    return np.asarray(measure(data.hits)).reshape(len(data.runs), len(data.topics))


def _named(kind: str, scheme: Scheme, base: float | None) -> str:
    return f"{kind} {scheme.name}" + ("" if base is None else f", b = {base:g}")


def _letters(count: int) -> list[str]:
    """A, B, …, Z, AA, AB …

    >>> _letters(28)[-3:]
    ['Z', 'AA', 'AB']
    """
    twice = (f"{a}{b}" for a in ascii_uppercase for b in ascii_uppercase)
    return [*ascii_uppercase, *twice][:count]


def _tested(scores: Floats) -> dict[str, Any]:  # numbers, and p[run, run]
    """Friedman's test with Conover's comparisons, and ANOVA, on topics where all runs have a value."""
    test, pairs, variance = friedman(scores), conover(scores), anova(scores)
    return {
        "friedman": test.pvalue,
        "anova": variance.pvalue,
        "anova_one_way": variance.one_way_pvalue,
        "topics": test.n,
        "rank_sums": test.rank_sums,
        "pairs": pairs.pvalue,
        "permitted": pairs.permitted,
    }


def _signs(test: dict[str, Any], letters: Sequence[str]) -> str:
    """`D,E>A **; D>B *`: which runs are better than which."""
    sums, left = test["rank_sums"], np.full(test["pairs"].shape, bool(test["permitted"]))
    found = []
    for stars, alpha in STARS.items():
        better = left & (test["pairs"] < alpha) & (sums[:, None] > sums)
        left &= ~better
        for loser in np.flatnonzero(better.any(axis=0)).tolist():
            winners = ",".join(letters[at] for at in np.flatnonzero(better[:, loser]).tolist())
            found.append(f"{winners}>{letters[loser]} {stars}")
    return "; ".join(found)


def _readings(curves: Sequence[GainCurves]) -> tuple[Column, ...]:
    read = [curve.readings((5, 10)) for curve in curves]
    names = list(dict.fromkeys(name for each in read for name in each))
    return (
        Column("curve", [curve.name for curve in curves]),
        *(Column(name, [each.get(name) for each in read], ".4g") for name in names),
    )


def _points(curves: Sequence[GainCurves]) -> tuple[Column, ...]:
    """A row for each curve, run and rank; the ideal is the run without a name."""
    first = curves[0]
    axes = {"curve": [c.name for c in curves], "run": [*first.runs, ""], "rank": range(1, len(first.ideal) + 1)}
    shape = (len(curves), len(first.runs) + 1, len(first.ideal))
    one = np.ones((1, len(first.ideal)))
    columns = {
        "gain": [np.vstack([c.gained, c.ideal[None]]) for c in curves],
        "norm_of_mean": [np.vstack([c.normalised, one]) for c in curves],
        "mean_of_norm": [np.vstack([c.by_topic, one]) for c in curves],
    }
    return (*labels(shape, **axes), *(Column(name, np.array(values).ravel()) for name, values in columns.items()))


def _drawings(curves: GainCurves, order: Sequence[int]) -> list[tuple[str, Drawing]]:
    """Gain with the ideal curve (Figs 1, 2), and gain over the mean ideal gain (Figs 3, 4)."""
    x = np.arange(1.0, len(curves.ideal) + 1)
    file = curves.name.lower().replace(" ", "-").replace(",", "").replace("-=", "")
    across = (1.0, float(x[-1]))
    gained = tuple(Curve(curves.runs[at], x, curves.gained[at]) for at in order)
    normalised = tuple(Curve(curves.runs[at], x, curves.normalised[at]) for at in order)
    ideal = Curve("ideal", x, curves.ideal, ideal=True)
    return [
        (file, Drawing(f"Mean {curves.name}", "rank", curves.name.split()[0], (ideal, *gained), across=across)),
        (f"n{file}", Drawing(f"n{curves.name}", "rank", f"n{curves.name.split()[0]}", normalised, across=across)),
    ]
