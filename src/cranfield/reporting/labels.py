"""Names in charts: how much room a text takes in whichever font is present, and names that are cut to fit.

A picture is laid out before it is known which font will draw it. So a text gets the room that it takes in the widest
of the usual fonts, DejaVu Sans, which stands in for Helvetica on systems that have neither it nor a twin of it.
"""

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

from cranfield.errors import printable
from cranfield.reporting.style import SIZE

LEGEND = 165.0  # points of a label in a legend of one column
_WIDTHS = {  # of letters, in sizes of the font
    **dict.fromkeys("ijlIJ'", 0.3),
    **dict.fromkeys(" ,.·:;/\\|f", 0.35),
    **dict.fromkeys("-()[]t!r", 0.41),
    **dict.fromkeys('*_–"sz?cLkFvxy', 0.59),
    **dict.fromkeys("wHNDGOQ&#+<=>^~−", 0.84),
    **dict.fromkeys("mMW%@…—", 1.0),
}
_SMALL, _CAPITAL, _WIDE = 0.64, 0.74, 1.05  # of other letters and digits; of those of East Asia
_BOLD = 1.13


def text_width(text: str, size: float = SIZE, bold: bool = False) -> float:
    """How many points a text takes, at most.

    >>> text_width("bm25") > 4 * 4.4, text_width("文") > text_width("x"), text_width("x", bold=True) > text_width("x")
    (True, True, True)
    """
    return size * (_BOLD if bold else 1.0) * sum(map(_letter, text))


def _letter(letter: str) -> float:
    if (known := _WIDTHS.get(letter)) is not None:
        return known
    if letter.isascii():
        return _CAPITAL if letter.isupper() else _SMALL
    if combining(letter):
        return 0.0
    return _WIDE if east_asian_width(letter) in "WF" else _CAPITAL


def widest(texts: Sequence[str], size: float = SIZE) -> float:
    """The points that the widest of some texts takes; 0 if there are none."""
    return max((text_width(text, size) for text in texts), default=0.0)


def shortened(text: str, room: float, size: float = SIZE, bold: bool = False) -> str:
    """A text that fits into so many points: a longer one loses its middle.

    >>> shortened("FBIS3-10082", 80), shortened("clueweb09-en0000-00-00142", 80)
    ('FBIS3-10082', 'clueweb…0-00142')
    """
    if text_width(text, size, bold) <= room:
        return text
    left = room - text_width("…", size, bold)
    head = tail = 0
    while head + tail < len(text):
        at = head if head < tail else len(text) - 1 - tail  # the end first: names that are alike differ there
        left -= text_width(text[at], size, bold)
        if left < 0 and head + tail >= 2:
            break
        head, tail = (head + 1, tail) if head < tail else (head, tail + 1)
    return f"{text[:head]}…{text[len(text) - tail :]}"


def labelled(names: Sequence[str], room: float = LEGEND, size: float = SIZE, bold: bool = False) -> dict[str, str]:
    """Name -> label: a name that is too long for the room loses its middle, and no two labels are equal.

    >>> list(labelled(["bm25", "x" * 50 + "1", "x" * 50 + "2"], room=60).values())
    ['bm25', 'xxxxx…xxxx1', 'xxxxx…xxxx2']
    >>> list(labelled(["a" * 30 + n + "b" * 30 for n in "12"], room=60).values())
    ['aaaaa…bbbbb', 'aaa…bbbb (2)']
    """
    found: dict[str, str] = {}
    for name in names:
        shown = printable(name)
        short = shortened(shown, room, size, bold)
        if short in found.values():
            number = f" ({len(found) + 1})"
            short = f"{shortened(shown, room - text_width(number, size, bold), size, bold)}{number}"
        found[name] = short
    return found
