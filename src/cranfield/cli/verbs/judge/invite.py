"""`cranfield judge invite LAB`: make a link with which a person joins."""

from collections.abc import Sequence

import click

from cranfield.cli import options
from cranfield.cli.printing.console import Console
from cranfield.cli.schemas.schema import TEXT, record, rows
from cranfield.cli.verbs.judge.lab import lab_argument, subverb, tell

_RESULT = record({"link": TEXT, "code": TEXT, "roles": rows(TEXT)})
_EXAMPLES = (
    "cranfield judge invite lab.db --role assessor",
    "cranfield judge invite lab.db --role viewer --public-url https://judge.org",
    "cranfield judge invite lab.db --role owner --role assessor",
)


@subverb("LAB", _EXAMPLES, _RESULT)
@lab_argument
@options.option(
    "--role",
    "roles",
    group="policy",
    multiple=True,
    type=click.Choice(["viewer", "assessor", "adjudicator", "owner"]),
    metavar="ROLE",
    brief=True,
    usual="assessor",
    help="what the new account may do: viewer, assessor, adjudicator, owner",
)
@options.option(
    "--public-url",
    group="output",
    metavar="URL",
    default="http://127.0.0.1:8765",
    help="the address that the person will open",
)
@options.streams
@click.pass_obj
def command(console: Console, lab: str, roles: Sequence[str], public_url: str) -> int:
    """Make a link with which one person makes an account; it works once, for seven days."""
    from cranfield.judging.accounts.enrolling import COMMAND, invite
    from cranfield.judging.lab import Lab
    from cranfield.judging.store.files.clock import Clock

    granted = tuple(roles or ("assessor",))
    with Lab.open(lab).writing() as store:
        code = invite(store, granted, actor=COMMAND, now=Clock().now())
    link = f"{public_url.rstrip('/')}/invite#invite={code}"
    lines = f"{link}\nvalid once, 7 days, for: {', '.join(granted)}"
    return tell(console, lines, {"link": link, "code": code, "roles": list(granted)})
