"""Charts of judging: what so many documents narrow, and how many relevant ones they find, by strategy."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import PolicyError, printable
from cranfield.errors.ranges import check_least
from cranfield.errors.wording import setting
from cranfield.missing.next.deciding.asked import AskedPairs
from cranfield.pooling.growth import growth
from cranfield.pooling.pool import FROM_QRELS
from cranfield.reporting.drawing import Axes, lines
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.lines import Line, Panel
from cranfield.reporting.style import CENTIMETRE, MOST, centimetres, looks
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.missing.result import Holes
    from cranfield.pooling.result import Pooled

STRATEGIES = ("swing", "depth", "random")
GROWING = ("depth", "rrf", "mtf", "maxmean", "hedge", "sample")


@chart_kind(
    "judging",
    "width of the ranges by documents judged",
    result="holes",
    question="How much does more judging narrow what is possible, by strategy?",
    reading="A line shows how wide the possible differences still are after so many documents, by strategy.",
)
def judging_chart(
    of: "Holes",
    *,
    n: int = 50,
    strategies: Sequence[str] = STRATEGIES,
    measure: str | None = None,
    width: Width = "one",
    title: str = "",
) -> Figure:
    """Draw the mean width of the ranges of differences against the number of documents judged, by strategy.

    Every document judged is taken to be not relevant, as the scores as judged take it; the order is that of
    `Holes.next`.

    Args:
        of: the result of `cranfield.holes`.
        n: how many documents.
        strategies: how they are chosen: see `Holes.next`.
        measure: its name; the first by default.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    check_least(1, n=n)
    if not 1 <= len(strategies) <= MOST:
        raise PolicyError("E240", f"{len(strategies)} strategies cannot be drawn", hint=f"name 1 to {MOST}")
    if len(of.runs) < 2:
        raise PolicyError("E243", "one run has no difference to another, so there is nothing to draw")
    bounder = of.bounder(measure)
    name = of.measures[0] if measure is None else measure
    found = {strategy: _widths(of, n, strategy, name) for strategy in strategies}
    most = max(len(widths) for widths in found.values()) - 1
    drawn = [
        Line(printable(strategy), printable(strategy), np.arange(float(len(widths))), widths)
        for strategy, widths in found.items()
    ]
    panel = Panel("", f"mean width of Δ {name}", tuple(reversed(drawn)))
    axes = Axes("documents judged (as not relevant)", (0, max(most, 1)))
    rows = [(strategy, at, width) for strategy, widths in found.items() for at, width in enumerate(widths.tolist())]
    told = "; ".join(f"{strategy} from {widths[0]:.4f} to {widths[-1]:.4f}" for strategy, widths in found.items())
    return framed(
        lines([panel], looks([line.label for line in drawn]), axes, centimetres(width) * CENTIMETRE, []),
        Sheet(
            (
                Column("strategy", [row[0] for row in rows]),
                Column("judged", [row[1] for row in rows], "d"),
                Column("mean width", [row[2] for row in rows], ".4f"),
            )
        ),
        said=f"width of the ranges of {name} by documents judged",
        described=(
            f"Mean width of the possible differences in {name} between runs, after up to "
            f"{counted(most, 'document')} of {counted(bounder.situation.holes, 'hole')} are judged "
            f"as not relevant: {told}."
        ),
        width=width,
        title=title,
    )


def _widths(of: "Holes", n: int, strategy: str, measure: str) -> Floats:
    """The mean width of the ranges before any judgment, and after each."""
    situation = of.bounder(measure).situation
    pairs = of.asked(measure)
    a, b = (np.array([situation.runs.index(pair[side]) for pair in pairs], dtype=np.int64) for side in (0, 1))
    asked = AskedPairs(situation, a, b)
    names = [situation.topics[topic] for topic in situation.topic[asked.pairs].tolist()]
    documents = situation.document.take(asked.pairs)
    number = {key: hole for hole, key in enumerate(zip(names, documents, strict=True))}
    order = of.next(n, strategy=strategy, measure=measure)
    widths = [_mean_width(asked)]
    for key in zip(order.topics, order.documents, strict=True):
        asked.judge(number[key], float(situation.levels[0]))
        widths.append(_mean_width(asked))
    return np.array(widths)


def _mean_width(asked: AskedPairs) -> float:
    ends = asked.ranges
    width = ends.high - ends.low
    return float(width[np.isfinite(width)].mean()) if np.isfinite(width).any() else np.nan


@chart_kind(
    "growth",
    "relevant documents found by pairs judged",
    result="pool",
    question="Which strategy finds relevant documents soonest?",
    reading="A line is how many relevant documents a strategy has found after so many pairs; the dotted one "
    "is the best that is possible.",
)
def growth_chart(of: "Pooled", *, strategies: Sequence[str] = (), width: Width = "one", title: str = "") -> Figure:
    """Draw the relevant documents found against the pairs judged, a line for each strategy (V13).

    The judgments given to the pool are the answers: a strategy names a document of every topic, it is looked up, and so
    on, round by round, down to the depth of the pool. Without a judgment a document counts as not relevant. The dotted
    line is what is found if relevant documents come first.

    Args:
        of: the result of `cranfield.pool`, made with judgments (`qrels`).
        strategies: names of up to seven; by default some of each kind, and that of the pool.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    if of.grade is None:
        problem = "without judgments it is not known which documents are relevant"
        raise PolicyError("E244", problem, hint=setting("qrels", "qrels.txt"))
    if not of.candidates.runs:
        raise PolicyError("E243", "a pool that no run contributed to has no order to draw", hint="give runs")
    own = [of.strategy] if of.strategy not in (*GROWING, FROM_QRELS) else []
    names = list(dict.fromkeys(strategies or [*GROWING, *own]))
    if len(names) > MOST:
        raise PolicyError("E240", f"{len(names)} strategies cannot be drawn", hint=f"name 1 to {MOST}")
    grown = growth(of.candidates, of.grade, of.rel, names, of.audit.seed)
    judged = grown.judged.astype(np.float64)
    drawn = [Line(name, name, judged, found) for name, found in grown.found.items()]
    panel = Panel("", "relevant documents found", (Line("ideal", "ideal", judged, grown.ideal), *reversed(drawn)))
    axes = Axes("pairs judged", (0, max(float(judged[-1]), 1.0)))
    half = int(np.searchsorted(judged, judged[-1] / 2))
    told = ", ".join(f"{name} {found[half]:.0f}" for name, found in grown.found.items())
    every = {**grown.found, "ideal": grown.ideal}
    return framed(
        lines([panel], looks(list(grown.found), ideal=True), axes, centimetres(width) * CENTIMETRE, []),
        Sheet(
            (
                Column("strategy", [name for name in every for _ in judged]),
                Column("judged", grown.judged.tolist() * len(every), "d"),
                Column("found", np.concatenate(list(every.values())), ".1f"),
            )
        ),
        said="relevant documents found by pairs judged",
        described=(
            f"Relevant documents found by pairs judged, evenly over {counted(len(of.topics), 'topic')}, to depth "
            f"{of.depth:,}. After {grown.judged[half]:,} of {grown.judged[-1]:,} pairs: {told}; of {grown.relevant:,} "
            f"relevant. {counted(grown.unknown, 'pair')} without a judgment count as not relevant."
        ),
        width=width,
        title=title,
    )
