"""Curves as charts: lines by rank or recall, the scatter of precision and recall, the functions of a user model."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.errors import printable
from cranfield.measures.grammar import parse
from cranfield.reporting.drawing import Axes, lines, panel_columns, scatter
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.labels import labelled
from cranfield.reporting.lines import Row, band_panels, chosen, isocurves, model_panels, run_looks, run_panels
from cranfield.reporting.style import CENTIMETRE, centimetres
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.curves.kind import CURVES
from cranfield.tables.curves.result import Curves
from cranfield.tables.words import counted

_SAID = 5  # runs whose numbers are in the description


@chart_kind(
    "curves",
    "lines by rank or recall; of F, the scatter of precision and recall",
    result="curves",
    question="How do precision, gain or attention develop down the ranking?",
    reading="A line is the mean at each rank or recall as judged; the band, if there is one, is what the "
    "caption says: here what is possible for unjudged documents. With bands there is a panel for "
    "each run, and the others are grey.",
)
def chart(
    curves: Curves, *, width: Width = "one", title: str = "", highlight: Sequence[str] = (), log: bool = False
) -> Figure:
    """Draw curves.

    Args:
        curves: the result of `cranfield.curve`.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart; by default none.
        highlight: names of up to seven runs that are drawn in colour, the others in grey; by default all runs, or the
            best seven of many.
        log: whether ranks stand on a logarithmic axis.

    >>> import cranfield as cf
    >>> curves = cf.curve({"q1": {"d1": 1, "d2": 0}}, {"q1": ["d2", "d1"]}, "pr")
    >>> figure = cf.chart(curves)
    >>> figure.title, figure.to_svg()[:4]
    ('Precision against recall, rank by rank', '<svg')
    """
    drawn = chosen(curves, highlight)
    points = centimetres(width) * CENTIMETRE
    return framed(
        _lines(curves, drawn, points, log) if curves.axis else _scatter(curves, drawn, points),
        curves.sheet(),
        said=CURVES[curves.kind].title.capitalize(),
        described=_described(curves, drawn),
        width=width,
        title=title,
    )


def _lines(curves: Curves, drawn: Sequence[str], points: float, log: bool) -> Any:
    """A line for each run (or user model), in one panel for each measure (or function)."""
    if CURVES[curves.kind].models:
        panels, looks = model_panels(curves)
    elif curves.band != "none" and len(curves.runs) > 1:
        columns = panel_columns(len(drawn) * len(curves.measures), points)
        panels, looks = band_panels(curves, drawn, points / columns - 14)
    else:
        panels, looks = run_panels(curves, drawn), run_looks(curves, drawn)
    by_rank = curves.x == "rank"
    axes = Axes(
        x=curves.x,
        across=(1, max(float(curves.points[-1]), 2)) if by_rank else (0, 1),
        log=log and by_rank,
        steps=CURVES[curves.kind].steps and len(curves.topics) == 1,
    )
    return lines(panels, looks, axes, points, _notes(curves))


def _notes(curves: Curves) -> list[Row]:
    """A mark where the ideal turns flat."""
    if not CURVES[curves.kind].ideal or curves.flat is None:
        return []
    left = curves.flat > 0.5 * len(curves.points)
    return [{"x": curves.flat, "text": f"ideal flat from rank {curves.flat:,}", "left": left}]


def _scatter(curves: Curves, drawn: Sequence[str], points: float) -> Any:
    """A point for each topic of the runs in colour, the mean of every run, and contours of equal F."""
    looks, labels = run_looks(curves, drawn), labelled(drawn)
    rows: dict[str, list[Row]] = {"topics": [], "others": [], "means": [], "contours": [], "values": []}
    for run in (*(run for run in curves.runs if run not in drawn), *reversed(drawn)):
        r, known = curves.runs.index(run), run in drawn
        name = {"label": labels.get(run, looks[-1].label), "name": printable(run)}
        recall, precision = (curves.means[column][0, r, 0] for column in ("recall", "precision"))
        if not np.isnan(recall + precision):
            rows["means" if known else "others"].append(name | {"topic": "mean"} | _place(recall, precision))
        recall, precision = (curves.by_topic[column][0, r, :, 0] for column in ("recall", "precision"))
        if known:
            places = zip(curves.topics, recall, precision, strict=True)
            rows["topics"] += [
                name | {"topic": printable(topic)} | _place(x, y) for topic, x, y in places if not np.isnan(x + y)
            ]
    for f, recall, precision in isocurves(parse(curves.measures[0]).arguments["beta"]):
        rows["contours"] += [{"f": f"{f:.1f}"} | _place(x, y) for x, y in zip(recall, precision, strict=True)]
        rows["values"].append({"f": f"{f:.1f}"} | _place(recall[-1], precision[-1]))
    return scatter(rows, looks, points)


def _place(x: float, y: float) -> Row:
    return {"x": float(f"{x:.6g}"), "y": float(f"{y:.6g}")}


def _described(curves: Curves, drawn: Sequence[str]) -> str:
    """The chart described in words, for readers who cannot see it."""
    kind = CURVES[curves.kind]
    topics, runs = counted(len(curves.topics), "topic"), counted(len(curves.runs), "run")
    said = [f"{kind.title.capitalize()}, {' and '.join(curves.measures)}, over {topics}, for {runs}."]
    if not kind.models:
        where = {"rank": f"At rank {curves.points[-1]:.0f}", "recall": "At recall 0.5", "": f"Mean {kind.compared}"}[
            curves.axis
        ]
        at = {"rank": -1, "recall": 5, "": 0}[curves.axis]
        values = [f"{run} {curves.means[kind.compared][0, curves.runs.index(run), at]:.3f}" for run in drawn[:_SAID]]
        said.append(f"{where}: {', '.join(values)}.")
    if kind.ideal:
        flat = curves.flat
        said.append(f"The ideal is flat from rank {flat}." if flat else "The ideal rises to the last rank.")
    said += [band] if (band := band_words(curves)) else []
    return " ".join(map(printable, said))


def band_words(curves: Curves) -> str:
    """The sentences that say what a band encloses; none without a band."""
    others = " In grey: the other runs." if len(curves.runs) > 1 else ""
    if curves.band == "quartiles":
        return f"Band: the middle half of the topics.{others}"
    if curves.band == "bounds":
        assumed = "; ".join(curves.assumptions)
        return (
            f"Band: lowest to highest possible value at each {curves.axis}, one by one, whatever the unjudged "
            f"documents are ({assumed}).{others}"
        )
    return ""
