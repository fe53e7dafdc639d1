"""The registry of charts: the result that each belongs to, and the question it answers.

Results may not import the modules that draw them. A result names its chart here; modules register their charts with
`chart_kind`, and are found by their folder when the first chart is drawn.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, Final, Literal, ParamSpec, TypedDict, TypeVar

from cranfield.errors import PolicyError
from cranfield.registry import Registry

P = ParamSpec("P")
R = TypeVar("R")
PageColumns = Literal["one", "two"]  # of a printed page
Width = PageColumns | float


class ChartChoices(TypedDict, total=False):
    """What every chart takes by name."""

    width: Width  # columns of a printed page, or centimetres
    title: str  # printed above the chart


class CurveChartChoices(ChartChoices, total=False):
    """What a chart of curves takes by name."""

    highlight: Sequence[str]  # names of runs that are drawn in colour
    log: bool  # whether ranks stand on a logarithmic axis


class ComparisonChartChoices(ChartChoices, total=False):
    """What a chart of a comparison takes by name."""

    run: str | None  # of the deltas
    baseline: str | None  # of the deltas
    measure: str | None  # needed if several were compared


class GroupChartChoices(ChartChoices, total=False):
    """What a chart of groups of topics takes by name."""

    measure: str | None  # the first by default


class HolesChartChoices(ChartChoices, total=False):
    """What a chart of missing judgments takes by name."""

    topic: str | None  # of the coverage
    measure: str | None  # of the ranges, and of what to judge next; the first by default
    n: int  # documents to judge next
    strategy: str  # by which they are chosen


@dataclass(frozen=True)
class ChartKind:
    """A chart of a kind of result.

    Attributes:
        name: what callers ask for.
        title: what the chart shows, in a few words.
        result: what it is drawn from: `curves`, `comparison`, `groups`, `holes`, `prior` or `study`.
        question: the question that it answers.
        draw: the function that makes the figure from the result.
    """

    name: str
    title: str
    result: str
    question: str
    draw: Callable[..., Any]  # a Figure; its class stands further right


CHARTS: Final = Registry[ChartKind]("chart", "cranfield.reporting.charts")


def chart_kind(name: str, title: str, *, result: str, question: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register the function below as the chart of that name."""

    def add(draw: Callable[P, R]) -> Callable[P, R]:
        CHARTS.add(name, ChartKind(name, title, result, question, draw), home=draw.__module__)
        return draw

    return add


def charts_of(result: str) -> list[str]:
    """The names of the charts of a kind of result.

    >>> charts_of("comparison")
    ['deltas', 'matrix', 'critical-difference']
    """
    return [name for name, chart in CHARTS.items() if chart.result == result]


def draw(result: str, name: str, *about: Any, **choices: Any) -> Any:  # what the chart takes, and its Figure
    """The chart of that name, of a result of that kind."""
    found = CHARTS.find(name)
    if found is None or found.result != result:
        problem = f"a {result} cannot be drawn as {name!r}"
        raise PolicyError("E213", problem, hint=f"one of {', '.join(charts_of(result))}")
    taken = signature(found.draw).parameters
    if not any(each.kind is each.VAR_KEYWORD for each in taken.values()):
        known = [each.name for each in taken.values() if each.kind is each.KEYWORD_ONLY]
        if strange := next((choice for choice in choices if choice not in known), None):
            raise PolicyError("E245", f"the chart {name!r} takes no {strange!r}", hint=f"one of {', '.join(known)}")
    return found.draw(*about, **choices)
