"""Conditions on groups of topics: `AP >= 0.3 in head`, and `not worse(AP) in *`, which has a verdict for every group.

A condition that names no group is about the mean of groups. `in mean of groups` says so, and `in all topics` is about
the mean over all topics.
"""

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import PolicyError
from cranfield.reporting.gates.check import gates_on
from cranfield.reporting.gates.condition import Gate
from cranfield.reporting.gates.hints import unreadable
from cranfield.reporting.gates.observed import matching, observed
from cranfield.reporting.gates.pair import check_pair_gate, judge_pair
from cranfield.reporting.gates.pair_of_groups import judge_mean_pair
from cranfield.reporting.gates.terms import COUNTS
from cranfield.tables.side.gates import GateResult, GateVerdict, checker_of

if TYPE_CHECKING:
    from cranfield.stats.by_group.comparing import GroupedComparison
    from cranfield.stats.by_group.grouped import GroupedScores

ALL_TOPICS = "all topics"


@checker_of("grouped scores")
def check_grouped(grouped: "GroupedScores", conditions: Sequence[str], _: str) -> GateResult:
    """The verdicts on what must hold of scores by group."""
    gates = gates_on(grouped.scores, conditions, "evaluate", grouped=True)
    return GateResult(tuple(judged_by_group(grouped, gates)), grouped.sheet().notes)


@checker_of("grouped comparison")
def check_compared(compared: "GroupedComparison", conditions: Sequence[str], _: str) -> GateResult:
    """The verdicts on what must hold of a comparison by group."""
    gates = gates_on(compared.grouped.scores, conditions, "compare", grouped=True)
    for gate in gates:
        if gate.pair:
            check_pair_gate(gate, bool(compared.baselines), compared.method.test != "none")
    return GateResult(tuple(judged_pairs_by_group(compared, gates)), compared.sheet().notes)


def judged_by_group(grouped: "GroupedScores", gates: Sequence[Gate]) -> list[GateVerdict]:
    """The verdicts on scores: one for each condition and group that it names."""
    return [_judged(each, grouped, label) for gate in gates for each, label in _expanded(gate, grouped)]


def judged_pairs_by_group(
    compared: "GroupedComparison", gates: Sequence[Gate], scores: "GroupedScores | None" = None
) -> list[GateVerdict]:
    """The verdicts on a comparison; `scores` may hold measures that were not compared."""
    grouped = scores or compared.grouped
    return [
        _judged_pair(each, compared, label) if each.pair else _judged(each, grouped, label)
        for gate in gates
        for each, label in _expanded(gate, grouped)
    ]


def refuse_ranges(gates: Sequence[Gate]) -> None:
    """Refuse conditions on what missing judgments could change, which is not found by group."""
    if found := next((gate for gate in gates if gate.possible), None):
        problem = f"{found.possible} is found for all topics together, not by group"
        raise PolicyError("E246", problem, hint="ask for it without groups, or restrict the topics to those of one")


def _expanded(gate: Gate, grouped: "GroupedScores") -> list[tuple[Gate, str]]:
    """The condition for each group that it names, with the name of that group."""
    usual = grouped.mean_of
    if not gate.group:
        return [(gate, usual)]
    if gate.group in (*grouped.groups, usual, ALL_TOPICS):
        return [(gate, gate.group)]
    named = [group for group in grouped.groups if fnmatchcase(group, gate.group)]
    if not named:
        noun, some = grouped.grouping.noun, ", ".join(grouped.groups[:10])
        at = gate.text.rfind(gate.group)
        raise unreadable(gate.text, at, f"no {noun} is called {gate.group!r}; there are {some}, {usual}, {ALL_TOPICS}")
    return [(_with_group(gate, group), group) for group in named]


def _with_group(gate: Gate, group: str) -> Gate:
    """The condition with the name of one group in place of a pattern."""
    text, requirement = (f"{said[: said.rfind(gate.group)]}{group}" for said in (gate.text, gate.requirement))
    return replace(gate, text=text, requirement=requirement, group=group)


def _judged(gate: Gate, grouped: "GroupedScores", label: str) -> GateVerdict:
    scores = grouped.scores
    chosen = matching(gate, scores.runs)
    if not gate.name:
        values: list[float] = [*_counts(gate, grouped, label, chosen)]
    else:
        at, column = [scores.runs.index(run) for run in chosen], scores.measures.index(gate.name)
        values = _means(grouped, label, column)[at].tolist()
    return _said(observed(gate, chosen, values), gate, label)


def _means(grouped: "GroupedScores", label: str, column: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    if label in grouped.groups:
        return grouped.means[:, grouped.groups.index(label), column]
    if label == ALL_TOPICS:
        return np.where(grouped.complete, grouped.scores.means[:, column], np.nan)
    return grouped.mean_of_groups[:, column]


def _counts(gate: Gate, grouped: "GroupedScores", label: str, runs: Sequence[str]) -> list[int]:
    """A count of the audit: of a group only the topics that a run misses are known."""
    if label not in grouped.groups:
        return [COUNTS[gate.term](grouped.scores.audit, run) for run in runs]
    if gate.term != "missing":
        problem = f"{gate.term} are counted over all topics, not by group"
        raise PolicyError("E246", problem, hint=f"leave out 'in {gate.group}'")
    return [COUNTS[gate.term](grouped.part(label).audit, run) for run in runs]


def _judged_pair(gate: Gate, compared: "GroupedComparison", label: str) -> GateVerdict:
    if label == ALL_TOPICS:
        problem = f"{gate.text!r}: by group, all topics together are not compared"
        raise PolicyError("E246", problem, hint=f"write 'in {compared.grouped.mean_of}', or compare without groups")
    if label in compared.grouped.groups:
        return _said(judge_pair(gate, compared.part(label), gate.name), gate, label)
    return _said(judge_mean_pair(gate, compared), gate, label)


def _said(verdict: GateVerdict, gate: Gate, label: str) -> GateVerdict:
    """The verdict with the group, which the message names if the condition does not."""
    return replace(verdict, group=label, message=verdict.message if gate.group else f"{label}: {verdict.message}")
