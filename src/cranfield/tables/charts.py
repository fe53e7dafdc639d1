"""The registry of charts: the result that each belongs to, and the question it answers.

Results may not import the modules that draw them. A result names its chart here; modules register their charts with
`chart_kind`, and are found by their folder when the first chart is drawn.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, Literal, ParamSpec, TypedDict, TypeVar

from cranfield.errors import PolicyError
from cranfield.errors.arguments import checked
from cranfield.registry import Registry, unknown

if TYPE_CHECKING:
    from cranfield.reporting.figure import Figure as Figure  # noqa: PLC0414  # for type checkers: what `plot` returns

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

    topic: str | None  # of the coverage, and under the microscope
    measure: str | None  # of the ranges, and of what to judge next; the first by default
    n: int  # documents to judge next
    strategy: str  # by which they are chosen
    strategies: Sequence[str]  # whose judging is compared
    runs: Sequence[str]  # under the microscope
    depth: int | None  # ranks under the microscope


class PoolChartChoices(ChartChoices, total=False):
    """What a chart of a pool takes by name."""

    strategies: Sequence[str]  # that are compared


class AgreementChartChoices(ChartChoices, total=False):
    """What a chart of agreement takes by name."""

    assessors: str | None  # of the confusion table: two of them, as `ann, bob`
    measure: str | None  # of the systems; the first by default


@dataclass(frozen=True)
class ChartKind:
    """A chart of a kind of result.

    Attributes:
        name: what callers ask for.
        title: what the chart shows, in a few words.
        result: what it is drawn from: `scores`, `curves`, `comparison`, `groups`, `holes`, `prior`,
            `agreement`, `pool` or `study`.
        question: the question that it answers.
        reading: what its marks stand for, in a sentence or two.
        draw: the function that makes the figure from the result.
        usual: whether it is drawn if no name is given.
    """

    name: str
    title: str
    result: str
    question: str
    draw: Callable[..., Any]  # a Figure; its class stands further right
    usual: bool = False
    reading: str = ""


CHARTS: Final = Registry[ChartKind]("chart", "cranfield.reporting.charts")


def chart_kind(
    name: str, title: str, *, result: str, question: str, reading: str, usual: bool = False
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register the function below as the chart of that name."""

    def add(draw: Callable[P, R]) -> Callable[P, R]:
        kind = ChartKind(name, title, result, question=question, draw=draw, usual=usual, reading=reading)
        CHARTS.add(name, kind, home=draw.__module__)
        return draw

    return add


def charts_of(result: str) -> list[str]:
    """The names of the charts of a kind of result, the usual one first.

    >>> charts_of("comparison")
    ['deltas', 'critical-difference', 'matrix', 'significance']
    """
    found = [name for name, chart in CHARTS.items() if chart.result == result]
    return sorted(found, key=lambda name: not CHARTS[name].usual)


def draw(result: str, name: str, *about: Any, **choices: Any) -> "Figure":  # what the chart takes
    """The chart of that name, or the usual one, of a result of that kind; a choice that is None is none."""
    if not (known := charts_of(result)):
        drawn = ", ".join(dict.fromkeys(chart.result for chart in CHARTS.values()))
        raise PolicyError("E244", f"the result of {result!r} has no chart", hint=f"results that have: {drawn}")
    found = CHARTS.find(name or known[0])
    if found is None or found.result != result:
        raise unknown("kind", name, known)
    choices = {choice: value for choice, value in choices.items() if value is not None}
    taken = signature(found.draw).parameters
    if not any(each.kind is each.VAR_KEYWORD for each in taken.values()):
        takes = [each.name for each in taken.values() if each.kind is each.KEYWORD_ONLY]
        if strange := next((choice for choice in choices if choice not in takes), None):
            raise PolicyError(
                "E245", f"the chart {found.name!r} takes no {strange!r}", hint=f"one of {', '.join(takes)}"
            )
    drawn_by = checked(found.draw, f"the chart {found.name!r}")
    figure: Figure = drawn_by(*about, **choices)
    return figure
