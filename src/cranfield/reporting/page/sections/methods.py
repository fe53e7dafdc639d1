"""Methods: how the numbers were made, in words, with references."""

from collections.abc import Iterator

from cranfield.measures.grammar import parse
from cranfield.measures.pages.page import describe
from cranfield.measures.pages.references import REFERENCES
from cranfield.reporting.page.blocks import Block, Heading, ListBlock, Paragraph
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.stats.comparison.sheets.words import caption


@section("methods", "Methods", number=90)
def methods(material: ReportMaterial) -> Iterator[Block]:
    """The measures, the test, the ranges; then the publications that define them."""
    keys: list[str] = []
    for name in material.scores.measures:
        definition = parse(name).definition
        keys += definition.cites
        yield Paragraph(f"{name}: {describe(name).summary}")
    if material.comparison is not None:
        yield Paragraph(caption(material.comparison, material.comparison.of(material.measure)))
    if material.holes is not None:
        yield Paragraph(
            "Possible ranges are the lowest and highest values over all grades that the unjudged documents could get; "
            f"{material.holes.ranges(material.measure).assumptions}."
        )
    known = list(dict.fromkeys(key for key in keys if key in REFERENCES))
    if known:
        yield Heading("References")
        yield ListBlock([REFERENCES[key].citation for key in known])
