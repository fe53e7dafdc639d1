"""Significance curves: the achieved levels of all pairs of runs, sorted, one line for each measure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.errors import PolicyError, printable
from cranfield.errors.extras import need
from cranfield.errors.wording import setting
from cranfield.reporting.drawing import Axes, lines
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.labels import labelled
from cranfield.reporting.lines import Line, Panel, others
from cranfield.reporting.run_rows import six_digits
from cranfield.reporting.style import CENTIMETRE, INK, MOST, centimetres, looks
from cranfield.stats.comparison.result import Comparison
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

_SAID = 5  # measures whose numbers are in the description
_HOVERED = 5000  # pairs that say their names


@chart_kind(
    "significance",
    "achieved levels of all pairs, sorted, by measure",
    result="comparison",
    question="Which measure tells more pairs of runs apart?",
    reading="Pairs of runs are sorted by their level; the lower and longer a line stays near 0, the more "
    "pairs its measure tells apart.",
)
def significance(
    comparison: Comparison, *, measure: str | None = None, width: Width = "one", title: str = ""
) -> Figure:
    """Draw the p value of each pair of runs, not corrected, from the largest to the smallest: a line for each measure.

    The lower a line runs, the more pairs the measure tells apart: its discriminative power.

    Args:
        comparison: the result of `cranfield.compare`.
        measure: this one alone; all by default.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    names = comparison.measures if measure is None else (comparison.of(measure).measure,)
    found = {name: _levels(comparison, name) for name in names}
    if not any(found.values()):
        raise PolicyError("E243", "no pair was tested, so there are no levels to draw", hint=setting("test", "t"))
    points, alpha = centimetres(width) * CENTIMETRE, comparison.method.alpha
    return framed(
        _drawn(found, alpha, points),
        _table(found),
        said="achieved significance levels of all pairs",
        described=_described(found, alpha),
        width=width,
        title=title,
    )


def _levels(comparison: Comparison, measure: str) -> list[tuple[float, str, str]]:
    """Level, run and baseline of each pair, the largest level first; corrected where no other is known."""
    rows = [
        (float(pair.p if np.isnan(pair.p_raw) else pair.p_raw), pair.run, pair.baseline)
        for pair in comparison.pairs(measure)
    ]
    return sorted((row for row in rows if not np.isnan(row[0])), key=lambda row: -row[0])


def _drawn(found: Mapping[str, Sequence[tuple[float, str, str]]], alpha: float, points: float) -> Any:
    """A line for each measure, one at alpha, and an invisible point for each pair that says its name."""
    need("altair", "a chart")
    import altair as alt

    labels = labelled([printable(name) for name in found])
    every = [
        Line(label, label, np.arange(1.0, len(rows) + 1), np.array([level for level, _, _ in rows]))
        for label, rows in zip(labels.values(), found.values(), strict=True)
    ]
    rest = others([line.label for line in every[MOST:]])
    every = [line if at < MOST else Line(rest, line.name, line.x, line.y) for at, line in enumerate(every)]
    most, sure = max(2, *map(len, found.values())), f"alpha = {alpha:g}"
    level = Line(sure, sure, np.array([1.0, most]), np.array([alpha, alpha]))
    *marks, last = looks([line.label for line in every[:MOST]], rest, ideal=True)
    panel = Panel("", "achieved level (p)", (level, *reversed(every)), (0, 1))
    drawn = lines([panel], [*marks, replace(last, label=sure)], Axes("pairs, sorted", (1, most)), points, [])
    rows = [
        {"x": place, "y": six_digits(p), "measure": printable(name), "pair": printable(f"{run} – {baseline}")}
        for name, pairs in found.items()
        for place, (p, run, baseline) in enumerate(pairs, start=1)
    ]
    hover = alt.Chart(alt.InlineData(values=rows[:_HOVERED]), name="pairs").mark_point(opacity=0, size=30, color=INK)
    return drawn + hover.encode(x="x:Q", y="y:Q", tooltip=["measure:N", "pair:N", "y:Q"])


def _table(found: Mapping[str, Sequence[tuple[float, str, str]]]) -> Sheet:
    rows = [(name, place, *row) for name, pairs in found.items() for place, row in enumerate(pairs, start=1)]
    measures, places, levels, runs, baselines = zip(*rows, strict=True)
    return Sheet(
        (
            Column("measure", measures),
            Column("place", places, "d"),
            Column("run", runs),
            Column("baseline", baselines),
            Column("p", levels, ".4f"),
        )
    )


def _described(found: Mapping[str, Sequence[tuple[float, str, str]]], alpha: float) -> str:
    told = [
        f"{name} {sum(level < alpha for level, _, _ in rows):,} of {counted(len(rows), 'pair')}"
        for name, rows in list(found.items())[:_SAID]
    ]
    return f"Achieved significance levels of pairs of runs, sorted. Below alpha {alpha:g}: {', '.join(told)}."
