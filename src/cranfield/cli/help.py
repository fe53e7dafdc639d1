"""Help pages: `-h` fits on a screen, `--help` has every option with what it does and its default."""

import os
from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import Any

import click

from cranfield.cli.defaults import FILE, defaults
from cranfield.cli.files import files_of
from cranfield.cli.names import FormatName, RegisteredName
from cranfield.cli.printing.console import Console
from cranfield.tables.sheets.screen import Screen

FLAGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 80}  # of pages that are one
GROUPS = {"input": "Input", "policy": "Policy", "statistics": "Statistics", "output": "Output"}
WIDTH = 80
LEFT = 30  # columns for the option, the rest for what it does


class Option(click.Option):
    """An option that knows under which heading it is listed, and whether many people need it (`brief`).

    The default is appended to the help text; `usual` describes it in words.
    """

    def __init__(
        self,
        *args: Any,  # click's arguments
        group: str = "output",
        brief: bool = False,
        usual: str = "",
        **kwargs: Any,  # click's arguments
    ) -> None:
        super().__init__(*args, **kwargs)
        self.group = group
        self.brief = brief
        self.usual = usual

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option as it is written, and its help text."""
        if self.hidden:
            return None
        values = "" if self.is_flag or self.count else f" {self.make_metavar(ctx).strip('[]')}"
        names = self.type.listed() if isinstance(self.type, RegisteredName | FormatName) else ""
        says = [self.help or "", names, "repeatable" if self.multiple else ""]
        usual = self.usual or self._default(ctx)
        return f"{', '.join(self.opts)}{values}", "; ".join(filter(None, says)) + (f" [{usual}]" if usual else "")

    def _default(self, ctx: click.Context) -> str:
        """The default as the command line writes it; empty if there is none."""
        value = self.get_default(ctx, call=False)
        if self.is_flag or self.count or value is None or not isinstance(value, str | int | float | list | tuple):
            return ""
        return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


class Verb(click.Command):
    """A verb with its synopsis, three examples, and the JSON schema of what stands under `result`."""

    def __init__(
        self,
        *args: Any,  # click's arguments
        synopsis: str,
        examples: Sequence[str],
        result_schema: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None = None,  # JSON schema, or its maker
        **kwargs: Any,  # click's arguments
    ) -> None:
        kwargs.setdefault("context_settings", {**FLAGS, "help_option_names": ["--help"]})
        super().__init__(*args, **kwargs)
        self.synopsis = synopsis
        self.examples: tuple[str, ...] = tuple(examples)
        self._result_schema = result_schema or {"type": "object"}
        self.params.append(_short_option())

    @property
    def result_schema(self) -> Mapping[str, Any]:  # JSON schema
        """The JSON schema of what stands under `result`."""
        return self._result_schema() if callable(self._result_schema) else self._result_schema

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take options that are not given from `cranfield.toml`, if it exists."""
        if isinstance(ctx.obj, Console):
            ctx.obj.options = {str(param.name): param.opts[0] for param in self.get_params(ctx)}
        if not ctx.resilient_parsing and not {"-h", "--help", "--json-schema"} & set(args):
            ctx.default_map = self.defaults()
            if (files := files_of(ctx)) is not None and os.path.exists(FILE):
                files.reads_recorded(FILE)
        if ctx.resilient_parsing and args and args[-1].startswith("-"):
            args = args[:-1]  # the option whose value is completed, for which click would forget the arguments
        return super().parse_args(ctx, args)

    def defaults(self) -> dict[str, Any]:  # values of options, of several types
        """What `cranfield.toml` sets for this verb."""
        return defaults()

    def invoke(self, ctx: click.Context) -> Any:  # what the verb returns
        """Refuse to start if an output would overwrite an input or another output, or an encoding has no file."""
        if (files := files_of(ctx)) is not None:
            files.check(ctx.params.get("encoding") or ())
        return super().invoke(ctx)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The whole page, in one go."""
        lines = self._head(ctx)
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        for group, heading in GROUPS.items():
            records = [param.get_help_record(ctx) for param in options if _group(param) == group]
            lines += ["", f"{heading}:", *(line(*record) for record in records if record)] if any(records) else []
        formatter.write(page(lines))

    def short_help_page(self, ctx: click.Context) -> str:
        """The short help page: the sentence, the examples, the most used options."""
        options = [param for param in self.get_params(ctx) if isinstance(param, Option) and param.brief]
        records = [param.get_help_record(ctx) for param in options]
        used = [line(*record) for record in records if record]
        more = f"'{ctx.command_path} --help' explains every option."
        return page([*self._head(ctx), "", *(["Most used:", *used, ""] if used else []), more]).rstrip()

    def _head(self, ctx: click.Context) -> list[str]:
        return [
            *wrap((self.help or "").partition("\n")[0], room()),
            "",
            f"Usage: {ctx.command_path} {self.synopsis} [OPTIONS]",
            *(f"  {example}" for example in self.examples),
        ]


def room() -> int:
    """Columns of a help page: those of the terminal, but no more than can be read well."""
    return min(Screen.of_output().columns or WIDTH, WIDTH)


def page(lines: Sequence[str]) -> str:
    """A help page of these lines, of which the terminal breaks none."""
    return Screen.of_output().wrapped("\n".join(lines)) + "\n"


def line(left: str, right: str) -> str:
    """One option: how it is written, and its help text; a long left side gets a line of its own.

    >>> line("-q", "no notes")
    '  -q                          no notes'
    """
    said = "\n".join(wrap(_SAID_SHORTER.get(right, right), room() - LEFT, break_on_hyphens=False)).replace(
        "\n", "\n" + " " * LEFT
    )
    if len(left) <= LEFT - 4:
        return f"  {left:<{LEFT - 4}}  {said}".rstrip()
    names = wrap(left, room(), initial_indent="  ", subsequent_indent="      ")
    return "\n".join([*names, *([" " * LEFT + said] if said else [])])


_SAID_SHORTER = {"Show this message and exit.": "this page"}


def _short(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing and isinstance(ctx.command, Verb):
        click.echo(ctx.command.short_help_page(ctx))
        ctx.exit()


def _short_option() -> Option:
    return Option(
        ["-h"], is_flag=True, is_eager=True, expose_value=False, callback=_short, help="the most used options alone"
    )


def _group(param: click.Parameter) -> str:
    return param.group if isinstance(param, Option) else "output"
