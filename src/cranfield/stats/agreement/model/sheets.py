"""The printed tables about a model as assessor: overrating by grade, bias of systems and groups, decisions."""

import math
from typing import TYPE_CHECKING

from cranfield.stats.agreement.model.mean_difference import MeanDifference
from cranfield.stats.agreement.model.overrating import Overrating
from cranfield.tables.sheets.blocks import TitledSheet
from cranfield.tables.sheets.marked import Signed, Starred
from cranfield.tables.sheets.numerals import in_print, minus
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.stats.agreement.consequences import Consequences

_CI = "95 % CI"


def overrating_sheet(found: "Sequence[Overrating]") -> Sheet:
    """One row for each grade that people gave, and one for all."""
    return TitledSheet(
        (
            Column("people's grade", ["all" if each.grade is None else f"{each.grade:g}" for each in found]),
            Column("pairs", [each.pairs for each in found], ","),
            *_with_interval("model − people", [each.difference for each in found], 3),
            Column("overrated", [each.overrated for each in found], ".1%"),
            Column("underrated", [each.underrated for each in found], ".1%"),
        ),
        caption="Grades of the model minus those of people, by the grade that people gave.",
        label="tab:overrating",
    )


def bias_sheet(found: "Consequences") -> Sheet:
    """One row for each system: its mean under the people's labels, under the model's, and the bias."""
    people, model = found.assessors
    given = f"{counted(found.pairs, 'pair')} that both judged"
    sides = " and ".join(
        role if name == role else f"{role} ({name})" for role, name in (("people", people), ("model", model))
    )
    return TitledSheet(
        (
            Column("run", found.runs),
            Column("people", found.means[0], ".4f"),
            Column("model", found.means[1], ".4f"),
            *_with_interval("bias", found.biases, 4),
        ),
        title=f"{found.measure} under the labels of {sides}, on the {given}",
        caption=f"Bias: {found.measure} under {model} minus under {people}, on the {given}.",
        label="tab:bias",
    )


def group_sheet(found: "Consequences") -> Sheet:
    """One row for each group of systems: its bias, and how far that exceeds the bias of all other systems."""
    groups = found.groups
    return TitledSheet(
        (
            Column("group", [each.group for each in groups]),
            Column("runs", [len(each.runs) for each in groups], ","),
            *_with_interval("bias", [each.bias for each in groups], 4),
            *_with_interval("above others", [each.above_others for each in groups], 4, "95 % CI of above others"),
        ),
        caption=f"Bias of groups of systems on {found.measure}, and the bias of each above that of all other systems.",
        label="tab:group-bias",
    )


def decision_sheet(found: "Consequences") -> Sheet:
    """How many pairs of systems are decided how under the people's labels (rows) and under the model's (columns)."""
    assert found.decisions is not None  # the caller asks for tables that exist
    counts = found.decisions.counts
    words = ("A better", "not significant", "B better")
    return TitledSheet(
        (
            Column("pairs of systems A, B", [f"people: {word}" for word in words]),
            *(Column(f"model: {word}", counts[:, place], ",") for place, word in enumerate(words)),
        ),
        caption=f"Significant differences on {found.measure} under the labels of people (rows) and of the model "
        "(columns), over all pairs of systems, of which A is given before B.",
        label="tab:decisions",
    )


def system_sheet(found: "Sequence[Consequences]") -> Sheet:
    """One row for each system and measure."""
    rows = [
        (each.measure, run, each.means[0, place], each.means[1, place], bias)
        for each in found
        for place, (run, bias) in enumerate(zip(each.runs, each.biases, strict=bool(each.biases)))
    ]
    measures, runs, people, model, biases = zip(*rows, strict=True) if rows else ((),) * 5
    return Sheet(
        (
            Column("measure", measures),
            Column("run", runs),
            Column("people", people, ".4f"),
            Column("model", model, ".4f"),
            Signed("bias", [bias.value for bias in biases], "+.4f"),
            Column("ci_low", [bias.low for bias in biases], "+.4f"),
            Column("ci_high", [bias.high for bias in biases], "+.4f"),
            Column("excludes_zero", [bias.excludes_zero for bias in biases]),
        ),
        caption="Bias: means under the labels of a model minus those under the labels of people.",
        label="tab:systems",
    )


def model_sheets(found: "Consequences") -> list[Sheet]:
    """All tables about the systems under people and under a model."""
    groups = [group_sheet(found)] if found.groups else []
    decided = [decision_sheet(found)] if found.decisions is not None else []
    return [bias_sheet(found), *groups, *decided]


def _with_interval(
    name: str, values: "Sequence[MeanDifference]", digits: int, interval: str = _CI
) -> tuple[Column, Column]:
    """A column of mean differences, starred if the interval excludes 0, and one of intervals."""
    shown = [_starred(each, digits) for each in values]
    spans = [None if math.isnan(each.low) else span(each, digits) for each in values]
    return Starred(name, shown), Column(interval, spans)


def _starred(value: MeanDifference, digits: int) -> str | None:
    if math.isnan(value.value):
        return None
    return in_print(value.value, f"+.{digits}f") + "*" * value.excludes_zero


def span(value: MeanDifference, digits: int) -> str:
    """Both ends of the interval.

    >>> span(MeanDifference(0.1, -0.05, 0.25, 30), 3)
    '[−0.050, +0.250]'
    """
    return minus(f"[{value.low:+.{digits}f}, {value.high:+.{digits}f}]")
