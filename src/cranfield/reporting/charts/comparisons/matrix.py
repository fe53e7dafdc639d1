"""The matrix of a comparison: the mean differences of all pairs, which are significant, and which holes leave open."""

from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.errors import printable
from cranfield.errors.extras import need
from cranfield.missing.joined.pair import RangedPair
from cranfield.reporting.drawing import sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.labels import labelled, widest
from cranfield.reporting.run_rows import joined, six_digits
from cranfield.reporting.style import CENTIMETRE, DIFFERENCES, INK, PAPER, SIZE, UNJUDGED_DASH, centimetres
from cranfield.stats.comparison.result import Comparison
from cranfield.stats.comparison.sheets.cells import marks
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.sheets.marked import DOUBT, UNJUDGED, Signed
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.side.selection import best_first
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.comparison.pair import Pair

_SMALLEST, _STARRED, _TALLEST = 5.5, 7.0, 24.0  # points of a cell: with names, with stars, and at most
_SHARE = 0.3  # of the width, which names may take
STEPS = (-5 / 7, -3 / 7, -1 / 7, 1 / 7, 3 / 7, 5 / 7)  # of the largest difference, where the colour of a cell changes


@chart_kind(
    "matrix",
    "mean differences of all pairs of runs",
    result="comparison",
    question="Which runs differ, by how much, and significantly?",
    reading="A cell is the mean difference of its row from its column, as a number and as a colour; a star "
    "is a significant one, a dashed edge one that unjudged documents could reverse.",
)
def matrix(comparison: Comparison, *, measure: str | None = None, width: Width = "one", title: str = "") -> Figure:
    """Draw the mean differences of all pairs: colour is the difference, a star marks what is significant.

    A dashed cell is a pair that missing judgments could reverse, in a comparison that was joined with its holes:
    `cranfield.with_ranges`.

    Args:
        comparison: the result of `cranfield.compare`.
        measure: needed if several were compared.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    need("altair", "a chart")
    found, points = comparison.of(measure), centimetres(width) * CENTIMETRE
    runs = comparison.scores.runs
    used = np.zeros(len(runs), dtype=bool)
    used[found.contrasts.run] = used[found.contrasts.baseline] = True
    best = best_first(comparison.scores.means[:, found.column], found.contrasts.smaller)
    order = [runs[at] for at in best if used[at]]
    pairs = [each for pair in comparison.pairs(found.measure) for each in (pair, pair.reversed())]
    drawn = _view(pairs, order, found.measure, found.contrasts.smaller, points)
    return framed(
        drawn,
        _table(pairs),
        said=f"{found.measure}: mean differences of all pairs",
        described=_described(comparison, found.measure, pairs, len(order)),
        width=width,
        title=title,
    )


def is_open(pair: "Pair") -> bool:
    """Whether missing judgments could reverse a pair, as far as is known."""
    return isinstance(pair, RangedPair) and pair.flip in ("yes", "unresolved")


def _view(pairs: "list[Pair]", order: list[str], measure: str, smaller: bool, points: float) -> Any:
    """The cells, the dashes around those that are open, and the stars; names where there is room."""
    import altair as alt

    shown = [printable(run) for run in order]
    size = min(SIZE, max(_SMALLEST, points * (1 - _SHARE) / max(1, len(shown))) * 0.9)
    labels = labelled(shown, points * _SHARE, size)
    names = [labels[run] for run in shown]
    room = widest(names, size)
    cell = (points - room - 30) / max(1, len(names))
    named = cell >= _SMALLEST
    room, cell = (room, cell) if named else (0, (points - 30) / max(1, len(names)))
    tall = min(cell, _TALLEST)
    font = min(size, tall * 0.9)
    most = float(np.nanmax([abs(pair.difference) for pair in pairs] or [0.0], initial=0.0)) or 1.0
    rows = [_row(pair, labels, most) for pair in pairs if not np.isnan(pair.difference)]

    def axis(**more: Any) -> "alt.Axis":
        look: dict[str, Any] = {"labelFontSize": font, "labelLimit": points, "labels": named, "minExtent": room + 4}
        return alt.Axis(ticks=False, domain=False, grid=False, **look, **more)

    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("baseline:N", sort=names, title="minus this run", axis=axis(labelAngle=-90, orient="top")),
        y=alt.Y("run:N", sort=names, title="this run", axis=axis()),
        tooltip=["run:N", "baseline:N", "delta:Q", "interval:N", "p:Q", "possible:N"],
    )
    said = ["dashed: holes could flip it"] if _ranged(pairs) else []
    colours = list(reversed(DIFFERENCES) if smaller else DIFFERENCES)
    colour = alt.Color(
        "delta:Q",
        scale=alt.Scale(type="threshold", domain=[float(f"{most * step:.6g}") for step in STEPS], range=colours),
        legend=alt.Legend(
            title=joined([f"Δ {measure}", "*: significant", *said], points - room - 40),
            orient="bottom",
            titleFontWeight="normal",
            titleLimit=points,
            labelFontSize=SIZE - 1,
            format="+.2f" if most > 0.05 else "+.3f",
        ),
    )
    layers = [base.mark_rect(stroke=PAPER, strokeWidth=0.5 if named else 0).encode(color=colour)]
    ink = alt.condition("datum.deep", alt.value(PAPER), alt.value(INK))
    if any(row["open"] for row in rows):
        inner = {"band": 1 - min(0.3, 2.4 / tall)}
        edge = base.transform_filter("datum.open").encode(stroke=ink)
        fine = min(1.0, tall / 10)  # dashes as long as ever would fill a small cell
        dash = [fine * part for part in UNJUDGED_DASH]
        dashed: dict[str, Any] = {"strokeWidth": 0.8 * fine, "strokeDash": dash, "width": inner, "height": inner}
        layers.append(edge.mark_rect(filled=False, **dashed))
    told = base.transform_filter("datum.star != ''")
    if tall >= _STARRED:
        most_marks = max([1, *(len(row["star"]) for row in rows)])
        small = min(font, 0.9 * cell / most_marks)  # they stay inside the dashes
        layers.append(told.mark_text(fontSize=small, baseline="middle", dy=1.5).encode(text="star:N", color=ink))
    else:
        layers.append(told.mark_point(filled=True, size=1.2, opacity=1).encode(color=ink))
    whole = alt.layer(*layers).resolve_scale(stroke="independent", color="independent")
    return sized(whole, points, len(names) * tall + room + 56 + 10 * len(said))


def _ranged(pairs: "list[Pair]") -> bool:
    return any(isinstance(pair, RangedPair) and pair.flip is not None for pair in pairs)


def _row(pair: "Pair", labels: dict[str, str], most: float) -> dict[str, Any]:
    low, high = pair.ci
    ends = (pair.possible_low, pair.possible_high) if isinstance(pair, RangedPair) else (None, None)
    return {
        "run": labels[printable(pair.run)],
        "baseline": labels[printable(pair.baseline)],
        "delta": six_digits(pair.difference),
        "interval": "–" if np.isnan(low) else f"{low:+.4f} to {high:+.4f}",
        "p": None if np.isnan(pair.p) else float(f"{pair.p:.3g}"),
        "possible": "–" if ends[0] is None or ends[1] is None else f"{ends[0]:+.4f} to {ends[1]:+.4f}",
        "star": "*" * pair.significant + marks(pair.warning),
        "open": is_open(pair),
        "deep": abs(pair.difference) > most * STEPS[-1],
    }


def _table(pairs: "list[Pair]") -> Sheet:
    columns = [
        Column("run", [pair.run for pair in pairs]),
        Column("baseline", [pair.baseline for pair in pairs]),
        Signed("Δ", [pair.difference for pair in pairs], "+.4f"),
        Column("p", [pair.p for pair in pairs], ".4f"),
    ]
    if _ranged(pairs):
        ranged = [pair for pair in pairs if isinstance(pair, RangedPair)]
        columns += [
            Signed("lowest Δ", [pair.possible_low for pair in ranged], "+.4f"),
            Signed("highest Δ", [pair.possible_high for pair in ranged], "+.4f"),
            Column("holes could flip it", [pair.flip for pair in ranged]),
        ]
    return Sheet(tuple(columns))


def _described(comparison: Comparison, measure: str, pairs: "list[Pair]", runs: int) -> str:
    found, method = comparison.of(measure), comparison.method
    count = int(np.count_nonzero(found.pairs.significant))
    few, holes = (sum(mark in marks(warning) for warning in found.pairs.warning) for mark in (DOUBT, UNJUDGED))
    doubts = f"; {few:,} of them doubtful ({DOUBT}), too few topics differ" if few else ""
    doubts += f"; {holes:,} between runs of which other shares are judged ({UNJUDGED})" if holes else ""
    left = sum(map(is_open, pairs)) // 2  # each pair in both directions
    told = f" Missing judgments could reverse {counted(left, 'pair')} (dashed)." if _ranged(pairs) else ""
    return (
        f"Mean differences in {measure} of {counted(len(found.contrasts), 'pair')} of {counted(runs, 'run')}, "
        f"best run first; {count:,} marked as significant, {method.corrected}p < {method.alpha:g}{doubts}.{told}"
    )
