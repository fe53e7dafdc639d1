"""The lines of a chart of curves: labelled, reduced to the points that can be seen, with a look for each label."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import PolicyError, printable
from cranfield.errors.names import unknown_name
from cranfield.measures.grammar import parse
from cranfield.reporting.labels import labelled, text_width
from cranfield.reporting.style import MOST, SIZE, Look, looks
from cranfield.tables.curves.kind import CURVES
from cranfield.tables.curves.result import Curves
from cranfield.tables.words import counted

Row: TypeAlias = dict[str, Any]  # one mark: names and numbers
POINTS = 400  # of one line: more cannot be seen
THIS_RUN, OTHER_RUNS = "this run", "other runs"


@dataclass(frozen=True, eq=False)
class Line:
    """A line of a panel; `label` is its entry in the legend, `name` distinguishes lines with the same label."""

    label: str
    name: str
    x: Floats
    y: Floats
    low: Floats | None = None
    high: Floats | None = None

    def rows(self) -> list[Row]:
        """One row per point that is defined."""
        at = thinned(len(self.x))
        at = at[~np.isnan(self.y[at]) & ~np.isnan(self.x[at])]
        columns = {"x": self.x, "y": self.y, "low": self.low, "high": self.high}
        numbers = {name: _rounded(values[at]) for name, values in columns.items() if values is not None}
        return [
            {"label": self.label, "name": self.name, "place": place, **dict(zip(numbers, row, strict=True))}
            for place, row in enumerate(zip(*numbers.values(), strict=True))
        ]


@dataclass(frozen=True)
class Panel:
    """Lines that share their axes."""

    title: str
    y: str
    lines: tuple[Line, ...]
    up: tuple[float, float] | None = None  # ends of the vertical axis, where they are known


def thinned(points: int) -> Ints:
    """The points of a line that are drawn: all of a short one; of a long one the first and then every n-th.

    >>> thinned(3), len(thinned(100_000))
    (array([0, 1, 2]), 400)
    """
    if points <= POINTS:
        return np.arange(points)
    half = POINTS // 2
    return np.concatenate((np.arange(half), np.linspace(half, points - 1, POINTS - half).round().astype(np.int64)))


def chosen(curves: Curves, highlight: Sequence[str]) -> list[str]:
    """The runs that are drawn in colour: those named, or all, or the best of many."""
    if unknown := next((name for name in highlight if name not in curves.runs), None):
        raise unknown_name(unknown, curves.runs, "run")
    if len(highlight) > MOST:
        raise PolicyError("E240", f"{len(highlight)} runs cannot be told apart", hint=f"highlight {MOST} at most")
    if highlight or len(curves.runs) <= MOST:
        return list(highlight or curves.runs)
    column = curves.means[CURVES[curves.kind].compared]
    level = np.nan_to_num(column[0]).mean(axis=-1)
    return [curves.runs[at] for at in np.argsort(-level, kind="stable")[:MOST]]


def run_looks(curves: Curves, drawn: Sequence[str]) -> list[Look]:
    """The look of each label: the runs in colour, all others as one, and the ideal."""
    labels = labelled(drawn)
    return looks(list(labels.values()), others(_left(curves, drawn), labels.values()), ideal=bool(ideal_line(curves)))


def run_panels(curves: Curves, drawn: Sequence[str]) -> list[Panel]:
    """A panel for each measure, with a line for each run; those in colour lie above the others."""
    left, labels = _left(curves, drawn), labelled(drawn)
    order, rest = left + list(reversed(drawn)), others(left, labels.values())
    up = None if curves.x == "rank" else (0, 1)
    panels = []
    for m, measure in enumerate(curves.measures):
        lines = [_line(curves, m, run, labels.get(run, rest), band=run in drawn) for run in order]
        title = measure if len(curves.measures) > 1 else ""
        panels.append(Panel(_level(curves, title), y_title(curves, measure), (*ideal_line(curves, m), *lines), up))
    return panels


def band_panels(curves: Curves, drawn: Sequence[str], room: float) -> tuple[list[Panel], list[Look]]:
    """A panel for each run with its band, and all other runs in grey: bands that lie over each other cannot be read.

    `room` is what the title of a panel may take, in points.
    """
    shown = [curves.means[name] for name in (curves.y[0], "high", *(("ideal",) if ideal_line(curves) else ()))]
    up = (0, max(float(np.nanmax(values, initial=0.01)) for values in shown) * 1.02) if curves.x == "rank" else (0, 1)
    panels = []
    for (m, measure), run in product(enumerate(curves.measures), drawn):
        level = _level(curves, measure if len(curves.measures) > 1 else "")
        left = room - text_width(f", {level}" if level else "", SIZE + 1, bold=True)
        labels = labelled(drawn, left, SIZE + 1, bold=True)
        lines = [_line(curves, m, each, OTHER_RUNS, band=False) for each in curves.runs if each != run]
        lines.append(_line(curves, m, run, THIS_RUN, band=True))
        title = f"{labels[run]}, {level}" if level else labels[run]
        y = curves.y[0] if CURVES[curves.kind].y_title else y_title(curves, measure)  # there is little room
        panels.append(Panel(title, y, (*ideal_line(curves, m), *lines), up))
    return panels, looks([THIS_RUN], OTHER_RUNS, ideal=bool(ideal_line(curves)))


def model_panels(curves: Curves) -> tuple[list[Panel], list[Look]]:
    """A panel for each of C, W and L; a model that does not depend on gains has one line for all runs."""
    which: list[tuple[str, int, int]] = []
    for m, measure in enumerate(curves.measures):
        values = np.stack([curves.means[letter][m] for letter in curves.y])
        same = np.allclose(values, values[:, :1], atol=1e-9)
        for r, run in enumerate(curves.runs[:1] if same else curves.runs):
            label = measure if same else run if len(curves.measures) == 1 else f"{measure}, {run}"
            which.append((label, m, r))
    names = labelled([label for label, _, _ in which])
    which = [(names[label], m, r) for label, m, r in which]
    shown, rest = which[:MOST], which[MOST:]
    of_rest = others([label for label, _, _ in rest])
    panels = []
    for letter in curves.y:
        means = curves.means[letter]
        lines = [Line(of_rest, label, curves.points, means[m, r]) for label, m, r in rest]
        lines += [Line(label, label, curves.points, means[m, r]) for label, m, r in reversed(shown)]
        panels.append(Panel(FUNCTIONS[letter], "", tuple(lines), (0, 1) if letter == "C" else None))
    return panels, looks([label for label, _, _ in shown], of_rest)


FUNCTIONS = {"C": "C(i), going on after rank i", "W": "W(i), attention to rank i", "L": "L(i), rank i is the last"}


def ideal_line(curves: Curves, measure: int = 0) -> tuple[Line, ...]:
    """The ideal curve, where gain is not normalised and all runs have the same one."""
    if not CURVES[curves.kind].ideal:
        return ()
    ideal = curves.means["ideal"][measure]
    return (Line("ideal", "ideal", curves.points, ideal[0]),) if (ideal == ideal[0]).all() else ()


def y_title(curves: Curves, measure: str) -> str:
    """What the vertical axis of a measure shows."""
    if declared := CURVES[curves.kind].y_title:
        return declared
    name = parse(measure).definition.name if len(curves.measures) > 1 else measure.rpartition("@")[0] or measure
    return f"{name}, norm of mean" if curves.y[0] == "norm_of_mean" else name


def _line(curves: Curves, m: int, run: str, label: str, band: bool) -> Line:
    r = curves.runs.index(run)
    x = curves.means[curves.x][m, r] if curves.x in curves.means else curves.points
    y = curves.means[curves.y[0]][m, r]
    if CURVES[curves.kind].steps:
        rises = np.flatnonzero(np.diff(x, prepend=0.0) > 0)
        last = int(rises[-1]) + 1 if len(rises) else 1  # after it precision only falls
        x, y = _steps(x, y) if len(curves.topics) == 1 else (x[:last], y[:last])
    names = ("low", "high") if band else ()  # the others have none: it would be all grey
    ends = {name: curves.means[name][m, r] for name in names if name in curves.means}
    return Line(label, printable(run), x, y, **ends)


def _steps(recall: Floats, precision: Floats) -> tuple[Floats, Floats]:
    """The relevant documents of one list, from recall 0 on: steps whose area is average precision."""
    rises = np.flatnonzero(np.diff(recall, prepend=0.0) > 0)
    if len(rises) == 0:
        return np.zeros(1), np.zeros(1)
    return np.concatenate(([0.0], recall[rises])), precision[np.concatenate((rises[:1], rises))]


def _level(curves: Curves, title: str) -> str:
    return f"relevant: grade {parse(title).rel:g} or more" if title and CURVES[curves.kind].y_title else title


def others(rest: Sequence[str], taken: Collection[str] = ()) -> str:
    """The label that the lines without a colour share: how many there are, or the name of the only one.

    >>> others(["a", "b"]), others(["bm25"]), others([])
    ('2 others', 'bm25', '')
    """
    if len(rest) != 1:
        return counted(len(rest), "other") if rest else ""
    return list(labelled([*taken, *rest]).values())[-1]


def _left(curves: Curves, drawn: Sequence[str]) -> list[str]:
    """The runs that are not drawn in colour."""
    return [run for run in curves.runs if run not in drawn]


def _rounded(values: Floats) -> list[float]:
    """Values rounded to six digits, to keep files small."""
    return [float(f"{value:.6g}") for value in values.tolist()]


def rows_of(lines: Sequence[Line]) -> list[Row]:
    """The rows of several lines, in the order in which they are drawn."""
    return [row for line in lines for row in line.rows()]


def isocurves(beta: float) -> Iterator[tuple[float, Floats, Floats]]:
    """For F = 0.1, …, 0.9: the recalls and precisions that give it, up to recall 1.

    >>> [round(float(precision[-1]), 4) for f, recall, precision in isocurves(1) if f == 0.5]  # 0.5 / (2 - 0.5)
    [0.3333]
    """
    for tenth in range(1, 10):
        f = tenth / 10
        lowest = f * beta**2 / (1 + beta**2 - f)  # the recall at which precision has to be 1
        recall = np.geomspace(lowest, 1, 100)
        yield f, recall, np.minimum(f * recall / ((1 + beta**2) * recall - f * beta**2), 1.0)
