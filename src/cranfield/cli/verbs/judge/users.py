"""`cranfield judge users LAB ACTION`: add accounts, list them, disable them, set passwords."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import options
from cranfield.cli.printing.console import Console
from cranfield.cli.schemas.schema import TEXT, record, rows
from cranfield.cli.verbs.judge.lab import lab_argument, role_option, subverb, tell, url_option
from cranfield.errors import PolicyError
from cranfield.errors.extras import need

if TYPE_CHECKING:
    from cranfield.judging.lab import Lab

ACTIONS = ("add", "list", "disable", "enable", "password")
_FLAG = {"type": "boolean"}
_PERSON = {"name": TEXT, "kind": TEXT, "roles": rows(TEXT), "disabled": _FLAG, "password": _FLAG}
RESULT = record({"users": rows(record(_PERSON))}, {"code": TEXT})
_EXAMPLES = (
    "cranfield judge users lab.db add ann --role owner --role assessor",
    "cranfield judge users lab.db list",
    "cranfield judge users lab.db disable bob",
)


@subverb("LAB ACTION [NAME]", _EXAMPLES, RESULT)
@lab_argument
@click.argument("action", type=click.Choice(ACTIONS), metavar="ACTION")
@click.argument("name", required=False, metavar="NAME")
@role_option("what the account may do")
@options.option("--password-stdin", group="input", is_flag=True, help="read the password from standard input")
@options.option(
    "--no-password", group="policy", is_flag=True, help="print a code with which the person chooses a password"
)
@url_option
@options.streams
@click.pass_obj
def command(
    console: Console,
    lab: str,
    action: str,
    name: str | None,
    roles: Sequence[str],
    password_stdin: bool,
    no_password: bool,
    url: str | None,
) -> int:
    """Add accounts to a lab, list them, shut them or open them again, or set a password."""
    from cranfield.judging.jobs.commands import perform
    from cranfield.judging.lab import Lab

    found = Lab.open(lab)
    if action == "list":
        return _listed(console, found)
    if not name:
        raise PolicyError("E200", f"users {action} needs a name", hint=f"cranfield judge users {lab} {action} NAME")
    if action in ("disable", "enable"):
        perform(found, "disable account", {"name": name, "disabled": action == "disable"}, url)
        said = f"{name}: the account is shut; what was judged stays" if action == "disable" else f"{name}: open again"
        return tell(console, said, {"users": _people(found)})
    kept = None if no_password else _asked(console, password_stdin)
    may = list(roles or ("assessor",))
    given = {"name": name, "roles": may, "password_hash": kept}
    done = perform(found, "add account" if action == "add" else "password", given, url)
    code = done.get("code", "")
    said = f"{name}: added as {', '.join(may)}" if action == "add" else f"{name}: new password"
    if code:
        said += f"\ncode for choosing a password, on the page /invite, valid once, 7 days: {code}"
    return tell(console, said, {"users": _people(found)} | ({"code": code} if code else {}))


def _asked(console: Console, from_stdin: bool) -> str:
    """The hash of a password that is typed twice, or read from standard input."""
    need("argon2", "a password")
    from cranfield.judging.web.passwords import hash_password

    if from_stdin:
        return hash_password(sys.stdin.readline().rstrip("\r\n"))
    if not sys.stdin.isatty():
        hint = "--password-stdin reads one, --no-password lets the person choose"
        raise PolicyError("E200", "there is no terminal to ask for a password", hint=hint)
    return hash_password(click.prompt("password", hide_input=True, confirmation_prompt=True, err=True))


def _people(lab: "Lab") -> list[dict[str, Any]]:  # plain data for tables and JSON
    from cranfield.judging.store.people import password_hash, people

    with lab.reading() as store:
        return [
            {
                "name": each.name,
                "kind": each.kind,
                "roles": list(each.roles),
                "disabled": each.disabled,
                "password": password_hash(store, each.name) is not None,
            }
            for each in people(store)
        ]


def _listed(console: Console, lab: "Lab") -> int:
    from cranfield.tables.sheets.sheet import Column, Sheet

    known = _people(lab)
    sheet = Sheet(
        (
            Column("name", [str(each["name"]) for each in known]),
            Column("kind", [str(each["kind"]) for each in known]),
            Column("roles", [", ".join(map(str, each["roles"])) for each in known]),
            Column("state", ["shut" if each["disabled"] else "open" for each in known]),
            Column("password", ["yes" if each["password"] else "no" for each in known]),
        )
    )
    lines = sheet.text(console.screen) if known else "no one has an account yet"
    if console.json or not known:
        return tell(console, lines, {"users": known})
    console.out(lines)
    return 0
