"""`cranfield report QRELS RUN…`: write everything that is known about some runs on one page."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Any

import click

from cranfield.align.policy import Policy
from cranfield.cli import options
from cranfield.cli.declared import DeclaredNames
from cranfield.cli.files import InputPath, OutputFolder, files_of
from cranfield.cli.help import Verb
from cranfield.cli.names import RegisteredName
from cranfield.cli.options.averages import check_groups, grouped_by, groups_of_topics
from cranfield.cli.options.run_names import baseline as baseline_option
from cranfield.cli.options.streams import streams
from cranfield.cli.options.universe import universe
from cranfield.cli.printing.console import Console, dumped, envelope
from cranfield.cli.printing.output import check_place
from cranfield.cli.schemas.schema import TEXT, record, rows
from cranfield.cli.verbs.compare.statistics import ADJUST, TEST
from cranfield.errors import PolicyError
from cranfield.errors.extras import need

if TYPE_CHECKING:
    from cranfield.cli.options.reading import Reading
    from cranfield.measures.grammar import Measure
    from cranfield.missing.result import Holes
    from cranfield.reporting.page.report import Report
    from cranfield.tables.qrels import Qrels
    from cranfield.tables.run import Runs

RESULT = record({"title": TEXT, "summary": TEXT, "measure": TEXT, "sections": rows(TEXT), "files": rows(TEXT)})
USUAL = ("nDCG@10", "AP", "RR", "P@10")
_EXAMPLES = (
    "cranfield report qrels.txt runs/*.run --baseline bm25",
    "cranfield report qrels.txt runs/*.run --topics topics.tsv -o report/",
    "cranfield report qrels.txt runs/*.run --sections scores,comparison",
)


class SectionList(RegisteredName):
    """Names of sections, separated by commas."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # click's types
        """The registered names, again separated by commas."""
        return ",".join(super(SectionList, self).convert(part.strip(), param, ctx) for part in value.split(","))

    def listed(self) -> str:
        """The names in a sentence."""
        return f"some of {', '.join(self.names())}"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[Any]":
        """The names that begin like the last one."""
        before, comma, last = incomplete.rpartition(",")
        found = super().shell_complete(ctx, param, last)
        for each in found:
            each.value = f"{before}{comma}{each.value}"
        return found


class PageOrFolder(OutputFolder):
    """The place of the report: a file that ends in .html, or a folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # click's types
        """Register the file, or the folder, with the command."""
        if value != "-" and not is_page(str(value)):
            return super().convert(value, param, ctx)
        if (files := files_of(ctx)) is not None and param is not None:
            files.writes(param.opts[0], str(value))
        return value


def is_page(path: str) -> bool:
    """Whether a path names a page, not a folder."""
    return path.endswith((".html", ".htm"))


@dataclass(frozen=True)
class Extras:
    """What a report may hold beside scores, comparison and holes, and how it looks."""

    lab: str | None
    docs: str | None
    with_text: bool
    by: str | None
    study: tuple[str, ...]
    title: str
    sections: str | None
    stamp: bool

    def check(self, reading: "Reading") -> None:
        """Refuse what cannot be written or has no effect, before any file is read."""
        need("altair", "a report")
        need("vl_convert", "a report")
        check_groups(self.by, reading)
        if self.with_text and self.docs is None:
            raise PolicyError("E200", "--with-text has no effect without --docs", hint="add --docs FILE")

    def choices(self) -> dict[str, Any]:
        """Keyword options of `cranfield.report`."""
        from cranfield.read import read_documents
        from cranfield.study.engine.repetition import repeat

        return {
            "lab": self.lab,
            "documents": None if self.docs is None else read_documents(self.docs),
            "with_text": self.with_text,
            "studies": [repeat(path) for path in self.study],
            "title": self.title,
            "sections": None if self.sections is None else self.sections.split(","),
            "stamp": _now() if self.stamp else "",
        }


def _extras(function: options.F) -> options.F:
    def option(*names: str, **attributes: Any) -> Any:  # click's attributes
        return options.option(*names, **attributes)

    return options.bundle(
        "extras",
        Extras,
        ("lab", "docs", "with_text", "by", "study", "title", "sections", "stamp"),
        option(
            "--lab", group="input", type=InputPath(), metavar="LAB.db", help="lab whose agreement of assessors is shown"
        ),
        option("--docs", group="input", type=InputPath(), metavar="FILE", help="documents whose titles are shown"),
        option("--with-text", group="output", is_flag=True, help="also show beginnings of documents; mind copyright"),
        groups_of_topics(),
        option(
            "--study",
            group="input",
            type=InputPath(),
            multiple=True,
            metavar="study.json",
            help="a study, which is made again from its settings",
        ),
        option(
            "--title", group="output", default="", metavar="TEXT", usual="runs and topics", help="title of the page"
        ),
        option(
            "--sections",
            group="output",
            type=SectionList(DeclaredNames("cranfield.reporting.page.section", "SECTIONS", order="number")),
            metavar="A,B,…",
            brief=True,
            usual="all",
            help="the sections that are written",
        ),
        option("--stamp", group="output", is_flag=True, help="say on the page when it was made; its bytes then differ"),
    )(function)


@click.command("report", cls=Verb, synopsis="QRELS RUN…", examples=_EXAMPLES, result_schema=RESULT)
@click.argument("qrels", type=InputPath())
@click.argument("runs", type=InputPath(), nargs=-1, required=True)
@options.inputs
@options.topics_for("texts of topics")
@options.only_topics
@options.policies
@options.measures
@universe()
@baseline_option()
@options.option("--test", group="statistics", type=TEST, default="t", help="test of the differences of two runs")
@options.option("--adjust", group="statistics", type=ADJUST, default="holm", help="correction for many comparisons")
@options.seed
@_extras
@options.option(
    "-o",
    "path",
    group="output",
    type=PageOrFolder(),
    default="report.html",
    metavar="FILE|DIR/",
    brief=True,
    help="write the page there, or a folder that also holds every table and chart",
)
@streams
@click.pass_context
def command(
    context: click.Context,
    qrels: str,
    runs: Sequence[str],
    reading: "Reading",
    policy: Policy,
    measures: "tuple[Measure, ...]",
    universe: str,
    baseline: tuple[str, ...],
    test: str,
    adjust: str,
    seed: int,
    extras: Extras,
    path: str,
) -> int:
    """Write a page on all runs: what is known, what is not known, and the data behind it."""
    from cranfield.cli.options.reading import read_tables
    from cranfield.missing.universe import read_universe

    console: Console = context.obj
    if path == "-" and console.json:
        raise PolicyError("E200", "--json and -o - would both print", hint="name a file: -o report.html")
    if is_page(path):
        check_place(path)
    extras.check(reading)
    read_universe(universe)
    with console.timed("reading"):
        tables = read_tables(console, qrels, runs, reading)
    with console.timed("computing"):
        statistics = {"test": test, "adjust": adjust, "seed": seed}
        found = _report(console, *tables, reading, measures, policy, universe, baseline, statistics, extras)
    with console.timed("writing"):
        if path == "-":
            console.out(found.to_html().encode("utf-8", "backslashreplace"))
            return 0
        files = found.write(path)
    audit = found.audit
    if console.json:
        result = {**found.result(), "files": files}
        data = envelope(console, inputs=audit.inputs, policies=audit.policies, audit=audit.as_dict(), result=result)
        console.out(dumped(data))
        return 0
    from cranfield.tables.sheets.escape import visible

    for sentence in found.sentences:
        console.out_text(f" {visible(sentence)}")
    more = f", and {len(files) - 1:,} tables and charts beside it" if len(files) > 1 else ""
    console.out_text(f"\n the page: {files[0]}{more}")
    return 0


def _report(
    console: Console,
    qrels: "Qrels",
    runs: "Runs",
    reading: "Reading",
    measures: "tuple[Measure, ...]",
    policy: Policy,
    universe: str,
    baseline: tuple[str, ...],
    statistics: dict[str, Any],
    extras: Extras,
) -> "Report":
    import cranfield as cf

    scores = cf.evaluate(qrels, runs, measures or USUAL, policy=policy, seed=statistics["seed"])
    several = len(scores.runs) > 1 and len(scores.topics) > 1
    comparison = cf.compare(scores, baseline=baseline or None, **statistics) if several else None
    holes = _holes(qrels, runs, scores.measures, policy=policy, universe=universe, baseline=baseline)
    more = extras.choices()
    if extras.by is not None:
        more["groups"] = [grouped_by(extras.by, scores, reading, "t", statistics["seed"])]
    command = shlex.join(["cranfield", *console.arguments]) if console.arguments else ""
    return cf.report(scores, comparison, holes, topics=reading.topics_table(), command=command, **more)


def _holes(
    qrels: "Qrels", runs: "Runs", measures: Sequence[str], policy: Policy, **choices: Any
) -> "Holes":  # of holes
    """What is missing for the first measure, and for each other one that has possible ranges."""
    import cranfield as cf
    from cranfield.missing.holes import has_ranges

    known = [name for name in measures[1:] if has_ranges(name, policy)]
    return cf.holes(qrels, runs, [measures[0], *known], policy=policy, **choices)


def _now() -> str:
    from datetime import datetime

    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
