"""Comparison: which runs differ, whether that is chance, and whether missing judgments could reverse it."""

from collections.abc import Iterator
from dataclasses import replace

from cranfield.reporting.figure import Figure
from cranfield.reporting.page.blocks import Block, FigureBlock, Paragraph, TableBlock, as_sentence
from cranfield.reporting.page.html import sheets
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.stats.comparison.result import Comparison
from cranfield.tables.charts import CHARTS
from cranfield.tables.sheets.blocks import TitledSheet

MARKS = (
    "Colour: the run on the left minus the one above; blue is better, orange worse; runs stand in the order of their "
    "means, the best first. Star: significant, corrected. "
    "Dashed: missing judgments could reverse the order. The numbers are in the table."
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
        main = material.measure in (title or sheet.caption)
        own = as_sentence(title or sheet.caption)
        yield TableBlock(f"comparison-{number}", replace(sheet, notes=()), own, folded=not main)
    yield Paragraph(" ".join(map(as_sentence, printed.notes)), "quiet")
    if len(found.scores.runs) > 2 and not found.baselines:
        figure = found.plot("matrix", measure=material.measure, width=_width(len(found.scores.runs)))
        yield FigureBlock("matrix", figure, f"Mean differences of all pairs in {material.measure}. {MARKS}")
    yield from _power(found)


def _power(found: Comparison) -> Iterator[Block]:
    """Which measure tells more pairs apart, if several were tested on several pairs."""
    several = len(found.measures) > 1 and len(list(found.pairs(found.measures[0]))) > 2 and found.method.test != "none"
    if "significance" in CHARTS and several:
        figure: Figure = CHARTS["significance"].draw(found, width=12)
        words = "p of every pair, not corrected, from the largest to the smallest: the lower a line, the more pairs "
        yield FigureBlock("significance", figure, f"{words}the measure tells apart.")


def _width(runs: int) -> float:
    """Centimetres: few runs need no wide picture."""
    return min(17.5, max(10.0, 3 + 0.9 * runs))
