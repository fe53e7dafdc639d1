"""`cranfield judge repeat LAB`: let assessors judge some pairs again."""

import click

from cranfield.cli import options
from cranfield.cli.printing.console import Console
from cranfield.cli.schemas.schema import COUNT, TEXT, record
from cranfield.cli.verbs.judge.lab import lab_argument, subverb, tell, url_option

REPEATED = record({"lab": TEXT, "queue": TEXT, "pairs": COUNT, "rounds": COUNT, "distance": COUNT})
_EXAMPLES = (
    "cranfield judge repeat lab.db",
    "cranfield judge repeat lab.db --share 5% --distance 50",
    "cranfield judge repeat lab.db --distance 0 --url http://127.0.0.1:8765",
)


@subverb("LAB", _EXAMPLES, REPEATED)
@lab_argument
@options.option(
    "--share", group="policy", default="10%", metavar="P%", brief=True, help="share of the pairs, drawn by seed"
)
@options.option(
    "--distance",
    group="policy",
    type=click.IntRange(0),
    default=20,
    metavar="N",
    brief=True,
    help="judgments between a pair and its repetition; 0: after all other work",
)
@options.option(
    "--rounds",
    group="policy",
    type=click.IntRange(1, 10),
    default=1,
    metavar="N",
    help="how often each pair comes again",
)
@options.option("--name", group="policy", default="repeat", metavar="NAME", help="name of the new queue")
@url_option
@options.seed
@options.streams
@click.pass_obj
def command(
    console: Console, /, lab: str, share: str, distance: int, rounds: int, name: str, url: str | None, seed: int
) -> int:
    """Let each assessor judge a share of their own pairs again, to see how far they agree with themselves."""
    from cranfield.judging.filling.grades import read_share
    from cranfield.judging.jobs.commands import perform
    from cranfield.judging.lab import Lab
    from cranfield.tables.words import counted

    given = {"share": read_share(share, "share"), "seed": seed, "rounds": rounds, "name": name, "distance": distance}
    done = perform(Lab.open(lab), "repeat", given, url)
    when = f"after {counted(distance, 'other judgment')}, or at the end" if distance else "after all other work"
    line = f"{lab}: queue {name!r}: who judges one of {counted(done['pairs'], 'pair')} judges it again, {when}"
    result = {"lab": lab, "queue": name, "pairs": done["pairs"], "rounds": rounds, "distance": distance}
    return tell(console, line, result)
