"""Curves as tables: a short one for people, and every point for programs."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Floats, Ints
from cranfield.tables.curves.kind import CURVES
from cranfield.tables.sheets.sheet import Cell, Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.tables.curves.result import Curves

RANKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)


def sheet(curves: "Curves") -> Sheet:
    """A row per run (and measure, and column, where there are several), a column for some of the points."""
    columns = _over_points(curves) if curves.axis else _single_points(curves)
    return Sheet(tuple(columns), notes=tuple(_notes(curves)), caption=_caption(curves), label="tab:curves")


def point_sheet(curves: "Curves") -> Sheet:
    """Every point of every run in a row of its own."""
    if not curves.axis:  # one point per topic: the points are the topics
        return topic_sheet(curves)
    shape = (len(curves.measures), len(curves.runs), len(curves.points))
    columns = _labels(curves, shape, {0: curves.measures, 1: curves.runs})
    columns.append(Column(curves.axis, _spread(_points(curves), 2, shape)))
    columns += [Column(name, values.reshape(-1), ".4f") for name, values in curves.means.items() if name != curves.axis]
    return Sheet(tuple(columns))


def topic_sheet(curves: "Curves") -> Sheet:
    """Every point of every run and topic in a row of its own; topics a run was not scored on are left out."""
    shape = (len(curves.measures), len(curves.runs), len(curves.topics), len(curves.points))
    columns = _labels(curves, shape, {0: curves.measures, 1: curves.runs, 2: curves.topics})
    if curves.axis:
        columns.append(Column(curves.axis, _spread(_points(curves), 3, shape)))
    columns += [Column(name, values.reshape(-1), ".4f") for name, values in curves.by_topic.items()]
    scored = np.broadcast_to(curves.scores.scored[None, :, :, None], shape).reshape(-1)
    return Sheet(tuple(Column(c.name, np.asarray(c.values)[scored].tolist(), c.format) for c in columns))


def _labels(curves: "Curves", shape: tuple[int, ...], names: dict[int, tuple[str, ...]]) -> list[Column]:
    """The columns that say what a row is about; one measure alone needs no column."""
    titles = ("measure", "run", "topic")
    shown = {axis: labels for axis, labels in names.items() if axis or len(labels) > 1}
    return [
        Column(titles[axis], _spread(np.array(labels, dtype=object), axis, shape)) for axis, labels in shown.items()
    ]


def _points(curves: "Curves") -> Floats | Ints:
    """The points as they are written: ranks are whole numbers."""
    return curves.points.astype(np.int64) if curves.axis == "rank" else curves.points


def _spread(labels: NDArray[Any], axis: int, shape: tuple[int, ...]) -> list[Cell]:
    """Labels along one axis, repeated along the others, in the order of the flattened table."""
    along = [1] * len(shape)
    along[axis] = len(labels)
    cells: list[Cell] = np.broadcast_to(labels.reshape(along), shape).reshape(-1).tolist()
    return cells


def _columns(curves: "Curves") -> tuple[str, ...]:
    """The columns of means that people look at."""
    drawn = (curves.x, *curves.y) if curves.x in curves.means else curves.y
    return (*drawn, *curves.ends)


def _shown(curves: "Curves") -> Sequence[int]:
    """The points that fit into a table."""
    if curves.axis != "rank":
        return range(len(curves.points))
    last = len(curves.points)
    return [rank - 1 for rank in sorted({*(rank for rank in RANKS if rank < last), last})]


def _heading(curves: "Curves", at: int) -> str:
    point = float(curves.points[at])
    return f"@{point:.0f}" if curves.axis == "rank" else f"{point:.1f}"


def _over_points(curves: "Curves") -> list[Column]:
    """A row per line, a column per point that is shown."""
    shown = _columns(curves)
    lines = [
        (measure, run, name, curves.means[name][m, r])
        for (m, measure), (r, run), name in product(enumerate(curves.measures), enumerate(curves.runs), shown)
    ]
    lines += [(measure, "ideal", "ideal", values) for measure, values in _ideals(curves)]
    measures, runs, names, values = zip(*lines, strict=True)
    columns = [Column("run", runs)]
    columns += [Column("measure", measures)] if len(curves.measures) > 1 else []
    columns += [Column("", names)] if len(shown) > 1 else []
    return columns + [Column(_heading(curves, at), [float(v[at]) for v in values], ".4f") for at in _shown(curves)]


def _single_points(curves: "Curves") -> list[Column]:
    """One point per run: its columns side by side."""
    columns = [Column("run", curves.runs * len(curves.measures))]
    if len(curves.measures) > 1:
        columns.append(Column("measure", [measure for measure in curves.measures for _ in curves.runs]))
    return columns + [Column(name, values.reshape(-1), ".4f") for name, values in curves.means.items()]


def _caption(curves: "Curves") -> str:
    return f"{curves.kind}: {', '.join(curves.measures)}. {curves.scores.sheet().caption}"


def _ideals(curves: "Curves") -> Iterator[tuple[str, Floats]]:
    """The ideal curve of each measure, where gain is not normalised and all runs have the same one."""
    if CURVES[curves.kind].ideal:
        for measure, values in zip(curves.measures, curves.means["ideal"], strict=True):
            if (values == values[0]).all():
                yield measure, values[0]


def _notes(curves: "Curves") -> Iterator[str]:
    """The notes: what was computed, ranks read across the curves, and the footer of the scores."""
    named = curves.kind == CURVES[curves.kind].measure.lower()  # the names of the measures say it
    title = " · ".join([*([] if named else [curves.kind]), *curves.measures])
    if "mean_of_norm" in curves.means:
        way = {"mean_of_norm": "normalised by topic, then averaged", "norm_of_mean": "mean gain over mean ideal gain"}
        title += f" · {curves.y[0]}: {way[curves.y[0]]}"
    yield f"{title} · {counted(len(curves.points), curves.axis)}" if curves.axis == "rank" else title
    if CURVES[curves.kind].ideal:
        yield from _read_across(curves)
    yield from curves.assumptions
    yield from curves.scores.sheet().notes


def _read_across(curves: "Curves") -> Iterator[str]:
    last = len(curves.points)
    flat = curves.flat
    yield f"the ideal is flat from rank {flat:,}" if flat else f"the ideal still rises at rank {last:,}"
    for rank in (5, 10):
        if rank < last:
            needed = curves.needed(rank)
            reached = sorted((at, run) for run, at in needed.items() if at is not None)
            never = [run for run, at in needed.items() if at is None]
            said = [f"{run} {at:,}" for at, run in (reached if len(reached) < 4 else [reached[0], reached[-1]])]
            said += [f"never: {', '.join(never[:3])}{', …' if len(never) > 3 else ''}"] if never else []
            ratio = f" (worst/best {reached[-1][0] / reached[0][0]:.1f})" if len(reached) > 1 and not never else ""
            yield f"rank needed for the ideal gain of rank {rank}: {' · '.join(said)}{ratio}"
