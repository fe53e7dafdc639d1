"""Agreement: how far assessors gave the same grades, and whether it matters for the runs."""

from collections.abc import Iterator
from dataclasses import replace

from cranfield.reporting.page.blocks import Block, FigureBlock, Paragraph, TableBlock
from cranfield.reporting.page.html import sheets
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.tables.charts import CHARTS
from cranfield.tables.sheets.blocks import TitledSheet

CAPTIONS = {
    "confusion": "How many pairs got each two grades: those on the diagonal got the same grade twice.",
    "coefficients": "Coefficients of agreement. Dot: the value; line: 95 % interval over topics.",
    "systems": "Scores of the runs under each assessor; lines that cross are orders that depend on who judges.",
}


@section("agreement", "Agreement of assessors", number=70, needs="give a lab, or the result of cranfield.agree")
def agreement(material: ReportMaterial) -> Iterator[Block]:
    """Coefficients with intervals, and the confusion table."""
    found = material.agreement
    if found is None:
        return
    for name, words in CAPTIONS.items():
        if name in CHARTS and (name != "systems" or found.consequences):
            yield FigureBlock(name, CHARTS[name].draw(found, width=12), words)
    printed = found.sheet()
    for number, sheet in enumerate(sheets(printed), 1):
        title = sheet.title if isinstance(sheet, TitledSheet) else ""
        yield TableBlock(f"agreement-{number}", replace(sheet, notes=()), title or sheet.caption)
    for note in printed.notes:
        yield Paragraph(str(note), "quiet")
