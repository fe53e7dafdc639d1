"""Rows of runs: what charts share that have a row for each run, its name beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING

from cranfield.reporting.labels import labelled, text_width, widest
from cranfield.reporting.style import SIZE

if TYPE_CHECKING:
    import altair as alt

_TALL, _LOWEST = 640, 5.5  # points: of all rows together, and of a row at least
_BESIDE = 4  # points between names and marks


@dataclass(frozen=True)
class RunRows:
    """The rows of a chart, from the top.

    Attributes:
        runs: their names.
        points: the width of the chart.
        highest: points of a row, where there are few.
        share: of the width, which names may take.
    """

    runs: Sequence[str]
    points: float
    highest: float = 15.0
    share: float = 0.38

    @cached_property
    def labels(self) -> list[str]:
        """The names as they are printed: short enough for the chart, no two equal."""
        labels = labelled(self.runs, self.points * self.share, self.size)
        return [labels[run] for run in self.runs]

    @property
    def size(self) -> float:
        """The size of the font of names."""
        return min(SIZE, self.high * 0.85)

    @property
    def beside(self) -> float:
        """The points that names take, whichever font is present."""
        return widest(self.labels, self.size) + _BESIDE

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
            labelFontSize=self.size,
            labelLimit=self.points,
            ticks=False,
            domain=False,
            grid=False,
            minExtent=self.beside,
        )
        return alt.Y("run:N", sort=self.labels, title=None, axis=axis)

    def titles(self, axis: str, marks: Sequence[str]) -> list[str]:
        """The lines below the axis: its title, and what the marks mean, in as many lines as the room needs."""
        return [axis, *joined(marks, self.points - 20 - self.beside)]


def joined(marks: Sequence[str], room: float, between: str = " · ") -> list[str]:
    """Words on marks, in as few lines as the room allows.

    >>> joined(["dot: as judged", "line: 95 % interval"], 200), len(joined(["dot: as judged", "line: 95 %"], 60))
    (['dot: as judged · line: 95 % interval'], 2)
    """
    lines: list[str] = []
    for mark in marks:
        longer = f"{lines[-1]}{between}{mark}" if lines else mark
        if lines and text_width(longer, SIZE + 0.5) <= room:
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
