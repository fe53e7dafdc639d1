"""`cranfield evaluate QRELS RUN…`: score runs against judgments.

`grouped` does it by group of topics or collection, `curves` and `sampling` show something else than means.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, get_args

import click

from cranfield.align.policy import Policy
from cranfield.cli import defaults, options
from cranfield.cli.declared import DeclaredNames
from cranfield.cli.files import InputPath, OutputPath
from cranfield.cli.gates.conditions import Conditions, conditions
from cranfield.cli.gates.reports import Reports, reports
from cranfield.cli.gates.verdicts import say_verdicts
from cranfield.cli.help import Verb
from cranfield.cli.names import BeginningName
from cranfield.cli.options.averages import GroupOptions, refuse_beside_groups, topic_groups
from cranfield.cli.options.averages import average as average_option
from cranfield.cli.options.charts import ChartOptions, charts_of
from cranfield.cli.options.scoring import ScoredRuns, Scoring, scoring
from cranfield.cli.options.universe import universe as universe_option
from cranfield.cli.printing.console import Console, dumped, envelope
from cranfield.cli.printing.output import Output, check_place, write_whole
from cranfield.cli.schemas.schema import EVALUATE
from cranfield.cli.verbs.evaluate import order
from cranfield.errors import PolicyError
from cranfield.tables.averages import MeanIntervalMethod, refuse_t_interval

if TYPE_CHECKING:
    from cranfield.cli.options.reading import Reading
    from cranfield.measures.curves.curve import CurveBand
    from cranfield.measures.grammar import Measure
    from cranfield.reporting.gates.condition import Gate
    from cranfield.tables.scores import MeasureNames, Scores
    from cranfield.tables.side.gates import GateVerdict

EXAMPLES = (
    "cranfield evaluate qrels.txt runs/*.run -m nDCG@10 -m AP -m 'RBP(p=0.8)'",
    "cranfield evaluate qrels.txt bm25.run --per-topic --format csv -o topics.csv",
    "cranfield evaluate qrels.txt new.run --require 'nDCG@10 >= 0.4' --junit o.xml",
)
NO_INTERVAL: Final = "none"
INTERVALS: dict[MeanIntervalMethod, str] = {
    "t": "95 % intervals: Student's t over {over}",
    "bootstrap": "95 % intervals: percentile bootstrap over {over}, seed {seed}",
}


@click.command("evaluate", cls=Verb, synopsis="QRELS RUN… | --collection …", examples=EXAMPLES, result_schema=EVALUATE)
@click.argument("qrels", type=InputPath(), required=False)
@click.argument("runs", type=InputPath(), nargs=-1)
@topic_groups
@options.inputs
@options.topics
@options.only_topics
@scoring
@options.policies
@options.measures
@options.option("--per-topic", group="statistics", is_flag=True, brief=True, help="every topic instead of the means")
@options.option(
    "--ci",
    group="statistics",
    type=click.Choice([NO_INTERVAL, *get_args(MeanIntervalMethod)]),
    default=NO_INTERVAL,
    brief=True,
    help="95 % interval of the mean",
)
@options.option(
    "--sampling-error",
    group="statistics",
    is_flag=True,
    help="standard error and 95 % interval of xinfAP, infNDCG, statAP …",
)
@average_option()
@options.option(
    "--curve",
    group="statistics",
    type=BeginningName(DeclaredNames("cranfield.tables.curves.kind", "CURVES")),
    metavar="KIND",
    help="draw a curve instead of the table: KIND, KIND@k or KIND(parameter=value)",
)
@options.option(
    "--band",
    group="statistics",
    type=click.Choice(["none", "quartiles", "bounds"]),
    default="none",
    help="around each curve: the middle half of the topics, or what missing judgments could make of it",
)
@charts_of("scores")
@options.seed
@universe_option()
@conditions("AP < 0.3 for bm*", "AP >= 0.3")
@options.option("--save", group="output", type=OutputPath(), metavar="FILE.json", help="keep the scores of every topic")
@options.option(
    "--tracker-names", group="output", is_flag=True, help="in JSON also the names that MLflow takes: ndcg_10, rbp_p0.8"
)
@reports
@order.sort
@options.output
@click.pass_context
def command(
    context: click.Context,
    qrels: str | None,
    runs: Sequence[str],
    groups: GroupOptions,
    reading: "Reading",
    scoring: Scoring,
    policy: Policy,
    measures: "tuple[Measure, ...]",
    per_topic: bool,
    ci: Literal["none"] | MeanIntervalMethod,
    sampling_error: bool,
    average: str,
    curve: str | None,
    band: "CurveBand",
    chart: ChartOptions,
    seed: int,
    universe: str,
    conditions: Conditions,
    save: str | None,
    tracker_names: bool,
    reports: Reports,
    sort: str | None,
    output: Output,
) -> int:
    """Score runs against judgments: the mean of each measure, and what it rests on."""
    import cranfield as cf
    from cranfield.measures.evaluate import DEFAULT_MEASURES
    from cranfield.measures.grammar import parse_many

    console: Console = context.obj
    collections = groups.check(context, qrels, runs, reading)
    shown = measures or parse_many(DEFAULT_MEASURES)
    if save is not None:
        _check_saved(save)
    if groups.by or collections:
        from cranfield.cli.verbs.evaluate import grouped

        others = {"--per-topic": per_topic, "--curve": curve, "--sampling-error": sampling_error}
        refuse_beside_groups({**others, "--tracker-names": tracker_names, "--chart": chart.name})
        asked = grouped.GroupedOptions(
            groups=groups,
            collections=collections,
            measures=shown,
            ci=ci,
            seed=seed,
            average=average,
            sort=sort,
            save=save,
            width=chart.width,
            conditions=conditions,
            reports=reports,
            output=output,
        )
        return grouped.show(context, asked, qrels, runs, reading, scoring, policy)
    qrels = str(qrels)  # which is given, as was checked
    excluded = {
        "--ci": ci != NO_INTERVAL,
        "--fail-if": conditions.fail_if,
        "--require": conditions.require,
        "--save": save,
    }
    excluded |= {"--junit": reports.junit, "--summary": reports.summary}
    excluded |= {"--intents": scoring.intents, "--cluster": scoring.cluster, "--replicates": scoring.replicates}
    excluded |= {"--sort": sort, "--tracker-names": tracker_names, "--weights": groups.weights}
    if sampling_error:
        from cranfield.cli.verbs.evaluate import sampling

        drawn = {"--curve": curve, "--chart": chart.name, "--width": chart.width}
        sampling.refuse_others({**drawn, **excluded, "--collapse": scoring.collapse})
        if average != "macro":
            raise PolicyError("E200", "--sampling-error is of means", hint="leave --average out")
        return sampling.show(context, measures, qrels, runs, reading, policy, seed, per_topic, output)
    if curve is not None:
        from cranfield.cli.verbs.evaluate import curves

        curves.refuse_others({"--chart": chart.name, **excluded})
        request = curves.CurveOptions(
            kind=curve,
            models=measures,
            average=average,
            band=band,
            universe=universe,
            width=chart.width,
            per_topic=per_topic,
            collapse=scoring.collapse,
        )
        return curves.draw(context, request, qrels, runs, reading, policy, output)
    if band != "none":
        raise PolicyError("E200", "--band is around curves", hint="add --curve ndcg@20, or leave it out")
    chart.check(console, output, per_topic=per_topic)
    refuse_t_interval(ci, average)
    gates = conditions.gates("evaluate")
    shown = shown if measures or chart.name is None else shown[:1]
    chart.check_one(shown)
    form = output.check(console, picture=chart.name is not None)
    if form != "json" and tracker_names and save is None:
        raise PolicyError("E200", "--tracker-names are names in JSON", hint="add --json, or --save FILE.json")
    column = order.column_of(sort, shown, form)
    reports.check(console, output)

    wanted = tuple(dict.fromkeys([*shown, *(gate.measure for gate in gates if gate.measure)]))
    again = any(gate.possible for gate in gates)
    if again and scoring.replicates is not None:
        raise PolicyError("E200", "lower, upper and undecided are of runs", hint="leave --replicates out")
    if again and average != "macro":
        raise PolicyError("E200", f"lower, upper and undecided are of means over topics, not of --average {average}")
    choices = {"average": average, "universe": universe}
    groups.refuse_ranges(gates)
    scored = scoring.scored(console, qrels, runs, reading, wanted, policy, seed, again=again, **choices)
    scored = scored._replace(scores=groups.weighed(scored.scores))
    verdicts = _verdicts(gates, scored, policy, universe, wanted) if gates else []
    scores = scored.scores.select(scored.scores.measures[: len(shown)])
    notes = [defaults.NOTE] if defaults.used(context) else []
    if ci != NO_INTERVAL:
        scores = cf.with_intervals(scores, ci, seed=seed)
        over = "topics" if scoring.replicates is None else "topics and replicates"
        notes.append(INTERVALS[ci].format(seed=seed, over=over))
    names: MeasureNames = "tracker" if tracker_names else "measure"
    return _write(console, scores, column, verdicts, notes, output, per_topic, save, chart, reports, names)


def _check_saved(path: str) -> None:
    """Refuse a place for saved scores that is none, or a name that says they are not JSON."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in ("", ".json"):
        hint = "saved scores are JSON: let the name end in .json; -o writes the table in other forms"
        raise PolicyError("E224", f"--save writes no file that ends in {ending!r}", hint=hint)
    check_place(path)


def _verdicts(
    gates: "Sequence[Gate]", scored: ScoredRuns, policy: Policy, universe: str, wanted: "Sequence[Measure]"
) -> "list[GateVerdict]":
    """The verdicts on conditions, each on the column of its measure."""
    from cranfield.cli.gates.holes import holes_for
    from cranfield.reporting.gates.observed import judge
    from cranfield.reporting.gates.possible import judge_possible

    scores, missing = scored.scores, holes_for(gates, scored, policy, universe)

    def verdict(gate: "Gate") -> "GateVerdict":
        at = None if gate.measure is None else wanted.index(gate.measure)
        if missing is not None and gate.possible:
            return judge_possible(gate, missing, scores.measures[at or 0])
        return judge(gate, scores, at)

    return list(map(verdict, gates))


def _write(
    console: Console,
    scores: "Scores",
    column: int | None,
    verdicts: "Sequence[GateVerdict]",
    notes: Sequence[str],
    output: Output,
    per_topic: bool,
    save: str | None,
    chart: ChartOptions,
    reports: Reports,
    names: "MeasureNames",
) -> int:
    code = int(any(not verdict.passed for verdict in verdicts))
    gates = {"gates": [verdict.as_dict() for verdict in verdicts]} if verdicts else {}

    def enveloped(topics: bool) -> dict[str, object]:
        audit = scores.audit
        result = {**scores.result(per_topic=topics, names=names), **gates}
        return envelope(
            console, exit=code, inputs=audit.inputs, policies=audit.policies, audit=audit.as_dict(), result=result
        )

    form, printed = "chart" if chart.name else output.chosen(console), order.ordered(scores, column)
    shown = printed if order.is_printed(form) else scores
    sheet = shown.topic_sheet() if per_topic else shown.sheet()
    sheet = replace(sheet, notes=(*sheet.notes, *notes))
    if save is not None:
        write_whole(save, dumped(enveloped(topics=True)))
    aside = reports.to_stdout and output.to_stdout
    if chart.name:
        chart.write(console, output, scores.plot)
    elif not aside:
        output.write(console, sheet, enveloped(per_topic) if form in ("json", "html") else {})
    say_verdicts(console, verdicts, output, form, aside=reports.to_stdout)
    reports.write(console, "cranfield evaluate", printed.sheet, verdicts)
    return code
