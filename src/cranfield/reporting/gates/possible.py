"""Conditions about what missing judgments could change: `lower(M) < 0.4`, `upper(M) < 0.5`, `undecided(M) > 0`."""

from collections.abc import Collection
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from cranfield.reporting.gates.condition import Gate
from cranfield.reporting.gates.observed import matching, observed, verdict
from cranfield.tables.side.gates import GateVerdict
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.missing.result import Holes


def judge_possible(
    gate: Gate, holes: "Holes", measure: str, compared: Collection[frozenset[str]] | None = None
) -> GateVerdict:
    """Check a condition on the ranges of the runs, or on the number of pairs whose order is not certain.

    Pairs are those of all runs, or those that were compared.
    """
    chosen = matching(gate, holes.runs)
    if gate.possible != "undecided":
        from cranfield.missing.ranges import of_means

        bounder = holes.bounder(measure)
        bounds = of_means(bounder.runs, bounder.average)
        ends = bounds.low if gate.possible == "lower" else bounds.high
        return observed(gate, chosen, [float(ends[holes.runs.index(run)]) for run in chosen])
    return _undecided(gate, holes, measure, compared)


def _undecided(gate: Gate, holes: "Holes", measure: str, compared: Collection[frozenset[str]] | None) -> GateVerdict:
    """The pairs of which one run is named by the condition, and whose order missing judgments could reverse."""
    found = holes.differences(measure)
    pairs = [frozenset((holes.runs[a], holes.runs[b])) for a, b in zip(found.a.tolist(), found.b.tolist(), strict=True)]
    asked = [
        any(fnmatchcase(run, gate.runs) for run in pair) and (compared is None or pair in compared) for pair in pairs
    ]
    number = sum(each and not sure for each, sure in zip(asked, found.decided.tolist(), strict=True))
    message = f"{number:,} of {counted(sum(asked), 'pair')} {'is' if number == 1 else 'are'} not certain"
    return verdict(gate, not gate.fails(number), message, number)
