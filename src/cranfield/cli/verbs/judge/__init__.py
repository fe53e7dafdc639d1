"""`cranfield judge LAB`: serve a judging room, or manage its lab.

Each sub-verb has a module here or in `upkeep`; `lab` and `filling` hold what several of them share. Begin with `serve`.
"""

from importlib import import_module
from typing import Any

import click

from cranfield.cli.help import FLAGS, line, page
from cranfield.errors import PolicyError

SUBVERBS = {  # in the order of a day's work: what each does, and its module
    "serve": ("serve the room (also 'cranfield judge LAB')", "serve"),
    "init": ("make a lab from a pool, topics and documents", "init"),
    "add": ("add pairs from a pool or a list", "add"),
    "decide": ("ask which of some runs is better", "decide"),
    "repeat": ("let assessors judge some pairs again", "repeat"),
    "gold": ("mix in pairs whose grade is known", "gold"),
    "users": ("accounts: add, list, disable, password", "users"),
    "invite": ("make a link with which a person joins", "invite"),
    "status": ("progress by queue, topic and assessor", "status"),
    "export": ("write qrels, or all judgments", "export"),
    "import": ("take in judgments made elsewhere", "importing"),
    "requests": ("write what an outside labeller needs", "requests"),
    "backup": ("copy a lab, also while it is served", "upkeep.backup"),
    "restore": ("put a copy in place", "upkeep.restore"),
    "doctor": ("check a lab, rebuild what is derived", "upkeep.doctor"),
}
_EXAMPLES = (
    "cranfield judge init lab.db --pool pool.tsv --topics topics.xml --docs d.jsonl",
    "cranfield judge lab.db",
    "cranfield judge export lab.db -o qrels.txt",
)


class Subverbs(click.Group):
    """The sub-verbs, each a verb of its own; anything else is a lab to serve."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The sub-verbs in the order of the help page."""
        return list(SUBVERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The sub-verb of exactly that name."""
        if cmd_name not in SUBVERBS:
            return None
        command = import_module(f"cranfield.cli.verbs.judge.{SUBVERBS[cmd_name][1]}").command
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`judge LAB` is `judge serve LAB`."""
        if args and args[0] not in SUBVERBS and args[0] not in ("-h", "--help") and not ctx.resilient_parsing:
            _check_spelling(args)
            args = ["serve", *args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help page: what the verb does, how to call it, the sub-verbs."""
        records = [param.get_help_record(ctx) for param in self.get_params(ctx)]
        width = max(map(len, SUBVERBS))
        lines = [
            "Serve a room in which people judge documents, or manage its lab.",
            "",
            "Usage: cranfield judge [SUBVERB] LAB … [OPTIONS]",
            *(f"  {example}" for example in _EXAMPLES),
            "",
            "Sub-verbs ('cranfield judge SUBVERB --help' explains one):",
            *(f"  {name:<{width}}  {text}" for name, (text, _) in SUBVERBS.items()),
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

    near = nearest(words[0], SUBVERBS)
    hint = f"did you mean {near}?" if near else f"one of {', '.join(SUBVERBS)}"
    raise PolicyError("E200", f"there is no sub-verb {words[0]!r}", hint=hint)


@click.group("judge", cls=Subverbs, context_settings=FLAGS, no_args_is_help=True)
def command() -> Any:  # what the sub-verb returns
    """Serve a room, or manage its lab."""
