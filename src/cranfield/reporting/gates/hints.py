"""How a condition that cannot be read should be written."""

import math
import re

from cranfield.errors import PolicyError

_WORDS = {
    "<": ("lower", "less", "below", "under", "smaller", "lt", "=<"),
    ">": ("higher", "greater", "more", "above", "over", "gt"),
}
DROPS = ("drops", "drop", "falls", "fall", "fell", "decreases", "decrease", "loses", "declines", "sinks", "worsens")
_MEANT = {"=": "==", "=<": "<=", "=>": ">=", "<>": "!=", "is": "=="}


def unreadable(text: str, at: int, hint: str) -> PolicyError:
    """The error of a condition that cannot be read from a place on."""
    return PolicyError("E209", f"cannot read the condition {text!r} at column {at + 1}", hint=hint)


def suggestion(term: str, rest: str, verb: str) -> str:
    """The hint for a condition without an operator; a drop needs a baseline, and so `compare`."""
    words = rest.split() or [""]
    if words[0].lower() not in DROPS:
        return f"write it as '{term} {_meant(rest)}'"
    amount = number_in(words[-1]) if len(words) > 1 else "0.01"
    told = f"write it as 'delta({term}) < -{amount}' (a difference, not a share of the baseline) or 'worse({term})'"
    return told if verb == "compare" else f"{told} in 'cranfield compare', which has a baseline"


def about_pairs(name: str, measure: str, rest: str, verb: str) -> str:
    """The hint for a term about a pair that was written without its measure, or in other words: `drop(AP) > 5%`."""
    measure = measure or "nDCG@10"
    if name.lower() in DROPS:
        return suggestion(measure, f"{name} {rest.strip().lstrip('<>=! ')}", verb)
    told = f"write it as '{name}({measure}){f' {_meant(rest)}' if name != 'worse' else ''}'"
    return told if verb == "compare" else f"{told} in 'cranfield compare', which has a baseline"


def _meant(rest: str) -> str:
    """The operator and number that the caller probably meant: `lower .4` is `< 0.4`."""
    word, _, after = rest.strip().partition(" ")
    sign = re.match(r"[<>=!]*", word)
    if sign and sign[0]:
        word, after = sign[0], word[len(sign[0]) :] or after
    spoken = next((sign for sign, words in _WORDS.items() if word.lower() in words), "<")
    return f"{_MEANT.get(word.lower(), spoken)} {number_in(after.split()[-1] if after.split() else '')}"


def number_in(text: str) -> str:
    """The number in a text as it should be written: `.4` is `0.4`, `80%` is `0.8`."""
    try:
        value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        value = math.nan
    return f"{value:g}" if math.isfinite(value) else "0.4"
