"""Studies: how far the collection and the measure can be trusted."""

from collections.abc import Iterator

from cranfield.reporting.page.blocks import Block, FigureBlock, Heading, Paragraph, TableBlock, as_sentence
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.study.engine.catalogue import STUDIES
from cranfield.tables.sheets.sheet import Sheet


@section("studies", "Studies", number=80, needs="give studies: results of cranfield.study")
def studies(material: ReportMaterial) -> Iterator[Block]:
    """What each study asked and did, its charts, its table and the notes."""
    for number, study in enumerate(material.studies, 1):
        kind, found = str(study.settings["kind"]), study.findings
        yield Heading(f"{kind.replace('-', ' ').capitalize()}: {STUDIES[kind].question}")
        yield Paragraph(as_sentence(found.title))
        for name, drawing in found.drawings.items():
            caption = as_sentence(f"{drawing.title}, by {drawing.x}")
            yield FigureBlock(f"study-{number}-{name}", study.plot(name, width="two"), caption)
        table = Sheet(found.shown, label=f"tab:study-{number}", caption=found.title)
        yield TableBlock(f"study-{number}", table, f"What the study found ({kind}).")
        for note in found.notes:
            yield Paragraph(as_sentence(str(note)), "quiet")
