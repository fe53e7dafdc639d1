"""Charts of agreement: the confusion table, the coefficients, and the systems under each assessor."""

from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import PolicyError, printable
from cranfield.errors.extras import need
from cranfield.errors.names import place
from cranfield.errors.wording import setting
from cranfield.reporting.drawing import legend_below, legend_height, sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.labels import labelled, shortened, text_width, widest
from cranfield.reporting.lines import others
from cranfield.reporting.run_rows import RunRows, six_digits
from cranfield.reporting.style import (
    ACCENT,
    CENTIMETRE,
    INK,
    MOST,
    PAPER,
    SHARES,
    SIZE,
    centimetres,
    looks,
)
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.agreement.consequences import Consequences
    from cranfield.stats.agreement.result import Agreement

STEPS = (0.1, 0.3, 0.5, 0.7)  # of the largest count, where the colour of a cell changes
_CELL, _AROUND = 26.0, 52  # points: of a cell at most, and of the axes
_ROOM, _TALL = 12, 120  # points: around the title beside the rows, and of that title at most
_AXIS = 40  # points: of the vertical axis with its title


@chart_kind(
    "confusion",
    "grades of one assessor against those of another",
    result="agreement",
    question="Which grades do assessors confuse?",
    reading="A cell counts the documents to which one assessor (row) and the other (column) gave these "
    "grades; a deeper colour is a larger count, and agreement lies on the diagonal.",
    usual=True,
)
def confusion(agreement: "Agreement", *, assessors: str | None = None, width: Width = "one", title: str = "") -> Figure:
    """Draw the confusion table with its counts; the cells on the diagonal are those of agreement.

    Args:
        agreement: the result of `cranfield.agree`.
        assessors: two of them, as `ann, bob`; by default both, or all couples together.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    need("altair", "a chart")
    import altair as alt

    names, counts = _table_of(agreement, assessors)
    grades = [f"{grade:g}" for grade in agreement.grades]
    most = float(counts.max(initial=0.0)) or 1.0
    rows = [
        {"first": grades[a], "second": grades[b], "pairs": int(count), "deep": bool(count >= most * STEPS[-1])}
        | {"same": a == b}
        for (a, b), count in np.ndenumerate(counts)
    ]
    points = centimetres(width) * CENTIMETRE
    cell = min(_CELL, (points - 40) / max(1, len(grades)))
    beside = _by(names[0], _TALL)
    high = max(cell, (text_width(beside) + _ROOM) / max(1, len(grades)))  # the title beside the rows fits
    bare: dict[str, Any] = {"ticks": False, "domain": False, "grid": False, "labelAngle": 0}
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("second:N", sort=grades, title=_by(names[1], points - 40), axis=alt.Axis(orient="top", **bare)),
        y=alt.Y("first:N", sort=grades, title=beside, axis=alt.Axis(minExtent=widest(grades) + 4, **bare)),
        tooltip=["first:N", "second:N", "pairs:Q"],
    )
    scale = alt.Scale(type="threshold", domain=[most * step for step in STEPS], range=list(SHARES))
    ink = alt.condition("datum.deep", alt.value(PAPER), alt.value(INK))
    layers = (
        base.mark_rect(stroke=PAPER, strokeWidth=0.5).encode(color=alt.Color("pairs:Q", scale=scale, legend=None)),
        base.transform_filter("datum.same").mark_rect(filled=False, stroke=INK, strokeWidth=0.9),
        base.mark_text(fontSize=min(SIZE, cell * 0.5), baseline="middle").encode(
            text=alt.Text("pairs:Q", format=","), color=ink
        ),
    )
    total, same = int(counts.sum()), int(np.trace(counts))
    described = (
        f"Grades by {names[0]} (rows) and {names[1]} (columns) of {counted(total, 'pair')}: "
        f"the same on {same:,}. {_coefficients(agreement)}"
    )
    columns = [Column(grade, counts[:, at], ".0f") for at, grade in enumerate(grades)]
    return framed(
        sized(alt.layer(*layers), points, high * len(grades) + _AROUND),
        Sheet((Column(f"{names[0]} \\ {names[1]}", grades), *columns)),
        said=f"grades by {names[0]} and {names[1]}",
        described=described,
        width=width,
        title=title,
    )


@chart_kind(
    "coefficients",
    "coefficients of agreement with their intervals",
    result="agreement",
    question="How far do assessors agree, and how sure is that?",
    reading="A dot is a coefficient, the line through it its 95 % interval; 0 is agreement by chance.",
)
def coefficients(agreement: "Agreement", *, width: Width = "one", title: str = "") -> Figure:
    """Draw every coefficient of agreement (dot) with its 95 % interval (line)."""
    need("altair", "a chart")
    import altair as alt

    found = [each for each in agreement.statistics if np.isfinite(each.value)]
    points = centimetres(width) * CENTIMETRE
    rows = RunRows([each.label for each in found], points, share=0.6)  # their names are known, and in full
    values = [
        {"run": label, "value": six_digits(each.value), "low": six_digits(each.low), "high": six_digits(each.high)}
        for label, each in zip(rows.labels, found, strict=True)
    ]
    marks = ["dot: as judged", "line: 95 % interval"]

    def across(field: str) -> Any:
        return alt.X(f"{field}:Q", title=rows.titles("agreement", marks), axis=alt.Axis(tickCount=6))

    base = alt.Chart(alt.InlineData(values=values)).encode(
        y=rows.axis(), tooltip=["run:N", "value:Q", "low:Q", "high:Q"]
    )
    layers = (
        base.mark_rule(color=ACCENT, strokeWidth=1.2).encode(x=across("low"), x2="high:Q"),
        base.mark_point(color=ACCENT, filled=True, opacity=1, size=34).encode(x=across("value")),
    )
    table = Sheet(
        (
            Column("coefficient", [each.label for each in found]),
            Column("value", [each.value for each in found], ".4f"),
            Column("ci_low", [each.low for each in found], ".4f"),
            Column("ci_high", [each.high for each in found], ".4f"),
        )
    )
    return framed(
        sized(alt.layer(*layers), points, rows.tall + _AROUND),
        table,
        said="coefficients of agreement",
        described=f"Agreement on {counted(agreement.pairs, 'pair')}. {_coefficients(agreement)}",
        width=width,
        title=title,
    )


@chart_kind(
    "systems",
    "scores of the systems under each of two assessors",
    result="agreement",
    question="Does disagreement change the order of systems?",
    reading="A line joins the score of one system under two assessors; lines that cross are systems whose "
    "order changes.",
)
def systems(agreement: "Agreement", *, measure: str | None = None, width: Width = "one", title: str = "") -> Figure:
    """Draw the mean score of each system under two assessors, joined by a line; lines that cross change places.

    Args:
        agreement: the result of `cranfield.agree` with runs.
        measure: its name; the first by default.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    every = (agreement.model or agreement).consequences
    if not every:
        raise PolicyError("E243", "no systems were evaluated, so there is nothing to draw", hint=setting("runs", "…"))
    known = list(dict.fromkeys(each.measure for each in every))
    name = known[0] if measure is None else known[place(measure, known, "measure")]
    found = next(each for each in every if each.measure == name)
    first, second = map(printable, found.assessors)
    columns = (
        Column("run", found.runs),
        Column(found.assessors[0], found.means[0], ".4f"),
        Column(found.assessors[1], found.means[1], ".4f"),
    )
    return framed(
        _slopes(found, centimetres(width) * CENTIMETRE),
        Sheet(columns),
        said=f"{name} of systems under {first} and {second}",
        described=(
            f"{name} of {counted(len(found.runs), 'system')} under {first} and under {second}: Kendall's tau "
            f"{found.tau:.3f}, places exchanged by {counted(found.swapped, 'pair')} of systems."
        ),
        width=width,
        title=title,
    )


def _slopes(found: "Consequences", points: float) -> Any:
    need("altair", "a chart")
    import altair as alt

    order = np.argsort(-np.nan_to_num(found.means[0]), kind="stable").tolist()
    labels = list(labelled([printable(found.runs[run]) for run in order]).values())
    rest = others(labels[MOST:], labels[:MOST])
    marks = looks(labels[:MOST], rest)
    sides = list(labelled([f"under {name}" for name in found.assessors], (points - _AXIS) / 2 - 8).values())
    rows = [
        {"name": label, "label": label if at < MOST else rest, "side": side, "mean": six_digits(float(means[run]))}
        for at, (run, label) in reversed(list(enumerate(zip(order, labels, strict=True))))
        for side, means in zip(sides, found.means, strict=True)
    ]
    entries = [mark.label for mark in marks]
    legend = legend_below(entries, points, symbolSize=40, symbolStrokeWidth=0)  # a dashed edge would spoil shapes

    def scale(part: str) -> Any:
        return alt.Scale(domain=entries, range=[getattr(mark, part) for mark in marks])

    picked = alt.selection_point(fields=["label"], bind="legend", name="picked")
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("side:N", sort=sides, title=None, axis=alt.Axis(labelAngle=0, grid=False, labelLimit=points / 2)),
        y=alt.Y("mean:Q", title=found.measure, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5)),
        detail="name:N",
        color=alt.Color("label:N", scale=scale("color"), legend=legend),
        opacity=alt.condition(picked, alt.value(1), alt.value(0.15)),
        tooltip=["name:N", "side:N", "mean:Q"],
    )
    dash = alt.StrokeDash("label:N", scale=scale("dash"), legend=legend)
    lines = base.mark_line(strokeWidth=1.4).encode(strokeDash=dash)
    dots = base.mark_point(filled=True, size=26).encode(shape=alt.Shape("label:N", scale=scale("shape"), legend=legend))
    tall = min(points * 0.7, 240) + legend_height(entries, points)
    return sized(alt.layer(lines.add_params(picked), dots), points, tall)


def _table_of(agreement: "Agreement", assessors: str | None) -> tuple[tuple[str, str], Floats]:
    """The names of rows and columns, and the counts."""
    couples = {", ".join(couple.assessors): couple for couple in agreement.couples}
    if assessors is None and (not agreement.two or len(couples) != 1):
        return ("one assessor", "another one"), agreement.confusion
    names = list(couples)
    found = couples[names[0] if assessors is None else names[place(assessors, names, "pair of assessors")]]
    first, second = found.assessors
    times = (", earlier", ", later") if agreement.mode == "within" else ("", "")
    return (_named(first) + times[0], _named(second) + times[1]), found.confusion


def _by(name: str, room: float) -> str:
    """The title of an axis of grades, in so many points."""
    begin = "grade by "
    return begin + shortened(name, room - text_width(begin, SIZE + 0.5), SIZE + 0.5)


def _named(assessor: str) -> str:
    """A name for the title of an axis, in which Vega would read a backslash as the beginning of a character."""
    return printable(assessor).replace("\\", "/")


def _coefficients(agreement: "Agreement") -> str:
    """The best known coefficients in words, with their intervals."""
    known = {each.id: each for each in agreement.statistics if np.isfinite(each.value)}
    told = []
    for name in ("raw", "cohen", f"alpha-{agreement.level}"):
        if (each := known.get(name)) is not None:
            ends = "" if np.isnan(each.low) else f" ({each.low:.3f} to {each.high:.3f})"
            told.append(f"{each.label} {each.value:.3f}{ends}")
    return "; ".join(told) + "." if told else ""
