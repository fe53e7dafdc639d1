"""Rows -> Altair marks: lines, bands, points and notes that share scales, looks and one legend."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cranfield.errors.extras import need
from cranfield.reporting.labels import LEGEND, text_width, widest
from cranfield.reporting.lines import Panel, Row, rows_of
from cranfield.reporting.run_rows import joined
from cranfield.reporting.style import GREY, INK, QUIET, SIZE, Look

if TYPE_CHECKING:
    import altair as alt

_ROW = SIZE + 4  # height of a row of the legend
_AXIS = 40  # room for an axis with its title
_BESIDE = 34  # width of the vertical axis, right of which a legend begins
_SYMBOL = 36  # width of a symbol of a legend with the blanks around it
_STROKE = "M-2.6,0H2.6"  # a symbol wider than it is high, so that the rows of a legend stay close
_GAP = 12  # between panels
_MOST_COLUMNS = 3
_NARROWEST, _NARROW_OF_MANY = 130, 115  # a panel side by side with others; with more than fit into one row


@dataclass(frozen=True)
class Axes:
    """Titles and scales; a domain that is not given is as large as the data, from 0."""

    x: str
    across: tuple[float, float]
    log: bool = False
    steps: bool = False  # whether lines are steps, whose area means something

    def horizontal(self, wide: float) -> "alt.X":
        """The horizontal axis, so wide; a title that is longer has several lines."""
        import altair as alt

        whole = 1 if self.across[0] >= 1 else alt.Undefined  # ranks
        axis = alt.Axis(tickCount=5, tickMinStep=whole)
        scale = alt.Scale(type="log" if self.log else "linear", domain=list(self.across), nice=False)
        title = self.x if text_width(self.x, SIZE + 1) <= wide else joined(self.x.split(), wide, " ")
        return alt.X("x:Q", title=title, scale=scale, axis=axis)


def _vertical(title: str, up: tuple[float, float] | None, field: str = "y") -> "alt.Y":
    """The vertical axis, with the given domain, or from 0 to the largest value."""
    import altair as alt

    scale = alt.Scale(zero=True) if up is None else alt.Scale(domain=list(up), nice=False)
    return alt.Y(f"{field}:Q", title=title or None, scale=scale, axis=alt.Axis(tickCount=5))


def lines(panels: Sequence[Panel], looks: Sequence[Look], axes: Axes, points: float, notes: Sequence[Row]) -> Any:
    """A chart of lines, `points` wide: one panel, or several side by side or one below the other."""
    need("altair", "a chart")
    import altair as alt

    several = len(panels) > 1 and any(line.high is not None for panel in panels for line in panel.lines)
    picked = None if several else alt.selection_point(fields=["label"], bind="legend", name="picked")
    columns = panel_columns(len(panels), points)
    wide = (points - 8 - (columns - 1) * _GAP) / columns - _AXIS + 12 * (not panels[0].y)
    views = [
        _view(panel, number, looks, axes, (points, wide), picked, notes if len(panels) == 1 else ())
        for number, panel in enumerate(panels)
    ]
    if picked is not None:
        views[0] = views[0].add_params(picked)  # one choice for all panels
    if len(views) == 1:
        return fitted(views[0], looks, points, points * 0.62)
    tall = wide * (0.8 if columns > 1 else 0.38)
    sized = [each.properties(width=wide, height=tall) for each in views]
    return alt.concat(*sized, columns=columns, spacing=_GAP)


def panel_columns(panels: int, points: float) -> int:
    """How many panels stand side by side."""
    narrow = _NARROWEST if panels <= _MOST_COLUMNS else _NARROW_OF_MANY
    return min(panels, _MOST_COLUMNS, max(1, int(points // narrow)))


def scatter(rows: Mapping[str, Sequence[Row]], looks: Sequence[Look], points: float) -> Any:
    """Points on precision and recall between contours of equal F: small for topics, large for their means."""
    need("altair", "a chart")
    import altair as alt

    base = alt.Chart().encode(x=Axes("recall", (0, 1)).horizontal(points), y=_vertical("precision", (0, 1)))
    shape = alt.Shape("label:N", scale=_scale(looks, "shape"), legend=_legend(looks, points, filled=True))
    color = _color(looks, points, filled=True)
    marked = base.encode(color=color, shape=shape, tooltip=["name:N", "topic:N", "x:Q", "y:Q"])
    layers = {
        "contours": base.mark_line(color=GREY, strokeWidth=0.7, clip=True).encode(detail="f:N", order="x:Q"),
        "values": base.mark_text(align="left", dx=3, color=QUIET).encode(text="f:N"),
        "topics": marked.mark_point(filled=True, size=14, opacity=0.55),
        "others": marked.mark_point(filled=True, size=30, opacity=1),
        "means": marked.mark_point(filled=True, size=75, opacity=1, stroke=INK, strokeWidth=0.9),
    }
    whole = alt.layer(
        *(
            layer.properties(name=name, data=alt.InlineData(values=list(rows[name])))
            for name, layer in layers.items()
            if rows.get(name)
        )
    )
    return fitted(whole, looks, points, points * 0.8)


def fitted(view: Any, looks: Sequence[Look], points: float, tall: float) -> Any:
    """A single view that fits its width, made higher to hold its legend."""
    return sized(view, points, min(tall, 300) + legend_height([look.label for look in looks], points))


def sized(view: Any, wide: float, tall: float) -> Any:
    """A view whose axes, legend and padding all fit into so many points."""
    import altair as alt

    return view.properties(width=wide, height=tall, autosize=alt.AutoSizeParams(type="fit", contains="padding"))


def _view(
    panel: Panel,
    number: int,
    looks: Sequence[Look],
    axes: Axes,
    room: tuple[float, float],
    picked: Any,
    notes: Sequence[Row],
) -> Any:
    """The lines of a panel, the bands behind them, and the notes beside them, in the room of a chart and of a panel."""
    import altair as alt

    points, wide = room

    title = {"title": panel.title} if panel.title else {}
    lone = {line.label for line in panel.lines if len(line.x) == 1}  # a line of one point cannot be seen: a mark can
    if lone:
        looks = [replace(k, dash=[1, 0]) if k.label in lone else replace(k, shape=_STROKE) for k in looks]
    data = alt.InlineData(values=rows_of(panel.lines))
    base = alt.Chart(data, name=f"lines{number}").encode(
        x=axes.horizontal(wide), detail="name:N", color=_color(looks, points)
    )
    drawn = base.mark_line(interpolate="step-before" if axes.steps else "linear").encode(
        y=_vertical(panel.y, panel.up),
        strokeDash=alt.StrokeDash("label:N", scale=_scale(looks, "dash"), legend=_legend(looks, points)),
        strokeWidth=alt.StrokeWidth("label:O", scale=_scale(looks, "width"), legend=_legend(looks, points)),
        order="place:Q",
        opacity=alt.value(1) if picked is None else alt.condition(picked, alt.value(1), alt.value(0.15)),
        tooltip=["name:N", "x:Q", "y:Q"],
    )
    layers = [drawn]
    if lone:
        data = alt.InlineData(values=rows_of([line for line in panel.lines if line.label in lone]))
        marked = alt.Chart(data, name=f"points{number}").mark_point(filled=True, size=45, opacity=1)
        layers.append(
            marked.encode(
                x=axes.horizontal(wide),
                y=_vertical(panel.y, panel.up),
                color=_color(looks, points),
                shape=alt.Shape("label:N", scale=_scale(looks, "shape"), legend=_legend(looks, points)),
                tooltip=["name:N", "x:Q", "y:Q"],
            )
        )
    if any(line.high is not None for line in panel.lines):
        band = base.mark_area(opacity=0.18).transform_filter("isValid(datum.high)").properties(name=f"bands{number}")
        layers.insert(0, band.encode(y=_vertical(panel.y, panel.up, "low"), y2="high:Q"))
    for place, note in enumerate(notes):
        mark = alt.Chart(alt.InlineData(values=[note])).encode(x=axes.horizontal(wide))
        side: dict[str, Any] = {"align": "right", "dx": -3} if note["left"] else {"align": "left", "dx": 3}
        words = mark.mark_text(baseline="bottom", dy=-2, color=QUIET, **side).encode(
            y=alt.value("height"), text="text:N"
        )
        rule = mark.mark_rule(color=QUIET, strokeWidth=0.7, strokeDash=[2, 2])
        layers += [rule.properties(name=f"rule{place}"), words.properties(name=f"words{place}")]
    return alt.layer(*layers, **title)


def _color(looks: Sequence[Look], points: float, filled: bool = False) -> "alt.Color":
    import altair as alt

    return alt.Color("label:N", scale=_scale(looks, "color"), legend=_legend(looks, points, filled))


def _scale(looks: Sequence[Look], part: str) -> "alt.Scale":
    import altair as alt

    labels, marks = [look.label for look in looks], [getattr(look, part) for look in looks]
    return alt.Scale(type="ordinal", domain=labels, range=marks)  # widths would lie on a line otherwise


def _legend(looks: Sequence[Look], points: float, filled: bool = False) -> "alt.Legend":
    """One legend for all marks of a label, below the chart: a stroke for a line, the shape of a point."""

    symbol = {"symbolSize": 45} if filled else {"symbolType": _STROKE, "symbolSize": 64, "labelOffset": 10}
    return legend_below([look.label for look in looks], points, **symbol)


def legend_below(labels: Sequence[str], points: float, beside: float = _BESIDE, **symbol: Any) -> "alt.Legend":
    """A legend below a chart, in as many columns as fit; `beside` is the width of the vertical axis."""
    import altair as alt

    return alt.Legend(
        title=None,
        orient="bottom",
        direction="horizontal",
        columns=legend_columns(labels, points - beside),
        columnPadding=9 + 0.15 * widest(labels),  # the renderer measures a narrow font: see `labels.py`
        labelLimit=points,
        **symbol,
    )


def legend_columns(labels: Sequence[str], room: float) -> int:
    """How many columns of a legend fit side by side, each as wide as its longest label.

    >>> legend_columns(["bm25", "dense"], 207), legend_columns(["a very long name of a run, indeed"] * 2, 207)
    (2, 1)
    >>> legend_columns(["nil"] * 4, 207), legend_columns(["nDCG"] * 4, 207)  # capitals are wide
    (4, 3)
    """
    for columns in range(len(labels), 1, -1):
        widths = [max(map(text_width, labels[at::columns])) + _SYMBOL for at in range(columns)]
        if sum(widths) <= room:
            return columns
    return 1


def legend_height(labels: Sequence[str], points: float, beside: float = _BESIDE) -> float:
    """The points that all rows of a legend take."""
    return -(-len(labels) // legend_columns(labels, points - beside)) * _ROW


def legend_room(points: float, beside: float) -> float:
    """The points of the longest label of a legend beside so wide an axis."""
    return min(LEGEND, points - beside - _SYMBOL)
