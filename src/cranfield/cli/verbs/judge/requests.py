"""`cranfield judge requests LAB -o FILE`: write what an outside labeller needs."""

import click

from cranfield.cli import options
from cranfield.cli.files import OutputPath
from cranfield.cli.printing.console import Console
from cranfield.cli.printing.output import check_place
from cranfield.cli.schemas.schema import COUNT, TEXT, record
from cranfield.cli.verbs.judge.lab import lab_argument, subverb, tell, url_option
from cranfield.tables.words import counted

_RESULT = record({"requests": COUNT, "file": TEXT})
_EXAMPLES = (
    "cranfield judge requests lab.db -o requests.jsonl",
    "cranfield judge requests lab.db -o requests.jsonl --unjudged",
    "cranfield judge requests lab.db -o requests.jsonl --map map.jsonl",
)


@subverb("LAB -o FILE", _EXAMPLES, _RESULT)
@lab_argument
@options.option("--unjudged", group="input", is_flag=True, brief=True, help="only pairs that no person has judged")
@options.option(
    "-o",
    "path",
    group="output",
    type=OutputPath(),
    metavar="FILE",
    required=True,
    brief=True,
    help="write the requests there",
)
@options.option(
    "--map",
    group="output",
    type=OutputPath(),
    metavar="FILE",
    help="also write which id is which topic and document; the lab keeps that in any case",
)
@url_option
@options.streams
@click.pass_obj
def command(console: Console, lab: str, unjudged: bool, path: str, map: str | None, url: str | None) -> int:
    """Write an opaque id, the topic in words and the text of each pair as JSON lines; no model is called."""
    from cranfield.judging.filling.imported import write_requests
    from cranfield.judging.lab import Lab

    for place in (path, map):
        if place not in (None, "-"):
            check_place(str(place))
    number = write_requests(Lab.open(lab), path, map=map, everything=not unjudged, url=url)
    if path == "-":
        console.note(counted(number, "request"))
        return 0
    return tell(console, f"{path}: {counted(number, 'request')}", {"requests": number, "file": path})
