"""`cranfield judge init LAB`: make a lab from a pool, topics and documents."""

from typing import TYPE_CHECKING, Any, get_args

import click

from cranfield.cli import options
from cranfield.cli.files import InputPath
from cranfield.cli.printing.console import Console
from cranfield.cli.schemas.schema import COUNT, TEXT, record
from cranfield.cli.verbs.judge.filling import filling_options, queue_options
from cranfield.cli.verbs.judge.lab import LabPath, subverb, tell
from cranfield.judging.records import ItemOrder

if TYPE_CHECKING:
    from cranfield.judging.filling.create import FilledLab

FILLED = record(
    {
        "lab": TEXT,
        "pairs": COUNT,
        "overlapping": COUNT,
        "skipped": COUNT,
        "documents": COUNT,
        "documents_found": COUNT,
    }
)
_EXAMPLES = (
    "cranfield judge init lab.db --pool pool.tsv --topics topics.xml --docs d.jsonl",
    "cranfield judge init lab.db --pool pool.tsv --grades 0-2 --labels labels.txt",
    "cranfield judge init lab.db --pool pool.tsv --overlap 20% --guidelines g.md",
)


@subverb("LAB --pool FILE", _EXAMPLES, FILLED)
@click.argument("lab", type=LabPath(new=True), metavar="LAB")
@options.option(
    "--pool",
    group="input",
    type=InputPath(),
    metavar="FILE",
    required=True,
    brief=True,
    help="pairs to judge: a pool, or topic and document on each line",
)
@filling_options
@options.option("--labels", group="input", type=InputPath(), metavar="FILE", help="a grade and its label on each line")
@options.option(
    "--guidelines", group="input", type=InputPath(), metavar="FILE.md", brief=True, help="what assessors go by"
)
@options.option("--grades", group="policy", default="0-1", metavar="A-B", brief=True, help="the grades there are")
@queue_options
@options.option(
    "--order",
    group="policy",
    type=click.Choice(get_args(ItemOrder)),
    default="random",
    help="order in which an assessor gets the documents of a topic",
)
@options.seed
@options.streams
@click.pass_obj
def command(console: Console, /, lab: str, **given: Any) -> int:  # the options above
    """Make a lab: the pairs of a pool, the texts of their topics and documents, grades and guidelines."""
    from cranfield.judging.filling.create import create_lab

    made: FilledLab = create_lab(lab, **given)
    tell(console, made.line(), made.result())
    console.note(f"'cranfield judge {lab}' serves it")
    return 0
