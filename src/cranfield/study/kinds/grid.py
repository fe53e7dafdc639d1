"""`grid`: graded average precision for more and less demanding users (FFM14 Tables 2 and 3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.measures.grammar import Measure
from cranfield.stats.orders.correlation import correlate
from cranfield.study.data.collection import Collection
from cranfield.study.data.topic_sets import NamedTopics, means_on, topic_sets
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.summaries.by_level import labels
from cranfield.study.summaries.order_agreement import coefficient_name, coefficient_option, need_order
from cranfield.study.summaries.variants import variant
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.sheet import MISSING, Column
from cranfield.tables.words import counted

GRADED = ("GAP", "xGAP", "eGAP")
MOST = 2000  # points


@define(
    "grid",
    "GAP, xGAP and eGAP for more and less demanding users",
    cites="ferrante2014 robertson2010",
    examples=(
        "cranfield study grid qrels.txt runs/*.run --keep first-quartile",
        "cranfield study grid qrels.txt runs/*.run --highest 3 --step 0.2 -o grid/",
        "cranfield study grid qrels.txt runs/*.run -m AP -m RBP --coefficient tau-ap",
    ),
)
@dataclass(frozen=True)
class Grid(Study[Collection]):
    """Compare GAP, xGAP and eGAP with other measures, for all shares g of users that want each grade.

    A share g_k of the users takes documents from grade k on for relevant. Each cell has one value for all topics, then
    one for the topics where grade 2, 3 … is rare. Where all users want one grade, the three measures agree.
    """

    usual: ClassVar[tuple[str, ...]] = ("AP", "nDCG", "RBP(rel=1)", "Bpref")

    highest: int | None = option(
        None, "highest grade that users ask for", usual="judged", metavar="C", check=lambda c: c >= 2, rule="2 or more"
    )
    step: float | None = option(
        None,
        "step between two values of a share in g",
        usual="0.1 for two grades, else 0.2",
        metavar="S",
        check=lambda s: 0 < s <= 1,
        rule="above 0, up to 1",
    )
    coefficient: str = coefficient_option()

    def points(self, data: Collection) -> list[tuple[int, ...]]:
        """The points of the simplex in steps: what each grade gets, from the lowest; all users want 1 first."""
        grades, steps = self.grades(data), self.steps(data)
        if (steps + 1) ** min(grades - 1, 50) > 50 * MOST:  # a power of a million would take too long
            raise PolicyError(
                "E246",
                f"a grid over {grades} grades is too fine",
                hint=f"{setting('step', 0.5)}, or {setting('highest', 3)}",
            )
        rest = [point for point in product(range(steps + 1), repeat=grades - 1) if sum(point) <= steps]
        return [(steps - sum(point), *point) for point in rest]

    def grades(self, data: Collection) -> int:
        """The highest grade that users want: as given, or the highest that was judged, at most 3."""
        return self.highest or max(2, min(3, int(data.hits.top_grade)))

    def steps(self, data: Collection) -> int:
        """How many steps there are from 0 to 1."""
        step = self.step or (0.1 if self.grades(data) == 2 else 0.2)
        if abs(round(1 / step) * step - 1) > 1e-9:
            raise PolicyError("E240", f"{setting('step', step)} does not divide 1", hint="such as 0.1, 0.2 or 0.25")
        return round(1 / step)

    def units(self, data: Collection) -> Sequence[Any]:
        """One for each point."""
        need_order(len(data.runs))
        steps = self.steps(data)
        return [{"g": [part / steps for part in point]} for point in self.points(data)]

    def size(self, data: Collection, unit: Any) -> int:
        """The bytes of the hits, for each of the three."""
        return len(data.hits.rank) * 8 * 3 * self.grades(data)

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The means of every run by the three measures, on each set of topics."""
        g = {grade: share for grade, share in enumerate(unit["g"], start=1) if share > 0}
        return {"means": _means(self, data, [variant(data, name, {"g": g}) for name in GRADED])}

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """A row for each point and each of the three, a column for each other measure."""
        fixed = _means(self, data, data.measures)
        heads = ("GAP", *map(str, data.measures))
        sets = _sets(self, data)
        values = np.empty((len(found), len(GRADED), len(heads), len(sets)))
        for point, each in enumerate(found):
            for kind, head, which in np.ndindex(values.shape[1:]):
                mine = each["means"][which, :, kind]
                other = each["means"][which, :, 0] if head == 0 else fixed[which, :, head - 1]
                values[point, kind, head, which] = correlate(mine, other, self.coefficient)
        points = [unit["g"] for unit in self.units(data)]
        what, sizes = coefficient_name(self.coefficient), " / ".join(each.words for each in sets)
        return Findings(
            title=f"{what} with other measures, by the shares g of users · {counted(len(data.runs), 'run')} · "
            f"{sizes} · no judgment removed",
            shown=_shown(points, heads, values),
            tidy=_tidy(points, heads, sets, values, self.coefficient),
            notes=("Cells: all topics / those where grade 2, 3 … is rare (R(k) > 0, R(1) ≥ 10 R(k)).",),
            drawings=_drawings(points, heads, sets, values, what),
        )


def _sets(study: Grid, data: Collection) -> tuple[NamedTopics, ...]:
    return topic_sets(data, range(2, study.grades(data) + 1))


def _means(study: Grid, data: Collection, measures: Sequence[Measure]) -> Floats:
    """`[set of topics, run, measure]`."""
    other = replace(data, measures=tuple(measures))
    return np.array([means_on(other, each) for each in _sets(study, data)])


def _named(point: Sequence[float]) -> str:
    return f"({', '.join(f'{share:g}' for share in point)})"


def _shown(points: Sequence[Sequence[float]], heads: Sequence[str], values: Floats) -> tuple[Column, ...]:
    g, measure = labels((len(points), len(GRADED)), g=[_named(point) for point in points], measure=GRADED)
    rows = values.reshape(-1, len(heads), values.shape[-1])
    columns = [[" / ".join(map(_cell, row)) for row in rows[:, at].tolist()] for at in range(len(heads))]
    return (g, measure, *(Column(head, cells) for head, cells in zip(heads, columns, strict=True)))


def _cell(value: float) -> str:
    return MISSING if np.isnan(value) else in_print(value, ".2f")


def _tidy(
    points: Sequence[Sequence[float]],
    heads: Sequence[str],
    sets: Sequence[NamedTopics],
    values: Floats,
    coefficient: str,
) -> tuple[Column, ...]:
    at, *names = labels(
        values.shape, at=range(len(points)), measure=GRADED, other=heads, topics=[each.name for each in sets]
    )
    grades = [
        Column(f"g{grade + 1}", [points[int(str(place))][grade] for place in at.raw]) for grade in range(len(points[0]))
    ]
    return (
        *grades,
        *names,
        Column("n", np.tile([int(each.kept.sum()) for each in sets], values.size // len(sets))),
        Column("coefficient", [coefficient] * values.size),
        Column("value", values.ravel()),
    )


def _drawings(
    points: Sequence[Sequence[float]], heads: Sequence[str], sets: Sequence[NamedTopics], values: Floats, what: str
) -> dict[str, Drawing]:
    """Agreement with AP, or the first measure, as users change from the lowest grade to the highest."""
    edge = [at for at, point in enumerate(points) if point[0] + point[-1] > 1 - 1e-9]
    x = np.array([points[at][-1] for at in edge])
    order = np.argsort(x, kind="stable")
    other = "AP" if "AP" in heads else heads[1]
    drawings = {}
    for which, each in enumerate(sets):
        lines = [values[edge, kind, heads.index(other), which][order] for kind in range(len(GRADED))]
        if all(np.isnan(line).all() for line in lines):
            continue
        curves = tuple(Curve(name, x[order], line) for name, line in zip(GRADED, lines, strict=True))
        axis = f"share of users who want grade {len(points[0])}, the others grade 1"
        name = each.name.replace(" ", "-")
        drawings[name] = Drawing(f"{what} with {other}, {each.words}", axis, f"{what} with {other}", curves, (0, 1))
    return drawings
