"""Charts of comparisons: differences by topic, the matrix of all pairs, runs that do not differ significantly."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from cranfield.errors import PolicyError, printable
from cranfield.errors.extras import need
from cranfield.errors.wording import setting
from cranfield.reporting.charts.critical_difference import critical_difference
from cranfield.reporting.drawing import sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.lines import labelled
from cranfield.reporting.style import CENTIMETRE, DARK, SIZE, centimetres
from cranfield.stats.comparison.result import Comparison
from cranfield.stats.comparison.sheets.cells import marks
from cranfield.stats.paired.effects import rule_of_thumb
from cranfield.tables.charts import ComparisonChartChoices, Width, chart_kind, draw
from cranfield.tables.sheets.marked import DOUBT, UNJUDGED, Signed, p_words
from cranfield.tables.sheets.numerals import minus
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.side.selection import best_first
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.comparison.evidence import Evidence
    from cranfield.stats.comparison.pair import Pair
    from cranfield.stats.several.all_pairs import PostHoc

BETTER, WORSE = "#0072B2", "#D55E00"
PALE = "#F2F2F2"
_LABELLED = 70  # topics whose names fit under the bars of two columns
_STARRED = 60  # runs up to which a matrix has names and stars


def comparison_chart(
    comparison: Comparison,
    kind: Literal["deltas", "matrix", "critical-difference"] = "deltas",
    *,
    run: str | None = None,
    baseline: str | None = None,
    measure: str | None = None,
    width: Width = "one",
    title: str = "",
) -> Figure:
    """Draw a comparison.

    Args:
        comparison: the result of `cranfield.compare`.
        kind: `deltas`, the differences of two runs topic by topic; `matrix`, the mean differences of all pairs; or
            `critical-difference`, the groups of runs between which a procedure for all pairs (`adjust="nemenyi"`) finds
            no significant difference.
        run: for `deltas`; by default that of the first pair of the comparison.
        baseline: for `deltas`; by default that of the comparison.
        measure: needed if several were compared.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.

    >>> from cranfield.stats.comparison.compare import compare
    >>> qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(1, 6)}
    >>> runs = {"new": dict.fromkeys(qrels, ["a", "b"]), "old": dict.fromkeys(qrels, ["b", "a"])}
    >>> comparison_chart(compare(qrels, runs, "RR")).title
    'RR: new minus old, topic by topic'
    """
    figure: Figure = draw(
        "comparison", kind, comparison, run=run, baseline=baseline, measure=measure, width=width, title=title
    )
    return figure


@dataclass(frozen=True)
class _Choices:
    """What is drawn of a comparison, and in which frame."""

    run: str | None = None
    baseline: str | None = None
    measure: str | None = None
    width: Width = "one"
    title: str = ""

    @property
    def points(self) -> float:
        return centimetres(self.width) * CENTIMETRE

    def framed(self, drawn: Any, table: Sheet, said: str, described: str) -> Figure:
        """What was drawn with Altair, as a figure."""
        return framed(drawn, table, said=said, described=described, width=self.width, title=self.title)


def _drawn(
    name: str, title: str, question: str
) -> "Callable[[Callable[[Comparison, _Choices], Figure]], Callable[..., Figure]]":
    """Register the function below as a chart of comparisons, with the choices that all of them take."""

    def register(body: "Callable[[Comparison, _Choices], Figure]") -> Callable[..., Figure]:
        def drawn(comparison: Comparison, **choices: Unpack[ComparisonChartChoices]) -> Figure:
            return body(comparison, _Choices(**choices))

        return chart_kind(name, title, result="comparison", question=question)(drawn)

    return register


def _posthoc(found: "Evidence") -> "PostHoc":
    if found.posthoc is None:
        problem = "a critical-difference diagram needs a procedure for all pairs"
        raise PolicyError("E244", problem, hint=setting("adjust", "nemenyi", "tukey", "tukey-randomized", "conover"))
    return found.posthoc


def _chosen(comparison: Comparison, choices: _Choices) -> "Pair":
    """The first pair with the run and baseline that were named."""
    run, baseline, measure = choices.run, choices.baseline, choices.measure
    if run is not None and baseline is not None:
        return comparison.pair(run, baseline, measure)
    for pair in comparison.pairs(comparison.of(measure).measure):
        for found in (pair, pair.reversed()):
            if run in (None, found.run) and baseline in (None, found.baseline):
                return found
    raise PolicyError(
        "E213", f"{run or baseline!r} was not compared", hint=f"one of {', '.join(comparison.scores.runs)}"
    )


@_drawn(
    "deltas",
    "differences of two runs, topic by topic",
    "On which topics is one run better than another, and by how much?",
)
def _deltas(comparison: Comparison, choices: _Choices) -> Figure:
    need("altair", "a chart")
    import altair as alt

    pair, points = _chosen(comparison, choices), choices.points
    scores, smaller = comparison.scores, comparison.of(pair.measure).contrasts.smaller
    ours, theirs = (scores[name, pair.measure] for name in (pair.run, pair.baseline))
    known = np.flatnonzero(~np.isnan(ours - theirs))
    order = known[np.argsort(-(ours - theirs)[known], kind="stable")]
    topics = [scores.topics[at] for at in order]
    delta = (ours - theirs)[order]
    rows = [
        {"place": place, "topic": printable(topic), "delta": float(f"{value:.6g}"), "sign": _sign(value, smaller)}
        for place, (topic, value) in enumerate(zip(topics, delta.tolist(), strict=True))
    ]
    named = len(rows) <= _LABELLED * points / (17.5 * CENTIMETRE)
    axis = alt.Axis(labelAngle=-90, labelFontSize=SIZE - 2, ticks=False, grid=False) if named else None
    x = alt.X("topic:N", sort=[printable(topic) for topic in topics], axis=axis, title=f"{len(rows):,} topics")
    colour = alt.Color(
        "sign:N",
        scale=alt.Scale(domain=["better", "worse", "equal"], range=[BETTER, WORSE, DARK]),
        legend=None,
    )
    bars = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_bar()
        .encode(
            x=x,
            y=alt.Y("delta:Q", title=f"Δ {pair.measure}", axis=alt.Axis(tickCount=5)),
            color=colour,
            tooltip=["topic:N", "delta:Q"],
        )
    )
    mean = alt.Chart(alt.InlineData(values=[{"mean": pair.difference}]))
    line = mean.mark_rule(color="black", strokeDash=[4, 2], strokeWidth=1).encode(y="mean:Q")
    percent = "" if np.isnan(pair.percent) else f" ({minus(f'{pair.percent:+.1f}')} %)"
    low = pair.difference < 0  # the bars on the left rise above 0, those on the right hang below it
    side: dict[str, Any] = {"align": "left", "dx": 2} if low else {"align": "right", "dx": -2}
    words = mean.mark_text(baseline="top" if low else "bottom", dy=3 if low else -2, **side).encode(
        y="mean:Q",
        x=alt.value(0) if low else alt.value("width"),
        text=alt.value(minus(f"mean {pair.difference:+.4f}") + percent),
    )
    table = Sheet(
        (
            Column("topic", topics),
            Column(pair.run, ours[order], ".4f"),
            Column(pair.baseline, theirs[order], ".4f"),
            Signed("Δ", delta, "+.4f"),
        )
    )
    tested = "" if np.isnan(pair.p) else f", {comparison.method.corrected}{p_words(pair.p)}"
    relative = "" if np.isnan(pair.percent) else f" ({minus(f'{pair.percent:+.1f}')} %, {rule_of_thumb(pair.percent)})"
    described = (
        f"{pair.measure} of {pair.run} minus {pair.baseline} on {counted(len(rows), 'topic')}, sorted. "
        f"Better on {pair.wins}, equal on {pair.ties}, worse on {pair.losses}; "
        f"mean difference {minus(f'{pair.difference:+.4f}')}{relative}{tested}."
    )
    said = f"{pair.measure}: {pair.run} minus {pair.baseline}, topic by topic"
    return choices.framed(sized(alt.layer(bars, line, words), points, points * 0.5), table, said, described)


@_drawn("matrix", "mean differences of all pairs of runs", "Which runs differ, by how much, and significantly?")
def _matrix(comparison: Comparison, choices: _Choices) -> Figure:
    need("altair", "a chart")
    import altair as alt

    found, runs, points = comparison.of(choices.measure), comparison.scores.runs, choices.points
    measure = found.measure
    labels = labelled([printable(run) for run in runs])
    used = np.zeros(len(runs), dtype=bool)
    used[found.contrasts.run] = used[found.contrasts.baseline] = True
    order = [
        runs[at] for at in best_first(comparison.scores.means[:, found.column], found.contrasts.smaller) if used[at]
    ]
    pairs = [each for pair in comparison.pairs(measure) for each in (pair, pair.reversed())]
    rows = [
        {
            "run": labels[printable(pair.run)],
            "baseline": labels[printable(pair.baseline)],
            "delta": float(f"{pair.difference:.6g}"),
            "p": None if np.isnan(pair.p) else float(f"{pair.p:.3g}"),
            "star": "*" * pair.significant + marks(pair.warning),
        }
        for pair in pairs
        if not np.isnan(pair.difference)
    ]
    names = [labels[printable(run)] for run in order]
    most = float(np.nanmax(np.abs(found.pairs.difference), initial=0.0)) or 1.0
    small = len(names) <= _STARRED
    font = SIZE - (1 if len(names) <= 30 else 3)

    def axis(**more: Any) -> Any:  # an Axis, or none at all
        return alt.Axis(labelFontSize=font, ticks=False, domain=False, grid=False, **more) if small else None

    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("baseline:N", sort=names, title="minus this run", axis=axis(labelAngle=-90, orient="top")),
        y=alt.Y("run:N", sort=names, title="this run", axis=axis(labelLimit=120)),
        tooltip=["run:N", "baseline:N", "delta:Q", "p:Q"],
    )
    ends = [BETTER, PALE, WORSE] if found.contrasts.smaller else [WORSE, PALE, BETTER]
    colour = alt.Color(
        "delta:Q",
        scale=alt.Scale(domain=[-most, 0, most], range=ends),
        legend=alt.Legend(title=f"Δ {measure}", orient="bottom", gradientLength=points * 0.4, format="+.2f"),
    )
    cells = base.mark_rect().encode(color=colour)
    told = base.transform_filter("datum.star != ''")
    stars = told.mark_text(fontSize=SIZE, baseline="middle", dy=2).encode(text="star:N")
    dots = told.mark_point(filled=True, size=1.2, color="black", opacity=1)
    table = Sheet(
        (
            Column("run", [pair.run for pair in pairs]),
            Column("baseline", [pair.baseline for pair in pairs]),
            Signed("Δ", [pair.difference for pair in pairs], "+.4f"),
            Column("p", [pair.p for pair in pairs], ".4f"),
        )
    )
    count, method = int(np.count_nonzero(found.pairs.significant)), comparison.method
    few, holes = (sum(mark in marks(warning) for warning in found.pairs.warning) for mark in (DOUBT, UNJUDGED))
    doubts = f"; {few:,} of them doubtful ({DOUBT}), too few topics differ" if few else ""
    doubts += f"; {holes:,} between runs of which other shares are judged ({UNJUDGED})" if holes else ""
    described = (
        f"Mean differences in {measure} of {counted(len(found.contrasts), 'pair')} of {counted(len(names), 'run')}, "
        f"best run first; {count:,} marked as significant, {method.corrected}p < {method.alpha:g}{doubts}."
    )
    square = sized(alt.layer(cells, stars if small else dots), points, points)
    return choices.framed(square, table, f"{measure}: mean differences of all pairs", described)


@_drawn(
    "critical-difference",
    "runs on an axis, a bar over those that are not told apart",
    "Which runs does a procedure for all pairs not tell apart?",
)
def _critical_difference(comparison: Comparison, choices: _Choices) -> Figure:
    found, runs = comparison.of(choices.measure), comparison.scores.runs
    return critical_difference(_posthoc(found), runs, measure=found.measure, width=choices.width, title=choices.title)


def _sign(value: float, smaller: bool) -> str:
    return "equal" if value == 0 else "better" if (value > 0) ^ smaller else "worse"
