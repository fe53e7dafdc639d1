"""`cranfield judge export LAB -o FILE`: write qrels, or all judgments."""

from collections.abc import Sequence
from typing import get_args

import click

from cranfield.cli import options
from cranfield.cli.declared import DeclaredNames
from cranfield.cli.files import OutputPath
from cranfield.cli.names import RegisteredName, RuleName
from cranfield.cli.printing.console import Console
from cranfield.cli.printing.output import check_place
from cranfield.cli.schemas.schema import COUNT, TEXT, by_name, record, rows
from cranfield.cli.verbs.judge.lab import lab_argument, subverb, tell
from cranfield.judging.records import PEOPLE, PersonKind

_RULES = DeclaredNames("cranfield.align.combining.rules", "GRADE_RULES")
_RAW_FORMS = DeclaredNames("cranfield.judging.exporting.raw", "RAW_FORMS")
_WRITERS = DeclaredNames("cranfield.write.write", "WRITERS")
_RESULT = record(
    {
        "rule": TEXT,
        "otherwise": TEXT,
        "open": {"type": ["integer", "null"]},
        "counts": by_name(COUNT),
        "files": rows(TEXT),
        "disputed": rows(record({"topic": TEXT, "document": TEXT, "grades": TEXT})),
        "adaptive": {"type": "boolean"},
    }
)
_EXAMPLES = (
    "cranfield judge export lab.db -o qrels.txt",
    "cranfield judge export lab.db -o qrels.txt --rule majority --open -1",
    "cranfield judge export lab.db -o all.jsonl --rule raw --include llm",
)


def _formats() -> dict[str, None]:
    return dict.fromkeys([*(name for name in _WRITERS.names() if name.startswith("qrels")), *_RAW_FORMS.names()])


@subverb("LAB -o FILE", _EXAMPLES, _RESULT)
@lab_argument
@options.option(
    "--rule",
    group="policy",
    type=RuleName(_RULES, besides=["adjudicated", "raw"]),
    default="adjudicated",
    metavar="RULE",
    brief=True,
    help="which grade a pair gets, or raw: all judgments",
)
@options.option(
    "--otherwise",
    group="policy",
    type=RuleName(_RULES, besides=["adjudicated"]),
    default="majority",
    metavar="RULE",
    help="where assessors differ and no adjudicator has settled it",
)
@options.option(
    "--open",
    "open_as",
    group="policy",
    type=int,
    metavar="-1",
    usual="left out",
    help="grade of pairs without one, which must be negative",
)
@options.option(
    "--complete",
    group="policy",
    is_flag=True,
    help="pairs judged by fewer assessors than asked for count as open",
)
@options.option(
    "--include",
    group="policy",
    multiple=True,
    type=click.Choice([kind for kind in get_args(PersonKind) if kind not in PEOPLE]),
    metavar="llm",
    help="also hear assessors that are models",
)
@options.option(
    "--format",
    "format",
    group="output",
    type=RegisteredName(_formats),
    metavar="NAME",
    usual="by the ending of -o",
    help="name of the format",
)
@options.option(
    "-o",
    "path",
    group="output",
    type=OutputPath(),
    metavar="FILE",
    required=True,
    brief=True,
    help="write the grades there",
)
@options.streams
@click.pass_obj
def command(
    console: Console,
    lab: str,
    rule: str,
    otherwise: str,
    open_as: int | None,
    complete: bool,
    include: Sequence[str],
    format: str | None,
    path: str,
) -> int:
    """Write the grades of a lab under a named rule, and beside them how the judgments were made."""
    from cranfield.judging.lab import Lab

    if path != "-":
        check_place(path)
    made = Lab.open(lab).export(
        path,
        rule=rule,
        otherwise=otherwise,
        open_as=open_as,
        include=tuple(include),
        format=format,
        complete=complete,
    )
    if path == "-":
        console.note(made.line())
        return made.exit
    return tell(console, made.line(), made.to_dict(), exit=made.exit)
