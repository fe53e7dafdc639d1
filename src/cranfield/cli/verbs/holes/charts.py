"""`holes --chart`: what was judged, drawn instead of listed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.cli import options
from cranfield.cli.names import RegisteredName
from cranfield.cli.options.width import width
from cranfield.cli.printing.console import Console
from cranfield.cli.printing.output import Output
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.missing.result import Holes
    from cranfield.tables.charts import ChartKind, Width


def _charts() -> "Mapping[str, ChartKind]":
    from cranfield.tables.charts import CHARTS

    return {name: chart for name, chart in CHARTS.items() if chart.result == "holes"}


@dataclass(frozen=True)
class HolesChart:
    """What is drawn, if anything."""

    name: str | None
    width: "Width | None"

    def check(self, console: Console, output: Output, only: str | None) -> None:
        """Refuse a chart that cannot be drawn, before any file is read."""
        if self.name is None:
            if self.width is not None:
                raise PolicyError("E200", "--width has no effect without --chart", hint="add --chart coverage")
            return
        if not output.is_picture(console):
            problem, hint = "--chart draws a picture, and no file was named for it", "add -o chart.svg"
            raise PolicyError("E200", problem, hint=hint)
        if only is not None:
            raise PolicyError("E200", "--chart and --only exclude each other", hint="leave one of them out")

    def write(self, console: Console, output: Output, found: "Holes") -> None:
        """Draw into the file."""
        with console.timed("drawing"):
            output.write_picture(console, found.plot(str(self.name), width=self.width or "two"))


def holes_chart(function: options.F) -> options.F:
    """The options, handed over as `chart`."""
    return options.bundle(
        "chart",
        HolesChart,
        ("name", "width"),
        options.option(
            "--chart",
            "name",
            group="statistics",
            type=RegisteredName(_charts),
            help="draw a chart into the file of -o",
        ),
        width(),
    )(function)
