"""`cranfield reproduce QRELS ORIGINAL REPRODUCED`: say how close a reproduced run comes to the original."""

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from cranfield.align.policy import Policy
from cranfield.cli import defaults, options
from cranfield.cli.files import InputPath
from cranfield.cli.help import Verb
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output
from cranfield.cli.schemas.schema import COUNT, NUMBER, TEXT, record, rows

if TYPE_CHECKING:
    from cranfield.cli.options.reading import Reading
    from cranfield.measures.grammar import Measure
    from cranfield.tables.run import Runs

_NUMBERS = dict.fromkeys(("original", "reproduced", "rmse", "p", "effect_ratio", "delta_ri"), NUMBER)
_TWO = {"type": "array", "minItems": 2, "maxItems": 2}
_RESULT = record(
    {
        "original": TEXT,
        "reproduced": TEXT,
        "baselines": {"oneOf": [{"type": "null"}, {**_TWO, "items": TEXT}]},
        "same_collection": {"type": "boolean"},
        "topics": {**_TWO, "items": COUNT},
        "tau_union": NUMBER,
        "rbo": NUMBER,
        "rbo_p": {"type": "number"},
        "order": rows(record({"topic": TEXT, "tau_union": NUMBER, "rbo": NUMBER})),
        "measures": rows(record({"measure": TEXT, **_NUMBERS})),
    }
)
_EXAMPLES = (
    "cranfield reproduce qrels.txt original.run mine.run -m AP -m nDCG@10",
    "cranfield reproduce qrels.txt theirs.run mine.run --baselines bm25.run my.run",
    "cranfield reproduce old.qrels theirs.run mine.run --qrels-reproduced new.qrels",
)


@click.command("reproduce", cls=Verb, synopsis="QRELS ORIGINAL REPRODUCED", examples=_EXAMPLES, result_schema=_RESULT)
@click.argument("qrels", type=InputPath())
@click.argument("original", type=InputPath())
@click.argument("reproduced", type=InputPath())
@options.option(
    "--baselines",
    group="input",
    type=InputPath(),
    nargs=2,
    metavar="RUN RUN",
    brief=True,
    help="original and reproduced baseline: for the effect ratio",
)
@options.option(
    "--qrels-reproduced",
    group="input",
    type=InputPath(),
    metavar="FILE",
    brief=True,
    help="judgments of the reproduction, on another collection",
)
@options.inputs
@options.policies
@options.measures
@options.option(
    "--rbo-p",
    group="statistics",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.8,
    metavar="P",
    help="how patient the user of rank-biased overlap is",
)
@options.output
@click.pass_context
def command(
    context: click.Context,
    qrels: str,
    original: str,
    reproduced: str,
    baselines: tuple[str, str] | None,
    qrels_reproduced: str | None,
    reading: "Reading",
    policy: Policy,
    measures: "tuple[Measure, ...]",
    rbo_p: float,
    output: Output,
) -> int:
    """Say how close a reproduced run comes to the original: order of documents, scores, improvement."""
    from cranfield.cli.options.reading import read_judged
    from cranfield.read import read_runs
    from cranfield.stats.reproduction.reproduce import MEASURES, reproduce

    console: Console = context.obj
    output.check(console)

    def run(path: str) -> "Runs":
        return read_runs(path, **reading.runs)

    with console.timed("reproduction"):
        found = reproduce(
            read_judged(console, qrels, reading),
            run(original),
            run(reproduced),
            measures or MEASURES,
            baselines=None if not baselines else (run(baselines[0]), run(baselines[1])),
            qrels_reproduced=None if qrels_reproduced is None else read_judged(console, qrels_reproduced, reading),
            p=rbo_p,
            policy=policy,
        )
    sheet = found.sheet()
    if defaults.used(context):
        sheet = replace(sheet, notes=(*sheet.notes, defaults.NOTE))
    audit = found.audit
    data = envelope(console, inputs=audit.inputs, policies=audit.policies, audit=audit.as_dict(), result=found.result())
    output.write(console, sheet, data)
    return 0
