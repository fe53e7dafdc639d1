"""The chart of possible ranges: what each run scores, how sure that is over topics, and what holes could make of it."""

from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import printable
from cranfield.errors.extras import need
from cranfield.reporting.drawing import sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.lines import labelled
from cranfield.reporting.style import CENTIMETRE, SIZE, centimetres
from cranfield.stats.mean_intervals import with_intervals
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.missing.result import Holes

PALE, FULL = "#C6DCEC", "#0072B2"
MARKS = ("bar: possible range · line: 95 % interval", "dot: as judged · ring: condensed")
_NARROW = 330  # points below which the marks are explained in two lines
_TALL, _HIGHEST, _LOWEST = 640, 15.0, 5.5  # points: of all rows together, of a row at most and at least
_AROUND = 60  # points: the axis


@chart_kind(
    "ranges",
    "possible ranges of the scores",
    result="holes",
    question="What does each run score, and between which values could missing judgments move it?",
)
def range_chart(of: "Holes", *, measure: str | None = None, width: Width = "two", title: str = "") -> Figure:
    """Draw the possible range of each run (pale bar), the 95 % interval over topics (line), and the score (dot).

    A ring is the score on condensed lists, in which holes are left out. Runs are sorted by their score as judged.

    Args:
        of: the result of `cranfield.holes`.
        measure: its name; the first by default.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    need("altair", "a chart")
    import altair as alt

    name = of.ranges(measure).measure
    found = of.ranges(measure).ranges
    spans = _intervals(of, name)
    smaller = of.situations[name].measure.definition.smaller
    order = sorted(range(len(found)), key=lambda at: _sorted_by(found[at].as_judged, smaller))
    labels = labelled([printable(row.run) for row in found])
    names = [labels[printable(found[at].run)] for at in order]
    ends = _domain(found, spans)
    rows: list[dict[str, Any]] = []
    for at in order:
        row, (below, above) = found[at], spans[at].tolist()
        rows.append(
            {
                "run": labels[printable(row.run)],
                "lowest": max(_round(row.lowest), ends[0]),
                "highest": min(_round(row.highest), ends[1]),
                "score": _round(row.as_judged),
                "condensed": _round(row.condensed),
                "below": None if np.isnan(below) else max(_round(below), ends[0]),
                "above": None if np.isnan(above) else min(_round(above), ends[1]),
            }
        )
    points = centimetres(width) * CENTIMETRE
    high = min(_HIGHEST, max(_LOWEST, _TALL / max(1, len(names))))
    axis = alt.Axis(labelFontSize=min(SIZE, high * 0.85), ticks=False, domain=False, grid=False)
    scale = alt.Scale(domain=list(ends), nice=False, zero=False)
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("run:N", sort=names, title=None, axis=axis),
        tooltip=["run:N", *(alt.Tooltip(f"{each}:Q", format=".4f") for each in ("lowest", "score", "highest"))],
    )
    across = alt.X(
        "lowest:Q",
        title=[name, *(MARKS if points < _NARROW else (" · ".join(MARKS),))],
        scale=scale,
        axis=alt.Axis(tickCount=6),
    )
    bars = base.mark_bar(color=PALE, height=high * 0.7).encode(x=across, x2="highest:Q")
    lines = base.mark_rule(color=FULL, strokeWidth=1.2).encode(x=alt.X("below:Q", scale=scale), x2="above:Q")
    rings = base.mark_point(color=FULL, filled=False, size=high * 2.4, strokeWidth=0.8).encode(
        x=alt.X("condensed:Q", scale=scale)
    )
    dots = base.mark_point(color=FULL, filled=True, opacity=1, size=high * 2.4).encode(x=alt.X("score:Q", scale=scale))
    drawn = sized(alt.layer(bars, lines, rings, dots), points, len(names) * high + _AROUND)
    said = f"possible ranges of {name}"
    return framed(
        drawn, _table(of, name, spans, order), said=said, described=_described(of, name), width=width, title=title
    )


def _intervals(of: "Holes", measure: str) -> Floats:
    """`[run, end]`: the 95 % interval of each mean over topics; undefined for what is no mean."""
    scores = of.scores.select(measure)
    if scores.averages[0] not in ("mean", "geometric") or len(scores.topics) < 2:
        return np.full((len(scores.runs), 2), np.nan)
    found = with_intervals(scores, "t").intervals
    return np.full((len(scores.runs), 2), np.nan) if found is None else found[:, 0]


def _domain(found: Any, spans: Floats) -> tuple[float, float]:  # rows of `PossibleRange`
    """The ends of the axis: those of all marks; an end that is not finite is left out."""
    values = [value for row in found for value in (row.lowest, row.as_judged, row.condensed, row.highest)]
    known = [value for value in [*values, *spans.ravel().tolist()] if np.isfinite(value)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    room = (high - low or 1.0) * 0.03
    return _round(low - room if low else low), _round(high + room)


def _round(value: float) -> float:
    return float(f"{value:.6g}")


def _sorted_by(score: float, smaller: bool) -> float:
    return np.inf if np.isnan(score) else score if smaller else -score


def _table(of: "Holes", measure: str, spans: Floats, order: list[int]) -> Sheet:
    found = [of.ranges(measure).ranges[at] for at in order]
    return Sheet(
        (
            Column("run", [row.run for row in found]),
            *(
                Column(name, [getattr(row, field) for row in found], ".4f")
                for name, field in (("lowest", "lowest"), ("as judged", "as_judged"), ("condensed", "condensed"))
            ),
            Column("highest", [row.highest for row in found], ".4f"),
            Column("ci_low", spans[order, 0], ".4f"),
            Column("ci_high", spans[order, 1], ".4f"),
        )
    )


def _described(of: "Holes", measure: str) -> str:
    found = of.ranges(measure)
    return f"{measure} of {counted(len(found.ranges), 'run')}, {found.universe}. {'; '.join(MARKS).capitalize()}."
