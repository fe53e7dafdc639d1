"""Rankings side by side as a static picture: a box for each document, lines between the same ones."""

from dataclasses import dataclass

from cranfield.judging.looking.microscope import TopicUnderMicroscope
from cranfield.judging.web.scale import GradeScale

BOX, GAP, ROW, HEAD = 168.0, 72.0, 34.0, 40.0  # widths of boxes and between them, heights of rows and names
MARGIN = 28.0
LONGEST = 18  # letters of a document's id in a box


@dataclass(frozen=True)
class DocumentBox:
    """One document: where it stands, its id and grade."""

    x: float
    y: float
    label: str
    document: str
    grade: str
    shade: int | str
    title: str


@dataclass(frozen=True)
class JoiningCurve:
    """A curve between the same document in two columns."""

    d: str
    relevant: bool


@dataclass(frozen=True)
class ColumnHead:
    """The name of a run above its column, and the marks of its value: bar, and dot."""

    x: float
    run: str
    value: str
    possible: str
    low: float
    high: float
    dot: float


@dataclass(frozen=True)
class TopicPicture:
    """The picture of a topic, in its own units."""

    width: float
    height: float
    heads: tuple[ColumnHead, ...]
    ranks: tuple[tuple[float, int], ...]
    boxes: tuple[DocumentBox, ...]
    curves: tuple[JoiningCurve, ...]


def drawn_topic(found: TopicUnderMicroscope, scale: GradeScale) -> TopicPicture:
    """Where everything of a topic stands."""
    rows = max((len(column.documents) for column in found.columns), default=0)
    top = HEAD + 28
    left = [MARGIN + place * (BOX + GAP) for place in range(len(found.columns))]
    grades = {each.document: each.grade for column in found.columns for each in column.documents}
    return TopicPicture(
        width=MARGIN + len(found.columns) * (BOX + GAP) - GAP + 12,
        height=top + rows * ROW,
        heads=tuple(
            ColumnHead(
                x=x,
                run=_short(column.run),
                value=column.value,
                possible=f"{column.lowest} … {column.highest}",
                low=x + column.bar[0] / 100 * BOX,
                high=max(column.bar[1] - column.bar[0], 0.5) / 100 * BOX,
                dot=x + column.bar[2] / 100 * BOX,
            )
            for x, column in zip(left, found.columns, strict=True)
        ),
        ranks=tuple((top + (rank - 0.5) * ROW + 4, rank) for rank in range(1, rows + 1)),
        boxes=tuple(
            DocumentBox(
                x=x,
                y=top + (each.rank - 1) * ROW + 3,
                label=_short(each.document),
                document=each.document,
                grade="·" if each.grade is None else str(each.grade),
                shade=scale.shade(each.grade),
                title=f"{each.document}: {'not judged' if each.grade is None else f'grade {each.grade}'}",
            )
            for x, column in zip(left, found.columns, strict=True)
            for each in column.documents
        ),
        curves=tuple(
            JoiningCurve(
                _curve(
                    left[line.left] + BOX,
                    top + (line.ranks[0] - 0.5) * ROW,
                    left[line.left + 1],
                    top + (line.ranks[1] - 0.5) * ROW,
                ),
                (grades[line.document] or 0) > 0,
            )
            for line in found.lines
        ),
    )


def _curve(x: float, y: float, to_x: float, to_y: float) -> str:
    middle = (x + to_x) / 2
    return f"M{x:g} {y:g}C{middle:g} {y:g} {middle:g} {to_y:g} {to_x:g} {to_y:g}"


def _short(text: str) -> str:
    """An id that fits into its box.

    >>> _short("clueweb09-en0000-23-12345")
    'clueweb0…-23-12345'
    """
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2 - 1]}…{text[-LONGEST // 2 :]}"
