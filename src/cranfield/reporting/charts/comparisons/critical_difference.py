"""The critical-difference diagram: systems on an axis of mean ranks or means; bars join those that do not differ."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import PolicyError, printable
from cranfield.errors.extras import need
from cranfield.reporting.drawing import sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.labels import labelled, widest
from cranfield.reporting.style import CENTIMETRE, INK, QUIET, SIZE, centimetres
from cranfield.stats.comparison.sheets.letters import listed
from cranfield.stats.several.all_pairs import PostHoc
from cranfield.tables.charts import Width
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    import altair as alt


_SHARE, _BESIDE = 0.36, 8.0  # of the width, which names at one side may take; points between them and the axis
_TITLE, _RULER, _TICKS, _AXIS = 4.0, 20.0, 33.0, 42.0  # from the top, in points
_BAR, _ROW = 5.0, 11.0  # from bar to bar and from label to label
_SAID = 7  # runs named in the description


def critical_difference(
    result: PostHoc, runs: Sequence[str], *, measure: str = "", width: Width = "one", title: str = ""
) -> Figure:
    """Draw the critical-difference diagram (Demšar 2006): the best run at the right, bars over runs that do not differ.

    Ranks are counted from the best, 1, as is usual in such diagrams.

    Args:
        result: all pairs, compared by a procedure such as `nemenyi` or `tukey`.
        runs: the names, in the order of the scores that were compared.
        measure: its name, for the title of the axis.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.

    >>> from cranfield.stats.several.friedman import nemenyi
    >>> result = nemenyi([[0.1, 0.4, 0.2], [0.2, 0.5, 0.1], [0.3, 0.6, 0.5]])
    >>> critical_difference(result, ["a", "b", "c"]).description  # sums of ranks from the best: 8, 7, 3
    'Mean rank (1 = best) over 3 topics: c 1.000, b 2.333, a 2.667. Critical difference 1.914 (Nemenyi, alpha 0.05).
    Not told apart: c, b, a.'
    """
    if len(runs) != len(result.centre):
        raise PolicyError("E243", f"{counted(len(runs), 'name')} for {counted(len(result.centre), 'run')}")
    names = [printable(run) for run in runs]
    return framed(
        _diagram(result, names, measure, centimetres(width) * CENTIMETRE),
        _sheet(result, runs),
        said="Critical-difference diagram",
        described=_described(result, names, measure),
        width=width,
        title=title,
    )


def letters(result: PostHoc) -> list[str]:
    """For each run the letters of its groups, from the best: runs that share a letter do not differ significantly.

    >>> from cranfield.stats.several.tukey import tukey
    >>> letters(tukey([[0.1, 0.2, 0.3], [0.5, 0.6, 0.71], [0.5, 0.62, 0.7]]))
    ['b', 'a', 'a']
    """
    groups = [set(group.tolist()) for group in reversed(result.groups)]
    return [
        listed([place for place, group in enumerate(groups) if run in group], len(groups))
        for run in range(len(result.centre))
    ]


def _places(result: PostHoc) -> tuple[Floats, float, str]:
    """The place of each run on the axis, the critical difference, and the title of the axis."""
    if result.scale == "mean":
        return -result.centre if result.negated else result.centre, result.critical, "mean"
    share = result.n if result.scale == "rank sum" else 1
    return len(result.centre) + 1 - result.centre / share, result.critical / share, "mean rank (1 = best)"


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers, about five, that span all values.

    >>> _ticks(1.3, 3.7)
    [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]
    """
    rough = max(high - low, 1e-3) / 5
    unit = 10.0 ** np.floor(np.log10(rough))
    step = float(unit * min(m for m in (1, 2, 5, 10) if m * unit >= rough * 0.999))
    first, last = np.floor(low / step + 1e-9), np.ceil(high / step - 1e-9)
    return [round(float(n * step), 10) for n in np.arange(first, max(last, first + 1) + 1)]


def _bars(result: PostHoc, along: Floats, gap: float) -> list[tuple[int, int, int]]:
    """The ends of the bar of each group of two runs or more, and its line; bars on a line are a `gap` apart."""
    bars: list[tuple[int, int, int]] = []
    reached: list[float] = []  # where each line ends
    for first, *_, last in (group.tolist() for group in result.groups if len(group) > 1):
        line = next((n for n, end in enumerate(reached) if along[first] > end + gap), len(reached))
        reached[line : line + 1] = [float(along[last])]
        bars.append((first, last, line))
    return bars


def _diagram(result: PostHoc, names: Sequence[str], measure: str, points: float) -> Any:
    """Draw every line and text at its place, in points from the top and units of the axis."""
    need("altair", "a chart")
    import altair as alt

    at, critical, what = _places(result)
    ticks = _ticks(float(at.min()), max(float(at.max()), float(at.min()) + critical))
    low, high = ticks[0], ticks[-1]
    order = np.argsort(result.centre, kind="stable").tolist()
    half = -(-len(order) // 2)
    labels = labelled(names, _SHARE * points - _BESIDE)
    rooms = [widest([labels[names[run]] for run in part]) + _BESIDE for part in (order[:half], order[half:])]
    point = (high - low) / (points - sum(rooms))  # in units of the axis
    rising = result.scale == "mean" and not result.negated
    left, right, side = (low, high, 1) if rising else (high, low, -1)  # the best at the right
    bars = _bars(result, at * side, 9 * point)
    rows = _AXIS + _BAR * (2 + max((line for *_, line in bars), default=-1)) + _ROW / 2
    thin: list[dict[str, float | str]] = [_line(left, _AXIS, right, _AXIS)]
    thin += [_line(tick, _AXIS - 4, tick, _AXIS) for tick in ticks]
    thin += [_line(left, _RULER, left + side * critical, _RULER)]
    thin += [_line(end, _RULER - 3, end, _RULER + 3) for end in (left, left + side * critical)]
    middle: list[dict[str, float | str]] = [{"x": tick, "y": _TICKS, "text": f"{tick:g}"} for tick in ticks]
    middle.append({"x": (low + high) / 2, "y": _TITLE, "text": f"{what} of {printable(measure)}" if measure else what})
    ruler: list[dict[str, float | str]] = [
        {"x": left + side * (critical + 4 * point), "y": _RULER, "text": f"CD = {critical:.4g}"}
    ]
    worse: list[dict[str, float | str]] = []
    better: list[dict[str, float | str]] = []
    for group, edge, side_texts in ((order[:half], left, worse), (order[half:][::-1], right, better)):
        out = -side if edge == left else side
        for row, run in enumerate(group):
            y, x = rows + row * _ROW, float(at[run])
            thin += [_line(x, _AXIS, x, y), _line(x, y, edge + out * 3 * point, y)]
            side_texts.append({"x": edge + out * 5 * point, "y": y, "text": labels[names[run]]})
    thick = [
        _line(at[a] - side * 2 * point, y, at[b] + side * 2 * point, y)
        for a, b, y in ((a, b, _AXIS + _BAR * (line + 1)) for a, b, line in bars)
    ]

    ends = sorted([left - side * rooms[0] * point, right + side * rooms[1] * point])
    across = alt.Scale(domain=ends, reverse=side < 0, nice=False, zero=False)
    texts = {"type": "text", "baseline": "middle"}
    layers: list[tuple[list[dict[str, float | str]], dict[str, Any]]] = [
        (thin, {"type": "rule", "color": QUIET, "strokeWidth": 0.7}),
        (thick, {"type": "rule", "color": INK, "strokeWidth": 3}),
        (middle, texts | {"align": "center"}),
        (ruler, texts | {"align": "left"}),
        (worse, texts | {"align": "right", "fontSize": SIZE}),
        (better, texts | {"align": "left", "fontSize": SIZE}),
    ]
    return _marks(layers, across, points, rows + half * _ROW)


def _marks(
    layers: Sequence[tuple[Sequence[dict[str, float | str]], Mapping[str, Any]]],
    across: "alt.Scale",
    wide: float,
    tall: float,
) -> Any:
    """Lines and texts at their places, without any axis of Altair's."""
    import altair as alt

    x = alt.X("x:Q", scale=across, axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[tall, 0], nice=False), axis=None)
    views = []
    for rows, mark in layers:
        view = alt.Chart(alt.InlineData(values=list(rows)), mark=alt.MarkDef(**mark)).encode(x=x, y=y)
        views += [view.encode(x2="x2", y2="y2") if mark["type"] == "rule" else view.encode(text="text:N")] * bool(rows)
    return sized(alt.layer(*views), wide, tall + 10)


def _line(x: float, y: float, x2: float, y2: float) -> dict[str, float | str]:
    return {"x": float(x), "y": float(y), "x2": float(x2), "y2": float(y2)}


def _described(result: PostHoc, names: Sequence[str], measure: str) -> str:
    """The chart described in words, the best run first."""
    at, critical, what = _places(result)
    best_first = np.argsort(-result.centre, kind="stable")
    values = [f"{names[run]} {at[run]:.3f}" for run in best_first[:_SAID]]
    more = len(names) - len(values)
    of = f" of {printable(measure)}" if measure else ""
    said = [f"{what.capitalize()}{of} over {counted(result.n, 'topic')}: {', '.join(values)}"]
    said[0] += f" and {counted(more, 'other run')}." if more else "."
    said.append(f"Critical difference {critical:.4g} ({result.method}, alpha {result.alpha:g}).")
    groups = [", ".join(names[run] for run in group[::-1]) for group in reversed(result.groups) if len(group) > 1]
    if len(groups) > _SAID:
        said.append(f"{len(groups)} groups are not told apart.")
    else:
        said.append(f"Not told apart: {'; '.join(groups)}." if groups else "All are told apart.")
    return " ".join(said)


def _sheet(result: PostHoc, runs: Sequence[str]) -> Sheet:
    """The numbers behind the chart, the best run first; runs that share a letter do not differ significantly."""
    at, critical, what = _places(result)
    shared = letters(result)
    order = np.argsort(-result.centre, kind="stable").tolist()
    columns = (
        Column("run", [runs[run] for run in order]),
        Column(what, at[order], ".4f"),
        Column("group", [shared[run] for run in order]),
    )
    notes = [f"{result.method}, critical difference {critical:.4g} at alpha {result.alpha:g}, {result.n} topics"]
    return Sheet(columns, notes=(*notes, "runs that share a letter are not told apart", result.note))
