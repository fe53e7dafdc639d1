"""Studies: how far the collection and the measure can be trusted."""

from collections.abc import Iterator

from cranfield.reporting.page.blocks import Block, FigureBlock, Heading, Paragraph, TableBlock
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.tables.sheets.sheet import Sheet


@section("studies", "Studies", number=80, needs="give studies: results of cranfield.study")
def studies(material: ReportMaterial) -> Iterator[Block]:
    """The table, the notes and the charts of each study."""
    for number, study in enumerate(material.studies, 1):
        kind, found = study.settings["kind"], study.findings
        yield Heading(str(kind).replace("-", " ").capitalize())
        yield Paragraph(f"{found.title}.")
        for name in found.drawings:
            figure = study.plot(name, width="two")
            yield FigureBlock(f"study-{number}-{name}", figure, figure.description)
        table = Sheet(found.shown, label=f"tab:study-{number}", caption=found.title)
        yield TableBlock(f"study-{number}", table, f"{found.title}.")
        for note in found.notes:
            yield Paragraph(str(note), "quiet")
