"""`--fail-if TERM OP NUMBER [for RUNGLOB]` or `worse(MEASURE)`: conditions under which a command ends with code 1."""

import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from cranfield.errors import PolicyError
from cranfield.reporting.verdict import GateVerdict

if TYPE_CHECKING:
    from cranfield.measures.grammar import Measure
    from cranfield.tables.audit import Audit
    from cranfield.tables.scores import Scores

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
COUNTS: dict[str, Callable[["Audit", str], int]] = {
    "missing": lambda audit, run: len(audit.topics_missing.get(run, ())),
    "ties": lambda audit, run: audit.tie_groups_by_run.get(run, 0),
    "duplicates": lambda audit, run: audit.duplicates_by_run.get(run, 0),
}
PAIRS = ("worse", "delta", "p")  # terms about a run and its baseline
RANGES = ("lower", "upper", "undecided")  # terms about judgments that are missing
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?(?![^\s])")
_WORDS = {
    "<": ("lower", "less", "below", "under", "smaller", "lt", "=<"),
    ">": ("higher", "greater", "more", "above", "over", "gt"),
}
_DROPS = ("drops", "drop", "falls", "fall", "fell", "decreases", "decrease", "loses", "declines", "sinks", "worsens")
_MEANT = {"=": "==", "=<": "<=", "=>": ">=", "<>": "!=", "is": "=="}


@dataclass(frozen=True)
class Gate:
    """One condition, read."""

    text: str
    term: str
    operator: str
    number: float
    runs: str = "*"
    measure: "Measure | None" = None  # None: a count of the audit
    pair: str = ""  # worse, delta or p: about a run and its baseline
    possible: str = ""  # lower, upper or undecided: about what missing judgments could change

    @property
    def fails(self) -> Callable[[float], bool]:
        """Whether a value meets the condition, so that the command fails; an undefined value always does."""
        return lambda value: math.isnan(value) or OPERATORS[self.operator](value, self.number)


def parse_gate(text: str, verb: str = "evaluate") -> Gate:
    """Read a condition; an error names the column where it fails. `compare` also has terms about pairs of runs.

    >>> gate = parse_gate("missing > 0 for dense*")
    >>> gate.term, gate.operator, gate.number, gate.runs
    ('missing', '>', 0.0, 'dense*')
    >>> gate = parse_gate("delta(AP) < -0.01", "compare")
    >>> gate.pair, str(gate.measure), gate.number
    ('delta', 'AP', -0.01)
    """
    term, at = _term(text)
    if not term:
        raise _unreadable(text, at, "write it as 'nDCG@10 < 0.4'")
    begin = at - len(term)
    name, measure = _read_term(text, term, begin, verb)
    pair, possible = (name if name in kinds else "" for kinds in (PAIRS, RANGES))
    at = _skip(text, at)
    if pair == "worse":
        return Gate(
            text=text, term=term, operator="<", number=0.0, runs=_globbed(text, at, term), measure=measure, pair=pair
        )
    found = next((sign for sign in OPERATORS if text.startswith(sign, at)), None)
    if found is None:
        raise _unreadable(text, at, _suggestion(term, text[at:], verb))
    at = _skip(text, at + len(found))
    number = _NUMBER.match(text, at)
    if number is None:
        raise _unreadable(text, at, f"write it as '{term} {found} {_number(text[at:].partition(' ')[0])}'")
    at = _skip(text, number.end())
    runs = _globbed(text, at, f"{term} {found} {number[0]}")
    return Gate(
        text=text,
        term=term,
        operator=found,
        number=float(number[0]),
        runs=runs,
        measure=measure,
        pair=pair,
        possible=possible,
    )


def _read_term(text: str, term: str, at: int, verb: str) -> "tuple[str, Measure | None]":
    """The word before the measure, if there is one, and the measure."""
    name, opened, inside = term.partition("(")
    if name.lower() in _DROPS or (not opened and name in PAIRS):
        raise _unreadable(text, at, _about_pairs(name, inside.rstrip(")"), text[at + len(term) :], verb))
    if not opened or name not in (*PAIRS, *RANGES):
        return "", _measure(term)
    if name in PAIRS and verb == "evaluate":
        ranges = ", ".join(f"{each}(M)" for each in RANGES)
        known = f"evaluate has no term {name!r}; it has {ranges}, every measure, and {', '.join(COUNTS)}"
        raise _unreadable(text, at, known)
    if not term.endswith(")") or len(inside) < 2:
        raise _unreadable(text, at + len(name) + 1, f"write it as '{name}(nDCG@10)'")
    from cranfield.measures.grammar import parse

    return name, parse(inside[:-1])


def _globbed(text: str, at: int, before: str) -> str:
    """The pattern after `for`, or that of all runs."""
    runs = re.fullmatch(r"for\s+(\S.*?)\s*", text[at:]) if at < len(text) else None
    if at < len(text) and runs is None:
        raise _unreadable(text, at, f"write it as '{before} for RUN*'")
    return runs[1] if runs else "*"


def judge(gate: Gate, scores: "Scores", column: int | None) -> GateVerdict:
    """Check a condition on scores; `column` is the position of its measure."""
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
        raise _unreadable(gate.text, at, f"no run is called {gate.runs!r}; there are {', '.join(runs[:10])}")
    return chosen


def observed(gate: Gate, runs: Sequence[str], values: Sequence[float]) -> GateVerdict:
    """The verdict on the values of some runs, with the run that decides."""
    failing = [gate.fails(value) for value in values]
    undefined = [run for run, value in zip(runs, values, strict=True) if math.isnan(value)]
    if undefined:
        return GateVerdict(gate.text, False, f"{gate.term} is undefined for {undefined[0]}", None, undefined[0])
    word, worst = _worst(gate, values)
    many = f", {sum(failing)} of {len(runs)} runs" if sum(failing) > 1 else ""
    message = f"{word} is {_shown(values[worst], gate)} ({runs[worst]}){many}"
    return GateVerdict(gate.text, not any(failing), message, values[worst], runs[worst])


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


def _term(text: str) -> tuple[str, int]:
    """The text up to the first blank or sign outside parentheses, and where it ends."""
    begin = at = _skip(text, 0)
    depth = 0
    while at < len(text) and (depth > 0 or not (text[at].isspace() or text[at] in "<>=!")):
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
    return text[begin:at], at


def _measure(term: str) -> "Measure | None":
    if term in COUNTS:
        return None
    from cranfield.measures.grammar import parse

    return parse(term)


def _suggestion(term: str, rest: str, verb: str) -> str:
    """The hint for a condition without an operator; a drop needs a baseline, and so `compare`."""
    words = rest.split() or [""]
    if words[0].lower() not in _DROPS:
        return f"write it as '{term} {_meant(rest)}'"
    amount = _number(words[-1]) if len(words) > 1 else "0.01"
    told = f"write it as 'delta({term}) < -{amount}' (a difference, not a share of the baseline) or 'worse({term})'"
    return told if verb == "compare" else f"{told} in 'cranfield compare', which has a baseline"


def _about_pairs(name: str, measure: str, rest: str, verb: str) -> str:
    """The hint for a term about a pair that was written without its measure, or in other words: `drop(AP) > 5%`."""
    measure = measure or "nDCG@10"
    if name.lower() in _DROPS:
        return _suggestion(measure, f"{name} {rest.strip().lstrip('<>=! ')}", verb)
    told = f"write it as '{name}({measure}){f' {_meant(rest)}' if name != 'worse' else ''}'"
    return told if verb == "compare" else f"{told} in 'cranfield compare', which has a baseline"


def _meant(rest: str) -> str:
    """The operator and number that the caller probably meant: `lower .4` is `< 0.4`."""
    word, _, after = rest.strip().partition(" ")
    sign = re.match(r"[<>=!]*", word)
    if sign and sign[0]:
        word, after = sign[0], word[len(sign[0]) :] or after
    spoken = next((sign for sign, words in _WORDS.items() if word.lower() in words), "<")
    return f"{_MEANT.get(word.lower(), spoken)} {_number(after.split()[-1] if after.split() else '')}"


def _number(text: str) -> str:
    """The number in a text as it should be written: `.4` is `0.4`, `80%` is `0.8`."""
    try:
        value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        value = math.nan
    return f"{value:g}" if math.isfinite(value) else "0.4"


def _shown(value: float, gate: Gate) -> str:
    """A value with enough digits to show on which side of the limit it lies."""
    if isinstance(value, int):
        return f"{value:,}"
    texts = (f"{value:.{digits}g}" for digits in range(4, 18))
    return next(text for text in texts if gate.fails(float(text)) == gate.fails(value))


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _unreadable(text: str, at: int, hint: str) -> PolicyError:
    return PolicyError("E209", f"cannot read the condition {text!r} at column {at + 1}", hint=hint)
