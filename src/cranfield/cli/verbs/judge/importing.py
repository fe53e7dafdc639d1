"""`cranfield judge import LAB FILE --as NAME`: take in judgments made elsewhere."""

from dataclasses import asdict
from typing import get_args

import click

from cranfield.cli import options
from cranfield.cli.files import InputPath
from cranfield.cli.printing.console import Console
from cranfield.cli.schemas.schema import COUNT, TEXT, record
from cranfield.cli.verbs.judge.lab import lab_argument, subverb, tell, url_option
from cranfield.judging.records import PersonKind

_RESULT = record(
    {
        "assessor": TEXT,
        "kind": {"enum": list(get_args(PersonKind))},
        **dict.fromkeys(("added", "changed", "unchanged", "unknown", "failed"), COUNT),
        "counts": {"type": "boolean"},
    }
)
_EXAMPLES = (
    "cranfield judge import lab.db old.qrels --as track",
    "cranfield judge import lab.db labels.jsonl --as gpt --kind llm",
    "cranfield judge import lab.db ann.csv --as ann --kind human --counts",
)


@subverb("LAB FILE --as NAME", _EXAMPLES, _RESULT)
@lab_argument
@click.argument("judgments", type=InputPath(), metavar="FILE")
@options.option(
    "--as", "name", group="input", metavar="NAME", required=True, brief=True, help="assessor who made the judgments"
)
@options.option(
    "--kind",
    group="input",
    type=click.Choice(get_args(PersonKind)),
    default="import",
    brief=True,
    help="kind of the assessor that --as names",
)
@options.option("--counts", group="policy", is_flag=True, help="the judgments count toward those that a pair needs")
@options.option(
    "--map",
    group="input",
    type=InputPath(),
    metavar="FILE",
    usual="the map that the lab keeps",
    help="id, topic and document of the requests that labels answer",
)
@options.option("--format-in", "format", group="input", metavar="NAME", usual="guessed", help="format of the file")
@options.option("--columns", group="input", metavar="LAYOUT", help="layout of the file, as in 'evaluate'")
@options.option("--encoding", group="input", default="utf-8", metavar="NAME", help="encoding of the file")
@url_option
@options.streams
@click.pass_obj
def command(
    console: Console,
    lab: str,
    judgments: str,
    name: str,
    kind: "PersonKind",
    counts: bool,
    map: str | None,
    format: str | None,
    columns: str | None,
    encoding: str,
    url: str | None,
) -> int:
    """Take in judgments made elsewhere as those of an assessor of their own; pairs that the lab lacks are counted."""
    from cranfield.judging.filling.imported import import_judgments
    from cranfield.judging.lab import Lab
    from cranfield.read.options import ReadOptions

    chosen = ReadOptions(format=format, columns=columns, encoding=encoding)
    done = import_judgments(Lab.open(lab), judgments, name, kind, counts=counts, map=map, options=chosen, url=url)
    return tell(console, done.line(), asdict(done), exit=done.exit)
