"""The look of charts: sizes, fonts, and marks that differ without colour too.

Lengths are in points (1/72 inch); the renderer treats a pixel as a point.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.tables.charts import PageColumns, Width

CENTIMETRE = 72 / 2.54
WIDTHS: dict[PageColumns, float] = {"one": 8.5, "two": 17.5}  # centimetres of one and of two columns of a printed page
FONT = "Helvetica, Arial, Liberation Sans, sans-serif"
SIZE = 8  # of labels
OKABE_ITO = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
)  # yellow is too pale for lines
DASHES: tuple[Sequence[float], ...] = (
    [1, 0],
    [6, 2.5],
    [2, 2],
    [8, 2.5, 2, 2.5],
    [12, 3],
    [5, 2, 1, 2, 1, 2],
    [1, 1.5],
)
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
GREY, DARK = "#A6A6A6", "#4D4D4D"
MOST = len(OKABE_ITO)  # lines that can be told apart
_WIDTHS = {  # of letters of Helvetica, in sizes of the font, rounded up
    **dict.fromkeys("ijl|'", 0.23),
    **dict.fromkeys(" ,.:;!/()[]ftrI-", 0.34),
    **dict.fromkeys("mwMWGOQ%", 0.89),
    "@": 1.02,
}
_SMALL, _CAPITAL = 0.56, 0.73  # of other letters and digits
_SYMBOL = 36  # width of a symbol of a legend with the blanks around it
_AXIS = 34  # width of the vertical axis, right of which a legend begins


@dataclass(frozen=True)
class Look:
    """The marks of one label: a colour, a dash and a shape, each of which identifies it."""

    label: str
    color: str
    dash: Sequence[float]
    shape: str
    width: float = 1.6


def looks(names: Sequence[str], others: str = "", ideal: bool = False) -> list[Look]:
    """A look for each name; all others share one, also where the only other is named, and the ideal has its own.

    >>> [look.label for look in looks(["a", "b"], others="3 others", ideal=True)]
    ['a', 'b', '3 others', 'ideal']
    """
    marks = zip(names, OKABE_ITO, DASHES, SHAPES, strict=False)
    found = [Look(name, color, dash, shape) for name, color, dash, shape in marks]
    found += [Look(others, GREY, [1, 0], "circle", 0.7)] if others else []
    return [*found, *([Look("ideal", DARK, [1, 3], "stroke", 1.8)] if ideal else [])]


def centimetres(width: Width) -> float:
    """The width of a chart in centimetres.

    >>> centimetres("one"), centimetres(12)
    (8.5, 12.0)
    """
    if isinstance(width, str) and width in WIDTHS:
        return WIDTHS[width]
    if isinstance(width, str) or not 4 <= width <= 100:
        raise PolicyError(
            "E213", f"{setting('width', width)} is unknown", hint="'one' column, 'two' columns, or 4 to 100 (cm)"
        )
    return float(width)


def legend_columns(labels: Sequence[str], points: float) -> int:
    """How many columns of a legend fit side by side, each as wide as its longest label.

    >>> legend_columns(["bm25", "dense"], 241), legend_columns(["a very long name of a run, indeed"] * 2, 241)
    (2, 1)
    >>> legend_columns(["nine"] * 4, 241), legend_columns(["nDCG"] * 4, 241)  # capitals are wide
    (4, 3)
    """
    for columns in range(len(labels), 1, -1):
        widths = [max(map(_wide, labels[at::columns])) + _SYMBOL for at in range(columns)]
        if sum(widths) <= points - _AXIS:
            return columns
    return 1


def _wide(label: str) -> float:
    """About how wide a label is printed."""
    return SIZE * sum(_WIDTHS.get(letter, _CAPITAL if letter.isupper() else _SMALL) for letter in label)


def legend_limit(columns: int, points: float) -> float:
    """The longest label that fits into a legend with so many columns; longer labels end in an ellipsis."""
    return points - 2 * _SYMBOL if columns == 1 else points


def config() -> dict[str, Any]:
    """Fonts, lines and colours of every chart, as Vega-Lite's configuration."""
    text = {"labelFont": FONT, "titleFont": FONT, "labelFontSize": SIZE, "titleFontSize": SIZE + 0.5}
    return {
        "font": FONT,
        "background": "white",
        "padding": {"left": 4, "top": 4, "right": 6, "bottom": 6},
        "view": {"stroke": None},
        "axis": text
        | {
            "titleFontWeight": "normal",
            "titlePadding": 4,
            "grid": True,
            "gridColor": "#E6E6E6",
            "gridWidth": 0.6,
            "domainColor": DARK,
            "tickColor": DARK,
            "tickSize": 3,
            "labelColor": "black",
            "labelFlush": False,
        },
        "legend": text | {"rowPadding": 1, "columnPadding": 9, "offset": 4, "padding": 0, "symbolOpacity": 1},
        "title": {"font": FONT, "fontSize": SIZE + 1, "fontWeight": "bold", "anchor": "start", "offset": 5},
        "text": {"font": FONT, "fontSize": SIZE - 1},
        "line": {"strokeJoin": "round"},
    }
