"""`comparison_chart`: any chart of a comparison, by its name; and the diagram of those that are not told apart."""

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.reporting.charts.comparisons.critical_difference import critical_difference
from cranfield.reporting.figure import Figure
from cranfield.stats.comparison.result import Comparison
from cranfield.tables.charts import Width, chart_kind, draw


def comparison_chart(
    comparison: Comparison,
    kind: str = "deltas",
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
        kind: `deltas`, the differences of two runs topic by topic; `matrix`, the mean differences of all pairs;
            `significance`, the achieved levels of all pairs; or `critical-difference`, the groups of runs between which
            a procedure for all pairs (`adjust="nemenyi"`) finds no significant difference.
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


@chart_kind(
    "critical-difference",
    "runs on an axis, a bar over those that are not told apart",
    result="comparison",
    question="Which runs does a procedure for all pairs not tell apart?",
    reading="Runs stand at their mean rank, the best at the left; a bar joins runs that are not told apart.",
)
def critical_differences(
    comparison: Comparison, *, measure: str | None = None, width: Width = "one", title: str = ""
) -> Figure:
    """Draw the groups of runs between which a procedure for all pairs finds no significant difference."""
    found = comparison.of(measure)
    if found.posthoc is None:
        problem = "a critical-difference diagram needs a procedure for all pairs"
        raise PolicyError("E244", problem, hint=setting("adjust", "nemenyi", "tukey", "tukey-randomized", "conover"))
    return critical_difference(found.posthoc, comparison.scores.runs, measure=found.measure, width=width, title=title)
