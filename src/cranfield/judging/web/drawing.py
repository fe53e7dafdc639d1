"""Rankings side by side as a static picture: a box for each document, lines between the same ones."""

from dataclasses import dataclass

from cranfield.judging.looking.microscope import TopicUnderMicroscope
from cranfield.judging.web.scale import GradeScale

ROW, HEAD = 34.0, 40.0  # heights of rows and names


@dataclass(frozen=True)
class PictureSize:
    """How wide boxes, the gaps between them and the margin are, and how many letters of an id a box holds."""

    box: float
    gap: float
    margin: float
    letters: int


WIDE, NARROW = PictureSize(168.0, 72.0, 28.0, 18), PictureSize(84.0, 24.0, 22.0, 7)  # NARROW: three runs on a phone


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
    box: float  # width of a box
    wide: bool
    heads: tuple[ColumnHead, ...]
    ranks: tuple[tuple[float, int], ...]
    boxes: tuple[DocumentBox, ...]
    curves: tuple[JoiningCurve, ...]


def drawn_topic(found: TopicUnderMicroscope, scale: GradeScale, size: PictureSize = WIDE) -> TopicPicture:
    """Where everything of a topic stands."""
    rows = max((len(column.documents) for column in found.columns), default=0)
    top = HEAD + 28
    left = [size.margin + place * (size.box + size.gap) for place in range(len(found.columns))]
    grades = {each.document: each.grade for column in found.columns for each in column.documents}
    return TopicPicture(
        width=size.margin + len(found.columns) * (size.box + size.gap) - size.gap + (24 if size is WIDE else 4),
        box=size.box,
        wide=size is WIDE,
        height=top + rows * ROW,
        heads=tuple(
            ColumnHead(
                x=x,
                run=_short(column.run, size.letters),
                value=column.value,
                possible=f"{column.lowest} … {column.highest}",
                low=x + column.bar[0] / 100 * size.box,
                high=max(column.bar[1] - column.bar[0], 0.5) / 100 * size.box,
                dot=x + column.bar[2] / 100 * size.box,
            )
            for x, column in zip(left, found.columns, strict=True)
        ),
        ranks=tuple((top + (rank - 0.5) * ROW + 4, rank) for rank in range(1, rows + 1)),
        boxes=tuple(
            DocumentBox(
                x=x,
                y=top + (each.rank - 1) * ROW + 3,
                label=_short(each.document, size.letters),
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
                    left[line.left] + size.box,
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


def _short(text: str, longest: int = WIDE.letters) -> str:
    """An id that fits into its box.

    >>> _short("clueweb09-en0000-23-12345")
    'clueweb0…-23-12345'
    """
    return text if len(text) <= longest else f"{text[: longest // 2 - 1]}…{text[-(longest // 2) :]}"
