"""One condition: `TERM OP NUMBER [for RUNGLOB] [in GROUPGLOB]`, `worse(MEASURE)` or `not worse(MEASURE)`.

`--fail-if` says what must not be, `--require` and `Scores.check` what must hold. Both become a `Gate`, whose operator
and number say when it fails.
"""

import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.errors import MeasureError
from cranfield.reporting.gates.hints import DROPS, Hints, unreadable
from cranfield.reporting.gates.terms import COUNTS, PAIRS, RANGES

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
OPPOSITE = {"<=": ">", ">=": "<", "==": "!=", "!=": "==", "<": ">=", ">": "<="}
_SIGNS = "<>=!≤≥≠"
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?(?![^\s])")
_WITH_RUNS = re.compile(r"for\s+(?P<runs>\S.*?)\s*")
_WITH_GROUP = re.compile(r"(?:for\s+(?P<runs>\S.*?))?(?:(?:^|\s+)in\s+(?P<group>\S.*?))?\s*")
_SHARE = re.compile(r"(?P<percent>[-+]?(?:\d+\.?\d*|\.\d+))\s*%(?![^\s])")


@dataclass(frozen=True)
class Gate:
    """One condition, read."""

    text: str
    term: str
    operator: str  # with `number`: when the condition fails
    number: float
    runs: str = "*"
    measure: "Measure | None" = None  # None: a count of the audit, or a measure that only given scores have
    pair: str = ""  # worse, delta, drop or p: about a run and its baseline
    possible: str = ""  # lower, upper or undecided: about what missing judgments could change
    requirement: str = ""  # what must hold, in the same grammar
    name: str = ""  # of the measure; empty: a count of the audit
    group: str = ""  # a pattern of groups of topics; empty: none was named

    @property
    def fails(self) -> Callable[[float], bool]:
        """Whether a value makes the condition fail; an undefined value always does."""
        return lambda value: math.isnan(value) or OPERATORS[self.operator](value, self.number)


def parse_gate(
    text: str, verb: str = "evaluate", *, required: bool = False, names: Sequence[str] = (), grouped: bool = False
) -> Gate:
    """Read a condition; an error names the column where it fails, and how it is written.

    Args:
        text: the condition.
        verb: `compare` also has terms about pairs of runs.
        required: whether the text says what must hold, instead of what must not be.
        names: measures of given scores, which need not be ours.
        grouped: whether there are groups of topics, which `in` names.

    >>> gate = parse_gate("missing > 0 for dense*")
    >>> gate.term, gate.operator, gate.number, gate.runs, gate.requirement
    ('missing', '>', 0.0, 'dense*', 'missing <= 0 for dense*')
    >>> gate = parse_gate("drop(AP) <= 5%", "compare", required=True)
    >>> gate.pair, str(gate.measure), gate.operator, gate.number  # it fails if the drop is larger
    ('drop', 'AP', '>', 0.05)
    >>> gate = parse_gate("AP >= 0.3 for bm* in short queries", required=True, grouped=True)
    >>> gate.runs, gate.group
    ('bm*', 'short queries')
    """
    hints = Hints(text, verb, required, grouped)
    start = _skip(text, 0)
    negated = re.match(r"not\s+(?=worse\b)", text[start:])
    at = start + (negated.end() if negated else 0)
    term, at = _term(text, at, names)
    if not term:
        raise unreadable(text, at, f"write it as '{hints.example('nDCG@10')}'")
    begin = at - len(term)
    word, name, measure = _read_term(hints, term, begin, names)
    at = _skip(text, at)
    if word == "worse":
        if bool(negated) != required:
            raise unreadable(text, start, hints.negated(term))
        runs, group = _globbed(hints, at, f"not {term}" if required else term)
        said = f"not {term}{_for(runs, group)}"
        return Gate(text, term, "<", 0.0, runs, measure, pair=word, requirement=said, name=name, group=group)
    sign = next((sign for sign in OPERATORS if text.startswith(sign, at)), None)
    if sign is None:
        raise unreadable(text, at, hints.without_operator(term, text[at:]))
    at = _skip(text, at + len(sign))
    found = _SHARE.match(text, at) if word == "drop" else None
    number = found or _NUMBER.match(text, at)
    if number is None:
        raise unreadable(text, at, hints.without_number(term, word, sign, text[at:]))
    value = float(found["percent"]) / 100 if found else float(number[0])
    runs, group = _globbed(hints, _skip(text, number.end()), f"{term} {sign} {number[0]}")
    holds, fails = (sign, OPPOSITE[sign]) if required else (OPPOSITE[sign], sign)
    return Gate(
        text=text,
        term=term,
        operator=fails,
        number=value,
        runs=runs,
        measure=measure,
        pair=word if word in PAIRS else "",
        possible=word if word in RANGES else "",
        requirement=f"{term} {holds} {number[0]}{_for(runs, group)}",
        name=name,
        group=group,
    )


def _read_term(hints: Hints, term: str, at: int, names: Sequence[str]) -> "tuple[str, str, Measure | None]":
    """The word before the measure, if there is one, the name of the measure, and the measure if it is ours."""
    text, (word, opened, inside) = hints.text, term.partition("(")
    if term in names:
        return "", term, _known(term)
    if not opened and term in COUNTS:
        return "", "", None
    if re.fullmatch(_NUMBER, term):
        raise unreadable(text, at, hints.turned())
    if (word.lower() in DROPS and not (word == "drop" and opened)) or (not opened and word in PAIRS):
        raise unreadable(text, at, hints.about_pairs(word, inside.rstrip(")"), text[at + len(term) :]))
    if not opened or word not in (*PAIRS, *RANGES):
        return "", *_measure(hints, term, at)
    if word in PAIRS and hints.verb == "evaluate":
        raise unreadable(text, at, hints.no_pairs(word))
    if not term.endswith(")") or len(inside) < 2:
        raise unreadable(text, at + len(word) + 1, f"write it as '{word}(nDCG@10)'")
    named = inside[:-1].strip()
    if named in names:
        return word, named, _known(named)
    return word, *_measure(hints, named, at + len(word) + 1, within=True)


def _measure(hints: Hints, name: str, at: int, within: bool = False) -> "tuple[str, Measure | None]":
    """A measure of ours; where there is none of the name, a term of nearly that name may be meant."""
    from cranfield.measures.grammar import parse

    try:
        measure = parse(name)
    except MeasureError as error:
        if error.code == "E201" and not within and (meant := hints.near_term(name, at)):
            raise unreadable(hints.text, at, meant) from None
        raise
    return str(measure), measure


def _known(name: str) -> "Measure | None":
    """A measure of given scores, if it is one of ours too."""
    from cranfield.measures.grammar import parse

    try:
        return parse(name)
    except MeasureError:
        return None


def _globbed(hints: Hints, at: int, before: str) -> tuple[str, str]:
    """The pattern after `for`, or that of all runs; and the one after `in`, or none."""
    rest = hints.text[at:]
    found = (_WITH_GROUP if hints.grouped else _WITH_RUNS).fullmatch(rest)
    if rest and found is None:
        raise unreadable(hints.text, at, hints.after_number(before, rest))
    named = found.groupdict() if found else {}
    return named.get("runs") or "*", named.get("group") or ""


def _for(runs: str, group: str) -> str:
    return ("" if runs == "*" else f" for {runs}") + (f" in {group}" if group else "")


def _term(text: str, at: int, names: Sequence[str]) -> tuple[str, int]:
    """The text up to the first blank or sign outside parentheses, and where it ends; or a name that is known."""
    begin = at
    for name in sorted(names, key=len, reverse=True):
        after = text[begin + len(name) :].lstrip()[:1]
        if text.startswith(name, begin) and (not after or after in _SIGNS):
            return name, begin + len(name)
    depth = 0
    while at < len(text) and (depth > 0 or not (text[at].isspace() or text[at] in _SIGNS)):
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
    return text[begin:at], at


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
