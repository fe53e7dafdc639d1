"""The notes about a model as assessor: what its labels do to grades, systems, groups and significance."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cranfield.stats.agreement.model.decisions import Decision, Decisions
from cranfield.stats.agreement.model.mean_difference import LEVEL, METHOD
from cranfield.stats.agreement.model.sheets import span
from cranfield.stats.paired.intervals import INTERVALS
from cranfield.tables.sheets.numerals import in_print, percent
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.agreement.consequences import Consequences
    from cranfield.stats.agreement.result import Agreement

_NAMED = 3  # pairs named one by one in a note
_ROUNDING = 1e-9


def overrating_notes(agreement: "Agreement") -> list[str]:
    """How to read the table of overrating, and how its intervals and those of the biases were made."""
    if not agreement.overrating:
        return []
    said = ["the lowest grade can only be overrated, the highest only underrated, by a second person too"]
    over = str(agreement.audit.policies["over"])
    biased = [bias for each in agreement.consequences for bias in each.biases]
    if all(math.isnan(each.difference.low) for each in agreement.overrating):
        said.append(f"overrating: no intervals, too few {over} differ")
        if all(math.isnan(bias.low) for bias in biased):
            return said
    made = f"{INTERVALS[METHOD].printed} bootstrap over {over}"
    more = ", of a bias over topics" if biased and over != "topics" else ""
    return [*said, f"* the {100 * LEVEL:g} % interval, each for itself, excludes 0; {made}{more}"]


def bias_notes(found: "Consequences") -> list[str]:
    """How many systems have a bias, between which groups it differs, and how decisions agree."""
    if not found.biases:
        return []
    known = [each for each in found.biases if not math.isnan(each.low)]
    sure = sum(each.excludes_zero for each in known)
    lacking = len(found.biases) - len(known)
    more = f"; {lacking:,} without one, too few topics differ" if lacking else ""
    some = f"the interval of {sure:,} of {counted(len(known), 'system')} excludes 0{more}"
    said = [f"bias on {found.measure}: {some if known else 'no intervals, too few topics differ'}"]
    if any(abs(bias.value - shift) > _ROUNDING for bias, shift in zip(found.biases, found.bias.tolist(), strict=True)):
        said.append("bias is taken over the topics that have a score under both labels")
    if found.group_differences:
        said.append(_group_note(found))
    if found.decisions is not None:
        said += decision_notes(found.decisions, found.measure)
    return said


def _group_note(found: "Consequences") -> str:
    """The two groups whose biases differ most, of those whose interval excludes 0."""
    sure = [each for each in found.group_differences if each.difference.excludes_zero]
    if not sure:
        return "no interval of a difference between two groups excludes 0"
    most = max(sure, key=lambda each: abs(each.difference.value))
    one, other = most.groups if most.difference.value > 0 else most.groups[::-1]
    value = in_print(abs(most.difference.value), ".4f")
    ends = most.difference if most.difference.value > 0 else most.difference.turned()
    many = f", the most of {len(sure):,} pairs" if len(sure) > 1 else ""
    return f"the model's labels raise {one} above {other} by {value} {span(ends, 4)}{many}"


def decision_notes(found: Decisions, measure: str) -> list[str]:
    """On how many pairs the decisions agree; which are significant under one of the labels only, or reversed."""
    same = round(found.agreeing * len(found.pairs))
    pairs = counted(len(found.pairs), "pair")
    missed, false, turned = found.missed, found.false_positives, found.reversed
    said = [
        f"significance on {measure} ({found.test}, {found.correction}, alpha {found.alpha:g}): "
        f"{same:,} of {pairs} decided alike ({percent(found.agreeing)})",
        f"significant under people only: {len(missed):,} · under the model only (false positives): {len(false):,} · "
        f"reversed: {len(turned):,}",
    ]
    if turned:
        said.append(f"reversed by the model: {_few(turned)}")
    if false:
        said.append(f"significant under the model only: {_few(false)}")
    return said


def _few(pairs: Sequence[Decision]) -> str:
    """The first pairs, the system before the other that is better under the model's labels.

    >>> _few([Decision(("a", "b"), None, "b", 0.2, 0.01)] * 4)
    'b > a, b > a, b > a and 1 more'
    """
    sides = [pair.systems if pair.model == pair.systems[0] else pair.systems[::-1] for pair in pairs]
    more = f" and {len(sides) - _NAMED:,} more" if len(sides) > _NAMED else ""
    return ", ".join(f"{better} > {worse}" for better, worse in sides[:_NAMED]) + more
