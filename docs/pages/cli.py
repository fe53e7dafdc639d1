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
        parts += [f"## cranfield {name}", *_explained(command, context, name)]
    return written(parts)


def _explained(command: click.Command, parent: click.Context, name: str) -> Iterator[str]:
    if name == "trec_eval":
        yield "[The guide](../how-to/use-as-trec_eval.md) shows how to use it."
        yield f"```text\n{trec_eval_help(TrecOptions(wants='help')).rstrip()}\n```"
        return
    yield f"```text\n{help_of(command, parent, name)}\n```"
    if name == "study":
        yield "[Command line of studies](cli_studies.md) has the help page of every kind."
    if name == "judge" and isinstance(command, click.Group):
        context = click.Context(command, parent, name, **command.context_settings)
        for subverb in command.list_commands(context):
            yield f"### cranfield judge {subverb}"
            below = command.get_command(context, subverb)
            assert below
            yield f"```text\n{help_of(below, context, subverb)}\n```"


def help_of(command: click.Command, parent: click.Context, name: str) -> str:
    """What `--help` prints, where the command is called by that name."""
    return command.get_help(click.Context(command, parent, name, **command.context_settings)).rstrip()
