"""The goals of the benchmark: ratios to other packages on the same machine, and budgets."""

from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.sample.bench.contenders import OURS
from cranfield.sample.bench.results import BenchResult

FLAT = 1.25  # the dearest row of `growth` ÷ the cheapest
FROM = 1_000_000  # rows from which the start of the process no longer blurs the difference


@dataclass(frozen=True)
class Goal:
    """A bound on a number of one result."""

    part: str
    size: str
    program: str
    field: str
    bound: float
    most: bool = False  # an upper bound

    def told(self, result: BenchResult) -> str:
        """Whether it was reached, with both numbers."""
        value = getattr(result, self.field)
        reached = value <= self.bound if self.most else value >= self.bound
        where = f"{self.part} {self.size}".strip()
        what = {"ratio": "CPU of {} ÷ ours", "wall": "wall seconds of {}", "peak": "peak MB of {}"}[self.field]
        bound = f"{'at most' if self.most else 'at least'} {self.bound:g}"
        return f"{_word(reached)}: {where}, {what.format(self.program)}: {value:.2f}, wanted {bound}"


GOALS = (
    Goal("files", "S", "pytrec_eval", "ratio", 1),
    Goal("files", "M", "pytrec_eval", "ratio", 5),
    Goal("files", "L", "pytrec_eval", "ratio", 10),
    Goal("files", "L", "ir_measures", "ratio", 20),
    Goal("files", "L", "trec_eval", "ratio", 10),
    Goal("files", "L", OURS, "wall", 15, most=True),
    Goal("files", "L", OURS, "peak", 4000, most=True),
    Goal("dicts", "L", "pytrec_eval", "ratio", 10),
    Goal("dicts", "M", "pytrec_eval", "ratio", 2),
    Goal("start", "", "cranfield --help", "wall", 0.3, most=True),
)


def verdicts(results: Sequence[BenchResult]) -> list[str]:
    """A sentence for each goal that the results cover."""
    found = {(result.part, result.size, result.program): result for result in results if result.cpu is not None}
    said = [
        goal.told(found[goal.part, goal.size, goal.program])
        for goal in GOALS
        if (goal.part, goal.size, goal.program) in found
    ]
    return [*said, *_linear(found), *_flat(results)]


def _linear(found: dict[tuple[str, str, str], BenchResult]) -> list[str]:
    """Whether sixteen times the rows cost at most sixteen times as much."""
    whole, part = found.get(("files", "XL", OURS)), found.get(("files", "XL/16", OURS))
    if whole is None or part is None or not whole.cpu or not part.cpu:
        return []
    times = whole.cpu / part.cpu
    return [f"{_word(times <= 16)}: files XL, CPU ÷ CPU of a sixteenth of the rows: {times:.2f}, wanted at most 16"]


def _flat(results: Sequence[BenchResult]) -> list[str]:
    costs = [
        result.per_million
        for result in results
        if result.program == OURS and result.per_million and (result.rows or 0) >= FROM
    ]
    if len(costs) < 2:
        return []
    times = max(costs) / min(costs)
    return [
        f"{_word(times <= FLAT)}: growth, dearest row ÷ cheapest from {FROM:,} rows on: {times:.2f}, "
        f"wanted at most {FLAT}"
    ]


def _word(reached: bool) -> str:
    return "reached" if reached else "missed"
