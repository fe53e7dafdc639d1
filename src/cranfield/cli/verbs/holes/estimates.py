"""`holes --estimate SOURCE`: scores and probabilities over completions that are drawn from a prior or a file."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import options
from cranfield.cli.printing.console import Console
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.measures.grammar import Measure
    from cranfield.missing.estimates.estimate import Estimate
    from cranfield.missing.result import Holes
    from cranfield.tables.sheets.blocks import SheetBlocks

_DRAWS = 4000


@dataclass(frozen=True)
class EstimateOptions:
    """Where completions come from, and how many are drawn."""

    estimate: str | None
    draws: int | None

    def check(self, measures: "Sequence[Measure]") -> None:
        """Refuse what has no effect, before any file is read."""
        if self.estimate is None and self.draws is not None:
            raise PolicyError("E200", "--draws has no effect without --estimate", hint="add --estimate prior")
        if self.estimate is not None and len(measures) > 1:
            hint = f"write -m {measures[0]}"
            raise PolicyError("E200", f"--estimate is of one measure, not of {len(measures)}", hint=hint)

    def drawn(self, console: Console, found: "Holes", seed: int) -> "Estimate | None":
        """The estimate, if it was asked for."""
        if self.estimate is None:
            return None
        with console.timed("estimate"):
            return found.estimate(self.estimate, draws=self.draws or _DRAWS, seed=seed)


def with_estimate(sheet: "SheetBlocks", found: "Holes", drawn: "Estimate | None") -> "SheetBlocks":
    """The tables with those of the estimate below them: runs, and the pairs that are asked about."""
    if drawn is None:
        return sheet
    runs, pairs = drawn.sheet(), drawn.pair_sheet(found.asked())
    blocks = (*sheet.blocks, replace(runs, notes=()), replace(pairs, notes=()))
    return replace(sheet, blocks=blocks, notes=(*runs.notes, *sheet.notes))


def result_with_estimate(result: dict[str, Any], drawn: "Estimate | None") -> dict[str, Any]:
    """The data with those of the estimate."""
    return result if drawn is None else {**result, "estimate": drawn.result()}


def estimated(function: options.F) -> options.F:
    """The options, handed over as `estimating`."""
    return options.bundle(
        "estimating",
        EstimateOptions,
        ("estimate", "draws"),
        options.option(
            "--estimate",
            group="statistics",
            metavar="SOURCE",
            brief=True,
            help="also expected scores and P(A > B), from `prior` (fitted to the judgments) or a file of "
            "probabilities or labels",
        ),
        options.option(
            "--draws",
            group="statistics",
            type=click.IntRange(1),
            metavar="N",
            usual=f"{_DRAWS:,}",
            help="how many completions are drawn for --estimate",
        ),
    )(function)
