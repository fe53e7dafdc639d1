"""`compare --chart`: a comparison drawn instead of listed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.cli import options
from cranfield.cli.names import RegisteredName
from cranfield.cli.options.width import width
from cranfield.cli.printing.console import Console
from cranfield.cli.printing.output import Output
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.measures.grammar import Measure
    from cranfield.stats.comparison.result import Comparison
    from cranfield.tables.charts import ChartKind, Width


def _charts() -> "Mapping[str, ChartKind]":
    from cranfield.tables.charts import CHARTS

    return {name: chart for name, chart in CHARTS.items() if chart.result == "comparison"}


@dataclass(frozen=True)
class ChartOptions:
    """What is drawn, if anything."""

    name: str | None
    width: "Width | None"

    def check(self, console: Console, output: Output, measures: "Sequence[Measure]", per_topic: bool) -> None:
        """Refuse a chart that cannot be drawn, before any file is read."""
        if self.name is None:
            if self.width is not None:
                raise PolicyError("E200", "--width has no effect without --chart", hint="add --chart deltas")
            return
        if not output.is_picture(console):
            problem, hint = "--chart draws a picture, and no file was named for it", "add -o chart.svg"
            raise PolicyError("E200", problem, hint=hint)
        if per_topic:
            raise PolicyError("E200", "--chart and --per-topic exclude each other", hint="leave one of them out")
        if len(measures) > 1:
            raise PolicyError("E200", f"--chart draws one measure, not {len(measures)}", hint=f"write -m {measures[0]}")

    def write(self, console: Console, output: Output, comparison: "Comparison") -> None:
        """Draw the comparison into the file."""
        with console.timed("drawing"):
            figure = comparison.plot(str(self.name), measure=comparison.measures[0], width=self.width or "two")
            output.write_picture(console, figure)


def charts(function: options.F) -> options.F:
    """The options, handed over as `chart`."""
    return options.bundle(
        "chart",
        ChartOptions,
        ("name", "width"),
        options.option(
            "--chart",
            "name",
            group="statistics",
            type=RegisteredName(_charts),
            help="draw the comparison into the file of -o",
        ),
        width(),
    )(function)
