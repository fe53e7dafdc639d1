"""Conditions about a run and its baseline: `worse(M)`, `delta(M) < -0.01`, `drop(M) > 5%`, `p(M) < 0.05`."""

import math
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING

from cranfield.errors import PolicyError
from cranfield.errors.wording import either, setting
from cranfield.reporting.gates.condition import Gate
from cranfield.reporting.gates.observed import matching, observed, verdict
from cranfield.tables.side.gates import GateVerdict

if TYPE_CHECKING:
    from cranfield.stats.comparison.pair import Pair
    from cranfield.stats.comparison.result import Comparison


_BASELINE = either("compare with a baseline, or against saved scores", "--baseline RUN, or --against SAVED.json")


def check_pair_gate(gate: Gate, baselined: bool, tested: bool) -> None:
    """Refuse a condition that cannot be checked, before any file is read."""
    if not baselined:
        raise PolicyError("E200", f"{gate.text!r} needs a baseline", hint=_BASELINE)
    if not tested and gate.pair in ("worse", "p"):
        raise PolicyError(
            "E200", f"{gate.text!r} needs a test", hint=f"leave out {setting('test', 'none')}, or use delta(M)"
        )


def judge_pair(gate: Gate, comparison: "Comparison", measure: str) -> GateVerdict:
    """Check a condition on the pairs of a comparison; `measure` is the name of its measure there."""
    pairs = list(comparison.pairs(measure))
    chosen = set(matching(gate, list(dict.fromkeys(pair.run for pair in pairs))))
    pairs = [pair for pair in pairs if pair.run in chosen]
    several = len({pair.baseline for pair in pairs}) > 1
    names = [f"{pair.run} – {pair.baseline}" if several else pair.run for pair in pairs]
    if gate.pair == "worse":
        return _worse(gate, comparison, measure, pairs, names)
    if gate.pair == "p" and (undefined := _undefined(gate, pairs, names)):
        return undefined
    smaller = comparison.of(measure).contrasts.smaller
    found = observed(gate, names, [_value(gate, pair, smaller) for pair in pairs])
    return replace(found, message=minus_after_is(found.message))


def _value(gate: Gate, pair: "Pair", smaller: bool) -> float:
    """What the condition looks at."""
    if gate.pair == "drop":
        return _drop(pair, smaller)
    return pair.difference if gate.pair == "delta" else pair.p


def _drop(pair: "Pair", smaller: bool) -> float:
    """The loss as a share of the baseline: a fall of the mean, or a rise if a smaller value is better."""
    loss = pair.difference if smaller else -pair.difference
    if math.isnan(pair.percent):  # the mean of the baseline is 0: there is nothing to lose
        return 0.0 if loss <= 0 else math.nan
    return math.copysign(pair.percent / 100, loss) if loss else 0.0


def _worse(gate: Gate, comparison: "Comparison", measure: str, pairs: "list[Pair]", names: list[str]) -> GateVerdict:
    from cranfield.tables.sheets.marked import p_words
    from cranfield.tables.sheets.numerals import in_print
    from cranfield.tables.words import counted

    found = comparison.of(measure)
    sign = -1 if found.contrasts.smaller else 1
    alpha = comparison.method.alpha
    # a run that is better by the same amount on every topic is not worse, although no test can be made
    paired = found.average != "sum"
    unsafe = [not (paired and pair.topics > 1 and sign * pair.difference > 0) for pair in pairs]
    if undefined := _undefined(gate, list(compress(pairs, unsafe)), list(compress(names, unsafe))):
        return undefined
    failing = [pair.significant and sign * pair.difference < 0 for pair in pairs]
    # what fails comes first, then the largest loss
    order = sorted(range(len(pairs)), key=lambda at: (not failing[at], sign * pairs[at].difference))
    pair, name = pairs[order[0]], names[order[0]]
    corrected = comparison.method.corrected
    below = f" < {alpha:g}" if failing[order[0]] and pair.p >= 0.0001 else ""
    who = "" if len(pairs) == 1 else f"{name}, "
    many = f", {sum(failing)} of {len(pairs)} runs" if sum(failing) > 1 else ""
    difference = in_print(pair.difference, "+.4f")
    doubt = f"; but {pair.warning}" if pair.warning else ""
    tested = "no p" if math.isnan(pair.p) else f"{corrected}{p_words(pair.p, alpha)}"
    message = f"Δ = {difference}, {tested}{below} ({who}{counted(pair.topics, 'topic')}){many}{doubt}"
    return verdict(gate, not any(failing), message, pair.difference, name)


def _undefined(gate: Gate, pairs: "list[Pair]", names: list[str]) -> GateVerdict | None:
    """The verdict on a pair without p: the condition fails, with the reason."""
    for pair, name in zip(pairs, names, strict=True):
        if math.isnan(pair.p):
            why = f": {pair.reason}" if pair.reason else ""
            return verdict(gate, False, f"{gate.term} is undefined for {name}{why}", None, name)
    return None


def minus_after_is(message: str) -> str:
    """The message with the sign of a negative value written out.

    >>> minus_after_is("smallest is -0.02 (a-b)")
    'smallest is −0.02 (a-b)'
    """
    return message.replace(" is -", " is −", 1)
