"""Look up the values of a grid of user shares (FFM14 Tables 2 and 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from cranfield.study.papers.ferrante2014.printed import GRADED
from cranfield.tables.sheets.sheet import Column


@dataclass(frozen=True, eq=False)
class Points:
    """The results of `study grid`, by shares, measure, other measure and set of topics."""

    tidy: Sequence[Column]

    @cached_property
    def columns(self) -> dict[str, list[object]]:
        """The columns by name."""
        return {column.name: list(column.raw) for column in self.tidy}

    @cached_property
    def known(self) -> dict[tuple[tuple[float, ...], str, str, str], float]:
        """(shares, measure, other, set) -> value."""
        columns = self.columns
        grades = zip(*(columns[name] for name in columns if name[0] == "g" and name[1:].isdigit()), strict=True)
        names = (map(str, columns[name]) for name in ("measure", "other", "topics"))
        keys = zip((tuple(map(_number, point)) for point in grades), *names, strict=True)
        return dict(zip(keys, map(_number, columns["value"]), strict=True))

    @cached_property
    def shares(self) -> list[tuple[float, ...]]:
        """The points: shares of the users who want each grade, from grade 1."""
        return list(dict.fromkeys(shares for shares, _, _, _ in self.known))

    @cached_property
    def sets(self) -> list[str]:
        """The sets of topics, those without any left out."""
        sizes = zip(self.columns["topics"], self.columns["n"], strict=True)
        return list(dict.fromkeys(str(name) for name, size in sizes if size))

    def value(self, shares: tuple[float, ...], measure: str, other: str, topics: str = "all") -> float:
        """A coefficient; NaN if it was not computed."""
        return self.known.get((shares, measure, other, topics), float("nan"))

    @property
    def corners(self) -> list[tuple[float, ...]]:
        """The points where all users want the same grade."""
        return [point for point in self.shares if max(point) == 1]

    @property
    def inner(self) -> list[tuple[float, ...]]:
        """The points where users want different grades."""
        return [point for point in self.shares if max(point) < 1]

    @property
    def edge(self) -> list[tuple[float, ...]]:
        """The points from all users wanting grade 1 to all wanting the highest, where no user wants a grade between."""
        found = [point for point in self.shares if abs(point[0] + point[-1] - 1) < 1e-9]
        return sorted(found, key=lambda point: point[-1])

    def least(self, points: Sequence[tuple[float, ...]], other: str) -> float:
        """The lowest coefficient of the three with another measure, at some points and on all sets of topics."""
        cells = [self.value(point, name, other, topics) for point in points for name in GRADED for topics in self.sets]
        return min((value for value in cells if not np.isnan(value)), default=float("nan"))

    def growing(self, measure: str, other: str) -> tuple[int, int]:
        """How many steps along the edge, as more users want grade 1, do not lower the agreement; of how many.

        GAP, xGAP and eGAP are equal where no user wants grade 1; between them the steps begin after that point.
        """
        points = [point for point in reversed(self.edge) if point[0] > 0 or other not in GRADED]
        values = [value for value in (self.value(point, measure, other) for point in points) if not np.isnan(value)]
        steps = list(pairwise(values))
        return sum(two >= one - 1e-12 for one, two in steps), len(steps)


def _number(cell: object) -> float:
    return float("nan") if cell is None else float(str(cell))
