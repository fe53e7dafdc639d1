"""The charts that results are drawn as."""

from cranfield.tables.charts import CHARTS
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
        parts += [f"## {name}", " ".join(filter(None, (chart.question, chart.reading)))]
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


def _alternative(text: str) -> str:
    return text.replace("[", "(").replace("]", ")").replace("\n", " ")
