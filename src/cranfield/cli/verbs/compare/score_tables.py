"""`cranfield compare --scores TABLE`: test the differences between scores that were computed elsewhere."""

from typing import TYPE_CHECKING

import click

from cranfield.cli.options.averages import GroupOptions
from cranfield.cli.options.score_tables import ScoreTableOptions
from cranfield.errors import PolicyError
from cranfield.reporting.gates.observed import judge
from cranfield.reporting.gates.pair import check_pair_gate, judge_pair

if TYPE_CHECKING:
    from cranfield.cli.gates.conditions import Conditions
    from cranfield.cli.options.reading import Reading
    from cranfield.cli.verbs.compare.statistics import Statistics
    from cranfield.stats.comparison.result import Comparison
    from cranfield.tables.side.gates import GateVerdict


def compared_scores(
    context: click.Context,
    given: ScoreTableOptions,
    groups: GroupOptions,
    reading: "Reading",
    statistics: "Statistics",
    conditions: "Conditions",
    jobs: int | None,
) -> "tuple[Comparison, list[GateVerdict]]":
    """The comparison of the tables, and the verdicts on conditions, which take the names of their measures."""
    from cranfield.stats.comparison.against import Saved
    from cranfield.stats.comparison.compare import compare
    from cranfield.stats.comparison.method import Method

    Method(**statistics.options)  # a choice that cannot be followed is refused before anything is read
    scores = groups.weighed(given.read(context, reading))
    gates = conditions.gates("compare", names=scores.measures)
    for gate in gates:
        if gate.pair:
            check_pair_gate(gate, statistics.baselined, statistics.tested)
        if gate.possible:
            problem = "lower, upper and undecided need rankings, and --scores holds none"
            raise PolicyError("E246", problem, hint="give judgments and runs")
        if gate.name and gate.name not in scores.measures:
            hint = f"there are {', '.join(scores.measures)}"
            raise PolicyError("E246", f"there are no scores of {gate.name}", hint=hint)
    saved = None if statistics.against is None else Saved.of(statistics.against)
    baselines = statistics.baseline or None
    comparison = compare(scores, baseline=baselines, against=saved, jobs=jobs, **statistics.options)
    verdicts = [
        judge_pair(gate, comparison, gate.name)
        if gate.pair
        else judge(gate, scores, scores.measures.index(gate.name) if gate.name else None)
        for gate in gates
    ]
    return comparison, verdicts
