"""`--fail-if TERM OP NUMBER [for RUNGLOB]` or `worse(MEASURE)`: conditions under which a command ends with code 1."""

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.reporting.gates.hints import DROPS, about_pairs, number_in, suggestion, unreadable

if TYPE_CHECKING:
    from cranfield.measures.grammar import Measure

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
COUNTS = ("missing", "ties", "duplicates")  # numbers that the audit holds for each run
PAIRS = ("worse", "delta", "p")  # terms about a run and its baseline
RANGES = ("lower", "upper", "undecided")  # terms about judgments that are missing
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?(?![^\s])")


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
        raise unreadable(text, at, "write it as 'nDCG@10 < 0.4'")
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
        raise unreadable(text, at, suggestion(term, text[at:], verb))
    at = _skip(text, at + len(found))
    number = _NUMBER.match(text, at)
    if number is None:
        raise unreadable(text, at, f"write it as '{term} {found} {number_in(text[at:].partition(' ')[0])}'")
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
    if name.lower() in DROPS or (not opened and name in PAIRS):
        raise unreadable(text, at, about_pairs(name, inside.rstrip(")"), text[at + len(term) :], verb))
    if not opened or name not in (*PAIRS, *RANGES):
        return "", _measure(term)
    if name in PAIRS and verb == "evaluate":
        ranges = ", ".join(f"{each}(M)" for each in RANGES)
        known = f"evaluate has no term {name!r}; it has {ranges}, every measure, and {', '.join(COUNTS)}"
        raise unreadable(text, at, known)
    if not term.endswith(")") or len(inside) < 2:
        raise unreadable(text, at + len(name) + 1, f"write it as '{name}(nDCG@10)'")
    from cranfield.measures.grammar import parse

    return name, parse(inside[:-1])


def _globbed(text: str, at: int, before: str) -> str:
    """The pattern after `for`, or that of all runs."""
    runs = re.fullmatch(r"for\s+(\S.*?)\s*", text[at:]) if at < len(text) else None
    if at < len(text) and runs is None:
        raise unreadable(text, at, f"write it as '{before} for RUN*'")
    return runs[1] if runs else "*"


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


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
