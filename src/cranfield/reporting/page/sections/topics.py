"""Topics: on which of them one run is better than another."""

from collections.abc import Iterator

from cranfield.reporting.page.blocks import Block, FigureBlock, Paragraph
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.tables.words import counted

DRAWN = 3  # pairs


@section("topics", "Differences by topic", number=40, needs="give a comparison: two runs or more")
def topics(material: ReportMaterial) -> Iterator[Block]:
    """Bars of the differences of a few pairs: of the best runs against the baseline, or the best run against others."""
    found = material.comparison
    pairs = material.against_reference[:DRAWN]
    if found is None or not pairs or len(material.scores.topics) < 2:
        return
    left = len(material.pairs) - len(pairs)
    if left > 0:
        others = "'cranfield compare --chart deltas' draws others; where scripts run, so does the first figure"
        yield Paragraph(f"Shown are {counted(len(pairs), 'pair')} of {len(material.pairs):,}; {others}.")
    for pair in pairs:
        figure = found.plot("deltas", run=pair.run, baseline=pair.baseline, measure=material.measure, width="two")
        words = (
            f"{material.measure} of {pair.run} minus that of {pair.baseline} on each topic, largest first; "
            "the dashed line is the mean, a whisker the range that missing judgments leave possible. "
            f"{pair.run} is better on {pair.wins}, equal on {pair.ties} and worse on "
            f"{pair.losses} of {counted(pair.topics, 'topic')}."
        )
        yield FigureBlock(f"deltas-{pairs.index(pair) + 1}", figure, words)
