"""Leaderboards: what each run scores, how sure that is over topics, and what missing judgments could make of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors.extras import need
from cranfield.errors.names import place
from cranfield.reporting.drawing import sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.run_rows import RunRows, six_digits
from cranfield.reporting.style import ACCENT, CENTIMETRE, POSSIBLE, QUIET, UNJUDGED_DASH, centimetres
from cranfield.stats.mean_intervals import with_intervals
from cranfield.tables.averages import AVERAGES
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.scores import Scores
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.side.selection import best_first
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.missing.result import Holes

_AROUND = 26  # points: the axis
_SAID = 3  # runs whose scores are in the description


@dataclass(frozen=True)
class LeaderboardRow:
    """One row: the score of a run, the interval of it, the possible range, and the score on condensed lists."""

    run: str
    score: float
    ci_low: float = nan
    ci_high: float = nan
    lowest: float = nan
    highest: float = nan
    condensed: float = nan

    def values(self) -> tuple[float, ...]:
        """All numbers."""
        return (self.score, self.ci_low, self.ci_high, self.lowest, self.highest, self.condensed)


@chart_kind(
    "leaderboard",
    "scores of all runs, with intervals and possible ranges",
    result="scores",
    question="What does each run score, and how sure is that?",
    reading="A dot is the score as judged, the line its 95 % interval over topics, the pale bar what is possible.",
    usual=True,
)
def leaderboard(scores: Scores, *, measure: str | None = None, width: Width = "two", title: str = "") -> Figure:
    """Draw the score of each run (dot), its 95 % interval over topics (line), and its possible range (pale bar).

    The interval is that of the scores, or Student's if they have none; ranges are drawn if the scores have them
    (`evaluate(…, bounds=True)`). The best run stands first.

    Args:
        scores: the result of `cranfield.evaluate`.
        measure: its name; the first by default.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.

    >>> import cranfield as cf
    >>> runs = {"low": {"1": ["b", "a"], "2": ["d", "c"]}, "best": {"1": ["a", "b"], "2": ["d", "c"]}}
    >>> cf.evaluate({"1": {"a": 1, "b": 0}, "2": {"c": 1, "d": 0}}, runs, "RR").plot("leaderboard").description
    'RR of 2 runs, mean over the topics (2 topics), the best first: best 0.7500, low 0.5000. Dot: as judged; line: 95 %
    interval.'
    """
    at = 0 if measure is None else place(measure, scores.measures, "measure")
    spans, possible = intervals(scores, at), scores.possible
    low, high = (possible.low[:, at], possible.high[:, at]) if possible is not None else (np.full(len(spans), nan),) * 2
    numbers = zip(scores.means[:, at], *spans.T, low, high, strict=True)
    found = [LeaderboardRow(run, *map(float, row)) for run, row in zip(scores.runs, numbers, strict=True)]
    bar = "90 % of the estimates" if possible is not None and possible.kind == "estimate" else "possible range"
    return _drawn(found, scores, at, width=width, title=title, bar=bar)


@chart_kind(
    "ranges",
    "possible ranges of the scores",
    result="holes",
    question="What does each run score, and between which values could missing judgments move it?",
    reading="A dot is the score as judged, the line its 95 % interval over topics, the pale bar what is "
    "possible for the unjudged documents, the dashed ring the score on judged documents alone.",
)
def range_chart(of: "Holes", *, measure: str | None = None, width: Width = "two", title: str = "") -> Figure:
    """Draw the possible range of each run (pale bar), the 95 % interval over topics (line), and the score (dot).

    A dashed ring is the score on condensed lists, in which holes are left out. The best run as judged stands first.

    Args:
        of: the result of `cranfield.holes`.
        measure: its name; the first by default.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    described = of.ranges(measure)
    at = of.measures.index(described.measure)
    found = [
        LeaderboardRow(
            row.run,
            row.as_judged,
            ci_low=float(span[0]),
            ci_high=float(span[1]),
            lowest=row.lowest,
            highest=row.highest,
            condensed=row.condensed,
        )
        for row, span in zip(described.ranges, intervals(of.scores, at), strict=True)
    ]
    smaller = of.situations[described.measure].measure.definition.smaller
    said = f"possible ranges of {described.measure}"
    return _drawn(
        found, of.scores, at, width=width, title=title, universe=described.universe, said=said, smaller=smaller
    )


def intervals(scores: Scores, measure: int) -> Floats:
    """`[run, end]`: the interval of each mean over topics, Student's if the scores have none; undefined for sums."""
    if scores.intervals is not None:
        return scores.intervals[:, measure]
    if scores.averages[measure] in ("sum", "median") or len(scores.topics) < 2:
        return np.full((len(scores.runs), 2), np.nan)
    found = with_intervals(scores.select(scores.measures[measure]), "t").intervals
    return np.full((len(scores.runs), 2), np.nan) if found is None else found[:, 0]


def _drawn(
    found: Sequence[LeaderboardRow],
    scores: Scores,
    at: int,
    *,
    width: Width,
    title: str,
    universe: str = "",
    said: str = "",
    smaller: bool | None = None,
    bar: str = "possible range",
) -> Figure:
    need("altair", "a chart")
    name, points = scores.measures[at], centimetres(width) * CENTIMETRE
    less = name in scores.smaller if smaller is None else smaller
    found = [found[run] for run in best_first(np.array([row.score for row in found]), less)]
    marks = _marks(found, bar)
    rows = RunRows([row.run for row in found], points)
    around = _AROUND + 10 * len(rows.titles(name, marks))
    drawn = sized(_layers(rows, found, name, marks), points, rows.tall + around)
    told = f"{universe[0].upper()}{universe[1:]}. " if universe else ""
    best = ", ".join(f"{row.run} {row.score:.4f}" for row in found[:_SAID])
    described = (
        f"{name} of {counted(len(found), 'run')}, {AVERAGES[scores.averages[at]]} "
        f"({counted(len(scores.topics), 'topic')}), the best first: {best}. {told}{'; '.join(marks).capitalize()}."
    )
    return framed(
        drawn, _table(found), said=said or f"{name} of all runs", described=described, width=width, title=title
    )


def _marks(found: Sequence[LeaderboardRow], bar: str) -> list[str]:
    """What the marks mean that are there."""
    known = {name for row in found for name, value in vars(row).items() if name != "run" and isfinite(value)}
    words = {"score": "dot: as judged", "ci_low": "line: 95 % interval", "lowest": f"pale bar: {bar}"}
    return [text for name, text in (words | {"condensed": "dashed ring: condensed"}).items() if name in known]


def _layers(rows: RunRows, found: Sequence[LeaderboardRow], measure: str, marks: Sequence[str]) -> Any:
    """The marks of all rows: bars behind lines behind rings behind dots."""
    import altair as alt

    ends = _domain(found)
    names = ("score", "ci_low", "ci_high", "lowest", "highest", "condensed")
    values = [
        {"run": label} | {name: _clipped(getattr(row, name), ends) for name in names}
        for label, row in zip(rows.labels, found, strict=True)
    ]
    picked = alt.selection_point(fields=["run"], name="run")
    base = alt.Chart(alt.InlineData(values=values)).encode(
        y=rows.axis(),
        opacity=alt.condition(picked, alt.value(1), alt.value(0.25)),
        tooltip=["run:N", *(alt.Tooltip(f"{name}:Q", format=".4f") for name in names)],
    )

    def across(name: str) -> Any:
        scale = alt.Scale(domain=list(ends), nice=False, zero=False)
        return alt.X(f"{name}:Q", title=rows.titles(measure, marks), scale=scale, axis=alt.Axis(tickCount=6))

    dot = min(rows.high * 2.6, 36)
    layers = [
        base.mark_bar(color=POSSIBLE, height=rows.high * 0.7).encode(x=across("lowest"), x2="highest:Q"),
        base.mark_rule(color=ACCENT, strokeWidth=1.2).encode(x=across("ci_low"), x2="ci_high:Q"),
        base.mark_point(color=QUIET, filled=False, size=dot * 1.9, strokeWidth=0.9, strokeDash=UNJUDGED_DASH).encode(
            x=across("condensed")
        ),
        base.mark_point(color=ACCENT, filled=True, size=dot).encode(x=across("score")),
    ]
    layers[-1] = layers[-1].add_params(picked)
    return alt.layer(*layers)


def _clipped(value: float, ends: tuple[float, float]) -> float | None:
    return None if isnan(value) else six_digits(min(max(value, ends[0]), ends[1]))


def _domain(found: Sequence[LeaderboardRow]) -> tuple[float, float]:
    """The ends of the axis: those of all marks; an end that is not finite is left out."""
    known = [value for row in found for value in row.values() if isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    room = (high - low or 1.0) * 0.03
    return float(f"{low - room if low else low:.6g}"), float(f"{high + room:.6g}")


def _table(found: Sequence[LeaderboardRow]) -> Sheet:
    """The numbers behind the chart: those columns that have any."""
    names = {"score": "as judged", "ci_low": "ci_low", "ci_high": "ci_high"}
    names |= {"lowest": "lowest", "condensed": "condensed", "highest": "highest"}
    columns = [Column(head, [getattr(row, name) for row in found], ".4f") for name, head in names.items()]
    known = [column for column in columns if any(value is not None for value in column.raw)]
    return Sheet((Column("run", [row.run for row in found]), *known))
