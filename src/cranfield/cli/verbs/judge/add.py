"""`cranfield judge add LAB FILE`: add pairs from a pool or a list."""

from typing import Any

import click

from cranfield.cli import options
from cranfield.cli.files import InputPath
from cranfield.cli.printing.console import Console
from cranfield.cli.verbs.judge.filling import filling_options, queue_options
from cranfield.cli.verbs.judge.init import FILLED
from cranfield.cli.verbs.judge.lab import lab_argument, subverb, tell, url_option

_EXAMPLES = (
    "cranfield judge add lab.db deeper.tsv --topics topics.xml --docs docs.jsonl",
    "cranfield judge add lab.db next.tsv --name decide",
    "cranfield judge add lab.db pairs.txt --assessors 2 --allow-missing-docs",
)


@subverb("LAB PAIRS", _EXAMPLES, FILLED)
@lab_argument
@click.argument("pairs", type=InputPath(), metavar="PAIRS")
@filling_options
@options.option("--name", group="policy", metavar="NAME", usual="that of the file", help="name of the new queue")
@queue_options
@url_option
@options.seed
@options.streams
@click.pass_obj
def command(console: Console, /, lab: str, pairs: str, **given: Any) -> int:  # the options above
    """Add the pairs of a pool, of `holes --pool` or of a list; those that are there already are skipped and counted."""
    from cranfield.judging.filling.create import add_pairs
    from cranfield.judging.lab import Lab

    made = add_pairs(Lab.open(lab), pairs, **given)
    return tell(console, made.line(), made.result())
