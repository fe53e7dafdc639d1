r"""Escape names of runs and topics for each output form.

The name `50% & x_1` survives all of them:

>>> latex("50% & x_1"), code_span("50% & x_1"), spreadsheet("=50% & x_1")
('50\\% \\& x\\_1', '`50% & x_1`', "'=50% & x_1")
"""

import re
import unicodedata

from cranfield.errors import printable

_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "[": "{[}",  # after a line break it would open an optional argument
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "–": "--",
    "−": "$-$",
    "…": r"\dots{}",
    "·": r"\textperiodcentered{}",
    "×": r"$\times$",
    "Δ": r"$\Delta$",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "π": r"$\pi$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "∈": r"$\in$",
}
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # what a spreadsheet takes for a formula
_MARKDOWN = r"([\\|*_\[\]<>`~#])"


def visible(text: str) -> str:
    r"""Control and bidirectional-override characters shown as escapes, so that a cell stays on its line.

    >>> visible("a\nb")
    'a\\nb'
    """
    return text if text.isprintable() else printable(text)


def latex(text: str) -> str:
    r"""The text with every special character of TeX replaced by a command that prints it.

    >>> latex("{a}~b^2")
    '\\{a\\}\\textasciitilde{}b\\textasciicircum{}2'
    """
    return "".join(_LATEX.get(character, character) for character in visible(text))


def markdown(text: str) -> str:
    r"""The text as a cell of a GitHub table, without any markup of its own.

    >>> markdown("a|b *c*")
    'a\\|b \\*c\\*'
    """
    return re.sub(_MARKDOWN, r"\\\1", visible(_one_line(text)))


def code_span(text: str) -> str:
    r"""A name as a code span of a GitHub table: `@team` and `#12` in it make no links.

    >>> code_span("a|b"), code_span("`tick`"), code_span("")
    ('`a\\|b`', '`` `tick` ``', '')
    """
    shown = visible(_one_line(text)).replace("|", r"\|")
    if not shown:
        return ""
    fence = "`" * (1 + max((len(ticks) for ticks in re.findall("`+", shown)), default=0))
    blank = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{blank}{shown}{blank}{fence}"


def spreadsheet(text: str) -> str:
    """The text with an apostrophe in front if a spreadsheet would run it as a formula.

    >>> spreadsheet("bm25"), spreadsheet("@SUM(1)")
    ('bm25', "'@SUM(1)")
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def width(text: str) -> int:
    """Columns the text takes on a terminal: wide characters two, combining marks none.

    >>> width("bm25"), width("検索"), width("e\u0301")
    (4, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _one_line(text: str) -> str:
    return " ".join(re.split(r"\r\n|[\r\n\v\f\x85\u2028\u2029]", text))
