"""Results: the median cost of each program, its ratio to ours, and the tables made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import TYPE_CHECKING

from cranfield.sample.bench.contenders import OURS
from cranfield.sample.bench.process import Cost

if TYPE_CHECKING:
    from cranfield.tables.sheets.sheet import Sheet

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class BenchResult:
    """The cost of one program on one size; if there is none, `problem` says why.

    Attributes:
        part: files, dicts, start, growth or holes.
        size: name of the shape, or empty.
        program: its name.
        rows: lines of the runs.
        cpu: seconds, user and system.
        wall: seconds.
        peak: most memory held, in megabytes (10⁶ bytes).
        ratio: CPU of it ÷ CPU of ours.
        per_million: CPU seconds for a million rows, apart from the start of the process.
        of_file: peak memory ÷ size of the file.
        problem: why there are no numbers.
    """

    part: str
    size: str
    program: str
    rows: int | None = None
    cpu: float | None = None
    wall: float | None = None
    peak: float | None = None
    ratio: float | None = None
    per_million: float | None = None
    of_file: float | None = None
    problem: str = ""

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)


def middle(costs: Sequence[Cost]) -> Cost:
    """The median of each column.

    >>> middle([Cost(1.0, 2.0, 30), Cost(3.0, 1.0, 10), Cost(2.0, 9.0, 20)])
    Cost(cpu=2.0, wall=2.0, peak=20)
    """
    peaks = [cost.peak for cost in costs if cost.peak is not None]
    return Cost(median(c.cpu for c in costs), median(c.wall for c in costs), int(median(peaks)) if peaks else None)


def ranked(
    part: str, size: str, rows: int, costs: Mapping[str, Sequence[Cost]], problems: Mapping[str, str]
) -> list[BenchResult]:
    """A result for each program; one with a problem has no time and no ratio, and if ours has one, no program has."""
    wrong = problems.get(OURS, "")
    base = 0.0 if wrong else middle(costs[OURS]).cpu
    found = []
    for program, repeats in costs.items():
        if problem := problems.get(program, "") or (wrong and "there is nothing to compare it with"):
            found.append(BenchResult(part, size, program, rows, problem=problem))
            continue
        cost = middle(repeats)
        peak = None if cost.peak is None else cost.peak / MEGABYTE
        ratio = cost.cpu / base if base else None
        found.append(
            BenchResult(
                part=part, size=size, program=program, rows=rows, cpu=cost.cpu, wall=cost.wall, peak=peak, ratio=ratio
            )
        )
    return found


_COLUMNS = {  # field -> heading, format
    "part": ("part", ""),
    "size": ("size", ""),
    "rows": ("rows", ","),
    "program": ("program", ""),
    "cpu": ("CPU s", ".3f"),
    "wall": ("wall s", ".3f"),
    "peak": ("peak MB", ".0f"),
    "per_million": ("CPU s per million rows", ".3f"),
    "of_file": ("peak ÷ file", ".2f"),
    "ratio": ("CPU ÷ ours", ".2f"),
    "problem": ("refused because", ""),
}


def sheet(results: Sequence[BenchResult], notes: Sequence[str] = (), parts: bool = True) -> "Sheet":
    """Results as a table; columns without any value are left out."""
    from cranfield.tables.sheets.sheet import Column, Sheet

    columns = []
    for field, (heading, form) in _COLUMNS.items():
        values = [
            getattr(result, field) or None if field == "problem" else getattr(result, field) for result in results
        ]
        if any(value not in (None, "") for value in values) and (parts or field != "part"):
            columns.append(Column(heading, values, form))
    return Sheet(tuple(columns), tuple(notes))
