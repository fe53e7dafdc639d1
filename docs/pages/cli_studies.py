"""The help page of every kind of study."""

import click

from cranfield.cli.group import group
from docs.markup import written
from docs.pages.cli import help_of


def page() -> str:
    """The help page of every kind of study."""
    top = click.Context(group, info_name="cranfield", **group.context_settings)
    study = group.get_command(top, "study")
    assert isinstance(study, click.Group)
    context = click.Context(study, top, "study", **study.context_settings)
    parts = [
        "# Command line of studies",
        "What `cranfield study KIND --help` prints. [Studies](studies.md) explains the kinds and their options one by "
        "one.",
    ]
    for name in study.list_commands(context):
        kind = study.get_command(context, name)
        assert kind
        parts += [f"## cranfield study {name}", f"```text\n{help_of(kind, context, name)}\n```"]
    return written(parts)
