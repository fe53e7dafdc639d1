"""`cranfield compare QRELS RUN…`: test the differences between runs.

`grouped` does it by group of topics or collection, `score_tables` with scores that were computed elsewhere.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cranfield.align.policy import Policy
from cranfield.cli import defaults, options
from cranfield.cli.files import InputPath
from cranfield.cli.gates.conditions import Conditions, conditions
from cranfield.cli.gates.holes import holes_for
from cranfield.cli.gates.reports import Reports, reports
from cranfield.cli.gates.verdicts import say_verdicts
from cranfield.cli.help import Verb
from cranfield.cli.options.averages import GroupOptions, refuse_beside_groups, topic_groups
from cranfield.cli.options.charts import ChartOptions, charts_of
from cranfield.cli.options.score_tables import ScoreTableOptions, given_scores
from cranfield.cli.options.scoring import Scoring, scoring
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output
from cranfield.cli.schemas.compare import compare_schema
from cranfield.cli.verbs.compare.holes import HolesOptions, holes, next_step
from cranfield.cli.verbs.compare.score_tables import compared_scores
from cranfield.cli.verbs.compare.statistics import Statistics, statistical
from cranfield.errors import PolicyError
from cranfield.reporting.gates.condition import Gate
from cranfield.reporting.gates.observed import judge
from cranfield.reporting.gates.pair import check_pair_gate, judge_pair
from cranfield.reporting.gates.possible import judge_possible
from cranfield.tables.side.gates import GateVerdict

if TYPE_CHECKING:
    from cranfield.cli.options.reading import Reading
    from cranfield.measures.grammar import Measure
    from cranfield.stats.comparison.result import Comparison
    from cranfield.tables.sheets.sheet import Sheet

EXAMPLES = (
    "cranfield compare qrels.txt runs/*.run -m nDCG@10 --baseline bm25",
    "cranfield compare qrels.txt runs/*.run --format latex -o table.tex",
    "cranfield compare qrels.txt new.run --against main.json --fail-if 'worse(AP)'",
)


@click.command(
    "compare",
    cls=Verb,
    synopsis="QRELS RUN… | --scores TABLE | --collection …",
    examples=EXAMPLES,
    result_schema=compare_schema,
)
@click.argument("qrels", type=InputPath(), required=False)
@click.argument("runs", type=InputPath(), nargs=-1)
@given_scores
@topic_groups
@options.inputs
@options.topics
@options.only_topics
@scoring
@options.policies
@options.measures
@statistical
@holes
@charts_of("comparison")
@options.option(
    "--per-topic",
    group="statistics",
    is_flag=True,
    help="the differences on every topic",
)
@options.option(
    "--paper",
    group="output",
    is_flag=True,
    help="one table of all runs and measures, with stars for the baseline or letters",
)
@conditions("worse(AP)", "drop(AP) <= 5%")
@reports
@options.output
@click.pass_context
def command(
    context: click.Context,
    qrels: str | None,
    runs: Sequence[str],
    given: ScoreTableOptions,
    groups: GroupOptions,
    reading: "Reading",
    scoring: Scoring,
    policy: Policy,
    measures: "tuple[Measure, ...]",
    statistics: Statistics,
    holes: HolesOptions,
    chart: ChartOptions,
    per_topic: bool,
    paper: bool,
    conditions: Conditions,
    reports: Reports,
    output: Output,
) -> int:
    """Test the differences between runs: against baselines, saved scores, or all."""
    from cranfield.measures.grammar import parse_many
    from cranfield.stats.comparison.against import Saved
    from cranfield.stats.comparison.compare import DEFAULT_MEASURES, compare
    from cranfield.stats.comparison.method import Method

    console: Console = context.obj
    noted = [defaults.NOTE] if defaults.used(context) else []
    table = "topics" if per_topic else "paper" if paper else "pairs"
    if paper and (per_topic or chart.name):
        raise PolicyError("E200", "--paper is a table of its own", hint="leave --per-topic and --chart out")
    collections = () if given.scores else groups.check(context, qrels, runs, reading)
    if groups.by or collections:
        from cranfield.cli.verbs.compare import grouped

        others = {"--per-topic": per_topic, "--paper": paper, "--chart": chart.name, "--against": statistics.against}
        refuse_beside_groups(
            {**others, "--estimate": holes.estimating.estimate, "--omnibus": statistics.options["omnibus"]}
        )
        asked = grouped.GroupedComparing(
            groups=groups,
            collections=collections,
            given=given,
            statistics=statistics,
            conditions=conditions,
            reports=reports,
            output=output,
        )
        return grouped.show(context, asked, qrels, runs, reading, scoring, policy, measures)
    if given.check(context, qrels, runs) or qrels is None:
        chart.check(console, output, per_topic=per_topic)
        output.check(console, picture=chart.name is not None)
        reports.check(console, output)
        found, judged = compared_scores(context, given, groups, reading, statistics, conditions, scoring.jobs)
        return _write(console, found, judged, noted, output, table, chart, reports)
    gates = conditions.gates("compare")
    for gate in gates:
        if gate.pair:
            check_pair_gate(gate, statistics.baselined, statistics.tested)
    possible = any(gate.possible for gate in gates)
    if possible and scoring.replicates is not None:
        raise PolicyError("E200", "lower, upper and undecided are of runs", hint="leave --replicates out")
    if possible and statistics.against is not None:
        problem = "lower, upper and undecided need rankings, and saved scores hold none"
        raise PolicyError("E200", problem, hint="give the runs instead of --against")
    Method(**statistics.options)  # a choice that cannot be followed is refused before anything is read
    saved = None if statistics.against is None else Saved.of(statistics.against)
    shown = measures or parse_many(DEFAULT_MEASURES if saved is None else saved.scores.measures)
    compared = tuple(dict.fromkeys([*shown, *(gate.measure for gate in gates if gate.pair and gate.measure)]))
    chart.check(console, output, per_topic=per_topic)
    chart.check_one(shown)
    output.check(console, picture=chart.name is not None)
    reports.check(console, output)
    groups.refuse_ranges(gates)
    holes.check(statistics.against is None and scoring.cluster is None)
    wanted = tuple(dict.fromkeys([*compared, *(gate.measure for gate in gates if gate.measure)]))
    seed = statistics.options["seed"]
    policy.require_single_values("a comparison")
    scored = scoring.scored(console, qrels, runs, reading, wanted, policy, seed, again=holes.again or possible)
    scored = scored._replace(scores=groups.weighed(scored.scores))
    scores = scored.scores
    with console.timed("comparing"):
        chosen = scores.select(scores.measures[: len(compared)])
        baselines = statistics.baseline or None
        comparison = compare(chosen, baseline=baselines, against=saved, jobs=scoring.jobs, **statistics.options)
    comparison = holes.joined(console, comparison, scored, policy, scoring, groups.weights)

    missing = holes_for(gates, scored, policy, holes.universe)

    def verdict(gate: Gate) -> GateVerdict:
        at = None if gate.measure is None else wanted.index(gate.measure)
        if missing is not None and gate.possible:
            compared_pairs = {frozenset((pair.run, pair.baseline)) for pair in comparison.pairs(comparison.measures[0])}
            return judge_possible(gate, missing, scores.measures[at or 0], compared_pairs)
        return judge_pair(gate, comparison, scores.measures[at or 0]) if gate.pair else judge(gate, scores, at)

    verdicts = [verdict(gate) for gate in gates]
    notes = [*noted, *next_step(comparison, qrels, runs)]
    return _write(console, comparison, verdicts, notes, output, table, chart, reports)


def _write(
    console: Console,
    comparison: "Comparison",
    verdicts: Sequence[GateVerdict],
    notes: Sequence[str],
    output: Output,
    table: str,
    chart: ChartOptions,
    reports: Reports,
) -> int:
    code = int(any(not verdict.passed for verdict in verdicts))
    sheets: dict[str, Callable[[], Sheet]] = {
        "topics": comparison.topic_sheet,
        "paper": comparison.paper_sheet,
        "pairs": comparison.sheet,
    }
    sheet = sheets[table]()
    sheet = replace(sheet, notes=(*sheet.notes, *notes))
    form = "chart" if chart.name else output.chosen(console)
    data: dict[str, Any] = {}
    if form in ("json", "html"):
        audit = comparison.audit
        gates = {"gates": [verdict.as_dict() for verdict in verdicts]} if verdicts else {}
        result = {**comparison.result(per_topic=table == "topics"), **gates}
        data = envelope(
            console, exit=code, inputs=audit.inputs, policies=audit.policies, audit=audit.as_dict(), result=result
        )
    brief = form == "table" and output.to_stdout and verdicts and comparison.against and table == "pairs"
    if reports.to_stdout and output.to_stdout and not chart.name:
        pass  # the test report is printed instead
    elif chart.name:
        chart.write(console, output, partial(comparison.plot, measure=comparison.measures[0]))
    elif brief:
        from cranfield.stats.comparison.sheets.brief import brief as in_brief

        console.out(in_brief(comparison, console.screen))
    else:
        output.write(console, sheet, data)
    say_verdicts(console, verdicts, output, form, aside=reports.to_stdout)
    reports.write(console, "cranfield compare", comparison.sheet, verdicts)
    return code
