"""What the sub-verbs share: the argument LAB, the line that a command prints, and its JSON."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cranfield.cli.defaults import NOTE, used
from cranfield.cli.files import files_of
from cranfield.cli.help import Verb
from cranfield.cli.options.streams import option
from cranfield.cli.printing.console import Console, dumped, envelope
from cranfield.cli.verbs.judge.file_defaults import SubVerb
from cranfield.judging.accounts.roles import ROLES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])


class LabPath(click.ParamType[str]):
    """The file of a lab; a command that reads it writes nothing else there."""

    name = "lab"

    def __init__(self, new: bool = False) -> None:
        self.new = new

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # click's types
        """Register the file with the command."""
        path = os.fspath(value)
        if (files := files_of(ctx)) is not None and not self.new:
            files.reads_recorded(path)
        return path

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        """Files."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


def lab_argument(function: F) -> F:
    """The lab that a sub-verb works on."""
    return click.argument("lab", type=LabPath(), metavar="LAB")(function)


def url_option(function: F) -> F:
    """The address of the server that has the lab open."""
    return option(
        "--url", group="input", metavar="URL", help="go through the server that has the lab open, at this address"
    )(function)


def role_option(help: str) -> Callable[[F], F]:
    """The roles of an account, handed over as `roles`; none is that of an assessor."""
    return option(
        "--role",
        "roles",
        group="policy",
        multiple=True,
        type=click.Choice(ROLES),
        metavar="ROLE",
        brief=True,
        usual="assessor",
        help=f"{help}: {', '.join(ROLES)}",
    )


def subverb(synopsis: str, examples: tuple[str, ...], schema: Mapping[str, Any]) -> Callable[[F], Verb]:
    """The command of a sub-verb; the envelope names the verb."""
    made: Callable[[F], Verb] = click.command(
        "judge", cls=SubVerb, synopsis=synopsis, examples=examples, result_schema=schema
    )
    return made


def tell(console: Console, lines: str, result: Mapping[str, Any], *, exit: int = 0) -> int:
    """Print what was done, as text or as JSON; the exit code."""
    if console.json:
        console.out(dumped(envelope(console, result=result, exit=exit)))
    else:
        context = click.get_current_context()
        noted = [NOTE] if used(context) else []
        console.out_text("\n".join(f" {each}".rstrip() for each in (*lines.splitlines(), *noted)))
    return exit
