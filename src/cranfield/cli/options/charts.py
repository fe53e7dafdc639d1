"""`--chart` and `--width`: a result drawn instead of listed, so many columns of a page wide."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cranfield.cli.declared import DeclaredNames
from cranfield.cli.names import RegisteredName
from cranfield.cli.options import F, bundle, option
from cranfield.cli.printing.console import Console
from cranfield.cli.printing.output import Output
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

    from cranfield.measures.grammar import Measure
    from cranfield.tables.charts import Width


class ChartOptions(NamedTuple):
    """What is drawn, if anything."""

    name: str | None
    width: "Width | None"

    def check(self, console: Console, output: Output, **tables: object) -> None:
        """Refuse a chart that cannot be drawn, before any file is read, or beside options that choose a table."""
        if self.name is None:
            if self.width is not None:
                raise PolicyError("E200", "--width has no effect without --chart", hint="name a chart with --chart")
            return
        if not output.is_picture(console):
            problem, hint = "--chart draws a picture, and no file was named for it", "add -o chart.svg"
            raise PolicyError("E200", problem, hint=hint)
        if other := next((name for name, chosen in tables.items() if chosen), None):
            problem = f"--chart and --{other.replace('_', '-')} exclude each other"
            raise PolicyError("E200", problem, hint="leave one of them out")

    def check_one(self, measures: "Sequence[Measure]") -> None:
        """Refuse a chart of several measures."""
        if self.name is not None and len(measures) > 1:
            raise PolicyError("E200", f"--chart draws one measure, not {len(measures)}", hint=f"write -m {measures[0]}")

    def write(self, console: Console, output: Output, plot: Callable[..., Any]) -> None:
        """Draw into the file, by the method of a result."""
        with console.timed("drawing"):
            output.write_picture(console, plot(str(self.name), width=self.width or "two"))


class ChartWidth(click.ParamType["Width"]):
    """A word for the columns of a page, or a number of centimetres, as `plot(width=…)` takes them.

    >>> ChartWidth().convert("one", None, None), ChartWidth().convert("12", None, None)
    ('one', 12.0)
    """

    name = "width"

    def names(self) -> list[str]:
        """The words."""
        from cranfield.reporting.style import WIDTHS

        return list(WIDTHS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "Width":  # click's types
        """The word or number; what no chart can be is refused as in Python."""
        from cranfield.reporting.style import centimetres

        try:
            width: Width = float(value)
        except ValueError:
            width = value
        centimetres(width)
        return width

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """The words, and the unit of the number."""
        return "|".join([*self.names(), "CM"])

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        """The words that begin so."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.names() if name.startswith(incomplete)]


def charts_of(result: str) -> Callable[[F], F]:
    """The options for the charts of a kind of result, handed over as `chart`."""
    drawn = RegisteredName(DeclaredNames("cranfield.tables.charts", "CHARTS", where=("result", result)))
    text = "draw a chart into the file of -o"
    wide = "columns of a page that a chart fills, or its width in centimetres"
    return bundle(
        "chart",
        ChartOptions,
        ("name", "width"),
        option("--chart", "name", group="statistics", type=drawn, help=text),
        option("--width", group="statistics", type=ChartWidth(), usual="two", help=wide),
    )
