"""What a condition observes on scores, and the verdict."""

import math
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from cranfield.errors import PolicyError
from cranfield.reporting.gates.condition import Gate
from cranfield.reporting.gates.hints import unreadable
from cranfield.reporting.gates.terms import COUNTS
from cranfield.tables.side.gates import GateVerdict

if TYPE_CHECKING:
    from cranfield.tables.scores import Scores


def judge(gate: Gate, scores: "Scores", column: int | None) -> GateVerdict:
    """Check a condition on scores; `column` is the position of its measure."""
    if column is None and scores.audit.given and gate.term != "missing":
        hint = "it has no effect on scores that were computed elsewhere"
        raise PolicyError("E246", f"{gate.term} are counted in rankings, and scores were given", hint=hint)
    chosen = matching(gate, scores.runs)
    values = [
        COUNTS[gate.term](scores.audit, run) if column is None else float(scores.means[scores.runs.index(run), column])
        for run in chosen
    ]
    return observed(gate, chosen, values)


def matching(gate: Gate, runs: Sequence[str]) -> list[str]:
    """The runs that a condition names; at least one must exist."""
    chosen = [run for run in runs if fnmatchcase(run, gate.runs)]
    if not chosen:
        at = gate.text.rfind(gate.runs)
        raise unreadable(gate.text, at, f"no run is called {gate.runs!r}; there are {', '.join(runs[:10])}")
    return chosen


def observed(gate: Gate, runs: Sequence[str], values: Sequence[float]) -> GateVerdict:
    """The verdict on the values of some runs, with the run that decides."""
    failing = [gate.fails(value) for value in values]
    undefined = [run for run, value in zip(runs, values, strict=True) if math.isnan(value)]
    if undefined:
        return verdict(gate, False, f"{gate.term} is undefined for {undefined[0]}", None, undefined[0])
    word, worst = _worst(gate, values)
    many = f", {sum(failing)} of {len(runs)} runs" if sum(failing) > 1 else ""
    message = f"{word} is {_shown(values[worst], gate)} ({runs[worst]}){many}"
    return verdict(gate, not any(failing), message, values[worst], runs[worst])


def verdict(gate: Gate, passed: bool, message: str, value: float | None = None, run: str | None = None) -> GateVerdict:
    """The verdict on a condition, as it was written and as what must hold."""
    return GateVerdict(gate.text, passed, message, value, run, gate.requirement)


def _worst(gate: Gate, values: Sequence[float]) -> tuple[str, int]:
    """The value that decides, and what it is among the others."""
    places = range(len(values))
    if gate.operator in ("<", "<="):
        return "smallest", min(places, key=values.__getitem__)
    if gate.operator in (">", ">="):
        return "largest", max(places, key=values.__getitem__)
    distances = [abs(value - gate.number) for value in values]
    if gate.operator == "==":
        return "nearest", min(places, key=distances.__getitem__)
    return "farthest", max(places, key=distances.__getitem__)


def _shown(value: float, gate: Gate) -> str:
    """A value with enough digits to show on which side of the limit it lies; a drop in percent."""
    if isinstance(value, int):
        return f"{value:,}"
    scale, unit = (100, " %") if gate.pair == "drop" else (1, "")
    texts = (f"{scale * value:.{digits}g}" for digits in range(4, 18))
    found = next((text for text in texts if gate.fails(float(text) / scale) == gate.fails(value)), f"{scale * value!r}")
    return f"{found}{unit}"
