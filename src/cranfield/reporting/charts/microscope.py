"""The microscope: the rankings of one topic side by side, what was judged in them, and where each document moved."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.errors import printable
from cranfield.errors.extras import need
from cranfield.errors.names import place
from cranfield.errors.ranges import check_least
from cranfield.reporting.drawing import sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.joining import document_lines
from cranfield.reporting.labels import labelled, shortened
from cranfield.reporting.style import CENTIMETRE, EDGE, GRADES, INK, PAPER, QUIET, SIZE, UNJUDGED_DASH, centimetres
from cranfield.reporting.topic_lists import ListsOfTopic, chosen_topics, topic_lists
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.side.selection import best_first
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.missing.result import Holes

_NARROWEST = 58  # points of a column: as many runs are shown as fit, if none are named
_HALF = 0.36  # of the width of a cell, in columns
_ROW, _AROUND = 12.0, 62  # points: of a rank, and of names and legend
_BETWEEN = 3  # points between two names of runs, and of a document from the edges of its cell


@chart_kind(
    "microscope",
    "the rankings of one topic side by side",
    result="holes",
    question="What do the runs list for one topic, what of it was judged, and what moved?",
    reading="A column is the list of one run, from the first rank down; a deeper cell is a higher grade, a "
    "hollow dashed one is not judged, and lines join the same document.",
)
def microscope(
    of: "Holes",
    *,
    topic: str | None = None,
    runs: Sequence[str] = (),
    depth: int | None = None,
    measure: str | None = None,
    width: Width = "two",
    title: str = "",
) -> Figure:
    """Draw the rankings of one topic side by side: the colour of a cell is the grade, lines join the same document.

    What is not judged is hollow and dashed.

    Args:
        of: the result of `cranfield.holes`.
        topic: its id; by default the one with the largest difference of the first two runs, or the widest range.
        runs: names, from left to right; by default the best ones, as many as fit.
        depth: ranks; by default as many as the measure looks at, 30 at most.
        measure: its name; the first by default.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    need("altair", "a chart")
    if depth is not None:
        check_least(1, depth=depth)
    points = centimetres(width) * CENTIMETRE
    at = 0 if measure is None else place(measure, of.measures, "measure")
    for run in runs:
        place(run, of.runs, "run")
    smaller = of.situations[of.measures[at]].measure.definition.smaller
    best = [of.runs[run] for run in best_first(of.scores.means[:, at], smaller)]
    chosen = list(runs) or best[: max(1, int(points // _NARROWEST))]
    if topic is None:
        topic = next((name for name, _ in chosen_topics(of, chosen, 1, measure)), of.scores.topics[0])
    place(topic, of.scores.topics, "topic")
    found = topic_lists(of, topic, chosen, of.measures[at])
    deepest = min(depth or found.depth, found.depth)
    number = counted(deepest, "document")
    return framed(
        _view(found, deepest, points),
        _table(found, deepest),
        said=f"rankings of topic {topic}",
        described=(
            f"Topic {topic}: the first {number} of {counted(len(chosen), 'run')}. {found.sentence} {_scores(found)}."
        ),
        width=width,
        title=title,
    )


def _scores(found: ListsOfTopic) -> str:
    return f"{found.measure}: " + ", ".join(f"{each.run} {each.words}" for each in found.runs)


def _view(found: ListsOfTopic, deepest: int, points: float) -> Any:
    """The lines, the cells of judged documents, those of unjudged ones, their names, and the names of the runs."""
    import altair as alt

    cells = _cells(found, deepest, points)
    scale = grade_colours([row["level"] for row in cells if row["judged"]])
    for row in cells:
        row["deep"] = row["judged"] and scale[row["level"]] in GRADES[3:]
    lists = [[each.document for each in listed.documents if each.rank <= deepest] for listed in found.runs]
    joins = [
        {"x": line.left + _HALF, "y": line.ranks[0], "x2": line.left + 1 - _HALF, "y2": line.ranks[1]}
        | {"document": printable(line.document)}
        for line in document_lines(lists, deepest)
    ]
    room = (points - 30) / max(1, len(found.runs)) - _BETWEEN
    labels = labelled([printable(each.run) for each in found.runs], room, SIZE, bold=True)
    heads = [{"x": at, "y": 0.1, "run": label} for at, label in enumerate(labels.values())]
    across = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-0.5, len(found.runs) - 0.5], nice=False, zero=False))
    ranks = alt.Axis(values=list(range(1, deepest + 1)), format="d", grid=False, ticks=False, domain=False)
    down = alt.Scale(domain=[deepest + 0.6, -0.4], nice=False, zero=False)

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q", title="rank (dashed: not judged)", axis=ranks, scale=down)

    picked = alt.selection_point(fields=["document"], on="pointerover", clear="pointerout", name="document")
    faint = alt.condition(picked, alt.value(1), alt.value(0.3))
    base = alt.Chart(alt.InlineData(values=cells)).encode(
        x=across, y=y("top"), x2="right:Q", y2="bottom:Q", tooltip=["run:N", "rank:Q", "document:N", "level:N"]
    )
    base = base.encode(x=alt.X("left:Q", axis=None, scale=across["scale"]), opacity=faint)
    color = alt.Color(
        "level:N",
        scale=alt.Scale(domain=list(scale), range=list(scale.values())),
        legend=alt.Legend(title=None, orient="bottom", direction="horizontal", symbolType="square", symbolSize=60),
    )
    layers = [
        alt.Chart(alt.InlineData(values=joins))
        .mark_rule(color=EDGE, strokeWidth=0.8)
        .encode(x=across, y=y("y"), x2="x2:Q", y2="y2:Q", opacity=faint),
        base.transform_filter("datum.judged").mark_rect(stroke=EDGE, strokeWidth=0.4).encode(color=color),
        base.transform_filter("!datum.judged").mark_rect(
            filled=False, stroke=QUIET, strokeWidth=0.9, strokeDash=UNJUDGED_DASH
        ),
        alt.Chart(alt.InlineData(values=cells))
        .mark_text(fontSize=SIZE - 2, baseline="middle")
        .encode(
            x=across, y=y("rank"), text="short:N", color=alt.condition("datum.deep", alt.value(PAPER), alt.value(INK))
        ),
        alt.Chart(alt.InlineData(values=heads))
        .mark_text(fontSize=SIZE, fontWeight="bold", baseline="middle")
        .encode(x=across, y=y("y"), text="run:N"),
    ]
    layers[1] = layers[1].add_params(picked)
    whole = alt.layer(*(layer for layer, rows in zip(layers, (joins, [1], [1], [1], [1]), strict=True) if rows))
    return sized(whole.resolve_scale(color="independent"), points, (deepest + 1) * _ROW + _AROUND)


def _cells(found: ListsOfTopic, deepest: int, points: float) -> list[dict[str, Any]]:
    room = (points - 30) / max(1, len(found.runs)) * 2 * _HALF - _BETWEEN
    return [
        {
            "x": at,
            "left": at - _HALF,
            "right": at + _HALF,
            "rank": each.rank,
            "top": each.rank - 0.42,
            "bottom": each.rank + 0.42,
            "run": printable(listed.run),
            "document": printable(each.document),
            "short": shortened(printable(each.document), room, SIZE - 2),
            "judged": each.grade is not None,
            "level": "unjudged" if each.grade is None else f"grade {each.grade:g}",
        }
        for at, listed in enumerate(found.runs)
        for each in listed.documents
        if each.rank <= deepest
    ]


def grade_colours(levels: Sequence[str]) -> dict[str, str]:
    """The colour of each grade: one hue, from pale to deep."""
    grades = sorted({*levels}, key=lambda level: float(level.removeprefix("grade ")))
    most = max((float(level.removeprefix("grade ")) for level in grades), default=1.0) or 1.0
    top = min(4, max(3, len(grades) - 1))
    shares = [max(0.0, float(level.removeprefix("grade "))) / most for level in grades]
    return {level: GRADES[int(np.ceil(share * top))] for level, share in zip(grades, shares, strict=True)}


def _table(found: ListsOfTopic, deepest: int) -> Sheet:
    rows = [
        (each.rank, listed.run, each.document, each.grade)
        for listed in found.runs
        for each in listed.documents
        if each.rank <= deepest
    ]
    ranks, runs, documents, grades = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Sheet(
        (
            Column("run", list(runs)),
            Column("rank", list(ranks), "d"),
            Column("document", list(documents)),
            Column("grade", list(grades), "g"),
        )
    )
