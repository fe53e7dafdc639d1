"""Agreement: how far assessors gave the same grades, and whether it matters for the runs."""

from collections.abc import Iterator
from dataclasses import replace

from cranfield.reporting.figure import Figure
from cranfield.reporting.page.blocks import Block, FigureBlock, FigureForm, Paragraph, TableBlock
from cranfield.reporting.page.html import sheets
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.stats.agreement.result import Agreement
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
            yield _drawn(found, name, words)
    printed = found.sheet()
    for number, sheet in enumerate(sheets(printed), 1):
        title = sheet.title if isinstance(sheet, TitledSheet) else ""
        yield TableBlock(f"agreement-{number}", replace(sheet, notes=()), title or sheet.caption)
    for note in printed.notes:
        yield Paragraph(str(note), "quiet")


def _drawn(found: Agreement, name: str, words: str) -> FigureBlock:
    """A chart; that of grades has a form for every two assessors, if there are several couples."""
    couples = [", ".join(couple.assessors) for couple in found.couples] if name == "confusion" else []
    others = [FigureForm(couple, CHARTS[name].draw(found, width=12, assessors=couple), words) for couple in couples]
    figure: Figure = CHARTS[name].draw(found, width=12)
    forms = others if len(others) > 1 else []
    return FigureBlock(name, figure, words, "Assessors", "all couples", forms)
