"""Groups of topics: whether what holds of all topics holds of each group."""

from collections.abc import Iterator
from dataclasses import replace

from cranfield.reporting.page.blocks import Block, FigureBlock, Paragraph, TableBlock
from cranfield.reporting.page.html import sheets
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.stats.by_group.grouped import GroupedScores
from cranfield.tables.sheets.blocks import TitledSheet


@section("groups", "Groups of topics", number=45, needs="give groups: results of cranfield.by_group")
def groups(material: ReportMaterial) -> Iterator[Block]:
    """The tables of each result by group."""
    for number, found in enumerate(material.groups, 1):
        if isinstance(found, GroupedScores):
            words = f"Mean {material.measure} of every run in each group of topics. Line: 95 % interval over topics."
            figure = found.plot("groups", measure=material.measure, width="two")
            yield FigureBlock(f"groups-{number}", figure, words)
        printed = found.sheet()
        for place, sheet in enumerate(sheets(printed), 1):
            title = sheet.title if isinstance(sheet, TitledSheet) else ""
            caption = title or sheet.caption or "Means of every group of topics."
            yield TableBlock(f"groups-{number}-{place}", replace(sheet, notes=()), caption)
        for note in printed.notes:
            yield Paragraph(str(note), "quiet")
