"""The charts that results are drawn as."""

from cranfield.tables.charts import CHARTS
from docs.markup import table, written

CALLS = {
    "scores": "`scores.plot({name!r})`",
    "curves": "`curves.plot()`, `cf.chart(curves)`",
    "comparison": "`comparison.plot({name!r})`, `cf.comparison_chart(comparison, {name!r})`",
    "groups": "`grouped.plot()`",
    "holes": "`h.plot({name!r})`",
    "agreement": "`agreement.plot({name!r})`",
    "prior": "`prior.plot()`",
    "study": "`made.plot()`, `made.plot(NAME)`",
}


def page() -> str:
    """The charts that results are drawn as."""
    rows = [
        (f"`{name}`", chart.result, chart.title, chart.question, CALLS.get(chart.result, "").format(name=name))
        for name, chart in CHARTS.items()
    ]
    parts = [
        "# Charts",
        "Every chart is a `Figure`: `save` writes it as `.png`, `.svg`, `.pdf`, `.html` or `.json` (Vega-Lite), "
        '`width` is `"one"` column of a printed page, `"two"`, or centimetres, and `title` is printed above it. '
        "It has a description for readers who cannot see it, and the table of its numbers.",
        table(("name", "drawn from", "shows", "answers", "Python"), rows),
        "On the command line, `--chart NAME -o chart.svg` of `evaluate`, `compare`, `holes` and `agree` draws "
        "a chart of scores, a comparison, holes or agreement, `cranfield evaluate --curve KIND -o chart.svg` curves, "
        "`cranfield evaluate --by FILE -m MEASURE -o chart.svg` groups of topics, and `cranfield study KIND -o DIR` "
        "writes the charts of a study beside its tables.",
    ]
    return written(parts)
