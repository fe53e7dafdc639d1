"""`cranfield judge LAB`: serve a judging room, or manage its lab.

Each sub-verb has a module here or in `upkeep`, whose docstring says what it does; `lab` and `filling` hold what
several of them share. Begin with `serve`.
"""

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import click

from cranfield.cli.help import FLAGS, line, page
from cranfield.errors import PolicyError
from cranfield.registry import modules

_ORDER = (  # of a day's work; others follow by name
    *("serve", "init", "add", "decide", "repeat", "gold", "users", "invite", "status", "export", "import", "requests"),
    *("backup", "restore", "doctor"),
)
_EXAMPLES = (
    "cranfield judge init lab.db --pool pool.tsv --topics topics.xml --docs d.jsonl",
    "cranfield judge lab.db",
    "cranfield judge export lab.db -o qrels.txt",
)


class FoundSubverb(NamedTuple):
    """What a sub-verb does, in a few words, and the module that defines its `command`."""

    does: str
    module: str


@cache
def subverbs() -> dict[str, FoundSubverb]:
    """The sub-verbs: modules of this folder whose docstring begins with how they are called. None is imported here."""
    found = {}
    for each in modules(__name__):
        called, _, does = each.first_line().partition("`: ")
        if called.startswith("`cranfield judge "):
            found[called.split()[2]] = FoundSubverb(does.rstrip("."), each.name)
    return {name: found[name] for name in sorted(found, key=lambda name: (*_ORDER, name).index(name))}


class Subverbs(click.Group):
    """The sub-verbs, each a verb of its own; anything else is a lab to serve."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The sub-verbs in the order of the help page."""
        return list(subverbs())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The sub-verb of exactly that name."""
        if cmd_name not in subverbs():
            return None
        command = import_module(subverbs()[cmd_name].module).command
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`judge LAB` is `judge serve LAB`."""
        if args and args[0] not in subverbs() and args[0] not in ("-h", "--help") and not ctx.resilient_parsing:
            _check_spelling(args)
            args = ["serve", *args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help page: what the verb does, how to call it, the sub-verbs."""
        records = [param.get_help_record(ctx) for param in self.get_params(ctx)]
        width = max(map(len, subverbs()))
        lines = [
            "Serve a room in which people judge documents, or manage its lab.",
            "",
            "Usage: cranfield judge [SUBVERB] LAB … [OPTIONS]",
            *(f"  {example}" for example in _EXAMPLES),
            "",
            "Sub-verbs ('cranfield judge SUBVERB --help' explains one):",
            *(f"  {name:<{width}}  {text}" for name, (text, _) in subverbs().items()),
            "",
            "Options:",
            *(line(*record) for record in records if record),
        ]
        formatter.write(page(lines))


def _check_spelling(args: list[str]) -> None:
    """A misspelt sub-verb is none: two words in front of the options, of which the first is nearly one."""
    words = [word for word in args[:2] if not word.startswith("-")]
    if len(words) < 2:
        return
    from cranfield.errors.names import nearest

    near = nearest(words[0], subverbs())
    hint = f"did you mean {near}?" if near else f"one of {', '.join(subverbs())}"
    raise PolicyError("E200", f"there is no sub-verb {words[0]!r}", hint=hint)


@click.group("judge", cls=Subverbs, context_settings=FLAGS, no_args_is_help=True)
def command() -> Any:  # what the sub-verb returns
    """Serve a room, or manage its lab."""
