"""Groups of topics: whether what holds of all topics holds of each group."""

from collections.abc import Iterator
from dataclasses import replace

from cranfield.reporting.page.blocks import Block, FigureBlock, Paragraph, TableBlock, as_sentence
from cranfield.reporting.page.html import sheets
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.stats.by_group.grouped import GroupedScores
from cranfield.tables.sheets.blocks import TitledSheet
from cranfield.tables.sheets.sheet import Sheet


@section("groups", "Groups of topics", number=45, needs="give groups: results of cranfield.by_group")
def groups(material: ReportMaterial) -> Iterator[Block]:
    """The chart with its intervals, and the tables of each result by group; runs stand in the order of the chart."""
    for number, found in enumerate(material.groups, 1):
        grouped = found if isinstance(found, GroupedScores) else found.grouped
        printed = found.sheet()
        if found is grouped:
            words = f"Mean {material.measure} of every run in each {grouped.grouping.noun}, best run first."
            figure = grouped.plot("groups", measure=material.measure, width="two")
            yield FigureBlock(f"groups-{number}", figure, f"{words}{LINES if grouped.interval != 'none' else ''}")
            printed = grouped.sorted(material.measure).sheet()
        for place, sheet in enumerate(sheets(printed), 1):
            title = sheet.title if isinstance(sheet, TitledSheet) else ""
            caption = (title or sheet.caption or "Means of every group of topics").removesuffix(
                "."
            )  # begins with a name
            shown = _without_intervals(sheet) if found is grouped else sheet
            yield TableBlock(f"groups-{number}-{place}", replace(shown, notes=()), f"{caption}.")
        known = {
            *grouped.audit.footer(grouped.scores.cutoff),
            grouped.audit.policy_line(),
        }  # the section on data has them
        for note in printed.notes:
            if note not in known:
                yield Paragraph(as_sentence(str(note)), "quiet")


LINES = " Line: 95 % interval over topics; its ends are in the data of the figure."


def _without_intervals(sheet: Sheet) -> Sheet:
    """Means alone: with an interval beside each of them a table is wider than the page."""
    return replace(sheet, columns=tuple(column for column in sheet.columns if not column.attached))
