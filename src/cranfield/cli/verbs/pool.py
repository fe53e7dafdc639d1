"""`cranfield pool RUN…`: choose the documents to judge."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.align.policy import Duplicates, FoldBy, Negative, Ties
from cranfield.cli import defaults, options
from cranfield.cli.declared import DeclaredNames
from cranfield.cli.files import InputPath, OutputPath
from cranfield.cli.help import Verb
from cranfield.cli.names import RegisteredName
from cranfield.cli.options.charts import ChartOptions, charts_of
from cranfield.cli.options.policy_fields import policy_fields
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output, check_place
from cranfield.cli.schemas.schema import COUNT, TEXT, record, rows

if TYPE_CHECKING:
    from cranfield.cli.options.reading import Reading
    from cranfield.pooling.result import Pooled
    from cranfield.tables.qrels import Qrels
    from cranfield.tables.side.pool import Pool

_OF_RUN = {"pairs": COUNT, "unique": COUNT}


STRATEGY = RegisteredName(DeclaredNames("cranfield.pooling.strategies", "STRATEGIES"))


def _result() -> dict[str, Any]:
    """The schema; the names of strategies are those of the registry."""
    return _RESULT | {"properties": {**_RESULT["properties"], "strategy": {"enum": [*STRATEGY.names(), "qrels"]}}}


_RESULT = record(
    {
        "strategy": TEXT,
        "depth": COUNT,
        "budget": {"type": ["integer", "null"]},
        "adaptive": {"type": "boolean"},
        "pairs": COUNT,
        "topics": rows(record({"topic": TEXT, "pairs": COUNT})),
        "runs": rows(record({"run": TEXT, **_OF_RUN})),
        "overlap": record({"runs": rows(TEXT), "pairs": rows(rows(COUNT))}),
        "strata": rows(record({"stratum": TEXT, "pairs": COUNT})),
        "short": COUNT,
        "left_out": COUNT,
        "hours": {"type": "number", "minimum": 0},
    },
    {"groups": rows(record({"group": TEXT, **_OF_RUN})), "relevant": COUNT, "unknown": COUNT},
)
_POLICIES = policy_fields()
_EXAMPLES = (
    "cranfield pool runs/*.run --depth 20 -o pool.tsv",
    "cranfield pool runs/*.run --strategy rrf --budget 50 --qrels old.txt -o p.tsv",
    "cranfield pool runs/*.run --strategy sample --strata 1-10:1,11-50:0.4 -o p.tsv",
)


@click.command("pool", cls=Verb, synopsis="RUN…", examples=_EXAMPLES, result_schema=_result)
@click.argument("runs", type=InputPath(), nargs=-1)
@options.option(
    "--qrels",
    group="input",
    type=InputPath(),
    metavar="FILE",
    brief=True,
    help="judgments: leave out what is judged, or learn from it",
)
@options.option("--from-qrels", group="input", type=InputPath(), metavar="FILE", help="qrels whose pairs are the pool")
@options.option(
    "--groups", group="input", type=InputPath(), metavar="FILE", help="file with a run and its group on each line"
)
@options.inputs
@options.option(
    "--depth",
    group="policy",
    type=click.IntRange(1),
    metavar="K",
    brief=True,
    usual="100",
    help="ranks of each list that are looked at",
)
@options.option(
    "--strategy",
    group="policy",
    type=STRATEGY,
    default="depth",
    metavar="NAME",
    brief=True,
    help="which documents of the candidates are chosen",
)
@options.option(
    "--budget",
    group="policy",
    type=click.IntRange(1),
    metavar="N",
    brief=True,
    usual="all",
    help="most pairs of a topic",
)
@options.option(
    "--rate",
    group="policy",
    type=float,
    metavar="P",
    help="for samples: the share of the candidates of a topic",
)
@options.option(
    "--strata", group="policy", metavar="A-B:P,…", help="for samples: best ranks and shares, such as 1-10:1,11-50:0.4"
)
@options.policy_option(_POLICIES["ties"])
@options.policy_option(_POLICIES["duplicates"])
@options.policy_option(_POLICIES["negative"])
@options.policy_option(_POLICIES["rel"])
@options.policy_option(_POLICIES["drop_self"])
@options.policy_option(_POLICIES["fold"])
@options.policy_option(_POLICIES["fold_by"])
@options.option(
    "--per-topic",
    group="output",
    is_flag=True,
    help="one line per topic",
)
@options.option("--overlap", group="output", is_flag=True, help="the pairs that each two runs share")
@options.option(
    "--frame",
    group="output",
    type=OutputPath(),
    metavar="FILE",
    help="write all candidates of a sample there, as qrels",
)
@charts_of("pool")
@options.seed
@options.output
@click.pass_context
def command(
    context: click.Context,
    runs: Sequence[str],
    qrels: str | None,
    from_qrels: str | None,
    groups: str | None,
    reading: "Reading",
    depth: int | None,
    strategy: str,
    budget: int | None,
    rate: float | None,
    strata: str | None,
    ties: Ties,
    duplicates: Duplicates,
    negative: Negative,
    rel: float,
    drop_self: bool,
    fold: str | None,
    fold_by: FoldBy,
    per_topic: bool,
    overlap: bool,
    frame: str | None,
    chart: ChartOptions,
    seed: int,
    output: Output,
) -> int:
    """Choose the documents to judge: write them with -o, print how many there are and how many only one run found."""
    from cranfield.cli.options.reading import read_judged, run_sources
    from cranfield.cli.printing.progress import progress
    from cranfield.pooling.pool import pool

    console: Console = context.obj
    printed = output._replace(path=None)  # the file is the pool; what is printed tells of it
    chart.check(console, output, per_topic=per_topic, overlap=overlap, frame=frame)
    printed.check(console)
    pooled = None if chart.name else output.path  # the file is the pool, or a chart of it
    for path, table in ((pooled, _empty_pool), (frame, _empty_frame)):
        if path not in (None, "-"):
            check_place(str(path))
            _format(table(), str(path))
    if not runs and from_qrels is None:
        raise click.UsageError("no run was given")
    with progress(console, "reading") as step:
        found = pool(
            run_sources(console, runs, reading) if runs else None,
            depth=depth,
            strategy=strategy,
            budget=budget,
            rate=rate,
            strata=strata,
            qrels=None if qrels is None else read_judged(console, qrels, reading),
            from_qrels=None if from_qrels is None else read_judged(console, from_qrels, reading),
            groups=groups,
            seed=seed,
            progress=step,
            ties=ties,
            duplicates=duplicates,
            negative=negative,
            rel=rel,
            drop_self=drop_self,
            fold=fold,
            fold_by=fold_by,
        )
    if chart.name:
        chart.write(console, output, found.plot)
        return 0
    candidates = None if frame is None else found.frame()
    _save(console, output.path, found.pairs)
    _save(console, frame, candidates)
    if output.path == "-":
        console.note(found.line())
        return 0
    _print(console, found, printed, per_topic, overlap, context)
    if output.path is None:
        console.note("nothing was written; -o pool.tsv writes the pool")
    return 0


def _print(
    console: Console, found: "Pooled", printed: Output, per_topic: bool, overlap: bool, context: click.Context
) -> None:
    sheet = found.overlap_sheet() if overlap else found.topic_sheet() if per_topic else found.sheet()
    if defaults.used(context):
        sheet = replace(sheet, notes=(*sheet.notes, defaults.NOTE))
    audit = found.audit
    data = envelope(console, inputs=audit.inputs, policies=audit.policies, audit=audit.as_dict(), result=found.result())
    printed.write(console, sheet, data)


def _save(console: Console, path: str | None, table: "Pool | Qrels | None") -> None:
    """Write the pool, or the frame: as stratum qrels unless the ending names another format of qrels."""
    if path is None or table is None:
        return
    from cranfield.tables.qrels import Qrels
    from cranfield.write import write_table

    format = _format(table, path)
    if isinstance(table, Qrels) and format == "qrels-trec":
        format, table = "qrels-stratum", replace(table, probability=None)
    write_table(table, path, format)
    console.detail(f"{path}: {len(table):,} pairs")


def _format(table: "Pool | Qrels", path: str) -> str:
    """The name of the format for the output file; an ending of another kind of table is refused."""
    from cranfield.read.sources.paths import ending
    from cranfield.write.write import target

    return target(table, ending(path), None).name


def _empty_pool() -> "Pool":
    from cranfield.tables.side.pool import Pool

    return Pool.of([], [], [], [])


def _empty_frame() -> "Qrels":
    from cranfield.tables.qrels import Qrels

    return Qrels.of([], [], [])
