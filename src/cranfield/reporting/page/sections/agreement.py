"""Agreement: how far assessors gave the same grades, and whether it matters for the runs."""

import math
from collections.abc import Iterator
from dataclasses import replace

from cranfield.reporting.figure import Figure
from cranfield.reporting.page.blocks import Block, FigureBlock, FigureForm, Paragraph, TableBlock, as_sentence
from cranfield.reporting.page.html import sheets
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.stats.agreement.notes import PER_GRADE
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
        title = (sheet.title if isinstance(sheet, TitledSheet) else "") or sheet.caption or COEFFICIENTS
        yield TableBlock(f"agreement-{number}", replace(sheet, notes=()), as_sentence(title))
    for note in printed.notes:
        if not note.startswith(PER_GRADE):  # the caption of the confusion table says it
            yield Paragraph(as_sentence(" ".join(note.split())), "quiet")


COEFFICIENTS = "Coefficients of agreement, with the number of pairs that they are computed from"


def _same(found: Agreement) -> str:
    """How often the other assessor gave the same grade."""
    known = {grade: share for grade, share in found.per_grade.items() if not math.isnan(share)}
    shares = [f"{100 * share:.1f} % of grade {grade:g}" for grade, share in known.items()]
    return f" The other assessor gave the same grade to {', '.join(shares)}." if shares else ""


def _drawn(found: Agreement, name: str, words: str) -> FigureBlock:
    """A chart; that of grades has a form for every two assessors, if there are several couples."""
    couples = [", ".join(couple.assessors) for couple in found.couples] if name == "confusion" else []
    others = [FigureForm(couple, CHARTS[name].draw(found, width=12, assessors=couple), words) for couple in couples]
    figure: Figure = CHARTS[name].draw(found, width=12)
    forms, all_couples = others if len(others) > 1 else [], f"{words}{_same(found)}" if name == "confusion" else words
    return FigureBlock(name, figure, all_couples, "Assessors", "all couples", forms)
