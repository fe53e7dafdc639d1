"""The chart of differences: where one run is better than another, topic by topic, and what holes could make of it."""

from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import PolicyError, printable
from cranfield.errors.extras import need
from cranfield.missing.joined.result import RangedComparison
from cranfield.reporting.drawing import sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.labels import widest
from cranfield.reporting.run_rows import six_digits
from cranfield.reporting.style import BETTER, CENTIMETRE, EDGE, INK, PAPER, SIZE, WORSE, centimetres
from cranfield.stats.comparison.result import Comparison
from cranfield.stats.paired.effects import rule_of_thumb
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.sheets.marked import Signed, p_words
from cranfield.tables.sheets.numerals import minus
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.comparison.pair import Pair

_LABELLED = 70  # topics whose names fit under the bars of two columns
_LETTERS = 15  # of the name of a topic under its bar
_HEAD = _LETTERS // 2
_SHORT = (  # the middle of a longer one is left out, as `_short` does; marks keep the whole name
    f"length(datum.label) <= {_LETTERS} ? datum.label : "
    f"slice(datum.label, 0, {_HEAD}) + '…' + slice(datum.label, {_HEAD - _LETTERS + 1})"
)


@chart_kind(
    "deltas",
    "differences of two runs, topic by topic",
    result="comparison",
    question="On which topics is one run better than another, and by how much?",
    reading="A bar is the difference on one topic, sorted; a thin line at it is the range that unjudged "
    "documents leave.",
    usual=True,
)
def deltas(
    comparison: Comparison,
    *,
    run: str | None = None,
    baseline: str | None = None,
    measure: str | None = None,
    width: Width = "one",
    title: str = "",
) -> Figure:
    """Draw the differences of two runs topic by topic, sorted; a whisker is the range that holes leave possible.

    Whiskers are drawn for a comparison that was joined with its holes: `cranfield.with_ranges`.

    Args:
        comparison: the result of `cranfield.compare`.
        run: by default that of the first pair of the comparison.
        baseline: by default that of the comparison.
        measure: needed if several were compared.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    need("altair", "a chart")
    pair, points = _chosen(comparison, run, baseline, measure), centimetres(width) * CENTIMETRE
    scores, smaller = comparison.scores, comparison.of(pair.measure).contrasts.smaller
    ours, theirs = (scores[name, pair.measure] for name in (pair.run, pair.baseline))
    known: Ints = np.flatnonzero(~np.isnan(ours - theirs))
    order: Ints = known[np.argsort(-(ours - theirs)[known], kind="stable")]
    topics = [scores.topics[at] for at in order]
    delta: Floats = (ours - theirs)[order]
    ends = _topic_ranges(comparison, pair, topics)
    columns = [
        Column("topic", topics),
        Column(pair.run, ours[order], ".4f"),
        Column(pair.baseline, theirs[order], ".4f"),
        Signed("Δ", delta, "+.4f"),
    ]
    if ends is not None:
        columns += [Signed("lowest Δ", ends[0], "+.4f"), Signed("highest Δ", ends[1], "+.4f")]
    return framed(
        sized(_layers(pair, topics, delta, ends, smaller, points), points, max(points * 0.42, 130)),
        Sheet(tuple(columns)),
        said=f"{pair.measure}: {pair.run} minus {pair.baseline}, topic by topic",
        described=_described(comparison, pair, delta, ends),
        width=width,
        title=title,
    )


def _chosen(comparison: Comparison, run: str | None, baseline: str | None, measure: str | None) -> "Pair":
    """The first pair with the run and baseline that were named."""
    if run is not None and baseline is not None:
        return comparison.pair(run, baseline, measure)
    for pair in comparison.pairs(comparison.of(measure).measure):
        for found in (pair, pair.reversed()):
            if run in (None, found.run) and baseline in (None, found.baseline):
                return found
    raise PolicyError(
        "E223", f"{run or baseline!r} was not compared", hint=f"one of {', '.join(comparison.scores.runs)}"
    )


def _topic_ranges(comparison: Comparison, pair: "Pair", topics: list[str]) -> tuple[Floats, Floats] | None:
    """The lowest and the highest difference of each topic; None if the comparison has no ranges."""
    if not isinstance(comparison, RangedComparison) or pair.measure not in comparison.bounders:
        return None
    bounder = comparison.bounders[pair.measure]
    a, b = (bounder.situation.runs.index(name) for name in (pair.run, pair.baseline))
    found = bounder.refined(bounder.of(np.array([a]), np.array([b])), 0, a, b)
    number = {name: at for at, name in enumerate(bounder.situation.topics)}
    low, high = (
        np.array([ends[0, number[topic]] if topic in number else np.nan for topic in topics], dtype=np.float64)
        for ends in (found.low, found.high)
    )
    return low, high


def _layers(
    pair: "Pair", topics: list[str], delta: Floats, ends: tuple[Floats, Floats] | None, smaller: bool, points: float
) -> Any:
    """The bars, the whiskers, the line of the mean, and the mean of the topics that a reader chooses."""
    import altair as alt

    names = [printable(topic) for topic in topics]
    rows = [
        {"topic": topic, "delta": six_digits(value), "sign": _sign(value, smaller)}
        for topic, value in zip(names, delta.tolist(), strict=True)
    ]
    for row, low, high in zip(rows, *ends, strict=True) if ends is not None else ():
        row |= {"lowest": six_digits(float(low)), "highest": six_digits(float(high))}
    named = len(rows) <= _LABELLED * points / (17.5 * CENTIMETRE)
    axis = alt.Axis(
        labelAngle=-90,
        labelFontSize=SIZE - 2,
        labelExpr=_SHORT,
        labelLimit=points,
        labels=named,
        minExtent=widest([_short(name) for name in names], SIZE - 2) + 4 if named else 0,
        ticks=False,
        grid=False,
    )
    said = counted(len(rows), "topic") + (" · whisker: what holes leave possible" if ends is not None else "")
    x = alt.X("topic:N", sort=names, axis=axis, title=said)
    tips: list[str | alt.Tooltip] = ["topic:N", alt.Tooltip("delta:Q", format="+.4f")]
    tips += [alt.Tooltip(f"{end}:Q", format="+.4f") for end in ("lowest", "highest") if ends is not None]
    colour = alt.Color(
        "sign:N", scale=alt.Scale(domain=["better", "worse", "equal"], range=[BETTER, WORSE, EDGE]), legend=None
    )

    known = [0.0, pair.difference, *(value for row in rows for value in row.values() if isinstance(value, float))]
    reach = [each for each in known if not np.isnan(each)]
    scale = alt.Scale(domain=[min(reach), max(reach)])  # known also while no topics are chosen

    def up(field: str) -> Any:
        return alt.Y(field, title=f"Δ {pair.measure}", scale=scale, axis=alt.Axis(tickCount=5))

    brush = alt.selection_interval(encodings=["x"], name="topics", empty=False, mark=alt.BrushConfig(fill=EDGE))
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=x, tooltip=tips)
    layers = [base.mark_bar().encode(y=up("delta:Q"), color=colour).add_params(brush)]
    if ends is not None:
        layers.append(base.mark_rule(color=INK, strokeWidth=0.7).encode(y=up("lowest:Q"), y2="highest:Q"))
        caps = base.transform_filter("datum.lowest != datum.highest").mark_tick(color=INK, thickness=0.7, size=3)
        layers += [caps.encode(y=up(f"{end}:Q")) for end in ("lowest", "highest")]
    chosen = alt.Chart(alt.InlineData(values=rows)).encode(x=alt.X("topic:N", sort=names, axis=axis, title=said))
    part = chosen.transform_filter(brush).mark_rule(color=INK, strokeWidth=2).encode(y=up("mean(delta):Q"))
    part = part.encode(x=alt.value(0), x2=alt.value("width"), tooltip=[alt.Tooltip("mean(delta):Q", format="+.4f")])
    return alt.layer(*layers, part, *_mean(pair))


def _short(name: str) -> str:
    return name if len(name) <= _LETTERS else f"{name[:_HEAD]}…{name[_HEAD - _LETTERS + 1 :]}"


def _mean(pair: "Pair") -> list[Any]:
    """The line of the mean difference, and its value."""
    import altair as alt

    if np.isnan(pair.difference):
        return []
    mean = alt.Chart(alt.InlineData(values=[{"mean": pair.difference}]))
    line = mean.mark_rule(color=INK, strokeDash=[4, 2], strokeWidth=1).encode(y="mean:Q")
    percent = "" if np.isnan(pair.percent) else f" ({minus(f'{pair.percent:+.1f}')} %)"
    low = pair.difference < 0  # the bars on the left rise above 0, those on the right hang below it
    side: dict[str, Any] = {"align": "left", "dx": 2} if low else {"align": "right", "dx": -2}
    text = mean.encode(
        y="mean:Q",
        x=alt.value(0) if low else alt.value("width"),
        text=alt.value(minus(f"mean {pair.difference:+.4f}") + percent),
    )
    side |= {"baseline": "top" if low else "bottom", "dy": 3 if low else -2}
    return [line, text.mark_text(stroke=PAPER, strokeWidth=2.5, **side), text.mark_text(**side)]


def _described(comparison: Comparison, pair: "Pair", delta: Floats, ends: tuple[Floats, Floats] | None) -> str:
    tested = "" if np.isnan(pair.p) else f", {comparison.method.corrected}{p_words(pair.p)}"
    relative = "" if np.isnan(pair.percent) else f" ({minus(f'{pair.percent:+.1f}')} %, {rule_of_thumb(pair.percent)})"
    said = (
        f"{pair.measure} of {pair.run} minus {pair.baseline} on {counted(len(delta), 'topic')}, sorted. "
        f"Better on {pair.wins}, equal on {pair.ties}, worse on {pair.losses}; "
        f"mean difference {minus(f'{pair.difference:+.4f}')}{relative}{tested}."
    )
    if ends is None:
        return said
    crossed = int(np.count_nonzero((ends[0] <= 0) & (ends[1] >= 0) & (ends[0] < ends[1])))
    return f"{said} A whisker is what unjudged documents leave possible: it reaches 0 on {counted(crossed, 'topic')}."


def _sign(value: float, smaller: bool) -> str:
    return "equal" if value == 0 else "better" if (value > 0) ^ smaller else "worse"
