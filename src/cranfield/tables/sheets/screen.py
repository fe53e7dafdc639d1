"""Where a table is shown: a terminal of so many columns, or paper, which has room for all of it."""

import re
import sys
from typing import NamedTuple, TextIO

from cranfield.tables.sheets.escape import width

_FEWEST = 40  # columns; terminals that say they have fewer are not believed
_STYLE = r"\x1b\[[0-9;]*m"
_TERM = r" *\S+(?: \S+)*(?<!\.)  +(?=\S)"  # a word or two, and the gap before what is said about it
_COMMAND = r" (?=next: cranfield )| +(?=cranfield )"  # lines that are meant to be copied
_PIECE = r"""(?:[^\s'"]|'[^']*'|"[^"]*")+|['"]"""  # of a command: what is quoted stays together


class Screen(NamedTuple):
    """How many columns of characters there are, if that is limited, and whether letters can be bold."""

    columns: int | None = None
    bold: bool = False

    @classmethod
    def of_output(cls, bold: bool = False) -> "Screen":
        """The terminal that standard output is; paper, if it is a file or a pipe."""
        return cls.of(sys.stdout, bold)

    @classmethod
    def of(cls, stream: TextIO | None, bold: bool = False) -> "Screen":
        """The terminal that a stream is; paper, if it is a file or a pipe."""
        if stream is None or not stream.isatty():
            return PAPER
        import shutil

        return cls(max(shutil.get_terminal_size().columns, _FEWEST), bold)

    def wrapped(self, text: str) -> str:
        """A text in lines that there is room for, broken between words.

        The next line of a sentence is indented by two blanks more, or as far as what stands behind a gap; a word that
        is wider than the screen is broken, too. Commands go on behind a backslash, so that they can be copied, and
        their words stay whole.

        >>> print(Screen(40).wrapped(" green   all is well in this file, as far as can be said"))
         green   all is well in this file, as
                 far as can be said
        >>> print(Screen(40).wrapped(" next: cranfield holes qrels.txt runs/*.run --next 20"))
         next: cranfield holes qrels.txt \\
           runs/*.run --next 20
        """
        if self.columns is None:
            return text
        return "\n".join(line for each in text.split("\n") for line in _lines(each, self.columns))


PAPER = Screen()


def _lines(text: str, columns: int) -> list[str]:
    if _columns(text) <= columns:
        return [text]
    indent = " " * (len(text) - len(text.lstrip(" ")))
    if re.match(_COMMAND, text):
        command, _, comment = text.partition(" # ")
        lines = _filled(re.findall(_PIECE, command), indent, f"{indent}  ", columns - 2)
        said = _filled(comment.split(), f"{indent}  # ", f"{indent}  # ", columns) if comment else []
        return [*(f"{line} \\" for line in lines[:-1]), lines[-1], *said]
    term = re.match(_TERM, re.sub(_STYLE, "", text))
    if term is None or term.end() > columns // 2:
        return _filled(_broken(_words(text), columns - len(indent) - 2), indent, f"{indent}  ", columns)
    head, rest = _split(text, term.end())
    return _filled(_broken(_words(rest), columns - term.end()), head, " " * term.end(), columns)


def _words(text: str) -> list[str]:
    """What a line can be broken between; a number keeps its percent sign."""
    return [word for word in re.split(r" +(?!%)", text) if word]


def _broken(words: list[str], room: int) -> list[str]:
    """The words, those that are too wide in pieces."""
    pieces = []
    for word in words:
        rest = word
        while _columns(rest) > room:
            head, rest = _split(rest, room)
            pieces.append(head)
        pieces.append(rest)
    return pieces


def _filled(words: list[str], first: str, others: str, columns: int) -> list[str]:
    """The words in as few lines as possible, behind what stands before the first and before all others."""
    lines, line, empty = [], first, True
    for word in words:
        longer = f"{line}{word}" if empty else f"{line} {word}"
        if not empty and _columns(longer) > columns:
            lines.append(line)
            longer = f"{others}{word}"
        line, empty = longer, False
    return [*lines, line]


def _split(text: str, column: int) -> tuple[str, str]:
    """A text before and from a column on; what switches colours takes no room."""
    place = seen = 0
    while seen < column:
        style = re.compile(_STYLE).match(text, place)
        end = style.end() if style else place + 1
        seen += _columns(text[place:end])
        if seen > column:
            break
        place = end
    return text[:place], text[place:]


def _columns(text: str) -> int:
    return width(re.sub(_STYLE, "", text))
