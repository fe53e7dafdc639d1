"""The microscope: the lists of chosen topics side by side, with what was judged, what moved and what is unjudged."""

from collections.abc import Iterator
from dataclasses import replace

from cranfield.reporting.figure import Figure
from cranfield.reporting.page.blocks import Block, FigureBlock, Heading, Paragraph, TableBlock
from cranfield.reporting.page.listed import RUNS
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.reporting.topic_lists import ListsOfTopic, chosen_topics, topic_lists
from cranfield.tables.charts import CHARTS
from cranfield.tables.sheets.sheet import Column, Sheet

TOPICS, LONGEST = 4, 160  # LONGEST: letters of a document that are printed


MARKS = (
    "The lists side by side, best rank first. Colour: the grade, as the key says; dashed and hollow: not judged; "
    "a line joins the same document in neighbouring lists."
)


@section("microscope", "Topics under the microscope", number=60, needs="give the holes: the result of cranfield.holes")
def microscope(material: ReportMaterial) -> Iterator[Block]:
    """Topics with the largest differences, and those with the widest ranges."""
    holes = material.holes
    if holes is None or material.measure not in holes.measures:
        return
    runs = material.compared(RUNS)
    yield Paragraph(
        "Topics on which two runs differ most, and topics whose scores missing judgments could change most. "
        "Before each document stands its grade; an empty, dashed box stands before documents that are not judged."
    )
    for topic, why in chosen_topics(holes, runs, TOPICS, material.measure):
        seen = topic_lists(holes, topic, runs, material.measure)
        yield Heading(_named(material, topic))
        yield Paragraph(f"{why}. {seen.sentence}")
        if "microscope" in CHARTS:
            figure: Figure = CHARTS["microscope"].draw(holes, topic=topic, runs=runs, measure=material.measure)
            yield FigureBlock(f"microscope-{topic}", figure, f"{MARKS} {seen.measure}: {_values(seen)}.")
        yield replace(_table(material, seen), folded="microscope" in CHARTS)


def _values(seen: ListsOfTopic) -> str:
    return "; ".join(f"{each.run} {each.words}" for each in seen.runs)


def _named(material: ReportMaterial, topic: str) -> str:
    known = material.topics is not None and topic in material.topics
    return f"{topic}: {material.topics[topic].query}" if known and material.topics is not None else f"Topic {topic}"


def _table(material: ReportMaterial, seen: ListsOfTopic) -> TableBlock:
    columns = [Column("rank", list(range(1, seen.depth + 1)), "d")]
    marks = [[""] * (1 + len(seen.runs)) for _ in range(seen.depth)]
    for place, listing in enumerate(seen.runs, 1):
        cells: list[str | None] = [None] * seen.depth
        for each in listing.documents:
            cells[each.rank - 1] = _cell(material, each.document, each.grade)
            marks[each.rank - 1][place] = "unjudged" if each.grade is None else f"grade-{min(int(each.grade), 4)}"
        columns.append(Column(f"{listing.run}  {listing.words}", cells))
    caption = f"{seen.measure} of topic {seen.topic}: value as judged, and between which ends it can lie."
    return TableBlock(f"microscope-{seen.topic}", Sheet(tuple(columns)), caption, marks=marks)


def _cell(material: ReportMaterial, document: str, grade: float | None) -> str:
    """The document, with its title where one is known, and its grade."""
    mark = "·" if grade is None else f"{grade:g}"
    words = material.words_of(document)
    return f"{mark} {document} {words[:LONGEST]}{'…' if len(words) > LONGEST else ''}".rstrip()
