"""The table of a comparison for programs: one row per pair and measure, in full precision."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from cranfield.stats.comparison.declared import in_tables
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.run_means import RunMeans
from cranfield.tables.sheets.sheet import Column

if TYPE_CHECKING:
    from cranfield.stats.comparison.result import Comparison

LABELS = ("measure", "run", "baseline")  # come first, and what is known of both runs after them


def pair_rows(comparison: "Comparison") -> tuple[Column, ...]:
    """The fields of both runs, and every field of a pair; a field that was not requested has no column."""
    every = comparison.evidence
    known = in_tables(type(every[0].pairs))
    others = [name for name, about in known.items() if about.tabled and name not in LABELS]
    return (
        *(part for name in LABELS for part in _columns(every, name)),
        *(_of_side(comparison, name, side) for name in RunMeans.numbers() for side in ("run", "baseline")),
        *_looks_at(comparison),
        *(part for name in others for part in _columns(every, name)),
    )


def _columns(every: tuple[Evidence, ...], name: str) -> Iterator[Column]:
    """The column of a field: two for an interval, none if the values are None."""
    parts = [getattr(found.pairs, name) for found in every]
    if parts[0] is None:
        return
    values = np.concatenate(parts)
    if values.ndim == 1:
        yield Column(name, values.tolist() if values.dtype == object else values)
        return
    stem = name.removesuffix("_ci")
    yield from (Column(f"{stem}_{end}", values[:, side]) for side, end in enumerate(("low", "high")))


def _of_side(comparison: "Comparison", name: str, side: str) -> Column:
    """What is known of the run of each pair, or of its baseline."""
    parts = [
        getattr(RunMeans.of(comparison.scores, found.column), name)[getattr(found.contrasts, side)]
        for found in comparison.evidence
    ]
    return Column(name if side == "run" else f"{side}_{name}", np.concatenate(parts))


def _looks_at(comparison: "Comparison") -> Iterator[Column]:
    """What the judged shares are of, where that is known."""
    if looks_at := comparison.scores.looks_at:
        yield Column("looks_at", [looks_at[found.column] for found in comparison.evidence for _ in found.contrasts.run])
