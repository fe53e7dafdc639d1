"""The printed form of agreement: coefficients, confusion table, couples, effect on the systems."""

import html
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.stats.agreement.coefficients import PAIRWISE
from cranfield.stats.agreement.consequences import Consequences
from cranfield.stats.agreement.model.sheets import model_sheets, overrating_sheet
from cranfield.stats.agreement.notes import findings, head
from cranfield.stats.agreement.notes import notes as all_notes
from cranfield.stats.agreement.statistics import Statistic
from cranfield.tables.sheets.blocks import SheetStack
from cranfield.tables.sheets.escape import markdown, visible, width
from cranfield.tables.sheets.layout import wrapped
from cranfield.tables.sheets.marked import Signed
from cranfield.tables.sheets.numerals import in_print, minus, percent
from cranfield.tables.sheets.screen import PAPER, Screen
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.agreement.result import Agreement

_FEW = 10  # couples that are printed


@dataclass(frozen=True)
class AgreementSheet(SheetStack):
    """The tables of agreement, which on a terminal have a first line and no headings."""

    head: str = ""
    lines: tuple[str, ...] = ()

    def text(self, screen: Screen = PAPER) -> str:
        """For a terminal: the first line, the coefficients, the confusion table, the notes; then further agreements."""
        parts = [wrapped(self.head, screen), *map(screen.wrapped, self.lines)]
        for part in self.below:
            gap = [] if isinstance(part, ConfusionSheet) else [""]
            parts += [] if isinstance(part, AgreementSheet) else [*gap, part.text(screen)]
        parts += [""] if len(self.below) > 1 else []
        parts += [wrapped(note, screen) for note in self.notes]
        parts += [f"\n{part.text(screen)}" for part in self.below if isinstance(part, AgreementSheet)]
        return "\n".join(parts)

    def markdown(self) -> str:
        """GitHub tables, one under the other, under the first line."""
        return f"{markdown(self.head)}\n\n{super().markdown()}"

    def html(self) -> str:
        """Tables for a notebook under the first line; everything is escaped."""
        return f'<p class="cranfield-head">{html.escape(visible(self.head))}</p>\n{super().html()}'


class ConfusionSheet(Sheet):
    """A confusion table, which on a terminal follows the coefficients without a gap."""

    def text(self, screen: Screen = PAPER) -> str:
        """Names on the right, beside their numbers."""
        first, *rest = [[column.name, *column.cells] for column in self.columns]
        names = max(map(width, map(visible, first)))
        rooms = [max(7, *(width(visible(cell)) + 1 for cell in column)) for column in rest]
        rows = zip(first, *rest, strict=True)
        return "\n".join(
            "     "
            + _left(name, names + 1)
            + "".join(" " + _right(cell, room) for cell, room in zip(cells, rooms, strict=True))
            for name, *cells in rows
        )


def sheet(agreement: "Agreement", every: bool = False, inner: bool = False) -> AgreementSheet:
    """The table for people and for programs; the inner one, of people and a model, omits what the outer one shows."""
    shown = [s for s in agreement.statistics if every or s.id in _usual(agreement)]
    order = _usual(agreement)
    shown.sort(key=lambda s: order.index(s.id) if s.id in order else len(order))
    below: list[Sheet] = [confusion_sheet(agreement), *([share_sheet(agreement)] if every else [])]
    if not agreement.two or (agreement.mode == "within" and len(agreement.couples) > 1):
        below.append(couple_sheet(agreement))
    below += [overrating_sheet(agreement.overrating)] if agreement.overrating else []
    for each in _biased(agreement):
        below += model_sheets(each) if each.biases else [bias_sheet(each)]
    if agreement.model is not None:
        below.append(sheet(agreement.model, every, inner=True))
    statistics = agreement.statistics
    return AgreementSheet(
        (
            Column("coefficient", [s.label for s in statistics]),
            Signed("value", [s.value for s in statistics], ".3f"),
            Column(
                "95 % CI",
                [_interval(s.low, s.high) or None for s in statistics],
                parts=(
                    Column("ci_low", [s.low for s in statistics]),
                    Column("ci_high", [s.high for s in statistics]),
                ),
            ),
            Column("pairs", [s.pairs for s in statistics], ","),
        ),
        notes=findings(agreement) if inner else all_notes(agreement),
        caption=f"Agreement: {head(agreement)}.",
        label="tab:agreement",
        below=tuple(below),
        head=head(agreement),
        lines=tuple(_lines(shown, agreement)),
    )


def confusion_sheet(agreement: "Agreement") -> Sheet:
    """The confusion table: the first assessor in the rows, the second in the columns."""
    rows, columns = _sides(agreement)
    table = agreement.confusion.astype(int)
    return ConfusionSheet(
        (
            Column("", [f"{rows} {grade:g}" for grade in agreement.grades]),
            *(Column(f"{columns} {grade:g}", table[:, place], ",") for place, grade in enumerate(agreement.grades)),
        ),
        caption=f"Labels of {rows} (rows) and {columns} (columns).",
        label="tab:confusion",
    )


def share_sheet(agreement: "Agreement") -> Sheet:
    """The confusion table by column: how many labels of each grade, as counts and as shares of the column."""
    rows, columns = _sides(agreement)
    table = agreement.confusion
    whole = np.column_stack((table, table.sum(axis=1)))
    names = [*(f"{columns} {grade:g}" for grade in agreement.grades), "all"]
    shares = np.divide(whole, whole.sum(axis=0), out=np.full(whole.shape, np.nan), where=whole.sum(axis=0) > 0)
    return Sheet(
        (
            Column("", [f"{rows} {grade:g}" for grade in agreement.grades]),
            *(Column(name, shares[:, place], ".1%") for place, name in enumerate(names)),
        ),
        caption=f"Labels of {rows} (rows) as shares of those of {columns} (columns).",
        label="tab:shares",
    )


def couple_sheet(agreement: "Agreement", most: int = _FEW) -> Sheet:
    """One row for every two assessors, those with the most common pairs first."""
    found = sorted(agreement.couples, key=lambda couple: -couple.pairs)[:most]
    names = ("assessor", "assessor again") if agreement.mode == "within" else ("assessor", "and")
    more = len(agreement.couples) - len(found)
    notes = [f"… and {more:,} more"] if more else []
    columns = [Column(names[0], [couple.assessors[0] for couple in found])]
    if agreement.mode != "within":
        columns.append(Column(names[1], [couple.assessors[1] for couple in found]))
    columns.append(Column("pairs", [couple.pairs for couple in found], ","))
    for id, label in _columns(agreement):
        columns.append(Signed(label, [couple.values[id] for couple in found], ".1%" if _is_share(id) else ".3f"))
    return Sheet(tuple(columns), tuple(notes), "Every two assessors.", "tab:couples")


def topic_sheet(agreement: "Agreement") -> Sheet:
    """One row for each topic."""
    topics = agreement.topics
    columns = [Column("topic", [t.topic for t in topics]), Column("pairs", [t.pairs for t in topics], ",")]
    for id, label in (*_columns(agreement), (f"alpha-{agreement.level}", f"α ({agreement.level})")):
        if topics and id in topics[0].values:
            columns.append(Signed(label, [t.values[id] for t in topics], ".1%" if _is_share(id) else ".3f"))
    return Sheet(tuple(columns), (head(agreement),), f"Agreement by topic: {head(agreement)}.", "tab:topics")


def bias_sheet(found: Consequences) -> Sheet:
    """The change of each system's mean under the second of two models."""
    one, other = found.assessors
    return Sheet(
        (
            Column("run", found.runs),
            Column(f"{found.measure} under {one}", found.means[0], ".4f"),
            Column(f"under {other}", found.means[1], ".4f"),
            Signed("bias", found.bias, "+.4f"),
        ),
        caption=f"Bias: mean {found.measure} under {other} minus under {one}.",
        label="tab:bias",
    )


def _usual(agreement: "Agreement") -> list[str]:
    """The coefficients that are always printed, in this order."""
    weighted = [] if agreement.weights == "none" else [agreement.weights]
    fleiss = [] if agreement.two else ["fleiss"]
    return ["raw", "cohen", *weighted, f"alpha-{agreement.level}", *fleiss, "scott", "ac1", "overlap"]


def _columns(agreement: "Agreement") -> list[tuple[str, str]]:
    weighted = {"linear": "κ linear", "quadratic": "κ quadratic"}
    chosen = [(agreement.weights, weighted[agreement.weights])] if agreement.weights in weighted else []
    return [("raw", "raw"), ("cohen", "Cohen κ"), *chosen, ("overlap", "overlap")]


def _lines(statistics: list[Statistic], agreement: "Agreement") -> list[str]:
    """One coefficient per line; Fleiss' kappa also shows the number of pairs it uses."""
    names = {s.id: s.label for s in statistics} | {"fleiss": f"Fleiss κ ({agreement.equal_labels} labels)"}
    room = max(24, *(len(names[s.id]) for s in statistics))
    wide = max(6, *(len(_value(s)) for s in statistics))
    lines = [f" {names[s.id]:<{room}} {_value(s):>{wide}}   {_span(s)}".rstrip() for s in statistics]
    return [
        f"{line}   {counted(s.pairs, 'pair')}" if s.id == "fleiss" and s.pairs < agreement.pairs else line
        for line, s in zip(lines, statistics, strict=True)
    ]


def _is_share(id: str) -> bool:
    return id in PAIRWISE and PAIRWISE[id].share


def _value(statistic: Statistic) -> str:
    if math.isnan(statistic.value):
        return "–"
    return percent(statistic.value) if _is_share(statistic.id) else in_print(statistic.value, ".3f")


def _span(statistic: Statistic) -> str:
    if _is_share(statistic.id):
        return _interval(100 * statistic.low, 100 * statistic.high, digits=1)
    return _interval(statistic.low, statistic.high)


def _interval(low: float, high: float, digits: int = 3) -> str:
    return "" if math.isnan(low) else minus(f"[{low:.{digits}f}, {high:.{digits}f}]")


def _sides(agreement: "Agreement") -> tuple[str, str]:
    if agreement.mode == "within":
        return "earlier", "later"
    if len(agreement.assessors) == 2:
        return agreement.assessors[0].name, agreement.assessors[1].name
    return "one", "other"


def _biased(agreement: "Agreement") -> list[Consequences]:
    """The results that show a bias table: those in which one of the two assessors is a model."""
    models = {assessor.name for assessor in agreement.assessors if assessor.kind == "model"}
    return [each for each in agreement.consequences if agreement.two and models & set(each.assessors)]


def _left(text: str, room: int) -> str:
    return visible(text) + " " * (room - width(visible(text)))


def _right(text: str, room: int) -> str:
    return " " * (room - width(visible(text))) + visible(text)
