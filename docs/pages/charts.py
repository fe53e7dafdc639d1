"""The charts that results are drawn as."""

from cranfield.tables.charts import CHARTS, ChartKind
from cranfield.tables.curves.kind import CURVES, CurveKind
from docs.chart_examples import ENDING, PREFIX, described
from docs.markup import table, written

CALLS = {
    "scores": "`scores.plot({name!r})`",
    "curves": "`curves.plot()`, `cf.chart(curves)`",
    "comparison": "`comparison.plot({name!r})`, `cf.comparison_chart(comparison, {name!r})`",
    "groups": "`grouped.plot()`",
    "holes": "`h.plot({name!r})`",
    "agreement": "`agreement.plot({name!r})`",
    "prior": "`h.estimate().prior.plot()`",
    "study": "`made.plot()`, `made.plot(NAME)`",
    "pool": "`pooled.plot({name!r})`",
}
COMMANDS = {
    "scores": "cranfield evaluate qrels.txt runs/*.run -m nDCG@10 --chart {name} -o {name}.svg",
    "curves": "cranfield evaluate qrels.txt runs/*.run --curve ndcg@20 --band bounds -o {name}.svg",
    "comparison": "cranfield compare qrels.txt runs/*.run -m nDCG@10 --chart {name} -o {name}.svg",
    "groups": "cranfield evaluate qrels.txt runs/*.run --by groups.tsv -m nDCG@10 -o {name}.svg",
    "holes": "cranfield holes qrels.txt runs/*.run -m nDCG@10 --chart {name} -o {name}.svg",
    "agreement": "cranfield agree judgments.jsonl --chart {name} -o {name}.svg",
    "study": "cranfield study reduction qrels.txt runs/*.run -o folder/",
    "pool": "cranfield pool runs/*.run --qrels qrels.txt --depth 20 --chart {name} -o {name}.svg",
}
READING = {
    "confusion": "A cell counts the documents to which one assessor (row) and the other (column) gave "
    "these grades; a deeper colour is a larger count, and agreement lies on the diagonal.",
    "coefficients": "A dot is a coefficient, the line through it its 95 % interval; 0 is agreement by chance.",
    "systems": "A line joins the score of one system under two assessors; lines that cross are systems "
    "whose order changes.",
    "critical-difference": "Runs stand at their mean rank, the best at the left; a bar joins runs that are not told "
    "apart.",
    "coverage": "A cell is the share of documents judged down to that rank, as a number and as a depth of colour.",
    "curves": "A line is the mean at each rank or recall as judged; the band, if there is one, is what "
    "the caption says: here what is possible for unjudged documents. With bands there is a "
    "panel for each run, and the others are grey.",
    "deltas": "A bar is the difference on one topic, sorted; a thin line at it is the range that "
    "unjudged documents leave.",
    "distribution": "A point is a topic; the box reaches from the first to the third quartile, its line is the median.",
    "groups": "A dot is the mean of a run in a group of topics, the line its 95 % interval; a shape stands for a run.",
    "judging": "A line shows how wide the possible differences still are after so many documents, by strategy.",
    "leaderboard": "A dot is the score as judged, the line its 95 % interval over topics, the pale bar what "
    "is possible.",
    "ranges": "A dot is the score as judged, the line its 95 % interval over topics, the pale bar what "
    "is possible for the unjudged documents, the dashed ring the score on judged documents "
    "alone.",
    "matrix": "A cell is the mean difference of its row from its column, as a number and as a colour; a "
    "star is a significant one, a dashed edge one that unjudged documents could reverse.",
    "microscope": "A column is the list of one run, from the first rank down; a deeper cell is a higher "
    "grade, a hollow dashed one is not judged, and lines join the same document.",
    "next": "A bar is how much judging this document narrows what is open.",
    "reliability": "A dot is a group of documents with about the same predicted probability; on the diagonal "
    "they are as often relevant as predicted.",
    "significance": "Pairs of runs are sorted by their level; the lower and longer a line stays near 0, the "
    "more pairs its measure tells apart.",
    "levels": "A line is a measure, the band the middle 90 % of the repetitions.",
    "growth": "A line is how many relevant documents a strategy has found after so many pairs; the "
    "dotted one is the best that is possible.",
}


def page() -> str:
    """The charts that results are drawn as."""
    rows = [(f"`{name}`", chart.result, chart.title, chart.question) for name, chart in CHARTS.items()]
    parts = [
        "# Charts",
        "Every chart is a `Figure`: `save` writes it as `.png`, `.svg`, `.pdf`, `.html` or `.json` (Vega-Lite), "
        '`width` is `"one"` column of a printed page, `"two"`, or centimetres, and `title` is printed above it. '
        "It has a description for readers who cannot see it, and the table of its numbers.",
        table(("name", "drawn from", "shows", "answers"), rows),
        "On the command line `--width one` makes the same sizes, and the ending of the file chooses the form. The "
        "pictures below are of a small collection, made by rule.",
    ]
    for name, chart in CHARTS.items():
        parts += [f"## {name}", _said(name, chart)]
        if description := described(name):
            parts.append(f"![{_alternative(description)}](../{PREFIX}/{name}{ENDING})")
        parts.append(f"In Python: {CALLS.get(chart.result, '').format(name=name)}.")
        if chart.result in COMMANDS:
            parts.append(f"```text\n{COMMANDS[chart.result].format(name=name)}\n```")
        if chart.result == "curves":
            parts += ["The kinds of curves, and what each can have beside its line:", _kinds()]
    return written(parts)


def _kinds() -> str:
    """A row for each kind of curve."""
    rows = [
        (f"`{name}`", kind.title, f"`{kind.measure}`", kind.axis or "topic", ", ".join(_facts(kind)), f"`{kind.usage}`")
        for name, kind in CURVES.items()
    ]
    return table(("kind", "shows", "of the measure", "a point is a", "with", "for example"), rows)


def _facts(kind: CurveKind) -> list[str]:
    facts = {
        "the ideal list": kind.ideal,
        "`band`": kind.banded,
        "`average`": kind.normalised,
        "`areas`": kind.steps,
        "`models`": kind.models,
    }
    return [name for name, true in facts.items() if true]


def _said(name: str, chart: ChartKind) -> str:
    return " ".join([chart.question, READING[name]] if name in READING else [chart.question])


def _alternative(text: str) -> str:
    return text.replace("[", "(").replace("]", ")").replace("\n", " ")
