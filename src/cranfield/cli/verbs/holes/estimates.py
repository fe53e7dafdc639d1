"""`holes --estimate SOURCE`: the tables and the data of an estimate, beside those of the ranges."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cranfield.missing.estimates.estimate import Estimate
    from cranfield.missing.result import Holes
    from cranfield.tables.sheets.blocks import SheetBlocks


def with_estimate(sheet: "SheetBlocks", found: "Holes", drawn: "Estimate | None") -> "SheetBlocks":
    """The tables with those of the estimate below them: runs, and the pairs that are compared."""
    if drawn is None:
        return sheet
    runs, pairs = drawn.sheet(), drawn.pair_sheet(found.asked())
    blocks = (*sheet.blocks, replace(runs, notes=()), replace(pairs, notes=()))
    return replace(sheet, blocks=blocks, notes=(*runs.notes, *sheet.notes))


def result_with_estimate(result: dict[str, Any], drawn: "Estimate | None") -> dict[str, Any]:
    """The data with those of the estimate."""
    return result if drawn is None else {**result, "estimate": drawn.result()}
