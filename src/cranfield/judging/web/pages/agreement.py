"""S4, how far assessors agree, and which disagreements to settle first."""

import math
from dataclasses import dataclass

from starlette.responses import Response

from cranfield.judging.agreeing.view import agreement_view, may_see_agreement
from cranfield.judging.exporting.snapshot import LabSnapshot
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.rendering import render
from cranfield.judging.web.scale import GradeScale
from cranfield.stats.agreement.notes import findings, head
from cranfield.stats.agreement.result import Agreement
from cranfield.stats.agreement.statistics import Statistic
from cranfield.tables.sheets.numerals import in_print

FIRST = ("raw agreement", "Cohen κ", "κ weighted (quadratic)", "Krippendorff α (ordinal)")
MOST_LISTED = 200


@dataclass(frozen=True)
class AgreementPart:
    """One agreement as the page shows it: a heading, coefficients with intervals, a confusion table, sentences."""

    title: str
    head: str
    rows: tuple[tuple[str, str, str, str], ...]  # label, value, interval, pairs
    more: tuple[tuple[str, str, str, str], ...]  # of the other coefficients
    grades: tuple[str, ...]
    confusion: tuple[tuple[int, ...], ...]
    sides: tuple[str, str]
    notes: tuple[str, ...]
    prevalence: str

    @property
    def largest(self) -> int:
        """The largest cell of the confusion table."""
        return max((cell for row in self.confusion for cell in row), default=0)

    def shade(self, cell: int) -> int:
        """How deep a cell is coloured: 0 to 4."""
        return round(4 * cell / self.largest) if self.largest else 0


def agreement(ask: Ask) -> Response:
    """Coefficients, confusion, disagreements; hidden from owners who still have pairs to judge (BLD-4)."""
    if not may_see_agreement(ask.room, ask.visitor.name):
        return render(ask, "agreement_hidden.html", progress=ask.room.own_progress(ask.visitor.name))
    found = agreement_view(LabSnapshot.of(ask.room.read()))
    pairs = {"people": found.people, "model": found.model, "itself": found.itself}
    titles = {
        "people": "Between assessors",
        "model": "People and model",
        "itself": "Each assessor with their own repeated judgments",
    }
    return render(
        ask,
        "agreement.html",
        parts=[part(titles[name], each) for name, each in pairs.items() if each is not None],
        why_not=found.why_not,
        disagreements=found.disagreements[:MOST_LISTED],
        model_disagreements=found.model_disagreements[:MOST_LISTED],
        scale=GradeScale(ask.room.grades()),
        lab=ask.room.path.name,
    )


def part(title: str, found: Agreement) -> AgreementPart:
    """An agreement in words and numbers."""
    names = [each.name for each in found.assessors]
    return AgreementPart(
        title=title,
        head=head(found),
        rows=tuple(_row(each) for each in found.statistics if each.label in FIRST),
        more=tuple(_row(each) for each in found.statistics if each.label not in FIRST),
        grades=tuple(f"{grade:g}" for grade in found.grades),
        confusion=tuple(tuple(int(cell) for cell in row) for row in found.confusion),
        sides=(names[0], names[1]) if len(names) == 2 else ("one assessor", "another"),
        notes=findings(found),
        prevalence=found.prevalence,
    )


def _row(each: Statistic) -> tuple[str, str, str, str]:
    return each.label, _value(each.id, each.value), _interval(each.low, each.high), f"{each.pairs:,}"


def _value(name: str, value: float) -> str:
    return f"{100 * value:.1f} %" if name == "raw" else in_print(value, ".3f")


def _interval(low: float, high: float) -> str:
    return "" if math.isnan(low) or math.isnan(high) else f"{in_print(low, '.3f')} to {in_print(high, '.3f')}"
