"""`--chart`: a result drawn instead of listed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.cli.names import RegisteredName
from cranfield.cli.options import F, bundle, option
from cranfield.cli.options.width import width
from cranfield.cli.printing.console import Console
from cranfield.cli.printing.output import Output
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.measures.grammar import Measure
    from cranfield.tables.charts import ChartKind, Width


@dataclass(frozen=True)
class ChartOptions:
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


def charts_of(result: str) -> Callable[[F], F]:
    """The options for the charts of a kind of result, handed over as `chart`."""

    def registered() -> "Mapping[str, ChartKind]":
        from cranfield.tables.charts import CHARTS

        return {name: chart for name, chart in CHARTS.items() if chart.result == result}

    text = "draw a chart into the file of -o"
    return bundle(
        "chart",
        ChartOptions,
        ("name", "width"),
        option("--chart", "name", group="statistics", type=RegisteredName(registered), help=text),
        width(),
    )
