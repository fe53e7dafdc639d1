"""The table of a comparison for programs: one row per pair and measure, in full precision."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.paired.effects import REPORTED
from cranfield.tables.sheets.sheet import Column

if TYPE_CHECKING:
    from cranfield.stats.comparison.result import Comparison

_OPTIONAL = {"equivalence_p": "equivalence", "probability_better": "better", "probability_equivalent": "inside"}


def pair_rows(comparison: "Comparison") -> tuple[Column, ...]:
    """Names, means, what was found, and on how many topics; what nobody asked for has no column."""
    every, runs = comparison.evidence, np.array(comparison.scores.runs, dtype=object)

    def column(name: str, values: Callable[[Evidence], Floats | Ints]) -> Column:
        return Column(name, np.concatenate([values(found) for found in every]))

    def field(name: str, attribute: str) -> Column:
        return column(name, lambda found: getattr(found, attribute))

    def end(name: str, attribute: str, side: int) -> Column:
        return column(name, lambda found: getattr(found, attribute)[:, side])

    def named(side: str) -> Column:
        return Column(side, np.concatenate([runs[getattr(found.contrasts, side)] for found in every]).tolist())

    def mean(name: str, side: str) -> Column:
        return column(name, lambda found: comparison.scores.means[getattr(found.contrasts, side), found.column])

    sizes = [
        (field(name, name), end(f"{name}_low", f"{name}_ci", 0), end(f"{name}_high", f"{name}_ci", 1))
        for name in REPORTED
    ]
    asked = {name: attribute for name, attribute in _OPTIONAL.items() if getattr(every[0], attribute) is not None}
    return (
        Column("measure", [found.measure for found in every for _ in range(len(found.contrasts))]),
        named("run"),
        named("baseline"),
        mean("mean", "run"),
        mean("baseline_mean", "baseline"),
        field("difference", "difference"),
        field("ci_low", "low"),
        field("ci_high", "high"),
        field("median", "median"),
        *(part for size in sizes for part in size),
        field("statistic", "statistic"),
        field("p_raw", "raw"),
        field("p", "pvalue"),
        *(field(name, attribute) for name, attribute in asked.items()),
        *(field(name, name) for name in ("wins", "ties", "losses", "topics")),
    )
