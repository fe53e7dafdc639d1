"""`correlation`: whether measures agree on the order of the runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.stats.orders.coefficient import COEFFICIENTS
from cranfield.stats.orders.correlation import correlate, correlate_draws
from cranfield.study.data.collection import Collection
from cranfield.study.data.topic_sets import NamedTopics, means_on, topic_sets
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.kinds.correlation.resampled import drawn_topics, means_of
from cranfield.study.summaries.bands import Band
from cranfield.study.summaries.by_level import labels
from cranfield.study.summaries.order_agreement import coefficient_name, coefficient_option, need_order
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.words import counted

LOW = "Resampled means are noisier than means, so that an interval tends to lie low: it need not hold the value."
RARE = "few of grade k: at least one document of that grade, and ten times as many of grade 1."


@define(
    "correlation",
    "do measures agree on the order",
    cites="ahlgren2007 sakai2008 kendall1938",
    examples=(
        "cranfield study correlation qrels.txt runs/*.run -m AP -m bpref --keep ag07",
        "cranfield study correlation qrels.txt runs/*.run --coefficient tau-ap",
        "cranfield study correlation qrels.txt runs/*.run --few 2,3 -o agree/",
    ),
)
@dataclass(frozen=True)
class CorrelationStudy(Study[Collection]):
    """Compare the orders in which measures put the runs, each measure with each other.

    Intervals come from resampled topics, the same for all measures. `--few 2` adds the topics with few highly relevant
    documents. A coefficient that is not symmetric takes the measure of the row for the true order.
    """

    coefficient: str = coefficient_option()
    boot: int = option(1000, "resamples of topics", metavar="N", check=lambda n: n >= 0, rule="0 or more")
    level: float = option(
        0.95, "level of the intervals", metavar="L", check=lambda c: 0 < c < 1, rule="between 0 and 1"
    )
    few: tuple[int, ...] = option(
        (),
        "also look at topics where these grades are rare",
        metavar="K,…",
        check=lambda grades: all(grade >= 2 for grade in grades),
        rule="grades from 2",
    )

    def units(self, data: Collection) -> Sequence[Any]:
        """One for each set of topics and pair of measures."""
        need_order(len(data.runs))
        found = COEFFICIENTS[self.coefficient]
        measures = range(len(data.measures))
        pairs = [(a, b) for a in measures for b in measures if (a < b or not found.symmetric) and a != b]
        return [{"set": at, "pair": list(pair)} for at in range(1 + len(self.few)) for pair in pairs]

    def size(self, data: Collection, unit: Any) -> int:
        """The bytes of the pairs of runs in all resamples."""
        return len(data.runs) ** 2 // 2 * self.boot * 8

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The coefficient of two measures, and its interval."""
        topics = topic_sets(data, self.few)[unit["set"]]
        kept = topics.kept
        up = [-1.0 if data.measures[m].definition.smaller else 1.0 for m in unit["pair"]]
        means = [sign * means_on(data, topics)[:, m] for sign, m in zip(up, unit["pair"], strict=True)]
        value = correlate(means[0], means[1], self.coefficient)
        low = high = np.nan
        if self.boot and kept.sum() > 1:
            counts = drawn_topics(data, kept, self.boot, seed)
            one, two = (means_of(data.full[..., m], counts, data.measures[m]) for m in unit["pair"])
            found = correlate_draws(up[0] * one, up[1] * two, self.coefficient)
            found = found[~np.isnan(found)]
            if len(found):
                low, high = np.quantile(found, [0.5 - self.level / 2, 0.5 + self.level / 2])
        return {"value": np.array([value, low, high])}

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """The matrix, for each set of topics."""
        sets = topic_sets(data, self.few)
        names = [str(measure) for measure in data.measures]
        known = COEFFICIENTS[self.coefficient]
        values = np.full((3, len(sets), len(names), len(names)), np.nan)
        for unit, each in zip(self.units(data), found, strict=True):
            one, two = unit["pair"]
            values[:, unit["set"], one, two] = each["value"]
            if known.symmetric:
                values[:, unit["set"], two, one] = each["value"]
        for m in range(len(names)):
            values[:, :, m, m] = known.same
        what = coefficient_name(self.coefficient)
        over = f"{100 * self.level:g} % bootstrap over topics ({self.boot:,} resamples) · " if self.boot else ""
        return Findings(
            title=f"{what} between the orders of measures · {over}{counted(len(data.runs), 'run')} · "
            f"{counted(len(data.topics), 'topic')} · no judgment removed",
            shown=_matrix(sets, names, values, bool(self.few)),
            tidy=_tidy(sets, names, values, self.coefficient),
            notes=(*((LOW,) if self.boot else ()), *((RARE,) if self.few else ())),
            details={"runs": _runs(data, sets, names)},
            drawings={"means": _drawing(data, names)},
        )


def _matrix(sets: Sequence[NamedTopics], names: Sequence[str], values: Floats, several: bool) -> tuple[Column, ...]:
    """A row for each measure, those of a set of topics together."""
    cells = np.array(Band(*values).words(), dtype=object).reshape(len(sets) * len(names), len(names))
    which, measure = labels((len(sets), len(names)), topics=[each.words for each in sets], measure=names)
    first = (which, measure) if several else (measure,)
    return (*first, *(Column(name, cells[:, m].tolist()) for m, name in enumerate(names)))


def _tidy(sets: Sequence[NamedTopics], names: Sequence[str], values: Floats, coefficient: str) -> tuple[Column, ...]:
    which, measure, other = labels(
        (len(sets), len(names), len(names)), topics=[each.name for each in sets], measure=names, other=names
    )
    sizes = [int(each.kept.sum()) for each in sets for _ in range(len(names) ** 2)]
    endings = zip(("", "_low", "_high"), values, strict=True)
    return (
        which,
        Column("n", sizes),
        measure,
        other,
        Column("coefficient", [coefficient] * len(sizes)),
        *(Column(f"value{end}", part.ravel()) for end, part in endings),
    )


def _runs(data: Collection, sets: Sequence[NamedTopics], names: Sequence[str]) -> tuple[Column, ...]:
    """The mean and the place of every run by every measure."""
    means = np.array([means_on(data, each) for each in sets])
    low = np.array([measure.definition.smaller for measure in data.measures])
    up = np.where(low, -means, means)
    place = 1 + (up[:, None, :, :] > up[:, :, None, :]).sum(axis=2)
    columns = labels(means.shape, topics=[each.name for each in sets], run=data.runs, measure=names)
    return (*columns, Column("mean", means.ravel()), Column("place", place.ravel()))


def _drawing(data: Collection, names: Sequence[str]) -> Drawing:
    """The mean of every run, by every measure; the runs sorted by the first one (AG07 Figs 2-4)."""
    order = np.argsort(-data.full_means[:, 0], kind="stable")
    x = np.arange(1, len(order) + 1, dtype=np.float64)
    curves = tuple(Curve(name, x, data.full_means[order, m]) for m, name in enumerate(names))
    return Drawing("Mean of every run", f"runs, best {names[0]} first", "mean", curves, (1, float(len(order))))
