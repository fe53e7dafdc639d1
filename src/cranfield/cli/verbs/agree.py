"""`cranfield agree QRELS QRELS…`: measure how far assessors agree, and whether it matters."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from cranfield.cli import defaults, options
from cranfield.cli.declared import DeclaredNames
from cranfield.cli.files import InputPath
from cranfield.cli.help import Verb
from cranfield.cli.options.charts import ChartOptions, charts_of
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output
from cranfield.cli.schemas.agree import agree_schema
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.cli.options.reading import Reading
    from cranfield.measures.grammar import Measure
    from cranfield.stats.agreement.alpha import MeasurementLevel
    from cranfield.stats.agreement.labels import NegativeLabels, Repeats
    from cranfield.stats.agreement.measured import Over, Weights

_NEGATIVE = DeclaredNames("cranfield.stats.agreement.labels", "NegativeLabels").names()
_REPEATS = DeclaredNames("cranfield.stats.agreement.labels", "Repeats").names()
_WEIGHTS = DeclaredNames("cranfield.stats.agreement.measured", "Weights").names()
_LEVELS = DeclaredNames("cranfield.stats.agreement.alpha", "MeasurementLevel").names()
_OVER = DeclaredNames("cranfield.stats.agreement.measured", "Over").names()

_EXAMPLES = (
    "cranfield agree ann.qrels bob.qrels --runs 'runs/*.run' -m nDCG@10",
    "cranfield agree lab.db --self",
    "cranfield agree raw.jsonl --llm model.jsonl --runs 'runs/*' --groups teams.tsv",
)


@click.command(
    "agree", cls=Verb, synopsis="LAB.db | QRELS QRELS… | RAW.jsonl", examples=_EXAMPLES, result_schema=agree_schema
)
@click.argument("judgments", type=InputPath(), nargs=-1, required=True)
@options.option(
    "--llm",
    group="input",
    type=InputPath(),
    metavar="FILE",
    brief=True,
    help="labels of a model, as one more assessor",
)
@options.option(
    "--map",
    "map",
    group="input",
    type=InputPath(),
    metavar="FILE",
    help="the requests to the model, where its labels name no ids",
)
@options.option("--missing", group="input", multiple=True, metavar="GRADE", help="grade that stands for no label")
@options.inputs
@options.option(
    "--negative",
    group="policy",
    type=click.Choice(_NEGATIVE),
    default="unjudged",
    help="what a grade below 0 means",
)
@options.option(
    "--repeats",
    group="policy",
    type=click.Choice(_REPEATS),
    default="last",
    help="which judgment of a pair judged again counts",
)
@options.option(
    "--binary",
    group="policy",
    type=float,
    metavar="N",
    help="grades from N on become 1, the others 0",
)
@options.option("-l", "rel", group="policy", type=float, default=1, metavar="GRADE", help="lowest relevant grade")
@options.option(
    "--runs",
    group="statistics",
    multiple=True,
    type=InputPath(),
    metavar="GLOB",
    brief=True,
    help="runs: whether disagreement changes their order",
)
@options.measures
@options.option(
    "--groups",
    group="input",
    type=InputPath(),
    metavar="FILE",
    help="run and group on each line: whether the model favours a group of runs",
)
@options.option(
    "--alpha",
    group="statistics",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    metavar="P",
    help="with a model and runs: a corrected p below it is significant",
)
@options.option(
    "--self",
    "itself",
    group="statistics",
    is_flag=True,
    brief=True,
    help="agreement of each assessor with themselves, on pairs judged again",
)
@options.option(
    "--weights",
    group="statistics",
    type=click.Choice(_WEIGHTS),
    default="quadratic",
    metavar="|".join(_WEIGHTS),
    help="weights of kappa",
)
@options.option(
    "--level",
    group="statistics",
    type=click.Choice(_LEVELS),
    default="ordinal",
    metavar="|".join(_LEVELS),
    help="level of measurement of alpha",
)
@options.option(
    "--over",
    group="statistics",
    type=click.Choice(_OVER),
    default="topics",
    help="what intervals resample",
)
@options.option(
    "--samples", group="statistics", type=click.IntRange(1), default=1000, metavar="N", help="resamples of an interval"
)
@options.option(
    "--min-common",
    group="statistics",
    type=click.IntRange(1),
    metavar="N",
    usual="1, of many assessors 20",
    help="pairs that two assessors must share",
)
@options.option(
    "--per-topic",
    group="statistics",
    is_flag=True,
    brief=True,
    help="agreement on every topic",
)
@options.option("--all", "every", group="statistics", is_flag=True, help="show every coefficient")
@options.seed
@charts_of("agreement")
@options.output
@click.pass_context
def command(
    context: click.Context,
    judgments: Sequence[str],
    llm: str | None,
    map: str | None,
    missing: Sequence[str],
    reading: "Reading",
    negative: "NegativeLabels",
    repeats: "Repeats",
    binary: float | None,
    rel: float,
    runs: Sequence[str],
    measures: "tuple[Measure, ...]",
    groups: str | None,
    alpha: float,
    itself: bool,
    weights: "Weights",
    level: "MeasurementLevel",
    over: "Over",
    samples: int,
    min_common: int | None,
    per_topic: bool,
    every: bool,
    seed: int,
    chart: ChartOptions,
    output: Output,
) -> int:
    """Measure how far assessors agree, on which grades and topics, and whether it changes the order of systems."""
    from cranfield.read import read_runs
    from cranfield.stats.agreement.agree import agree

    console: Console = context.obj
    _check(context, runs, llm, map)
    chart.check(console, output, per_topic=per_topic, all=every)
    output.check(console, picture=chart.name is not None)
    with console.timed("reading runs"):
        systems = read_runs(*runs, **reading.runs) if runs else None
    with console.timed("agreement"):
        found = agree(
            *judgments,
            llm=llm,
            map=map,
            runs=systems,
            measures=measures or "nDCG@10",
            groups=groups,
            alpha=alpha,
            itself=itself,
            weights=weights,
            level=level,
            binary=binary,
            rel=rel,
            repeats=repeats,
            negative=negative,
            missing=missing,
            over=over,
            samples=samples,
            seed=seed,
            min_common=min_common,
            **reading.qrels,
        )
    if chart.name is not None:
        chart.write(console, output, found.plot)
        return 0
    sheet = found.topic_sheet() if per_topic else found.sheet(every)
    if defaults.used(context):
        sheet = replace(sheet, notes=(*sheet.notes, defaults.NOTE))
    audit = found.audit
    form = output.chosen(console)
    written = (
        envelope(
            console,
            inputs=audit.inputs,
            policies=audit.policies,
            audit=audit.as_dict(),
            result=found.result(per_topic),
        )
        if form == "json"
        else {}
    )
    output.write(console, sheet, written)
    return 0


def _check(context: click.Context, runs: Sequence[str], llm: str | None, map: str | None) -> None:
    """Refuse options that would have no effect."""
    for name, option in (("measures", "-m"), ("alpha", "--alpha")):
        said = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if said and not runs:
            raise PolicyError("E200", f"{option} has no effect without --runs", hint="add --runs 'runs/*.run'")
    if map is not None and llm is None:
        raise PolicyError("E200", "--map has no effect without --llm", hint="add --llm labels.jsonl")
