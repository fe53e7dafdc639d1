"""Studies as charts: a line for each measure, with the band of its repetitions."""

from cranfield.errors import printable
from cranfield.reporting.drawing import Axes, lines
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.labels import labelled
from cranfield.reporting.lines import Line, Panel, others
from cranfield.reporting.style import CENTIMETRE, MOST, centimetres, looks
from cranfield.study.engine.findings import Drawing
from cranfield.study.engine.result import StudyResult
from cranfield.tables.charts import Width, chart_kind

_SAID = 5  # lines whose numbers are in the description


@chart_kind(
    "levels",
    "a line for each measure, with the band of its repetitions",
    result="study",
    question="How does what a study measures change with its levels?",
    reading="A line is a measure, the band the middle 90 % of the repetitions.",
)
def study_chart(study: StudyResult, drawing: Drawing, *, width: Width = "one", title: str = "") -> Figure:
    """Draw what a study found (V11).

    Args:
        study: its result, for the numbers behind the chart.
        drawing: which of its drawings.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart; by default none.
    """
    names = labelled([curve.label for curve in drawing.curves])
    found = [Line(names[c.label], names[c.label], c.x, c.y, c.low, c.high) for c in drawing.curves if not c.ideal]
    best = [Line("ideal", "ideal", c.x, c.y) for c in drawing.curves if c.ideal]
    rest = others([line.label for line in found[MOST:]])
    drawn = [line if at < MOST else Line(rest, line.name, line.x, line.y) for at, line in enumerate(found)]
    panel = Panel("", drawing.y, (*best, *reversed(drawn)), drawing.up)
    axes = Axes(drawing.x, drawing.across or _across(drawing), drawing.log, drawing.steps)
    marks = looks([line.label for line in found[:MOST]], rest, ideal=bool(best))
    return framed(
        lines([panel], marks, axes, centimetres(width) * CENTIMETRE, []),
        study.sheet(),
        said=drawing.title,
        described=_described(study, drawing),
        width=width,
        title=title,
    )


def _across(drawing: Drawing) -> tuple[float, float]:
    ends = [float(end) for curve in drawing.curves for end in (curve.x.min(initial=0), curve.x.max(initial=0))]
    return min(ends, default=0.0), max(ends, default=1.0)


def _described(study: StudyResult, drawing: Drawing) -> str:
    """The chart described in words, for readers who cannot see it."""
    said = [
        f"{curve.label} from {curve.y[0]:.2f} at {curve.x[0]:g} to {curve.y[-1]:.2f} at {curve.x[-1]:g}"
        for curve in drawing.curves[:_SAID]
        if len(curve.x)
    ]
    return printable(f"{drawing.title}, by {drawing.x}: {'; '.join(said)}. {study.findings.title}.")
