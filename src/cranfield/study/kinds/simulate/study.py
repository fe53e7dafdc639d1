"""`simulate`: how far evaluation with a pool differs from evaluation with complete judgments."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from cranfield.arrays import Floats, zero_if_undefined
from cranfield.errors import PolicyError
from cranfield.errors.ranges import out_of_range
from cranfield.measures.grammar import Measure, parse_many
from cranfield.study.data.definition import Measures
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Findings
from cranfield.study.kinds.simulate.truth import Told, agreement_with_truth, pairs
from cranfield.study.simulated.simulator import Simulated, simulate
from cranfield.study.simulated.world import PRESETS, WorldModel
from cranfield.study.summaries.bands import Band
from cranfield.study.summaries.order_agreement import coefficient_name, coefficient_option
from cranfield.tables.sheets.numerals import in_print, percent
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.words import counted

DEFAULTS = ("AP", "nDCG@10", "P@10")
JUDGMENTS = ("complete", "pool", "condensed")


def _number(help: str) -> int | None:
    """An option that is a count; by default that of the preset."""
    number: int | None = option(
        None, help, metavar="N", check=lambda n: n is None or n >= 1, rule="a whole number from 1"
    )
    return number


@define(
    "simulate",
    "what would be true if all were judged",
    cites="sakai2008",
    examples=(
        "cranfield study simulate -m AP -m nDCG@10 --draws 200",
        "cranfield study simulate --systems 24 --families 8 --depth 10 --noise 1.2",
        "cranfield study simulate --preset trec8_like --draws 20 -o simulated/",
    ),
)
@dataclass(frozen=True)
class Simulate(Study[Measures]):
    """Draw collections with complete judgments, judge only a pool, and report the errors of the pool.

    Every draw has the same systems and new topics. One or more families of systems are novel: they make other mistakes
    than the rest and never contribute to the pool. Intervals are Student's for the mean over topics. An interval covers
    the truth if it contains the mean of the system over all possible topics, which is estimated from the complete
    judgments of the other draws (the interval is widened by the error of this estimate).
    """

    data: ClassVar[str] = "measures"

    preset: Literal["small", "tiny", "trec8_like"] = option("small", "model from which collections are drawn")
    systems: int | None = _number("number of runs")
    topics: int | None = _number("topics of a collection")
    families: int | None = _number("groups of systems that make the same mistakes")
    novel: int | None = _number("families that do not contribute to the pool")
    depth: int | None = _number("depth of the pool")
    noise: float | None = option(
        None,
        "standard deviation of the noise of scores",
        metavar="S",
        check=lambda s: s is None or s > 0,
        rule="a number above 0",
    )
    draws: int = option(
        100, "collections that are drawn", metavar="N", check=lambda n: n >= 2, rule="a whole number from 2"
    )
    coefficient: str = coefficient_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.model.topics < 2:
            raise out_of_range("topics", self.model.topics, "an interval needs two topics")

    @property
    def model(self) -> WorldModel:
        """The preset with the caller's changes."""
        names = ("systems", "topics", "families", "novel", "depth", "noise")
        said = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return replace(PRESETS[self.preset], **said)

    def units(self, data: Measures) -> Sequence[Any]:
        """One for each draw."""
        measures_of(data)
        return [{"draw": draw} for draw in range(self.draws)]

    def size(self, data: Measures, unit: Any) -> int:
        """Scores that are drawn."""
        return self.model.topics * self.model.systems * self.model.documents * 8

    def work(self, data: Measures, unit: Any, seed: int) -> UnitResult:
        """Means, and the standard errors of means and of differences, under each kind of judgments."""
        world = simulate(self.model, seed=seed, draw=unit["draw"])
        values = scored(world, measures_of(data))
        root = np.sqrt(values.shape[2])
        first, second = pairs(self.model.systems)
        return {
            "means": values.mean(axis=2),
            "error": values.std(axis=2, ddof=1) / root,
            "pair_error": (values[:, first] - values[:, second]).std(axis=2, ddof=1) / root,
            "unjudged": np.array([np.count_nonzero((world.grade > 0) & ~world.judged), np.count_nonzero(world.grade)]),
            "judged": world.judged.sum(axis=1),
        }

    def findings(self, data: Measures, found: Sequence[UnitResult], seed: int) -> Findings:
        """True order, sign errors, bias and coverage, for systems of the pool and for novel ones."""
        told = Told(self.model, *(np.stack([each[key] for each in found]) for key in ("means", "error", "pair_error")))
        names = [str(measure) for measure in measures_of(data)]
        order = agreement_with_truth(told.means, self.coefficient)
        lost, relevant = np.sum([each["unjudged"] for each in found], axis=0).tolist()
        size = float(np.mean([each["judged"].mean() for each in found]))
        rows = [(m, j) for m in range(len(names)) for j in range(len(JUDGMENTS))]
        band = Band.over(order)  # [judgments, measure]
        words = np.array(band.words(), dtype=object).reshape(len(JUDGMENTS), len(names))
        what = coefficient_name(self.coefficient)
        columns = {
            "sign_errors": told.sign_errors(~told.with_novel),
            "sign_errors_novel": told.sign_errors(told.with_novel),
            "wrong_if_significant": told.wrong_if_significant(),
            "bias": told.bias(~self.model.is_novel),
            "bias_novel": told.bias(self.model.is_novel),
            "coverage": told.coverage(~self.model.is_novel),
            "coverage_novel": told.coverage(self.model.is_novel),
            "pair_coverage": told.pair_coverage(~told.with_novel),
            "pair_coverage_novel": told.pair_coverage(told.with_novel),
        }
        flat = {key: [float(values[j, m]) for m, j in rows] for key, values in columns.items()}
        shown = (
            Column("measure", [names[m] if j == 0 else "" for m, j in rows]),
            Column("judged", [JUDGMENTS[j] for _, j in rows]),
            Column("τ" if self.coefficient == "tau-b" else what, [words[j, m] for m, j in rows]),
            *(_two(title, flat, key, form) for title, key, form in _SHOWN),
        )
        tidy = (
            Column("measure", [names[m] for m, _ in rows]),
            Column("judgments", [JUDGMENTS[j] for _, j in rows]),
            Column("coefficient", [self.coefficient] * len(rows)),
            *(
                Column(f"agreement{end}", [float(part[j, m]) for m, j in rows])
                for end, part in (("", band.mean), ("_low", band.low), ("_high", band.high))
            ),
            *(Column(key, values) for key, values in flat.items()),
            Column("draws", [self.draws] * len(rows)),
        )
        missed = percent(lost / max(1, relevant), 0)
        return Findings(
            title=f"What a pool gets wrong, against complete truth · {self._words()}",
            shown=shown,
            tidy=tidy,
            notes=(
                f"{what} with the true order, mean over draws and 5–95 %. Two numbers: pooled families / novel ones.",
                "sign errors: pairs of systems in the wrong order on these topics. bias: score minus true score.",
                "coverage: how often the 95 % t interval of a mean, or a difference, holds the truth over all topics.",
                f"{size:,.0f} documents judged per topic; {missed} of the relevant are not.",
            ),
            details={"systems": self._systems(told, names)},
        )

    def _words(self) -> str:
        model = self.model
        return (
            f"{counted(model.systems, 'system')} of {model.families} families ({model.novel} novel) · "
            f"{counted(model.topics, 'topic')} · pool of depth {model.depth} · {counted(self.draws, 'draw')}"
        )

    def _systems(self, told: Told, names: list[str]) -> tuple[Column, ...]:
        model, means = self.model, told.means.mean(axis=0)
        rows = [(s, m) for s in range(model.systems) for m in range(len(names))]
        return (
            Column("run", [model.names[s] for s, _ in rows]),
            Column("family", [model.names[s].partition("-")[0] for s, _ in rows]),
            Column("contributes", [int(model.contributes[s]) for s, _ in rows]),
            Column("measure", [names[m] for _, m in rows]),
            *(Column(kind, [float(means[j, s, m]) for s, m in rows]) for j, kind in enumerate(JUDGMENTS)),
        )


_SHOWN = (
    ("sign errors", "sign_errors", ".1%"),
    ("bias", "bias", "+.3f"),
    ("coverage", "coverage", ".1%"),
    ("of differences", "pair_coverage", ".1%"),
)


def _two(title: str, flat: dict[str, list[float]], key: str, form: str) -> Column:
    """Two numbers in a cell: of systems of pooled families, and of novel ones."""
    cells = zip(flat[key], flat[f"{key}_novel"], strict=True)
    return Column(title, [" / ".join(in_print(value, form) for value in cell) for cell in cells])


def measures_of(data: Measures) -> tuple[Measure, ...]:
    """The measures that are studied; the condensed form of each is added."""
    wanted = data.measures or parse_many(DEFAULTS)
    for measure in wanted:
        if measure.as_condensed() == measure:
            problem = f"{measure} is condensed already"
            raise PolicyError("E244", problem, hint="name the plain measure: its condensed form is added")
    return wanted


def scored(world: Simulated, measures: Sequence[Measure]) -> Floats:
    """`[judgments, system, topic, measure]`: scores under complete judgments, under the pool, and condensed."""
    shape = (world.model.systems, world.model.topics)
    whole, pooled = world.hits(), world.hits(world.judged)
    columns = [
        np.stack([found.reshape(shape) for found in (each(whole), each(pooled), each.as_condensed()(pooled))])
        for each in measures
    ]
    return zero_if_undefined(np.stack(columns, axis=-1))  # without relevant documents
