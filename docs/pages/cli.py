"""The help page of every verb, and of every sub-verb of `judge`."""

from collections.abc import Iterator

import click

from cranfield.cli.group import group, verbs
from cranfield.compat.trec_eval.arguments import TrecOptions
from cranfield.compat.trec_eval.help import text as trec_eval_help
from docs.markup import written


def page() -> str:
    """The help page of every verb, and of every sub-verb of `judge`."""
    context = click.Context(group, info_name="cranfield", **group.context_settings)
    parts = [
        "# Command line",
        "Results go to standard output; notes, progress and errors to standard error. `--json` prints one envelope, "
        "whose schema is printed by `--json-schema`.",
        f"```text\n{group.get_help(context).rstrip()}\n```",
    ]
    for name in verbs():
        command = group.get_command(context, name)
        assert command
        parts += [f"## cranfield {name}", *_explained(command, context)]
    return written(parts)


def _explained(command: click.Command, parent: click.Context) -> Iterator[str]:
    if command.name == "trec_eval":
        yield "[The guide](../how-to/use-as-trec_eval.md) shows how to use it."
        yield f"```text\n{trec_eval_help(TrecOptions(wants='help')).rstrip()}\n```"
        return
    yield f"```text\n{help_of(command, parent)}\n```"
    if command.name == "study":
        yield "[Command line of studies](cli_studies.md) has the help page of every kind."
    if command.name == "judge" and isinstance(command, click.Group):
        context = click.Context(command, parent, command.name, **command.context_settings)
        for name in command.list_commands(context):
            yield f"### cranfield judge {name}"
            below = command.get_command(context, name)
            assert below
            yield f"```text\n{help_of(below, context)}\n```"


def help_of(command: click.Command, parent: click.Context) -> str:
    """What `--help` prints."""
    return command.get_help(click.Context(command, parent, command.name, **command.context_settings)).rstrip()
