"""What a command writes to its two streams: `--json`, `--no-color`, `-q`, `-v`, set on the console."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from cranfield.cli.help import Option, Verb
from cranfield.cli.printing.console import Console

F = TypeVar("F", bound=Callable[..., Any])


def option(*names: str, group: str, **attributes: Any) -> Callable[[F], F]:  # click's attributes
    """An option listed under a heading of the help page."""
    return click.option(*names, cls=Option, group=group, **attributes)


def streams(function: F) -> F:
    """The options that every verb has, whatever it prints."""
    options = [
        _flag("--json", "json", "print one JSON envelope", brief=True),
        option(
            "--json-schema",
            group="output",
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_schema,
            help="print the JSON schema of the envelope",
        ),
        _flag("--no-color", "plain", "never colour"),
        _flag("-q", "quiet", "no notes"),
        option(
            "-v",
            group="output",
            count=True,
            is_eager=True,
            expose_value=False,
            callback=_verbosity,
            help="also timings; -vv also tracebacks",
        ),
    ]
    decorated = function
    for add in reversed(options):
        decorated = add(decorated)
    return decorated


def _flag(name: str, field: str, text: str, brief: bool = False) -> Callable[[F], F]:
    def set_(ctx: click.Context, _: click.Parameter, given: bool) -> None:
        if given and isinstance(ctx.obj, Console):
            setattr(ctx.obj, field, True)

    return option(
        name, group="output", is_flag=True, is_eager=True, expose_value=False, callback=set_, help=text, brief=brief
    )


def _verbosity(ctx: click.Context, _: click.Parameter, count: int) -> None:
    if isinstance(ctx.obj, Console):
        ctx.obj.verbosity = count


def _schema(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing and isinstance(ctx.command, Verb):
        import json

        from cranfield.cli.schemas.schema import schema

        click.echo(json.dumps(schema(str(ctx.command.name), ctx.command.result_schema), indent=1, ensure_ascii=False))
        ctx.exit()
