"""A comparison that knows what missing judgments could change about each of its pairs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cranfield.errors.arguments import checked_methods
from cranfield.missing.joined.pair import RangedPair
from cranfield.missing.ranges import Bounder
from cranfield.stats.comparison.pair import Pair
from cranfield.stats.comparison.result import Comparison
from cranfield.tables.sheets.blocks import SheetBlocks


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class RangedComparison(Comparison):
    """A comparison with the range of each difference over all judgments that are missing: see `with_ranges`.

    Attributes:
        universe: which unjudged documents may be relevant; empty if no range is known.
        assumptions: what the ranges and estimates rest on, or why there are none: lines of the footer.
        bounders: what finds the ranges, by measure.
    """

    universe: str = ""
    assumptions: tuple[str, ...] = ()
    bounders: Mapping[str, Bounder] = field(default_factory=dict)

    @property
    def open_measures(self) -> tuple[str, ...]:
        """The measures of which missing judgments could reverse a pair, as far as is known."""
        words = {found.measure: getattr(found.pairs, "flip", None) for found in self.evidence}
        return tuple(name for name, flips in words.items() if flips is not None and {"yes", "unresolved"} & {*flips})

    def pair(self, run: str, baseline: str, measure: str | None = None) -> RangedPair:
        """One run against another, in this direction."""
        return _ranged(super().pair(run, baseline, measure))

    def pairs(self, measure: str | None = None) -> Iterator[RangedPair]:
        """Every pair, measure by measure."""
        return map(_ranged, super().pairs(measure))

    def sheet(self) -> SheetBlocks:
        """The printed tables, one for each measure."""
        sheet = super().sheet()
        said = "; ".join(line.removesuffix(".") for line in self.assumptions)
        blocks, latex = (
            tuple(replace(block, caption=f"{block.caption} {said}.") if said else block for block in part)
            for part in (sheet.blocks, sheet.latex_blocks)
        )
        notes = (*sheet.notes[:-1], *self.assumptions, *sheet.notes[-1:])
        return replace(sheet, notes=notes, blocks=blocks, latex_blocks=latex)

    def result(self, per_topic: bool = False) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        told = {"universe": self.universe} if self.universe else {}
        return {**super().result(per_topic), **told, "assumptions": list(self.assumptions)}


def _ranged(pair: Pair) -> RangedPair:
    """The pair with fields for its range, which are None if no range is known."""
    return pair if isinstance(pair, RangedPair) else RangedPair(**vars(pair))
