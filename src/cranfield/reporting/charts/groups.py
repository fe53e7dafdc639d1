"""The chart of groups of topics: the mean of every run in each of them, with its interval."""

import math
from typing import TYPE_CHECKING, Any

from cranfield.errors import printable
from cranfield.errors.extras import need
from cranfield.errors.names import place
from cranfield.reporting.drawing import legend_below, legend_height, legend_room, sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.labels import labelled, widest
from cranfield.reporting.lines import others
from cranfield.reporting.style import (
    CENTIMETRE,
    MOST,
    centimetres,
    looks,
)
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.sheets.scores import span
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.by_group.grouped import GroupedScores, GroupMean

_LINE = 9.0  # points between two runs of a group
_GAP = 8.0  # points between two groups
_AROUND = 46  # points: the axis and its title
_SHARE = 0.38  # of the width, which names may take
_TALL = 900  # points: more are not drawn; lines move together


@chart_kind(
    "groups",
    "means by group of topics",
    result="groups",
    question="In which groups of topics, or collections, is each run good, and how sure is that?",
    reading="A dot is the mean of a run in a group of topics, the line its 95 % interval; a shape stands for a run.",
)
def group_chart(
    grouped: "GroupedScores", *, measure: str | None = None, width: Width = "two", title: str = ""
) -> Figure:
    """Draw the mean of each run in each group (a mark), with its interval if there is one (a line).

    The last row is the mean of groups. Up to seven runs have a mark of their own; of more, the best.

    Args:
        grouped: the result of `cranfield.by_group` or `cranfield.evaluate_collections`.
        measure: its name; the first by default.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    need("altair", "a chart")
    import altair as alt

    name = grouped.scores.measures[place(measure, grouped.scores.measures, "measure") if measure else 0]
    best = grouped.sorted(name)
    drawn, left = best.scores.runs[:MOST], best.scores.runs[MOST:]
    points = centimetres(width) * CENTIMETRE
    names = _names(grouped, points * _SHARE)
    beside = widest(list(names.values())) + 4
    labels = labelled([printable(run) for run in drawn], legend_room(points, beside))
    rest = others([printable(run) for run in left], labels.values())
    rows = [row for row in best.rows() if row.measure == name]
    marks = [
        _mark(row, names[row.group], labels.get(printable(row.run), rest)) for row in rows if not math.isnan(row.mean)
    ]
    seen = looks(list(labels.values()), rest)
    shown = [look.label for look in seen]
    legend = legend_below(shown, points, beside, symbolSize=45)

    def scale(part: str) -> Any:
        return alt.Scale(type="ordinal", domain=shown, range=[getattr(look, part) for look in seen])

    high = min(_LINE, _TALL / max(1, len(names) * len(shown))) * len(shown) + _GAP
    axis = alt.Axis(ticks=False, domain=False, grid=False, labelLimit=points, minExtent=beside, title=None)
    band = high - _GAP
    base = alt.Chart(alt.InlineData(values=marks)).encode(
        y=alt.Y("group:N", sort=list(names.values()), axis=axis, scale=alt.Scale(paddingInner=_GAP / high)),
        yOffset=alt.YOffset("label:N", sort=shown, scale=alt.Scale(domain=shown, paddingOuter=0.5)),
        color=alt.Color("label:N", scale=scale("color"), legend=legend),
        tooltip=["run:N", "group:N", alt.Tooltip("mean:Q", format=".4f"), "topics:Q"],
    )
    ends = [value for row in rows for value in (row.mean, *row.ci) if not math.isnan(value)]
    domain = _domain(ends)
    said = [name, "line: 95 % interval"] if grouped.interval != "none" else [name]
    across = alt.X(
        "mean:Q", title=" · ".join(said), scale=alt.Scale(domain=domain, nice=False), axis=alt.Axis(tickCount=6)
    )
    spans = (
        base.transform_filter("isValid(datum.low)")
        .mark_rule(strokeWidth=1.2)
        .encode(x=alt.X("low:Q", scale=alt.Scale(domain=domain, nice=False)), x2="high:Q")
    )
    dots = base.mark_point(filled=True, opacity=1, size=min(38.0, 5 * band / max(1, len(shown)))).encode(
        x=across, shape=alt.Shape("label:N", scale=scale("shape"), legend=legend)
    )
    tall = len(names) * high + _AROUND + legend_height(shown, points, beside)
    view = sized(alt.layer(spans, dots), points, tall)
    described = _described(best, name, rows)
    return framed(
        view,
        _table(best, rows),
        said=f"{name} by {grouped.grouping.noun}",
        described=described,
        width=width,
        title=title,
    )


def _names(grouped: "GroupedScores", room: float) -> dict[str | None, str]:
    """Groups with their sizes, as the axis names them in so many points, and the mean of groups."""
    sizes = {
        group: f" ({len(members):,})" for group, members in zip(grouped.groups, grouped.grouping.members, strict=True)
    }
    labels = labelled(grouped.groups, room - widest(list(sizes.values())))
    return {group: labels[group] + size for group, size in sizes.items()} | {None: grouped.mean_of}


def _mark(row: "GroupMean", group: str, label: str) -> dict[str, Any]:
    low, high = (None if math.isnan(end) else _rounded(end) for end in row.ci)
    return {
        "run": printable(row.run),
        "label": label,
        "group": group,
        "mean": _rounded(row.mean),
        "low": low,
        "high": high,
        "topics": row.topics,
    }


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")


def _domain(ends: list[float]) -> list[float]:
    """The ends of the axis: those of all marks, with a little room."""
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    room = (high - low or 1.0) * 0.04
    return [_rounded(low - room if low else low), _rounded(high + room)]


def _table(grouped: "GroupedScores", rows: "list[GroupMean]") -> Sheet:
    """The numbers behind the chart."""
    noun = grouped.grouping.noun
    return Sheet(
        (
            Column(noun, [row.group or grouped.mean_of for row in rows]),
            Column("run", [row.run for row in rows]),
            Column("topics", [row.topics for row in rows], ","),
            Column("mean", [row.mean for row in rows], ".4f"),
            *([Column("95 % CI", [span(*row.ci) for row in rows])] if grouped.interval != "none" else []),
        )
    )


def _described(grouped: "GroupedScores", measure: str, rows: "list[GroupMean]") -> str:
    """The chart in words: what it shows, and which run is best in each group."""
    noun, smaller = grouped.grouping.noun, measure in grouped.scores.smaller
    count = counted(len(grouped.scores.runs), "run")
    said = [f"{measure} of {count} in {counted(len(grouped.groups), noun)}, and the {grouped.mean_of}."]
    for group in (*grouped.groups, None):
        known = [row for row in rows if row.group == group and not math.isnan(row.mean)]
        if known:
            best = min(known, key=lambda row: row.mean if smaller else -row.mean)
            said.append(f"{group or grouped.mean_of}: {best.run} is best, {best.mean:.3f}.")
    return " ".join(said)
