"""`cranfield judge decide LAB RUN…`: ask which of some runs is better."""

from collections.abc import Sequence
from typing import Any

import click

from cranfield.cli import options
from cranfield.cli.files import InputPath
from cranfield.cli.options.run_names import baseline
from cranfield.cli.printing.console import Console
from cranfield.cli.schemas.schema import COUNT, TEXT, record
from cranfield.cli.verbs.judge.lab import lab_argument, subverb, tell, url_option

ASKED = record(
    {
        "lab": TEXT,
        "queue": TEXT,
        "pairs": COUNT,
        "documents_without_text": COUNT,
        "measure": TEXT,
        "left": COUNT,
        "sentence": TEXT,
    }
)
_EXAMPLES = (
    "cranfield judge decide lab.db new.run old.run -m nDCG@10",
    "cranfield judge decide lab.db runs/*.run -m P@10 --baseline bm25 --stop 0.05",
    "cranfield judge decide lab.db a.run b.run --qrels qrels.txt --docs docs.jsonl",
)


@subverb("LAB RUN RUN…", _EXAMPLES, ASKED)
@lab_argument
@click.argument("runs", type=InputPath(), nargs=-1, required=True, metavar="RUN…")
@options.option("--qrels", group="input", type=InputPath(), metavar="FILE", brief=True, help="judgments made elsewhere")
@options.option("--docs", group="input", type=InputPath(), metavar="FILE", help="texts of documents new to the lab")
@options.option("--allow-missing-docs", group="input", is_flag=True, help="show the ids of documents without a text")
@options.option(
    "-m", "measure", group="statistics", default="nDCG@10", metavar="NAME", brief=True, help="the measure that decides"
)
@baseline(multiple=False)
@options.option(
    "--stop",
    group="statistics",
    type=float,
    default=0.0,
    metavar="P",
    usual="certain",
    brief=True,
    help="also stop when P(A > B) is at most P, or at least 1 - P",
)
@options.option(
    "--rel", group="policy", type=click.IntRange(1), default=1, metavar="GRADE", help="lowest relevant grade"
)
@options.option("--name", group="policy", default="", metavar="NAME", usual="decide 1", help="name of the new queue")
@options.option(
    "--batch",
    group="policy",
    type=click.IntRange(1, 100),
    default=5,
    metavar="N",
    help="documents served in random order before the choice is made anew",
)
@options.option(
    "--assessors",
    group="policy",
    type=click.IntRange(1, 100),
    default=1,
    metavar="K",
    help="how many people judge each document; the grade of most of them counts, or that of an adjudicator",
)
@url_option
@options.seed
@options.streams
@click.pass_obj
def command(console: Console, /, lab: str, runs: Sequence[str], **given: Any) -> int:  # the options above
    """Ask which of some runs is better: the room serves first what decides it soonest, and says when to stop."""
    from cranfield.judging.deciding.create import ask_lab
    from cranfield.judging.lab import Lab

    asked = ask_lab(Lab.open(lab), runs, **given)
    return tell(console, asked.lines(), asked.result())
