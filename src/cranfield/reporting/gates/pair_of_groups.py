"""Conditions about a run and its baseline, by the mean of groups."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.reporting.gates.condition import Gate
from cranfield.reporting.gates.observed import matching, observed, verdict
from cranfield.reporting.gates.pair import minus_after_is
from cranfield.tables.side.gates import GateVerdict

if TYPE_CHECKING:
    from cranfield.stats.by_group.comparing import GroupedComparison, GroupPair


def judge_mean_pair(gate: Gate, compared: "GroupedComparison") -> GateVerdict:
    """Check a condition on the pairs of the mean of groups."""
    pairs = [pair for pair in compared.pairs if pair.measure == gate.name]
    chosen = set(matching(gate, list(dict.fromkeys(pair.run for pair in pairs))))
    pairs = [pair for pair in pairs if pair.run in chosen]
    several = len({pair.baseline for pair in pairs}) > 1
    names = [f"{pair.run} – {pair.baseline}" if several else pair.run for pair in pairs]
    sign = -1 if compared.parts[0].of(gate.name).contrasts.smaller else 1
    if gate.pair == "worse":
        return _worse(gate, compared, pairs, names, sign)
    found = observed(gate, names, [_value(gate, pair, sign) for pair in pairs])
    return replace(found, message=minus_after_is(found.message))


def _value(gate: Gate, pair: "GroupPair", sign: int) -> float:
    """What the condition looks at; a drop is a loss as a share of the baseline."""
    if gate.pair != "drop":
        return pair.difference if gate.pair == "delta" else pair.p
    loss, baseline = -sign * pair.difference, pair.mean - pair.difference
    if baseline == 0:  # there is nothing to lose
        return 0.0 if loss <= 0 else math.nan
    return loss / abs(baseline)


def _worse(
    gate: Gate, compared: "GroupedComparison", pairs: "list[GroupPair]", names: list[str], sign: int
) -> GateVerdict:
    from cranfield.tables.sheets.marked import p_words
    from cranfield.tables.sheets.numerals import in_print
    from cranfield.tables.words import counted

    for pair, name in zip(pairs, names, strict=True):
        if math.isnan(pair.difference) or (math.isnan(pair.p) and sign * pair.difference <= 0):
            return verdict(gate, False, f"{gate.term} is undefined for {name}", None, name)
    failing = [pair.significant and sign * pair.difference < 0 for pair in pairs]
    order = sorted(range(len(pairs)), key=lambda at: (not failing[at], sign * pairs[at].difference))
    pair, name = pairs[order[0]], names[order[0]]
    alpha = compared.method.alpha
    below = f" < {alpha:g}" if failing[order[0]] and pair.p >= 0.0001 else ""
    who = "" if len(pairs) == 1 else f"{name}, "
    many = f", {sum(failing)} of {len(pairs)} runs" if sum(failing) > 1 else ""
    tested = "no p" if math.isnan(pair.p) else f"{compared.method.corrected}{p_words(pair.p, alpha)}"
    groups = counted(len(compared.grouped.groups), compared.grouped.grouping.noun)
    message = f"Δ = {in_print(pair.difference, '+.4f')}, {tested}{below} ({who}{groups}){many}"
    return verdict(gate, not any(failing), message, pair.difference, name)
