"""Missing judgments: how much of the lists was judged, which orders that leaves open, and what to judge next."""

from collections.abc import Iterator

from cranfield.reporting.figure import Figure
from cranfield.reporting.page.blocks import Block, FigureBlock, Paragraph, TableBlock
from cranfield.reporting.page.material import ReportMaterial, of_one_measure
from cranfield.reporting.page.section import section
from cranfield.tables.charts import CHARTS
from cranfield.tables.sheets.sheet import Sheet

NEXT = 20  # documents
SMALL = 600  # runs times topics, up to which the effect of judging is computed


@section("missing", "Missing judgments", number=50, needs="give the holes: the result of cranfield.holes")
def missing(material: ReportMaterial) -> Iterator[Block]:
    """Coverage, verdicts, and what to judge next."""
    holes = material.holes
    if holes is None:
        return
    coverage = holes.covered.sheet()
    caption = (
        "How much was judged of the documents at each rank, in percent. The stronger the colour, the more was judged."
    )
    yield FigureBlock("coverage", holes.plot("coverage", width="two"), caption)
    for note in coverage.notes:
        yield Paragraph(f"{note[0].upper()}{note[1:]}.", "quiet")
    table = Sheet(coverage.columns, caption="Judged share.", label="tab:coverage")
    yield TableBlock("coverage", table, "Judged share of the first k documents of each list.", folded=True)
    if material.measure not in holes.measures or len(holes.runs) < 2:
        return
    if len(holes.measures) > 1:
        first = (
            f"Orders, ranges of differences and what to judge next are those of {material.measure}, the first measure"
        )
        yield Paragraph(f"{first}. Where scripts run, the leaderboard has the ranges of any measure.", "quiet")
    verdicts = of_one_measure(holes, material.measure).sheet("pairs")
    for number, sheet in enumerate(verdicts.blocks, 1):
        words = f"Whether judgments that are missing could reverse an order. {sheet.caption}"
        yield TableBlock(f"verdicts-{number}", sheet, words)
    if holes.bounder(material.measure).situation.holes == 0:
        return
    chosen = holes.next(NEXT, measure=material.measure)
    if len(chosen):
        pale = " Pale: up to so much, if it gets another grade." if chosen.depends else ""
        caption = (
            f"Unjudged documents that are most useful to judge next: {chosen.by} how much each shrinks the possible "
            f"ranges of {material.measure} of the pairs that are open.{pale} The number: how many it can change."
        )
        yield FigureBlock("next", holes.plot("next", n=NEXT, measure=material.measure, width="two"), caption)
    if "judging" in CHARTS and len(holes.runs) * len(holes.scores.topics) <= SMALL:
        effort: Figure = CHARTS["judging"].draw(holes, n=NEXT, measure=material.measure, width=12)
        words = (
            "What judging buys: the mean width of the possible ranges of differences, by documents judged in the order "
        )
        yield FigureBlock("judging", effort, f"{words}of each strategy; lower is better.")
