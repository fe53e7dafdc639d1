r"""Formulas as a terminal shows them: LaTeX in Unicode, as far as there are characters for it.

>>> in_unicode(r"\mathrm{AP} = \frac{1}{R} \sum_{i=1}^{n} \frac{i}{r_i}")
'AP = 1/R Σᵢ₌₁ⁿ i/rᵢ'
"""

import re

_WIDE = "\x00"  # a wide gap, while narrow ones are made one blank
_WORDS = {
    **{name: name for name in ("log", "ln", "exp", "min", "max")},
    "sum": "Σ",
    "prod": "∏",
    "le": "≤",
    "ge": "≥",
    "in": "∈",
    "cap": "∩",
    "cdot": "·",
    "mid": "|",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "epsilon": "ε",
    "rho": "ρ",
    "pi": "π",
    "dagger": "†",
    "sharp": "♯",
    "lfloor": "⌊",
    "rfloor": "⌋",
    "lceil": "⌈",
    "rceil": "⌉",
    "{": "{",
    "}": "}",
    "left": "",
    "right": "",
    "Big": "",
    ",": " ",
    ";": " ",
    " ": " ",
    "quad": _WIDE,
    "qquad": _WIDE,
}
_FRACTIONS = ("frac", "tfrac")
_TOKEN = re.compile(r"\\([A-Za-z]+|.)|(\s+)|(.)", re.DOTALL)
_BELOW = dict(zip("0123456789+-=()aehijklmnoprstuvxβγρ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨ", strict=True))
_ABOVE = dict(
    zip("0123456789+-=()abcdefghijklmnoprstuvwxyz*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ*", strict=True)
)
_SIGNS = {"-": "−", "'": "′"}
_PRODUCT = re.compile(r"[a-z][A-Z]")  # of two variables
_CALL = re.compile(r"[^\s()]*\([^()]*(\([^()]*\)[^()]*)*\)|\|[^|]*\|")  # a function of something, the size of a set
_TOGETHER = re.compile(r"[^\s+\-−/=<>≤≥]+")


def in_unicode(formula: str) -> str:
    r"""The formula in Unicode; what has no raised or lowered character stands in parentheses.

    >>> in_unicode(r"\sum_{i \le k} p^{\,i - 1}"), in_unicode(r"\mathrm{DCG}_{ideal}"), in_unicode(r"\hat R")
    ('Σ_(i ≤ k) pⁱ⁻¹', 'DCG_ideal', 'R̂')
    >>> in_unicode(r"\frac{(\beta^2 + 1) P R}{\beta^2 P + R}")
    '((β² + 1) P R)/(β² P + R)'
    """
    read = re.sub(r" *\x00 *", _WIDE, _FormulaReader(formula).sequence())
    read = re.sub(r"(?<=[(⌈⌊]) | (?=[)⌉⌋])", "", re.sub(r" +", " ", read))
    return read.replace(_WIDE, "   ").strip()


class _FormulaReader:
    """Reads a formula from left to right."""

    def __init__(self, formula: str) -> None:
        self.tokens = [(found[1] or "", found[2] or "", found[3] or "") for found in _TOKEN.finditer(formula)]
        self.at = 0

    def sequence(self, end: str = "") -> str:
        """Everything to the end, or to a closing brace."""
        parts: list[str] = []
        while self.at < len(self.tokens):
            _, blank, sign = self.tokens[self.at]
            if end and sign == end:
                self.at += 1
                break
            if sign in ("^", "_"):
                self.at += 1
                parts.append(_shifted(self.operand(), sign))
            elif blank:
                self.at += 1
                parts.append(" ")
            else:
                parts.append(self.operand())
        return "".join(parts)

    def operand(self) -> str:
        """One symbol, one group in braces, or one command with its groups."""
        while self.at < len(self.tokens) and self.tokens[self.at][1]:
            self.at += 1
        command, _, sign = self.tokens[self.at]
        self.at += 1
        if sign == "{":
            return self.sequence("}")
        if not command:
            return _SIGNS.get(sign, sign)
        if command in _FRACTIONS:
            return f"{_one(self.operand())}/{_one(self.operand())}"
        if command in ("mathrm", "text"):
            return self.text() if command == "text" else self.operand()
        if command == "sqrt":
            return f"√{_one(self.operand())}"
        if command == "hat":
            return f"{self.operand()}\u0302"
        if command == "binom":
            return f"C({self.operand()}, {self.operand()})"
        return _WORDS.get(command, f"\\{command}")

    def text(self) -> str:
        """The words in the braces that follow, blanks included."""
        self.at += 1
        words = []
        while self.tokens[self.at][2] != "}":
            words.append("".join(self.tokens[self.at]))
            self.at += 1
        self.at += 1
        return "".join(words)


def _one(text: str) -> str:
    """The text in parentheses, unless it cannot be torn apart.

    >>> _one("r + 1"), _one("min(k, R)"), _one("nR"), _one("DCG_ideal"), _one("(a) b (c)")
    ('(r + 1)', 'min(k, R)', '(nR)', 'DCG_ideal', '((a) b (c))')
    """
    inside = text.strip()
    whole = _TOGETHER.fullmatch(inside) and not _PRODUCT.fullmatch(inside)
    return inside if whole or _CALL.fullmatch(inside) else f"({inside})"


def _shifted(text: str, sign: str) -> str:
    """The text raised or lowered."""
    inside = text.strip()
    tight, known = inside.replace(" ", "").replace("−", "-"), _ABOVE if sign == "^" else _BELOW
    if all(letter in known for letter in tight):
        return "".join(known[letter] for letter in tight)
    if sign == "^" and inside in ("†", "′"):
        return inside
    return f"{sign}{inside}" if inside.isalnum() else f"{sign}({inside})"
