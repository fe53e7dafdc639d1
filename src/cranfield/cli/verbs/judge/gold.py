"""`cranfield judge gold LAB QRELS`: mix in pairs whose grade is known."""

from dataclasses import asdict
from typing import Any

import click

from cranfield.cli import options
from cranfield.cli.files import InputPath
from cranfield.cli.printing.console import Console
from cranfield.cli.schemas.schema import COUNT, NUMBER, TEXT, record
from cranfield.cli.verbs.judge.lab import lab_argument, subverb, tell, url_option

_COUNTS = ("added", "changed", "unchanged", "wanted", "elsewhere", "gold")
_RESULT = record({"lab": TEXT, "queue": TEXT, "rate": NUMBER, **dict.fromkeys(_COUNTS, COUNT)})
_EXAMPLES = (
    "cranfield judge gold lab.db known.qrels",
    "cranfield judge gold lab.db known.qrels --rate 5% --docs docs.jsonl",
    "cranfield judge gold lab.db --rate 0% --url http://127.0.0.1:8765",
)


@subverb("LAB [QRELS]", _EXAMPLES, _RESULT)
@lab_argument
@click.argument("qrels", type=InputPath(), required=False, metavar="QRELS")
@options.option(
    "--docs", group="input", type=InputPath(), metavar="FILE", brief=True, help="texts of documents new to the lab"
)
@options.option("--allow-missing-docs", group="input", is_flag=True, help="show the ids of documents without a text")
@options.option("--format-in", "format", group="input", metavar="NAME", usual="guessed", help="format of the file")
@options.option("--columns", group="input", metavar="LAYOUT", help="layout of the file, as in 'evaluate'")
@options.option("--encoding", group="input", default="utf-8", metavar="NAME", help="encoding of the file")
@options.option(
    "--rate",
    group="policy",
    default="10%",
    metavar="P%",
    brief=True,
    help="share of the pairs that an assessor gets; 0% stops",
)
@options.option(
    "--queue", group="policy", metavar="NAME", usual="the oldest one", help="queue that the pairs are mixed into"
)
@url_option
@options.streams
@click.pass_obj
def command(console: Console, /, lab: str, qrels: str | None, rate: str, **given: Any) -> int:  # the options above
    """Mix in pairs whose grade is known, to see how far assessors agree with it; they make no grade themselves."""
    from cranfield.judging.filling.gold import add_gold
    from cranfield.judging.filling.grades import read_share
    from cranfield.judging.lab import Lab

    done = add_gold(Lab.open(lab), qrels, read_share(rate, "rate"), **given)
    return tell(console, f"{lab}: {done.line()}", {"lab": lab, **asdict(done)}, exit=done.exit)
