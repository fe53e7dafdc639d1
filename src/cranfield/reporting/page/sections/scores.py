"""Scores: the leaderboard with intervals and possible ranges, and how scores spread over topics."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors.warning import kept
from cranfield.measures.curves.bounds import RUNS
from cranfield.measures.curves.curve import curve
from cranfield.measures.grammar import parse
from cranfield.missing.result import Holes
from cranfield.missing.situation import depth_of
from cranfield.reporting.figure import Figure
from cranfield.reporting.page.blocks import Block, FigureBlock, FigureForm, Paragraph, TableBlock
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.tables.charts import CHARTS
from cranfield.tables.curves.kind import CURVES
from cranfield.tables.sheets.marked import Lowest
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.sheet import Column, Sheet


@section("scores", "Scores, and what they could still become", number=20)
def scores(material: ReportMaterial) -> Iterator[Block]:
    """The chart and the table of all runs, then the spread over topics and the other measures."""
    measure, holes = material.measure, material.holes
    first, *others = (_leaderboard(material, name) for name in (measure, *material.other_measures))
    yield FigureBlock("leaderboard", first.figure, first.caption, "Measure", measure, others)
    yield TableBlock("leaderboard", leaderboard(material), f"{measure}, best run first. {_rests_on(material)}")
    if holes is not None and measure in holes.measures:
        for note in holes.ranges(measure).notes("ranges"):
            yield Paragraph(f"{note}.", "note")
    if "distribution" in CHARTS and len(material.scores.topics) > 1:
        figure = _plotted(material, "distribution", measure)
        caption = f"{measure} of every run on every topic. Point: a topic; box: from the first to the third quartile; "
        yield FigureBlock("distribution", figure, f"{caption}line in the box: the median.")
    yield from _curves(material)
    if len(material.scores.measures) > 1:
        yield TableBlock("measures", measures(material), "All measures; the best value of each is bold.")


MARKS = (
    "Dot: as judged. Line: 95 % interval over topics. Pale bar: what is possible for the unjudged documents. "
    "Ring: judged documents alone, the unjudged ones left out."
)
SIMPLE = "Dot: as judged. Line: 95 % interval over topics."


def _leaderboard(material: ReportMaterial, measure: str) -> FigureForm:
    """The chart of all runs in one measure; a range that says nothing is not drawn, and the caption says why."""
    holes = material.holes
    best = f"{measure} of every run, best first."
    if holes is not None and measure in holes.measures:
        if why := without_range(holes, measure):
            return FigureForm(measure, _plotted(material, "leaderboard", measure), f"{best} {SIMPLE} {why}")
        return FigureForm(measure, holes.plot("ranges", measure=measure, width="two"), f"{best} {MARKS}")
    why = f" What missing judgments could change about {measure} was not computed." if holes is not None else ""
    return FigureForm(measure, _plotted(material, "leaderboard", measure), f"{best} {SIMPLE}{why}")


def without_range(holes: Holes, measure: str) -> str:
    """Why the ranges of a measure are of no use; empty if they are.

    >>> import cranfield as cf
    >>> without_range(cf.holes({"1": {"a": 1}}, {"r": {"1": ["x", "a"]}}, ["RR", "P@1"]), "RR")
    ''
    """
    rows, definition = holes.ranges(measure).ranges, holes.situations[measure].measure.definition
    known = [row for row in rows if np.isfinite(row.lowest) and np.isfinite(row.highest)]
    if not known:
        return f"No possible range is drawn: none is known for {measure}."
    if any(row.exact or row.lowest > definition.low or row.highest < definition.high for row in known):
        return ""
    return f"No possible range is drawn: nothing narrower than the whole scale of {measure} is known."


def _curves(material: ReportMaterial) -> Iterator[Block]:
    """Gain by rank and precision by recall, where the judgments and the runs are still at hand."""
    holes, origin = material.holes, material.scores.origin
    if holes is None or origin is None:
        return
    measure, universe = parse(material.measure), str(holes.universe)
    depth = depth_of(measure)
    if universe == RUNS and depth is not None:
        universe = f"{RUNS}:{depth}"  # the documents that the ranges of the measure look at
    known = CURVES.find(measure.definition.name)
    by_rank = known is not None and known.axis == "rank" and known.banded and (depth or 0) > 1
    drawn = {"gain": material.measure} if by_rank else {}
    banded = len(material.scores.runs) * len(material.scores.topics) <= MOST_BANDED
    bounds: dict[str, Any] = {"band": "bounds", "universe": universe} if banded else {}  # of curve
    beside = _band(holes.universe.documents(depth)) if banded else NO_BAND
    for name, kind in {**drawn, "curves": "11pt"}.items():
        with kept():  # warnings, which scoring has given before
            found = curve(holes.qrels, origin.runs, kind, policy=holes.policy, **bounds)
        caption = f"{CURVES[found.kind].title.capitalize()}, mean over topics. {LINE} {beside}"
        yield FigureBlock(name, found.plot(width="two"), caption)


def _band(documents: str) -> str:
    possible = "the lowest and the highest value that is possible at each point"
    return f"Pale band: {possible}, whatever the unjudged {documents} are."


MOST_BANDED = 2_500  # lists, up to which the bounds of every point are found in a few seconds
LINE = "Line: as judged, unjudged documents count as not relevant."
NO_BAND = f"What missing judgments could change is not drawn for more than {MOST_BANDED:,} lists."


def _plotted(material: ReportMaterial, name: str, measure: str) -> Figure:
    figure: Figure = CHARTS[name].draw(material.scores, measure=measure, width="two")
    return figure


def leaderboard(material: ReportMaterial) -> Sheet:
    """Score, interval, possible range, condensed score and judged share of every run, best first."""
    found, column = material.scores, material.column
    rows = [found.runs.index(run) for run in material.ranked]
    spans = material.intervals[rows, column]
    kind = Lowest if material.smaller else Column
    columns = [
        Column("run", material.ranked),
        kind(material.measure, found.means[rows, column], ".4f", best=True),
        Column("95 % interval", [span_words(*ends) for ends in spans.tolist()], parts=ends_of("ci", spans)),
    ]
    if material.holes is not None and material.measure in material.holes.measures:
        ranges = {row.run: row for row in material.holes.ranges(material.measure).ranges}
        ends = np.array([[ranges[run].lowest, ranges[run].highest] for run in material.ranked])
        columns += [
            Column("possible range", [span_words(*each) for each in ends.tolist()], parts=ends_of("possible", ends)),
            Column("condensed", [ranges[run].condensed for run in material.ranked], ".4f"),
        ]
    columns.append(Column("judged", found.judged_shares[rows, column], ".1%"))
    return Sheet(tuple(columns), label="tab:leaderboard", caption=f"{material.measure} of every run.")


def measures(material: ReportMaterial) -> Sheet:
    """The means of all measures."""
    found = material.scores
    rows = [found.runs.index(run) for run in material.ranked]
    kinds = [Lowest if name in found.smaller else Column for name in found.measures]
    values = [
        kind(name, found.means[rows, at], ".4f", best=True)
        for at, (kind, name) in enumerate(zip(kinds, found.measures, strict=True))
    ]
    return Sheet((Column("run", material.ranked), *values), label="tab:measures", caption="All measures.")


def span_words(low: float, high: float) -> str | None:
    """Two ends of a span, with the least number of digits that a reader needs.

    >>> span_words(0.41, 0.526), span_words(float("nan"), 1.0)
    ('0.410 – 0.526', None)
    """
    return None if np.isnan(low) or np.isnan(high) else f"{in_print(low, '.3f')} – {in_print(high, '.3f')}"


def ends_of(name: str, ends: Floats) -> tuple[Column, ...]:
    """Both ends as columns of their own, for programs."""
    return Column(f"{name}_low", ends[:, 0]), Column(f"{name}_high", ends[:, 1])


def _rests_on(material: ReportMaterial) -> str:
    said = "The interval treats the topics as a sample"
    if material.holes is None or material.measure not in material.holes.measures:
        return f"{said}."
    return f"{said}; the possible range holds whatever grades the unjudged documents get ({_assumptions(material)})."


def _assumptions(material: ReportMaterial) -> str:
    return "" if material.holes is None else material.holes.ranges(material.measure).assumptions
