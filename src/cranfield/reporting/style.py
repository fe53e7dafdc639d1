"""The look of charts: sizes, fonts, and marks that differ without colour too.

Lengths are in points (1/72 inch); the renderer treats a pixel as a point.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from cranfield.errors import PolicyError
from cranfield.errors.ranges import out_of_range
from cranfield.errors.wording import setting
from cranfield.tables.charts import PageColumns, Width

CENTIMETRE = 72 / 2.54
WIDTHS: dict[PageColumns, float] = {"one": 8.5, "two": 17.5}  # centimetres of one and of two columns of a printed page
FONT = "Helvetica, Arial, Liberation Sans, sans-serif"
SIZE = 8  # of labels
PALETTE: Final[dict[str, tuple[str, str]]] = {  # name -> on a light ground, on a dark one; no two are equal
    "paper": ("#ffffff", "#16181a"),
    "ink": ("#1d1f21", "#e8e6e1"),
    "quiet": ("#5b5f63", "#a7a49c"),
    "line": ("#e3e0d8", "#34383c"),
    "edge": ("#8a8577", "#767c82"),
    "other": ("#a6a6a6", "#6d7276"),
    "accent": ("#0b5c8a", "#7cc0ea"),
    "possible": ("#c8dce8", "#24455a"),
    "system-1": ("#0072b2", "#4ba6dc"),
    "system-2": ("#d55e00", "#f08a3c"),
    "system-3": ("#009e73", "#33c49b"),
    "system-4": ("#cc79a7", "#e0a0c4"),
    "system-5": ("#e69f00", "#f2b93b"),
    "system-6": ("#56b4e9", "#8accf2"),
    "system-7": ("#000000", "#ffffff"),
    "grade-0": ("#eef3f1", "#23302c"),
    "grade-1": ("#b9dcd0", "#2f5a4d"),
    "grade-2": ("#5fae99", "#3f8f78"),
    "grade-3": ("#1f7a63", "#6cc3a8"),
    "grade-4": ("#0c4a3b", "#b6ead8"),
    "share-0": ("#f4f7fa", "#1f262b"),
    "share-1": ("#d3e2ee", "#22394a"),
    "share-2": ("#a3c5df", "#27536f"),
    "share-3": ("#6aa3cb", "#2f7099"),
    "share-4": ("#24699a", "#5aa5d3"),
    "worse-3": ("#b8500c", "#e8853f"),
    "worse-2": ("#e69b66", "#a85f2c"),
    "worse-1": ("#f5d3b8", "#5e3d27"),
    "even": ("#f2f2f0", "#26292c"),
    "better-1": ("#c0d9ec", "#28455a"),
    "better-2": ("#76aed6", "#2f78a8"),
    "better-3": ("#1a6aa3", "#5cb0e6"),
}
PAPER, INK, QUIET, LINE, EDGE, GREY, ACCENT, POSSIBLE = (
    PALETTE[name][0] for name in ("paper", "ink", "quiet", "line", "edge", "other", "accent", "possible")
)


def _scale(*names: str) -> tuple[str, ...]:
    return tuple(PALETTE[name][0] for name in names)


OKABE_ITO = _scale(*(f"system-{n}" for n in range(1, 8)))  # yellow is too pale for lines
GRADES = _scale(*(f"grade-{n}" for n in range(5)))  # one hue from pale to deep
SHARES = _scale(*(f"share-{n}" for n in range(5)))
DIFFERENCES = _scale("worse-3", "worse-2", "worse-1", "even", "better-1", "better-2", "better-3")
WORSE, BETTER = DIFFERENCES[0], DIFFERENCES[-1]
UNJUDGED_DASH: Sequence[float] = [2, 1.5]  # the edge of what is not judged, which is hollow
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
MOST = len(OKABE_ITO)  # lines that can be told apart


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
    return [*found, *([Look("ideal", QUIET, [1, 3], "stroke", 1.8)] if ideal else [])]


def centimetres(width: Width) -> float:
    """The width of a chart in centimetres.

    >>> centimetres("one"), centimetres(12)
    (8.5, 12.0)
    """
    if isinstance(width, str) and width in WIDTHS:
        return WIDTHS[width]
    rule = "'one' column, 'two' columns, or 4 to 100 (cm)"
    if isinstance(width, str):
        raise PolicyError("E213", f"{setting('width', width)} is unknown", hint=rule)
    if not 4 <= width <= 100:
        raise out_of_range("width", width, rule)
    return float(width)


def config() -> dict[str, Any]:
    """Fonts, lines and colours of every chart, as Vega-Lite's configuration."""
    text: dict[str, Any] = {"labelFont": FONT, "titleFont": FONT, "labelFontSize": SIZE, "titleFontSize": SIZE + 0.5}
    text |= {"labelColor": INK, "titleColor": INK}
    return {
        "font": FONT,
        "background": PAPER,
        "padding": {"left": 4, "top": 4, "right": 6, "bottom": 6},
        "view": {"stroke": None},
        "axis": text
        | {
            "titleFontWeight": "normal",
            "titlePadding": 4,
            "grid": True,
            "gridColor": LINE,
            "gridWidth": 0.6,
            "domainColor": EDGE,
            "tickColor": EDGE,
            "tickSize": 3,
            "labelFlush": False,
        },
        "legend": text
        | {"rowPadding": 1, "columnPadding": 9, "offset": 4, "padding": 0, "symbolOpacity": 1}
        | {"gradientLength": 110, "gradientThickness": 7, "gradientStrokeColor": LINE},
        "title": {
            "font": FONT,
            "fontSize": SIZE + 1,
            "fontWeight": "bold",
            "anchor": "start",
            "offset": 5,
            "color": INK,
        },
        "text": {"font": FONT, "fontSize": SIZE - 1, "color": INK},
        "line": {"strokeJoin": "round"},
    }
