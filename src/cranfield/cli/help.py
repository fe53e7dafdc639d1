"""Help pages that fit on one screen: a sentence, the synopsis, three examples, the options by group."""

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import Any

import click

from cranfield.cli.console import Console
from cranfield.cli.defaults import defaults

FLAGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 80}
GROUPS = {"input": "Input", "policy": "Policy (default first)", "statistics": "Statistics", "output": "Output"}
WIDTH = 80
LEFT = 42  # columns for the option, the rest for what it does


class Option(click.Option):
    """An option that knows under which heading it is listed, and how: `shown` replaces its own names."""

    def __init__(self, *args: Any, group: str = "output", shown: str | None = None, **kwargs: Any) -> None:  # click's
        super().__init__(*args, **kwargs)
        self.group = group
        self.shown = shown  # empty: the line of another option speaks for this one

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """What is written, and what it does."""
        if self.hidden or self.shown == "":
            return None
        values = "" if self.is_flag or self.count else f" {self.make_metavar(ctx).strip('[]')}"
        return self.shown or f"{', '.join(self.opts)}{values}", self.help or ""


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
        kwargs.setdefault("context_settings", FLAGS)
        super().__init__(*args, **kwargs)
        self.synopsis = synopsis
        self.examples: tuple[str, ...] = tuple(examples)
        self._result_schema = result_schema or {"type": "object"}

    @property
    def result_schema(self) -> Mapping[str, Any]:  # JSON schema
        """The JSON schema of what stands under `result`."""
        return self._result_schema() if callable(self._result_schema) else self._result_schema

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Options that are not given take their values from `cranfield.toml`, where there is one."""
        if isinstance(ctx.obj, Console):
            ctx.obj.options = {str(param.name): param.opts[0] for param in self.get_params(ctx)}
        if not ctx.resilient_parsing and not {"-h", "--help", "--json-schema"} & set(args):
            ctx.default_map = defaults()
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The page, in one go."""
        lines = [
            *wrap((self.help or "").partition("\n")[0], WIDTH),
            "",
            f"Usage: {ctx.command_path} {self.synopsis} [OPTIONS]",
            *(f"  {example}" for example in self.examples),
        ]
        for group, heading in GROUPS.items():
            options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
            records = [param.get_help_record(ctx) for param in options if _group(param) == group]
            lines += ["", f"{heading}:", *(line(*record) for record in records if record)] if any(records) else []
        formatter.write("\n".join(lines) + "\n")


def line(left: str, right: str) -> str:
    """One option: what is written, and what it does; a long left side has a line of its own.

    >>> line("-q", "no notes")
    '  -q                                      no notes'
    """
    said = "\n".join(wrap(_SAID_SHORTER.get(right, right), WIDTH - LEFT)).replace("\n", "\n" + " " * LEFT)
    if len(left) <= LEFT - 4:
        return f"  {left:<{LEFT - 4}}  {said}".rstrip()
    return "\n".join([*wrap(left, WIDTH, initial_indent="  ", subsequent_indent="      "), " " * LEFT + said])


_SAID_SHORTER = {"Show this message and exit.": "this page"}


def _group(param: click.Parameter) -> str:
    return param.group if isinstance(param, Option) else "output"
