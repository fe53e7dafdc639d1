"""The command `cranfield` itself: its verbs, imported only when they are called."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from cranfield.cli.help import FLAGS, line, page
from cranfield.cli.names import RegisteredName
from cranfield.errors import PolicyError
from cranfield.registry import FoundModule, members

if TYPE_CHECKING:
    from click.shell_completion import ShellComplete

HOME = "cranfield.cli.verbs"
EXAMPLES = (
    "cranfield demo                                 # a collection to play with",
    "cranfield evaluate qrels.txt runs/*.run        # the table of means",
    "cranfield compare qrels.txt runs/*.run         # which differences are significant",
    "cranfield measures nDCG                        # what is computed, exactly",
)


@cache
def verbs() -> Mapping[str, FoundModule]:
    """The verbs, in the order of their names: modules or packages of `cli/verbs/`, which define `command`.

    No verb is imported or read here.
    """
    return MappingProxyType({each.name.removeprefix(f"{HOME}."): each for each in members(HOME)})


def purpose(verb: str) -> str:
    """What a verb does, in a few words: the first line of its docstring says it."""
    return verbs()[verb].first_line().partition("`: ")[2].rstrip(".")


class Verbs(click.Group):
    """A group whose members are found by name and imported one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs in the order of the help page."""
        return list(verbs())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of exactly that name."""
        if cmd_name not in verbs():
            return None
        if cmd_name == "trec_eval":  # reached by completion only: `main` hands its arguments on unread
            return click.Command(
                "trec_eval", short_help=purpose(cmd_name), context_settings={"ignore_unknown_options": True}
            )
        command = import_module(f"{HOME}.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A verb, or an error that names the nearest one."""
        if args[0] not in verbs() and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise click.exceptions.NoSuchCommand(args[0], possibilities=verbs(), ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help page: what the program is, how to call it, first commands, the verbs."""
        options = [line(*record) for param in self.get_params(ctx) if (record := param.get_help_record(ctx))]
        parts = [
            [str(self.help)],
            ["Usage: cranfield VERB [OPTIONS] …"],
            ["Examples:", *(f"  {example}" for example in EXAMPLES)],
            ["Verbs ('cranfield VERB --help' explains one):", *(f"  {name:<10} {purpose(name)}" for name in verbs())],
            ["Options:", *options],
        ]
        formatter.write(page(["\n\n".join("\n".join(part) for part in parts)]))


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        import cranfield
        from cranfield import kernel

        click.echo(f"cranfield {cranfield.__version__} (kernel: {kernel.active()})")
        ctx.exit()


def _explain(ctx: click.Context, _: click.Parameter, code: str | None) -> None:
    if code is None or ctx.resilient_parsing:
        return
    from cranfield.errors.catalogue import CATALOGUE

    kind = CATALOGUE.get(code.upper())
    if kind is None:
        raise PolicyError(
            "E200", f"there is no code {code!r}", hint=f"codes run from {min(CATALOGUE)} to {max(CATALOGUE)}"
        )
    ends = f"the command ends with exit code {kind.exit}" if kind.exit else "a note: the result stands"
    click.echo(page([f"{code.upper()}: {kind.title} ({ends})\n\n  {kind.explanation}"]), nl=False)
    ctx.exit()


def shells() -> "Mapping[str, type[ShellComplete]]":
    """The shells for which click writes completion scripts, and those registered with click."""
    from click import shell_completion

    return shell_completion._available_shells  # click has no public list of them


def _completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell is None or ctx.resilient_parsing:
        return
    found = shells()[shell]
    click.echo(found.source_template % found(ctx.command, {}, "cranfield", "_CRANFIELD_COMPLETE").source_vars())
    ctx.exit()


@click.group(
    "cranfield",
    cls=Verbs,
    context_settings=FLAGS,
    help="cranfield evaluates search systems, and says what could still change the numbers.",
    invoke_without_command=False,
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="show the version")
@click.option(
    "--explain",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=_explain,
    help="say what E105 or W101 means",
)
@click.option(
    "--completion",
    type=RegisteredName(shells),
    metavar="SHELL",  # which there are depends on the version of click, and no page of the reference may
    is_eager=True,
    expose_value=False,
    callback=_completion,
    help="print the completion script of a shell, such as bash",
)
def group() -> None:
    """Verbs do the work."""
