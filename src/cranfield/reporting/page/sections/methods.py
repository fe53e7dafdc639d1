"""Methods: how the numbers were made, in words, with references."""

from collections.abc import Iterator

from cranfield.measures.grammar import Measure, parse
from cranfield.measures.pages.describe import describe
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
        measure = parse(name)
        keys += measure.definition.cites
        yield Paragraph(" ".join((f"{name}: {describe(name).summary}", *_as_used(measure))))
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


def _as_used(measure: Measure) -> Iterator[str]:
    """What the name of a measure asks for: the condensed list, a cut-off, parameters.

    >>> list(_as_used(parse("AP'@10")))[:2]
    ['Unjudged documents are left out of the lists first (condensed lists).', 'The first 10 ranks count.']
    >>> list(_as_used(parse("RR"))), list(_as_used(parse("DCG(dcg='jk')")))
    (['Parameters: rel=1.'], ["Parameters: dcg='jk', b=2."])
    """
    if measure.condensed:
        yield "Unjudged documents are left out of the lists first (condensed lists)."
    if measure.cutoff is not None:
        yield f"The first {measure.cutoff} ranks count." if measure.cutoff > 1 else "The first rank counts."
    parameters = measure.definition.parameters
    values = [
        f"{name}={value!r}"
        for name, value in measure.arguments.items()
        if name != "cutoff" and value is not None and value is not False and measure.has_effect(parameters[name])
    ]
    if values:
        yield f"Parameters: {', '.join(values)}."
