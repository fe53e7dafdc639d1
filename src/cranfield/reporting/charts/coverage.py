"""The chart of coverage: which share of the documents at each rank of each run was judged."""

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Floats, ratio
from cranfield.errors import printable
from cranfield.errors.extras import need
from cranfield.errors.names import place
from cranfield.missing.coverage import Coverage, WholePercent
from cranfield.reporting.drawing import sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.run_rows import RunRows
from cranfield.reporting.style import CENTIMETRE, INK, PAPER, SHARES, SIZE, centimetres
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.missing.result import Holes

STEPS = [0.2, 0.4, 0.6, 0.8]  # shares at which the colour of a cell changes
_SINGLE = 20  # ranks up to which each has a column of its own
_NARROWEST = 9.5  # points of a column: below, ranks stand together
_AROUND = 66  # points: axis and legend


@chart_kind(
    "coverage",
    "judged share by rank",
    result="holes",
    question="How much of each run was judged, and down to which rank?",
    reading="A cell is the share of documents judged down to that rank, as a number and as a depth of colour.",
    usual=True,
)
def coverage_chart(
    of: "Coverage | Holes", *, topic: str | None = None, width: Width = "two", title: str = ""
) -> Figure:
    """Draw the judged share of the documents at each rank of each run, with the number in each cell.

    Ranks below 20 stand together, between the depths of the coverage; so do all where the chart is too narrow.

    Args:
        of: the coverage, or the result of `cranfield.holes`, which contains it.
        topic: draw this topic alone.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    need("altair", "a chart")
    import altair as alt

    coverage = of if isinstance(of, Coverage) else of.covered
    points = centimetres(width) * CENTIMETRE
    every = RunRows(coverage.runs, points)
    names, room = every.labels, points - every.beside - 10
    bands = rank_bands(coverage, room)
    shares = _shares(coverage, bands, topic)
    heads = [f"{first}" if first == last else f"{first}–{last}" for first, last in bands]
    rows = [
        {"run": names[run], "rank": heads[at], "share": float(f"{share:.6g}"), "text": _short(share)}
        for (run, at), share in np.ndenumerate(shares)
        if not np.isnan(share)
    ]
    narrow = room / max(1, len(heads))
    small = min(SIZE - 1, every.high * 0.85, narrow / 2.1)
    bare: dict[str, Any] = {"ticks": False, "domain": False, "grid": False}
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X(
            "rank:N",
            sort=heads,
            title="rank",
            axis=alt.Axis(labelAngle=0, orient="top", labelFontSize=min(SIZE, narrow / 1.5), **bare),
        ),
        y=every.axis(),
        tooltip=["run:N", "rank:N", alt.Tooltip("share:Q", format=".1%")],
    )
    legend = alt.Legend(title="share judged", orient="bottom", format=".0%")
    scale = alt.Scale(type="threshold", domain=STEPS, range=list(SHARES))
    cells = base.mark_rect(stroke=PAPER, strokeWidth=0.5).encode(color=alt.Color("share:Q", scale=scale, legend=legend))
    ink = alt.condition(f"datum.share >= {STEPS[-1]}", alt.value(PAPER), alt.value(INK))
    numbers = base.mark_text(fontSize=small, baseline="middle").encode(text="text:N", color=ink)
    drawn = sized(alt.layer(cells, numbers), points, every.tall + _AROUND)
    table = Sheet((Column("run", coverage.runs), *(WholePercent(head, shares[:, at]) for at, head in enumerate(heads))))
    said = "judged share by rank" if topic is None else f"judged share by rank, topic {printable(topic)}"
    return framed(drawn, table, said=said, described=_described(coverage, shares, topic), width=width, title=title)


def rank_bands(coverage: Coverage, room: float = inf) -> list[tuple[int, int]]:
    """The first and last rank of each column: every rank, or those between two depths where they are many."""
    deepest = coverage.state.shape[2]
    if deepest <= min(_SINGLE, room / _NARROWEST):
        return [(rank, rank) for rank in range(1, deepest + 1)]
    last = [*(depth for depth in coverage.at if depth < deepest), deepest]
    return list(zip([1, *(depth + 1 for depth in last)], last, strict=False))


def _shares(coverage: Coverage, bands: list[tuple[int, int]], topic: str | None) -> Floats:
    """`[run, band]`: judged documents among those that the lists hold at these ranks."""
    state = coverage.state
    if topic is not None:
        at = place(topic, coverage.topics, "topic")
        state = state[:, at : at + 1]
    parts = [state[:, :, first - 1 : last] for first, last in bands]
    judged = [np.count_nonzero(part == 0, axis=(1, 2)) for part in parts]
    held = [np.count_nonzero(part < 3, axis=(1, 2)) for part in parts]
    shape = (len(bands), len(coverage.runs))
    return ratio(np.reshape(judged, shape), np.reshape(held, shape)).T


def _short(share: float) -> str:
    """Per cent without their sign, as there is room for three letters."""
    return WholePercent("", [share]).cells[0].removesuffix(" %")


def _described(coverage: Coverage, shares: Floats, topic: str | None) -> str:
    over = counted(len(coverage.topics), "topic") if topic is None else f"topic {printable(topic)}"
    begin = f"Judged share of the documents at each rank of {counted(len(coverage.runs), 'run')}, over {over}."
    whole = coverage.shares("run")[:, -1, 0]
    if topic is not None or np.isnan(whole).all():
        return begin
    ends = [
        (WholePercent("", [whole[at]]).cells[0], coverage.runs[at]) for at in (np.nanargmax(whole), np.nanargmin(whole))
    ]
    (most, first), (least, last) = ends
    return (
        f"{begin} Of the first {coverage.at[-1]:,}, most is judged of {first} ({most}) and least of {last} ({least})."
    )
