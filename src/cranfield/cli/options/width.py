"""`--width`: how wide a chart is, in columns of a printed page or in centimetres."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.options import F, option

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from cranfield.tables.charts import Width


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


def width() -> Callable[[F], F]:
    """The option, handed over as `width`."""
    text = "columns of a page that a chart fills, or its width in centimetres"
    return option("--width", group="statistics", type=ChartWidth(), usual="two", help=text)
