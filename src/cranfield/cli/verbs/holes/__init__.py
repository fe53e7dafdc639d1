"""`cranfield holes QRELS RUN…`: show what missing judgments could change.

`asked` holds the options of the question, `next` those of the documents to judge next.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.align.policy import Policy
from cranfield.cli import defaults, options
from cranfield.cli.declared import DeclaredNames
from cranfield.cli.files import InputPath
from cranfield.cli.help import Verb
from cranfield.cli.names import RegisteredName
from cranfield.cli.options.charts import ChartOptions, charts_of
from cranfield.cli.options.estimates import EstimateOptions, estimated
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output
from cranfield.cli.schemas.holes import holes_schema
from cranfield.cli.verbs.holes.asked import Asked, asked
from cranfield.cli.verbs.holes.estimates import result_with_estimate, with_estimate
from cranfield.cli.verbs.holes.next import NextOptions, judge_next, result_with_next, with_next, with_queued
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.cli.options.reading import Reading
    from cranfield.measures.grammar import Measure
    from cranfield.missing.sheets.whole import HolesPart

_EXAMPLES = (
    "cranfield holes qrels.txt runs/*.run --baseline bm25 --universe open:5",
    "cranfield holes qrels.txt runs/*.run -m P@10 --next 50 --to lab.db",
    "cranfield holes qrels.txt runs/*.run --estimate prior",
)


@click.command("holes", cls=Verb, synopsis="QRELS RUN…", examples=_EXAMPLES, result_schema=holes_schema)
@click.argument("qrels", type=InputPath())
@click.argument("runs", type=InputPath(), nargs=-1, required=True)
@options.inputs
@options.topics
@options.only_topics
@options.policies
@options.measures
@asked
@judge_next
@estimated("also expected scores and P(A > B)", brief=True)
@charts_of("holes")
@options.option(
    "--only",
    group="output",
    type=RegisteredName(DeclaredNames("cranfield.missing.sheets.whole", "HolesPart")),
    brief=True,
    usual="all; the ranges in CSV and the like",
    help="print this table alone",
)
@options.output
@click.pass_context
def command(
    context: click.Context,
    qrels: str,
    runs: Sequence[str],
    reading: "Reading",
    policy: Policy,
    measures: "tuple[Measure, ...]",
    asked: Asked,
    judging: NextOptions,
    estimating: EstimateOptions,
    chart: ChartOptions,
    only: "HolesPart | None",
    output: Output,
) -> int:
    """Show what missing judgments could change: possible ranges of scores, and which orders of runs are certain."""
    from cranfield.cli.options.reading import read_judged, run_sources
    from cranfield.cli.printing.progress import progress
    from cranfield.missing.holes import holes

    console: Console = context.obj
    chart.check(console, output, only=only)
    if chart.name != "coverage":
        chart.check_one(measures)
    form = output.check(console, picture=chart.name is not None)
    asked.check()
    judging.check(measures)
    estimating.check()
    if estimating.estimate is not None and len(measures) > 1:
        hint = f"write -m {measures[0]}"
        raise PolicyError("E200", f"--estimate is of one measure, not of {len(measures)}", hint=hint)
    with progress(console, "reading") as step:
        found = holes(
            read_judged(console, qrels, reading),
            run_sources(console, runs, reading),
            measures or "nDCG@10",
            policy=policy,
            progress=step,
            **asked.choices,
        )
    if chart.name is not None:
        chart.write(console, output, found.plot)
        return 0
    audit = found.audit
    documents = judging.chosen(console, found)
    queued = judging.queued(console, documents)
    drawn = None
    if estimating.estimate is not None:
        with console.timed("estimate"):
            drawn = estimating.drawn(found, judging.seed)
    data: dict[str, Any] = {}
    with console.timed("ranges"):
        if form == "json":
            result = result_with_estimate(result_with_next(found.result(), documents, queued), drawn)
            data = envelope(console, inputs=audit.inputs, policies=audit.policies, audit=audit.as_dict(), result=result)
        sheet = with_queued(with_next(with_estimate(found.sheet(only), found, drawn), documents), queued)
    if defaults.used(context):
        sheet = replace(sheet, notes=(*sheet.notes, defaults.NOTE))
    output.write(console, sheet, data)
    return 0
