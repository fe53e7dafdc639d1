"""What a section is made of: paragraphs, tables, figures, facts and commands, which a page and a folder both write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from cranfield.reporting.figure import Figure
from cranfield.tables.sheets.sheet import Sheet


def as_sentence(note: str) -> str:
    """A note of a table as a sentence of the page; names of measures and runs, and symbols, keep their letters.

    >>> as_sentence("in the mean every group counts"), as_sentence("nDCG@10 of 4 groups"), as_sentence("κ is a mean.")
    ('In the mean every group counts.', 'nDCG@10 of 4 groups.', 'κ is a mean.')
    >>> as_sentence("dense: 4 replicates")
    'dense: 4 replicates.'
    """
    word = note.partition(" ")[0]
    plain = word.isascii() and word.isalpha() and word.islower() and len(word) > 1
    first = note[:1].upper() if plain else note[:1]
    return f"{first}{note[1:].removesuffix('.')}."


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of text; `quiet` ones say what the others rest on, a `note` is set apart."""

    text: str
    look: str = ""  # quiet, note


@dataclass(frozen=True)
class Heading:
    """A heading inside a section."""

    text: str


@dataclass(frozen=True)
class TableBlock:
    """A table with its caption.

    Attributes:
        name: of its files.
        sheet: the table.
        caption: what it shows.
        folded: whether only the caption is seen until a reader opens it.
        marks: `[row][column]`: the class of a cell, such as the grade of a document.
    """

    name: str
    sheet: Sheet
    caption: str
    folded: bool = False
    marks: Sequence[Sequence[str]] = ()


@dataclass(frozen=True)
class FigureForm:
    """Another form of a figure: its name among them, such as a measure, the chart and its caption."""

    name: str
    figure: Figure
    caption: str


@dataclass(frozen=True)
class FigureBlock:
    """A chart.

    Attributes:
        name: of its files; the first part says of which kind it is.
        figure: the chart.
        caption: what its marks are.
        choice: what a reader chooses between the forms of the figure, such as `Measure`.
        form: what the figure itself is called among its forms.
        others: its other forms, which are drawn where scripts run.
    """

    name: str
    figure: Figure
    caption: str
    choice: str = ""
    form: str = ""
    others: Sequence[FigureForm] = ()

    @property
    def kind(self) -> str:
        """The kind of chart, such as `deltas`."""
        return self.name.partition("-")[0]


@dataclass(frozen=True)
class FactsBlock:
    """Names and what they stand for, one below the other."""

    facts: Mapping[str, str]
    caption: str = ""


@dataclass(frozen=True)
class ListBlock:
    """A list of texts, such as references."""

    items: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True)
class CommandBlock:
    """A command, as it is typed."""

    text: str


Block: TypeAlias = Paragraph | Heading | TableBlock | FigureBlock | FactsBlock | ListBlock | CommandBlock
