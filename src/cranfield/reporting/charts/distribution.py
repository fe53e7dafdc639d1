"""The distribution of scores over topics: a point for each topic, and a box for the quartiles of each run."""

from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import printable
from cranfield.errors.extras import need
from cranfield.errors.names import place
from cranfield.reporting.drawing import sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.run_rows import RunRows, six_digits
from cranfield.reporting.style import ACCENT, CENTIMETRE, EDGE, INK, OKABE_ITO, centimetres
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.scores import Scores
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.side.selection import best_first
from cranfield.tables.words import counted

_QUANTILES = {"lowest": 0.0, "quartile_1": 0.25, "median": 0.5, "quartile_3": 0.75, "highest": 1.0}
_AROUND = 50  # points: the axis and its title
_GOLDEN = 0.618034  # of a row: neighbouring topics lie this far apart, so that equal values can be told apart


@chart_kind(
    "distribution",
    "scores of all topics, and their quartiles",
    result="scores",
    question="How far do scores spread over topics, and which topics stand apart?",
    reading="A point is a topic; the box reaches from the first to the third quartile, its line is the median.",
)
def distribution(
    scores: Scores, *, measure: str | None = None, topic: str | None = None, width: Width = "two", title: str = ""
) -> Figure:
    """Draw the score of each run on each topic (points), and the quartiles of them (box), the best run first.

    Args:
        scores: the result of `cranfield.evaluate`.
        measure: its name; the first by default.
        topic: this topic is drawn in another colour and shape, in all runs.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.

    >>> import cranfield as cf
    >>> qrels = {str(n): {"a": 1} for n in range(1, 6)}
    >>> run = {str(n): [*"xyzw"[: n - 1], "a"] for n in range(1, 6)}  # 1, 1/2, 1/3, 1/4, 1/5
    >>> cf.evaluate(qrels, {"bm25": run}, "RR").plot("distribution").description
    'RR of 1 run on each of 5 topics, the best first. The median of bm25 is 0.333, half of its topics lie between 0.250
    and 0.500.'
    """
    need("altair", "a chart")
    at = 0 if measure is None else place(measure, scores.measures, "measure")
    marked = None if topic is None else place(topic, scores.topics, "topic")
    name, points = scores.measures[at], centimetres(width) * CENTIMETRE
    order = best_first(scores.means[:, at], name in scores.smaller)
    values = scores.values[order, :, at]
    runs = [scores.runs[run] for run in order]
    spread = np.array([[_quantile(row, share) for share in _QUANTILES.values()] for row in values])
    known = np.count_nonzero(np.isfinite(values), axis=1)
    rows = RunRows(runs, points, highest=22.0)
    drawn = sized(_layers(rows, values, spread, scores, name, marked), points, rows.tall + _AROUND)
    columns = [Column(each, spread[:, n], ".4f") for n, each in enumerate(_QUANTILES)]
    means = Column("mean", [float(np.nanmean(row)) if np.isfinite(row).any() else np.nan for row in values], ".4f")
    own = [] if marked is None else [Column(f"topic {scores.topics[marked]}", values[:, marked], ".4f")]
    table = Sheet((Column("run", runs), *columns, means, Column("topics", known, "d"), *own))
    return framed(
        drawn,
        table,
        said=f"{name}, topic by topic",
        described=_described(name, scores, runs, spread, topic),
        width=width,
        title=title,
    )


def _quantile(values: Floats, share: float) -> float:
    known = values[np.isfinite(values)]
    return float(np.quantile(known, share)) if len(known) else np.nan


def _layers(rows: RunRows, values: Floats, spread: Floats, scores: Scores, measure: str, marked: int | None) -> Any:
    """The boxes, the points of all topics, and those of the topic that stands out."""
    import altair as alt

    topics = [printable(topic) for topic in scores.topics]
    shift = (np.arange(len(topics)) * _GOLDEN) % 1  # the same for a topic in all runs
    dots = [
        {"run": label, "topic": topics[t], "value": six_digits(float(value)), "shift": round(float(shift[t]), 4)}
        for label, row in zip(rows.labels, values, strict=True)
        for t, value in enumerate(row)
        if np.isfinite(value)
    ]
    boxes = [
        {"run": label, "shift": 0.5} | {name: six_digits(float(v)) for name, v in zip(_QUANTILES, row, strict=True)}
        for label, row in zip(rows.labels, spread, strict=True)
    ]
    words = ["point: a topic", "box: quartiles and median"]
    words += [] if marked is None else [f"square: topic {topics[marked]}"]
    domain = _domain(values)

    def across(field: str) -> Any:
        scale = alt.Scale(domain=domain, nice=False, zero=False)
        return alt.X(f"{field}:Q", title=rows.titles(measure, words), scale=scale, axis=alt.Axis(tickCount=6))

    picked = alt.selection_point(fields=["topic"], on="pointerover", clear="pointerout", name="topic")
    box = alt.Chart(alt.InlineData(values=boxes)).encode(
        y=rows.axis(), tooltip=["run:N", *(alt.Tooltip(f"{name}:Q", format=".4f") for name in _QUANTILES)]
    )
    dot = alt.Chart(alt.InlineData(values=dots)).encode(
        x=across("value"),
        y=rows.axis(),
        yOffset=alt.YOffset("shift:Q", scale=alt.Scale(domain=[-0.25, 1.25])),
        tooltip=["run:N", "topic:N", alt.Tooltip("value:Q", format=".4f")],
    )
    tall = rows.high * 0.76
    size = min(rows.high * 0.7, 10)
    layers = [
        dot.mark_point(filled=True, color=ACCENT, size=size)
        .encode(
            opacity=alt.condition(picked, alt.value(0.5), alt.value(0.12)),
        )
        .add_params(picked),
        box.mark_bar(filled=False, stroke=EDGE, strokeWidth=0.9, height=tall).encode(
            x=across("quartile_1"), x2="quartile_3:Q"
        ),
        box.mark_tick(color=INK, thickness=1.6, size=tall).encode(x=across("median")),
    ]
    if marked is not None:
        own = [row for row in dots if row["topic"] == topics[marked]]
        lone = dot.properties(data=alt.InlineData(values=own), name="marked")
        layers.append(
            lone.mark_point(
                shape="square", filled=True, color=OKABE_ITO[1], size=size * 3.2, opacity=1, stroke=INK, strokeWidth=0.7
            )
        )
    return alt.layer(*layers)


def _domain(values: Floats) -> list[float]:
    known = values[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    room = (high - low or 1.0) * 0.03
    return [float(f"{low - room:.6g}"), float(f"{high + room:.6g}")]


def _described(measure: str, scores: Scores, runs: list[str], spread: Floats, topic: str | None) -> str:
    begin = (
        f"{measure} of {counted(len(runs), 'run')} on each of {counted(len(scores.topics), 'topic')}, the best first."
    )
    told = f" Topic {topic} is marked." if topic is not None else ""
    if not np.isfinite(spread[:1]).all() or not len(spread):
        return begin + told
    _, first, middle, third, _ = spread[0].tolist()
    half = f"half of its topics lie between {first:.3f} and {third:.3f}"
    return f"{begin} The median of {runs[0]} is {middle:.3f}, {half}.{told}"
