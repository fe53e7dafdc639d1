"""The growth of cost and memory with the size of a file, drawn."""

from collections.abc import Sequence

import numpy as np

from cranfield.reporting.drawing import Axes, lines
from cranfield.reporting.figure import Figure
from cranfield.reporting.lines import Line, Panel
from cranfield.reporting.style import CENTIMETRE, centimetres, config, looks
from cranfield.sample.bench.results import BenchResult, sheet

_PANELS = {"per_million": "CPU seconds per million rows", "of_file": "peak memory ÷ size of the file"}


def growth_chart(results: Sequence[BenchResult]) -> Figure:
    """Two panels over the number of rows: a program whose cost is linear has flat lines."""
    drawn = [result for result in results if result.part == "growth" and result.cpu is not None]
    programs = list(dict.fromkeys(result.program for result in drawn))
    rows = [_millions(result) for result in drawn]
    panels = [
        Panel("", title, tuple(_line(drawn, program, field) for program in programs))
        for field, title in _PANELS.items()
    ]
    wide = centimetres("two")
    across = (min(rows), max(*rows, 10 * min(rows)))
    made = lines(panels, looks(programs), Axes("million rows", across, log=True), wide * CENTIMETRE, ())
    described = _described(drawn)
    return Figure(
        chart=made.properties(description=described).configure(**config()),
        title="Cost and memory against the size of a file",
        description=described,
        table=sheet(drawn, parts=False),
        width=wide,
    )


def _line(results: Sequence[BenchResult], program: str, field: str) -> Line:
    points = [(_millions(result), getattr(result, field)) for result in results if result.program == program]
    x, y = np.array(points, dtype=np.float64).T
    return Line(program, program, x, y)


def _millions(result: BenchResult) -> float:
    return (result.rows or 0) / 1_000_000


def _described(results: Sequence[BenchResult]) -> str:
    first, last = results[0], next(result for result in reversed(results) if result.program == results[0].program)
    return (
        f"{first.program}: {first.per_million:.2f} CPU seconds per million rows at {first.rows:,} rows, "
        f"{last.per_million:.2f} at {last.rows:,}; peak memory {last.of_file:.1f} times the largest file."
    )
