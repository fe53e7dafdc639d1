"""The path of a decision as a static picture: the possible range after each judgment, and 0."""

from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.missing.next.deciding.state import likely_words
from cranfield.missing.next.deciding.steps import DecisionStep
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.words import counted

WIDTH, HEIGHT = 640.0, 236.0
NARROW = 320.0  # for a phone, where the labels of the wide one could not be read
LEFT, RIGHT, TOP, BOTTOM = 64.0, 8.0, 8.0, 104.0  # of the ranges; below them stands the probability
CHANCE = (156.0, 204.0)  # where it is 1, and where 0
MOST = 160  # bars that are drawn


@dataclass(frozen=True)
class RangeBar:
    """One bar of the picture, in its units: the range that was possible after some judgments."""

    x: float
    y: float
    width: float
    height: float
    judged: int


@dataclass(frozen=True)
class AxisMark:
    """A label at an axis."""

    at: float
    text: str


@dataclass(frozen=True)
class RangePicture:
    """A picture of a path: pale bars for ranges, a line at 0, P(A > B) below, labels, and the same in words."""

    bars: tuple[RangeBar, ...]
    zero: float
    rows: tuple[AxisMark, ...]
    columns: tuple[AxisMark, ...]
    chance: str  # the points of P(A > B)
    alternative: str
    width: float = WIDTH
    height: float = HEIGHT


def range_picture(a: str, b: str, path: Sequence[DecisionStep], width: float = WIDTH) -> RangePicture:
    """The picture of the path of one pair of runs, as wide as asked for.

    >>> first, last = (DecisionStep(None, None, None, low, 0.2, 0.9) for low in (-0.2, 0.1))
    >>> made = range_picture("new", "old", [first, last])
    >>> [(round(bar.y), round(bar.height)) for bar in made.bars], round(made.zero)
    ([(8, 124), (8, 31)], 70)
    >>> made.alternative.partition(" before ")[0]
    'Possible difference new – old: from −0.2000 … +0.2000'
    """
    top = max(*(step.high for step in path), 0.0)
    low = min(*(step.low for step in path), 0.0)
    span = (top - low) or 1.0
    inner = HEIGHT - TOP - BOTTOM

    def height(value: float) -> float:
        return TOP + (top - value) / span * inner

    chosen = _some(len(path), int(MOST * width / WIDTH))
    step = (width - LEFT - RIGHT) / len(chosen)
    bars = tuple(
        RangeBar(
            x=LEFT + place * step + step * 0.15,
            y=height(path[judged].high),
            width=step * 0.7,
            height=max(height(path[judged].low) - height(path[judged].high), 1.5),
            judged=judged,
        )
        for place, judged in enumerate(chosen)
    )
    rows = tuple(
        AxisMark(height(value), in_print(value, "+.3f") if value else "0") for value in sorted({top, 0.0, low})
    )
    ends = {0: chosen[0], len(chosen) - 1: chosen[-1]}
    columns = tuple(AxisMark(LEFT + (place + 0.5) * step, f"{judged:,}") for place, judged in ends.items())
    first, last = (f"{in_print(one.low, '+.4f')} … {in_print(one.high, '+.4f')}" for one in (path[0], path[-1]))
    after = counted(len(path) - 1, "judgment")
    words = f"Possible difference {a} – {b}: from {first} before the first judgment to {last} after {after}."
    one, none = CHANCE
    likely = " ".join(
        f"{LEFT + (place + 0.5) * step:.1f},{none - path[judged].probability * (none - one):.1f}"
        for place, judged in enumerate(chosen)
    )
    chance = likely_words(path[-1].probability, settled=path[-1].settled)
    words = f"{words} P({a} > {b}) is {chance}."
    return RangePicture(
        bars=bars, zero=height(0.0), rows=rows, columns=columns, chance=likely, alternative=words, width=width
    )


def _some(number: int, most: int) -> list[int]:
    """Steps at even distances, the first and the last among them."""
    if number <= most:
        return list(range(number))
    return sorted({round(place * (number - 1) / (most - 1)) for place in range(most)})
