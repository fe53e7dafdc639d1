"""`cranfield judge invite LAB`: make a link with which a person joins."""

from collections.abc import Sequence

import click

from cranfield.cli import options
from cranfield.cli.printing.console import Console
from cranfield.cli.schemas.schema import TEXT, record, rows
from cranfield.cli.verbs.judge.lab import lab_argument, role_option, subverb, tell, url_option

_RESULT = record({"link": TEXT, "code": TEXT, "roles": rows(TEXT)})
_EXAMPLES = (
    "cranfield judge invite lab.db --role assessor",
    "cranfield judge invite lab.db --role viewer --public-url https://judge.org",
    "cranfield judge invite lab.db --role owner --role assessor",
)


@subverb("LAB", _EXAMPLES, _RESULT)
@lab_argument
@role_option("what the new account may do")
@url_option
@options.option(
    "--public-url",
    group="output",
    metavar="URL",
    usual="that of --url, or http://127.0.0.1:8765",
    help="the address that the person will open",
)
@options.streams
@click.pass_obj
def command(console: Console, lab: str, roles: Sequence[str], url: str | None, public_url: str | None) -> int:
    """Make a link with which one person makes an account; it works once, for seven days."""
    from cranfield.judging.jobs.commands import perform
    from cranfield.judging.lab import Lab

    granted = tuple(roles or ("assessor",))
    code = str(perform(Lab.open(lab), "invite", {"roles": list(granted)}, url)["code"])
    address = public_url or url or "http://127.0.0.1:8765"
    link = f"{address.rstrip('/')}/invite#invite={code}"
    lines = f"{link}\nvalid once, 7 days, for: {', '.join(granted)}"
    return tell(console, lines, {"link": link, "code": code, "roles": list(granted)})
