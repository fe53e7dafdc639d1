"""How a condition that cannot be read should be written."""

import math
import re
from dataclasses import dataclass

from cranfield.errors import PolicyError
from cranfield.errors.names import nearest
from cranfield.errors.wording import either, verb
from cranfield.reporting.gates.terms import COUNTS, PAIRS, RANGES

_WORDS = {
    "<": ("lower", "less", "below", "under", "smaller", "lt", "=<"),
    ">": ("higher", "greater", "more", "above", "over", "gt"),
}
_AT_LEAST, _AT_MOST = ("at least", "minimum", "min"), ("at most", "maximum", "max")
DROPS = ("drops", "drop", "falls", "fall", "fell", "decreases", "decrease", "loses", "declines", "sinks", "worsens")
_MEANT = {"=": "==", "=<": "<=", "=>": ">=", "<>": "!=", "is": "==", "≤": "<=", "≥": ">=", "≠": "!="}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_JOINED = re.compile(r"(?:and|or|&&?|\|\|?|[,;])\s*(?P<rest>.*)", re.IGNORECASE)


def unreadable(text: str, at: int, hint: str) -> PolicyError:
    """The error of a condition that cannot be read from a place on."""
    return PolicyError("E209", f"cannot read the condition {text!r} at column {at + 1}", hint=hint)


@dataclass(frozen=True)
class Hints:
    """Hints on one condition.

    Attributes:
        text: the condition.
        verb: the verb it was given to.
        required: whether it says what must hold, instead of what must not be.
        grouped: whether there are groups of topics.
    """

    text: str
    verb: str
    required: bool
    grouped: bool = False

    def example(self, term: str) -> str:
        """A condition on the term.

        >>> Hints("AP", "evaluate", required=True).example("AP")
        'AP >= 0.4'
        """
        return f"{term} {'>=' if self.required else '<'} 0.4"

    def without_operator(self, term: str, rest: str) -> str:
        """For a condition without an operator; a drop needs a baseline, and so `compare`."""
        words = rest.split() or [""]
        if words[0].lower() in DROPS:
            return self._drop(term, words[-1] if len(words) > 1 else "5%")
        return f"write it as '{term} {self._meant(rest)}'"

    def without_number(self, term: str, word: str, sign: str, rest: str) -> str:
        """For a condition whose number cannot be read."""
        if rest.startswith("=") and sign in "<>":  # written apart
            return f"write it as '{term} {sign}= {number_in(rest[1:].strip().partition(' ')[0])}'"
        wanted = rest.partition(" ")[0]
        if word == "delta" and wanted.endswith("%"):
            return self._drop(term[len("delta(") : -1], wanted.lstrip("-"))
        if word == "drop":
            return f"write it as '{term} {sign} 5%'"
        return f"write it as '{term} {sign} {number_in(wanted)}'"

    def after_number(self, before: str, rest: str) -> str:
        """For what follows a number and is no pattern of runs."""
        if re.match(r"in\s", rest) and not self.grouped:
            return f"'in' names a group of topics: {either('group them with by_group', 'add --by FILE')}"
        if joined := _JOINED.fullmatch(rest):
            return f"one condition at a time: '{before}', then '{joined['rest'].strip() or self.example('nDCG@10')}'"
        return f"write it as '{before} for RUN*'"

    def turned(self) -> str:
        """For a condition that begins with its number: `0.6 <= AP`."""
        found = re.fullmatch(r"\s*(\S+?)\s*(<=|>=|==|!=|<|>)\s*(\S+)\s*", self.text)
        said = f"{found[3]} {_MIRRORED[found[2]]} {found[1]}" if found else self.example("nDCG@10")
        return f"write it as '{said}'"

    def negated(self, term: str) -> str:
        """For `worse` where it must not be, or `not worse` where it must."""
        if self.required:
            return f"write it as 'not {term}', which is what must hold"
        forward = either(f"check('not {term}')", f"--require 'not {term}'")
        return f"write it as '{term}', or {forward}"

    def no_pairs(self, word: str) -> str:
        """For a term about a pair where there is no baseline."""
        ranges = ", ".join(f"{each}(M)" for each in RANGES)
        known = f"it has {ranges}, every measure, and {', '.join(COUNTS)}"
        return f"{verb('compare')} has a baseline; {verb('evaluate')} has no term {word!r}, {known}"

    def about_pairs(self, word: str, measure: str, rest: str) -> str:
        """For a term about a pair that was written without its measure, or in other words: `falls(AP) > 5%`."""
        measure = measure or "nDCG@10"
        if word.lower() in DROPS:
            return self._drop(measure, (rest.split() or ["5%"])[-1])
        said = f"{word}({measure}){f' {self._meant(rest)}' if word != 'worse' else ''}"
        return self._compared(f"write it as '{'not ' if word == 'worse' and self.required else ''}{said}'")

    def near_term(self, name: str, at: int) -> str | None:
        """For a word that is nearly one of ours: `worst(AP)`, `mising > 0`."""
        word, opened, _ = name.partition("(")
        near = nearest(word, (*PAIRS, *RANGES) if opened else COUNTS)
        if near is None:
            return None
        denied = "not " if near == "worse" and self.required else ""
        return f"write it as '{denied}{self.text[:at]}{near}{self.text[at + len(word) :]}'"

    def _drop(self, measure: str, amount: str) -> str:
        """A drop as a share of the baseline, or as a difference."""
        share = amount.endswith("%") or number_in(amount) == "0.4"
        percent = amount if amount.endswith("%") else "5%"
        drop = f"drop({measure}) {'<=' if self.required else '>'} {percent}"
        delta = f"delta({measure}) {'>=' if self.required else '<'} -{number_in(amount)}"
        worse = f"{'not ' if self.required else ''}worse({measure})"
        return self._compared(f"write it as '{drop if share else delta}' or '{worse}'")

    def _compared(self, told: str) -> str:
        return told if self.verb == "compare" else f"{told} in {verb('compare')}, which has a baseline"

    def _meant(self, rest: str) -> str:
        """The operator and number that the caller probably meant: `lower .4` is `< 0.4`."""
        word, _, after = rest.strip().partition(" ")
        sign = re.match(r"[<>=!≤≥≠]*", word)
        if sign and sign[0]:
            word, after = sign[0], word[len(sign[0]) :] or after
        said = rest.strip().lower()
        usual = ">=" if self.required else "<"
        usual = ">=" if said.startswith(_AT_LEAST) else "<=" if said.startswith(_AT_MOST) else usual
        spoken = next((sign for sign, words in _WORDS.items() if word.lower() in words), usual)
        return f"{_MEANT.get(word.lower(), spoken)} {number_in(after.split()[-1] if after.split() else '')}"


def number_in(text: str) -> str:
    """The number in a text as it should be written.

    >>> number_in(".4"), number_in("80%"), number_in("0,6")
    ('0.4', '0.8', '0.6')
    """
    plain = text.replace(",", ".")
    try:
        value = float(plain[:-1]) / 100 if plain.endswith("%") else float(plain)
    except ValueError:
        value = math.nan
    return f"{value:g}" if math.isfinite(value) else "0.4"
