"""Comparison: which runs differ, whether that is chance, and whether missing judgments could reverse it."""

from collections.abc import Iterator
from dataclasses import replace

from cranfield.reporting.page.blocks import Block, FigureBlock, Paragraph, TableBlock
from cranfield.reporting.page.html import sheets
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.tables.sheets.blocks import TitledSheet

MARKS = (
    "Colour: the run on the left minus the one above; blue is better, orange worse. Star: significant, corrected. "
    "The numbers are in the table."
)


@section("comparison", "Comparison", number=30, needs="give a comparison: two runs or more")
def comparison(material: ReportMaterial) -> Iterator[Block]:
    """The tables of the comparison, and the matrix of all pairs."""
    found = material.comparison
    if found is None:
        return
    printed = found.sheet()
    for number, sheet in enumerate(sheets(printed), 1):
        title = sheet.title if isinstance(sheet, TitledSheet) else ""
        own = sheet.caption or title
        yield TableBlock(f"comparison-{number}", replace(sheet, notes=()), own, folded=number > _unfolded(material))
    for note in printed.notes:
        yield Paragraph(str(note), "quiet")
    if len(found.scores.runs) > 2 and not found.baselines:
        figure = found.plot("matrix", measure=material.measure, width=_width(len(found.scores.runs)))
        yield FigureBlock("matrix", figure, f"Mean differences of all pairs in {material.measure}. {MARKS}")


def _unfolded(material: ReportMaterial) -> int:
    """How many tables are open: those of the measure that the report is about."""
    return 1 if material.measure == material.scores.measures[0] else 0


def _width(runs: int) -> float:
    """Centimetres: few runs need no wide picture."""
    return min(17.5, max(10.0, 3 + 0.9 * runs))
