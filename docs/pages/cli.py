"""The help page of every verb."""

import click

from cranfield.cli.group import group, verbs
from docs.markup import written


def page() -> str:
    """The help page of every verb."""
    context = click.Context(group, info_name="cranfield", **group.context_settings)
    parts = [
        "# Command line",
        "Results go to standard output; notes, progress and errors to standard error. `--json` prints one envelope, "
        "whose schema is printed by `--json-schema`.",
        f"```text\n{group.get_help(context).rstrip()}\n```",
    ]
    for name, what in verbs().items():
        command = group.get_command(context, name)
        own = _help(command, context) if command else ""
        guide = "[The guide](../how-to/use-as-trec_eval.md) shows how to use it."
        text = f"{what.capitalize()}. {guide}" if name == "trec_eval" else f"```text\n{own.rstrip()}\n```"
        parts += [f"## cranfield {name}", text]
    return written(parts)


def _help(command: click.Command, parent: click.Context) -> str:
    return command.get_help(click.Context(command, parent, command.name, **command.context_settings))
