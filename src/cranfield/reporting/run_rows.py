"""Rows of runs: what charts share that have a row for each run, its name beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from cranfield.errors import printable
from cranfield.reporting.lines import labelled
from cranfield.reporting.style import SIZE, text_width

if TYPE_CHECKING:
    import altair as alt

_TALL, _LOWEST = 640, 5.5  # points: of all rows together, and of a row at least
_ROOM = 0.36  # of the width, for names
_LETTER = 4.4  # points: about the width of a letter


@dataclass(frozen=True)
class RunRows:
    """The rows of a chart, from the top.

    Attributes:
        runs: their names.
        points: the width of the chart.
        highest: points of a row, where there are few.
    """

    runs: Sequence[str]
    points: float
    highest: float = 15.0

    @property
    def labels(self) -> list[str]:
        """The names as they are printed: short enough for the chart, no two equal."""
        shown = [printable(run) for run in self.runs]
        labels = labelled(shown, int(self.points * _ROOM / _LETTER))
        return [labels[run] for run in shown]

    @property
    def high(self) -> float:
        """The points of a row."""
        return min(self.highest, max(_LOWEST, _TALL / max(1, len(self.runs))))

    @property
    def tall(self) -> float:
        """The points of all rows."""
        return self.high * max(1, len(self.runs))

    def axis(self) -> "alt.Y":
        """The vertical axis with the names of the runs."""
        import altair as alt

        axis = alt.Axis(
            labelFontSize=min(SIZE, self.high * 0.85),
            labelLimit=self.points * 0.5,
            ticks=False,
            domain=False,
            grid=False,
            minExtent=0,
        )
        return alt.Y("run:N", sort=self.labels, title=None, axis=axis)

    def titles(self, axis: str, marks: Sequence[str]) -> list[str]:
        """The lines below the axis: its title, and what the marks mean, in as many lines as the room needs."""
        room = self.points - 24 - max((text_width(label) for label in self.labels), default=0)
        return [axis, *joined(marks, room)]


def joined(marks: Sequence[str], room: float) -> list[str]:
    """Words on marks, in as few lines as the room allows.

    >>> joined(["dot: as judged", "line: 95 % interval"], 200), len(joined(["dot: as judged", "line: 95 %"], 60))
    (['dot: as judged · line: 95 % interval'], 2)
    """
    lines: list[str] = []
    for mark in marks:
        longer = f"{lines[-1]} · {mark}" if lines else mark
        if lines and text_width(longer) <= room * 1.08:  # widths are rounded up
            lines[-1] = longer
        else:
            lines.append(mark)
    return lines


def six_digits(value: float) -> float | None:
    """A number of a chart: six digits keep files small; what is not finite is None, and not drawn.

    >>> six_digits(1 / 3), six_digits(float("nan"))
    (0.333333, None)
    """
    return float(f"{value:.6g}") if isfinite(value) else None
