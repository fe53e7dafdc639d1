"""The possible range of each run: lowest, as judged, condensed, highest, and for a terminal a picture of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.missing.situation import ZERO
from cranfield.tables.sheets.escape import width
from cranfield.tables.sheets.names import LEAST, shortened
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.screen import PAPER, Screen
from cranfield.tables.sheets.sheet import Column, Sheet

INFEASIBLE = "†"
LINE = 100  # columns of a line on paper, if names leave room
_WIDEST, _NARROWEST = 40, 20  # columns of a picture
_HEADING = 30  # columns of the name of a measure


@dataclass(frozen=True)
class PossibleRange:
    """The range in which the score of a run lies, whatever the missing judgments are.

    Attributes:
        run: its name.
        lowest: the smallest possible score.
        as_judged: the score if unjudged documents are not relevant.
        condensed: the score if they are left out of the lists.
        highest: the largest possible score.
        exact: whether both ends can be attained; else they lie outside of what can.
        certified: whether no judgments give a score outside; if not, the ends are those that completions drawn at
            random reach.
    """

    run: str
    lowest: float
    as_judged: float
    condensed: float
    highest: float
    exact: bool = True
    certified: bool = True

    @classmethod
    def of(cls, run: str, numbers: Sequence[float], exact: bool, certified: bool) -> "PossibleRange":
        """From lowest, as judged, condensed and highest, of any type of number."""
        lowest, as_judged, condensed, highest = map(float, numbers)
        return cls(run, lowest, as_judged, condensed, highest, exact=bool(exact), certified=bool(certified))

    @property
    def infeasible(self) -> bool:
        """Whether no completion can give the condensed score."""
        return self.certified and self._outside

    @property
    def _outside(self) -> bool:
        return self.condensed < self.lowest - ZERO or self.condensed > self.highest + ZERO

    @property
    def can_fall(self) -> bool:
        """Whether the score can become lower than it is as judged."""
        return self.lowest < self.as_judged - ZERO


@dataclass(frozen=True)
class RangeSheet(Sheet):
    """A table of ranges; on a terminal each has a picture, and the table fits a line."""

    ranges: tuple[PossibleRange, ...] = ()

    def text(self, screen: Screen = PAPER) -> str:
        """For a terminal: the table, a picture at the end of each line, the notes.

        Long names are shortened to make room for the picture; on a narrow screen it stands in a table below.
        """
        line = screen.columns or LINE
        whole = Sheet(self.columns).text()
        left = line - 2 - max(map(width, whole.splitlines()))
        if screen.columns is None or left >= _NARROWEST:
            return self._pictured(self.columns, left, screen)
        names = [row.run for row in self.ranges]
        longest = max(map(width, names), default=0)
        for room in range(longest, min(longest, LEAST) - 1, -1):
            labels = shortened(names, room)
            heading = shortened([self.columns[0].name], max(room, _HEADING))[self.columns[0].name]
            table = Sheet((Column(heading, [labels[name] for name in names]), *self.columns[1:]))
            left = line - 2 - max(map(width, table.text().splitlines()))
            if left >= _NARROWEST:
                return self._pictured(table.columns, left, screen)
        return self._pictured(self.columns, line - 3 - min(max(longest, width(heading)), line // 3), screen)

    def _pictured(self, columns: tuple[Column, ...], room: int, screen: Screen) -> str:
        picture = _picture(self.ranges, max(_NARROWEST, min(_WIDEST, room)))
        return Sheet((*columns, picture), self.notes).text(screen)


def range_sheet(measure: str, ranges: Sequence[PossibleRange]) -> RangeSheet:
    """The table of one measure.

    >>> ranges = [
    ...     PossibleRange("bm25", 0.3702, 0.4117, 0.4139, 0.4168),
    ...     PossibleRange("new", 0.344, 0.448, 0.6, 0.5544),
    ... ]
    >>> print(range_sheet("nDCG@10", ranges).text())
     nDCG@10   lowest   as judged   condensed   highest  0.34                                0.56
     bm25      0.3702      0.4117     0.4139     0.4168       ├───────●┤
     new       0.3440      0.4480     0.6000†    0.5544   ├─────────────────●──────────────────┤
    """
    low, now, condensed, high = (
        [getattr(row, name) for row in ranges] for name in ("lowest", "as_judged", "condensed", "highest")
    )
    columns = (
        Column(measure, [row.run for row in ranges]),
        Column("lowest", low, ".4f"),
        Column("as judged", now, ".4f"),
        _Marked("condensed", condensed, ".4f", marked=tuple(row.infeasible for row in ranges)),
        Column("highest", high, ".4f"),
    )
    return RangeSheet(columns, label="tab:ranges", ranges=tuple(ranges))


@dataclass(frozen=True, eq=False)
class _Marked(Column):
    """Numbers, some with a mark; the others have a blank in its place."""

    marked: tuple[bool, ...] = ()

    @property
    def cells(self) -> list[str]:
        """Every value as the reader sees it."""
        cells = super().cells
        if not any(self.marked):
            return cells
        return [cell + (INFEASIBLE if mark else " ") for cell, mark in zip(cells, self.marked, strict=True)]


def _picture(ranges: Sequence[PossibleRange], room: int) -> Column:
    """The ranges on one scale, whose ends stand in the heading."""
    ends = [end for row in ranges for end in (row.lowest, row.as_judged, row.highest) if math.isfinite(end)]
    if not ends:
        return Column("", [""] * len(ranges))
    low, high = min(ends), max(ends)
    if high <= low:
        return Column(in_print(low, ".4f"), [_drawn(row, low, high, room) for row in ranges])
    digits = next((n for n in range(2, 7) if high - low >= 5 * 10.0**-n), 6)
    begin, end = math.floor(low * 10**digits) / 10**digits, math.ceil(high * 10**digits) / 10**digits
    first, last = (in_print(value, f".{digits}f") for value in (begin, end))
    return Column(first + last.rjust(room - width(first)), [_drawn(row, begin, end, room) for row in ranges])


def _drawn(row: PossibleRange, begin: float, end: float, room: int) -> str:
    """One range: its ends, and a dot where the score is as judged.

    >>> (
    ...     _drawn(PossibleRange("r", 0.2, 0.5, 0.5, 0.8), 0.0, 1.0, 11),
    ...     _drawn(PossibleRange("r", 0.5, 0.5, 0.5, 0.5), 0.0, 1.0, 3),
    ... )
    ('  ├──●──┤', ' ●')
    """
    if not math.isfinite(row.lowest) or not math.isfinite(row.highest):
        return ""

    def place(value: float) -> int:
        return round((value - begin) / (end - begin) * (room - 1)) if end > begin else 0

    first, last = place(row.lowest), place(row.highest)
    line = [" "] * first + ["─"] * (last - first + 1)
    line[first], line[last] = "├", "┤"
    if math.isfinite(row.as_judged):  # an estimate may lie outside the range of what it estimates
        line += [" "] * (place(row.as_judged) - last)
        line[place(row.as_judged)] = "●"
    return "".join(line)
