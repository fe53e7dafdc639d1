"""`cranfield check FILE…`: look for mistakes in runs, qrels, topics and documents."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cranfield.cli import options
from cranfield.cli.files import InputPath
from cranfield.cli.help import Verb
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output, write_whole
from cranfield.cli.schemas.schema import record, rows

if TYPE_CHECKING:
    from cranfield.cli.options.reading import Reading

_TEXT = {"type": "string"}
_COLOUR = {"enum": ["green", "yellow", "red"]}
_FINDING = record(
    {
        "level": {"enum": ["error", "warning", "note"]},
        "kind": _TEXT,
        "message": _TEXT,
        "code": {"type": "string", "pattern": "^([EW][0-9]{3})?$"},
        "line": {"type": ["integer", "null"]},
        "text": {"type": ["string", "null"]},
        "hint": _TEXT,
    }
)
_FILE = record(
    {
        **dict.fromkeys(("name", "role", "format", "summary"), _TEXT),
        "guessed": {"type": "boolean"},
        "rows": {"type": "integer", "minimum": 0},
        "sha256": {"type": ["string", "null"]},
        "status": _COLOUR,
        "findings": rows(_FINDING),
    }
)
_COUNT = {"type": ["integer", "null"], "minimum": 0}
_MEAN = {"type": ["number", "null"], "minimum": 0}
_COLLECTION = record(
    {
        **dict.fromkeys(("documents", "bytes", "topics", "judgments", "grades", "read_documents"), _COUNT),
        **dict.fromkeys(("words_per_document", "words_per_query", "judgments_per_query"), _MEAN),
        "relevant_per_query": {"type": ["array", "null"], "items": {"type": "number"}},
        "estimated": {"type": "boolean"},
    }
)
_RESULT = record(
    {
        "status": _COLOUR,
        "files": rows(_FILE),
        "across": rows(_FINDING),
        "collection": {"anyOf": [_COLLECTION, {"type": "null"}]},
    }
)
_EXAMPLES = (
    "cranfield check qrels.txt runs/*.run",
    "cranfield check --qrels judged.csv --runs 'out/*' --topics queries.jsonl",
    "cranfield check qrels.txt runs/*.run --docs corpus.jsonl --json",
)


@click.command("check", cls=Verb, synopsis="FILE…", examples=_EXAMPLES, result_schema=_RESULT)
@click.argument("files", type=InputPath(), nargs=-1)
@options.option("--qrels", group="input", multiple=True, type=InputPath(), metavar="FILE", help="judgments to check")
@options.option("--runs", group="input", multiple=True, type=InputPath(), metavar="FILE", help="runs to check")
@options.option("--topics", group="input", multiple=True, type=InputPath(), metavar="FILE", help="topics to check")
@options.option("--docs", group="input", multiple=True, type=InputPath(), metavar="FILE", help="documents to check")
@options.option(
    "--max",
    "limit",
    group="output",
    type=click.IntRange(1),
    default=20,
    metavar="N",
    help="messages of a kind that are kept for each file",
)
@options.inputs
@options.output
@click.pass_obj
def command(
    console: Console,
    files: Sequence[str],
    qrels: Sequence[str],
    runs: Sequence[str],
    topics: Sequence[str],
    docs: Sequence[str],
    limit: int,
    reading: "Reading",
    output: Output,
) -> int:
    """Look for mistakes in runs, qrels, topics and documents, alone and against each other."""
    import cranfield as cf

    named = (*files, *qrels, *runs, *topics, *docs)
    if not named:
        raise click.UsageError("no file was given")
    form = output.check(console)
    shared = {name: value for name, value in dict(reading.shared).items() if name != "max_errors"}
    report = cf.check(
        *files,
        qrels=qrels,
        runs=runs,
        topics=topics,
        docs=docs,
        limit=limit,
        columns=reading.columns,
        format=reading.formats,
        grades=reading.grades,
        name_by=reading.name_by,
        **shared,
    ).said(console.say)
    code = int(report.status == "red")
    if form == "table":
        text = report.text()
        console.out_text(_coloured(text)) if output.to_stdout else write_whole(str(output.path), f"{text}\n".encode())
    else:
        inputs = [{"role": f.role, "name": f.name, "rows": f.rows, "sha256": f.sha256} for f in report.files]
        output.write(console, report.sheet(), envelope(console, exit=code, inputs=inputs, result=report.to_dict()))
    return code


def _coloured(text: str) -> str:
    """The words that are colours in their colour, at the beginning of a line."""
    return re.sub(
        r"^ (green|yellow|red)\b",
        lambda found: " " + click.style(found[1], fg=found[1].lower(), bold=True),
        text,
        flags=re.IGNORECASE | re.MULTILINE,
    )
