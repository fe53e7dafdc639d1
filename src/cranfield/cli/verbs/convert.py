"""`cranfield convert IN… -o OUT`: rewrite runs, qrels, topics and documents in another format."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

import click

from cranfield.align.policy import Collapse
from cranfield.cli import options
from cranfield.cli.declared import DeclaredNames
from cranfield.cli.files import InputPath, OutputPath
from cranfield.cli.help import Verb
from cranfield.cli.names import FormatName, RuleName
from cranfield.cli.printing.console import Console, dumped, envelope
from cranfield.cli.schemas.schema import record, rows
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.cli.options.reading import Reading

PARTIAL = 5
_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_RESULT = record(
    {
        "role": _TEXT,
        "outputs": rows(record({"path": _TEXT, "format": _TEXT, "rows": _COUNT})),
        "dropped": rows(_TEXT),
    }
)
_EXAMPLES = (
    "cranfield convert qrels.txt -o qrels.jsonl",
    "cranfield convert 'runs/*.run' -o out/ --to csv --map-topics topic-ids.tsv",
    "cranfield convert ratings.csv -o qrels.txt --topics topics.tsv",
)


@click.command("convert", cls=Verb, synopsis="IN… -o OUT", examples=_EXAMPLES, result_schema=_RESULT)
@click.argument("sources", type=InputPath(), nargs=-1, required=True)
@options.option(
    "--to",
    group="output",
    type=FormatName(DeclaredNames("cranfield.write.write", "WRITERS")),
    metavar="FORMAT",
    brief=True,
    usual="by the ending",
    help="format to write",
)
@options.option("--map-topics", group="input", type=InputPath(), metavar="TSV", help="new topic ids: OLD, a tab, NEW")
@options.option("--map-docs", group="input", type=InputPath(), metavar="TSV", help="new document ids")
@options.option(
    "--rule",
    group="input",
    type=RuleName(DeclaredNames("cranfield.align.combining.rules", "GRADE_RULES")),
    metavar="RULE",
    help="how grades of several assessors become one",
)
@options.option("--collapse", group="input", type=click.Choice(get_args(Collapse)), help="subtopics become one grade")
@options.option("--docs", group="input", type=InputPath(), metavar="FILE", help="documents, for labels of passages")
@options.option("--map", group="input", type=InputPath(), metavar="FILE", help="requests that labels of a model answer")
@options.inputs
@options.topics
@options.option(
    "-o", "output", group="output", type=OutputPath(), metavar="OUT", brief=True, help="file or folder to write"
)
@click.option("--format", "form", hidden=True)  # refused, with a hint
@options.streams
@click.pass_obj
def command(
    console: Console,
    sources: Sequence[str],
    to: str | None,
    map_topics: str | None,
    map_docs: str | None,
    rule: str | None,
    collapse: Collapse | None,
    docs: str | None,
    map: str | None,
    reading: "Reading",
    output: str | None,
    form: str | None,
) -> int:
    """Rewrite runs, qrels, topics, documents and pools in another format."""
    import cranfield as cf

    target = _target(console, output, form)
    done = cf.convert(
        *sources,
        output=target,
        to=to,
        map_topics=map_topics,
        map_docs=map_docs,
        rule=rule,
        collapse=collapse,
        format=reading.formats[-1] if reading.formats else None,
        columns=reading.columns[-1] if reading.columns else None,
        grades=reading.grades,
        name_by=reading.name_by,
        topics=reading.topics,
        docs=docs,
        map=map,
        **dict(reading.shared),
    )
    code = PARTIAL if done.dropped else 0
    if console.json:
        console.out(dumped(envelope(console, exit=code, inputs=done.inputs, result=done.to_dict())))
    elif target == "-":
        console.detail(repr(done).splitlines()[0])
    else:
        console.out_text("\n".join(f" {line}" for line in repr(done).splitlines()))
    return code


def _target(console: Console, output: str | None, form: str | None) -> str:
    """Where the tables go; the result of this verb is a file, not a printed table."""
    if output is None:
        raise click.UsageError("-o FILE is missing")
    if form is not None:
        raise PolicyError("E200", "--format prints results", hint="--to names the format of the file")
    if console.json and output == "-":
        raise PolicyError("E200", "--json and -o - would both write to standard output", hint="name a file")
    return output
