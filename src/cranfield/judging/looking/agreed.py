"""Agreement as the page shows it: coefficients, a confusion table, whether it matters, and what a model does."""

import math
from dataclasses import dataclass

from cranfield.stats.agreement.model.sheets import model_sheets, overrating_sheet
from cranfield.stats.agreement.notes import PER_GRADE, findings, head
from cranfield.stats.agreement.result import Agreement
from cranfield.stats.agreement.statistics import Statistic
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.sheet import Sheet
from cranfield.tables.words import counted

FIRST = ("raw agreement", "Cohen κ", "κ weighted (quadratic)", "Krippendorff α (ordinal)")
MATTERS = "does it matter?"  # how the sentence about systems begins
_NOT_SAID = (PER_GRADE,)  # it is in the table


@dataclass(frozen=True)
class AgreementPart:
    """One agreement as the page shows it.

    Attributes:
        title: of the part.
        head: assessors, pairs and grades.
        rows: the first coefficients: label, value, interval, pairs.
        more: the other ones.
        grades: of the confusion table.
        confusion: how many pairs got each two grades.
        same: the share of each grade on which both agree.
        sides: the assessors of the rows and of the columns.
        consequences: what disagreement does to the order of the systems, in sentences; none without runs.
        notes: what else there is to say, in sentences.
        prevalence: a warning, if one grade is so frequent that κ says little.
        sheets: tables about the systems under people and under a model.
    """

    title: str
    head: str
    rows: tuple[tuple[str, str, str, str], ...]
    more: tuple[tuple[str, str, str, str], ...]
    grades: tuple[str, ...]
    confusion: tuple[tuple[int, ...], ...]
    same: tuple[str, ...]
    sides: tuple[str, str]
    consequences: tuple[str, ...]
    notes: tuple[str, ...]
    prevalence: str
    sheets: tuple[Sheet, ...]

    @property
    def largest(self) -> int:
        """The largest cell of the confusion table."""
        return max((cell for row in self.confusion for cell in row), default=0)

    def shade(self, cell: int) -> int:
        """How deep a cell is coloured: 0 to 4."""
        return round(4 * cell / self.largest) if self.largest else 0


def agreement_part(title: str, found: Agreement) -> AgreementPart:
    """An agreement in words and numbers."""
    names = [each.name for each in found.assessors]
    said = findings(found)
    return AgreementPart(
        title=title,
        head=f"{head(found)}.",
        rows=tuple(_row(each) for each in found.statistics if each.label in FIRST),
        more=tuple(_row(each) for each in found.statistics if each.label not in FIRST),
        grades=tuple(f"{grade:g}" for grade in found.grades),
        confusion=tuple(tuple(int(cell) for cell in row) for row in found.confusion),
        same=tuple(_share(found.per_grade.get(grade, math.nan)) for grade in found.grades),
        sides=(names[0], names[1]) if len(names) == 2 else ("one assessor", "another"),
        consequences=tuple(_sentence(note.removeprefix(MATTERS)) for note in said if note.startswith(MATTERS)),
        notes=tuple(_sentence(note) for note in said if not note.startswith((MATTERS, *_NOT_SAID))),
        prevalence=found.prevalence,
        sheets=_sheets(found),
    )


def summary_sentence(found: Agreement) -> str:
    """The first thing to know about an agreement between people, in one sentence."""
    pairs, raw = counted(found.pairs, "pair"), found["raw"]
    names = [each.name for each in found.assessors]
    who = f"{names[0]} and {names[1]}" if len(names) == 2 else counted(len(names), "assessor")
    again = "that both judged" if len(names) == 2 else "that two or more judged"
    if math.isnan(raw.value):
        return f"There are {pairs} {again}."
    return f"{who} gave the same grade to {100 * raw.value:.0f} % of {pairs} {again}."


def _sheets(found: Agreement) -> tuple[Sheet, ...]:
    model = [overrating_sheet(found.overrating)] if found.overrating else []
    systems = [sheet for each in found.consequences if each.biases for sheet in model_sheets(each)]
    return (*model, *systems)


def _row(each: Statistic) -> tuple[str, str, str, str]:
    return each.label, _value(each.id, each.value), _interval(each.low, each.high), f"{each.pairs:,}"


def _value(name: str, value: float) -> str:
    return f"{100 * value:.1f} %" if name == "raw" else in_print(value, ".3f")


def _interval(low: float, high: float) -> str:
    return "" if math.isnan(low) or math.isnan(high) else f"{in_print(low, '.3f')} to {in_print(high, '.3f')}"


def _share(value: float) -> str:
    return "–" if math.isnan(value) else f"{100 * value:.0f} %"


def _sentence(words: str) -> str:
    """Words of a note as a sentence.

    >>> _sentence(" the order  is the same"), _sentence("τ is 1")
    ('The order is the same.', 'τ is 1.')
    """
    said = " ".join(words.split()).rstrip(".")
    return f"{said[:1].upper() if said[:1].isascii() else said[:1]}{said[1:]}."
